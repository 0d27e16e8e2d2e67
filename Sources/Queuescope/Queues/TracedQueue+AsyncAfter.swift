import CTraceRecorder
import Dispatch

extension TracedQueue {
    /// Submits a closure at a time of the uptime clock, which stops while the machine sleeps.
    ///
    /// - Parameters:
    ///   - deadline: the time of the submission.
    ///   - qos: the quality of service of the item.
    ///   - flags: flags such as `.barrier`.
    ///   - work: the closure to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    @inlinable
    public func asyncAfter(
        deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable () -> Void, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        guard qs_records_wrapper() else {
            underlying.asyncAfter(deadline: deadline, qos: qos, flags: flags, execute: work)
            return
        }
        let recorded = recordAfter(
            deadline.delay, qos: qos, flags: flags, site: CallSite(file: file, line: line), work)
        underlying.asyncAfter(deadline: deadline, qos: qos, flags: flags, execute: recorded)
    }

    /// Submits a closure at a time of the wall clock.
    ///
    /// - Parameters:
    ///   - wallDeadline: the time of the submission.
    ///   - qos: the quality of service of the item.
    ///   - flags: flags such as `.barrier`.
    ///   - work: the closure to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    @inlinable
    public func asyncAfter(
        wallDeadline: DispatchWallTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable () -> Void, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        guard qs_records_wrapper() else {
            underlying.asyncAfter(wallDeadline: wallDeadline, qos: qos, flags: flags, execute: work)
            return
        }
        let recorded = recordAfter(
            wallDeadline.delay, qos: qos, flags: flags, site: CallSite(file: file, line: line), work)
        underlying.asyncAfter(wallDeadline: wallDeadline, qos: qos, flags: flags, execute: recorded)
    }

    /// Submits a work item at a time of the uptime clock, which stops while the machine sleeps.
    ///
    /// - Parameters:
    ///   - deadline: the time of the submission.
    ///   - workItem: the work item to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    @inlinable
    public func asyncAfter(
        deadline: DispatchTime, execute workItem: TracedWorkItem, file: StaticString = #fileID, line: UInt = #line
    ) {
        if qs_records_wrapper() {
            workItem.recordSubmission(
                to: self, kind: qs_item_kind_after, site: CallSite(file: file, line: line), delay: deadline.delay,
                due: deadline.due)
        }
        underlying.asyncAfter(deadline: deadline, execute: workItem.underlying)
    }

    /// Submits a work item at a time of the wall clock.
    ///
    /// - Parameters:
    ///   - wallDeadline: the time of the submission.
    ///   - workItem: the work item to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    @inlinable
    public func asyncAfter(
        wallDeadline: DispatchWallTime, execute workItem: TracedWorkItem, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        if qs_records_wrapper() {
            workItem.recordSubmission(
                to: self, kind: qs_item_kind_after, site: CallSite(file: file, line: line), delay: wallDeadline.delay,
                due: wallDeadline.due)
        }
        underlying.asyncAfter(wallDeadline: wallDeadline, execute: workItem.underlying)
    }

    @usableFromInline
    @inline(never)
    func recordAfter(
        _ delay: UInt64, qos: DispatchQoS, flags: DispatchWorkItemFlags, site: CallSite,
        _ work: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let item = recordEnqueue(qs_item_kind_after, qos: qos, flags: flags, site: site)
        qs_record_item_delay(item, delay)
        return recording(item, work)
    }
}
