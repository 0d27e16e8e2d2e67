import CTraceRecorder
import Dispatch

extension TracedQueue {
    /// Submits a closure and returns at once.
    ///
    /// - Parameters:
    ///   - group: a group to enter now, and to leave when the closure has returned.
    ///   - qos: the quality of service of the item.
    ///   - flags: flags such as `.barrier`.
    ///   - work: the closure to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    @inlinable
    public func async(
        group: TracedGroup? = nil, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable () -> Void, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        guard qs_records_wrapper() else {
            underlying.async(group: group?.underlying, qos: qos, flags: flags, execute: work)
            return
        }
        recordAsync(group: group, qos: qos, flags: flags, site: CallSite(file: file, line: line), work)
    }

    /// Submits a work item and returns at once.
    ///
    /// - Parameters:
    ///   - workItem: the work item to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    @inlinable
    public func async(execute workItem: TracedWorkItem, file: StaticString = #fileID, line: UInt = #line) {
        guard qs_records_wrapper() else {
            underlying.async(execute: workItem.underlying)
            return
        }
        workItem.recordSubmission(to: self, kind: qs_item_kind_async, site: CallSite(file: file, line: line))
        underlying.async(execute: workItem.underlying)
    }

    /// Submits a work item in a group and returns at once.
    ///
    /// - Parameters:
    ///   - group: a group to enter now, and to leave when the item has run or was skipped as cancelled.
    ///   - workItem: the work item to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    @inlinable
    public func async(
        group: TracedGroup, execute workItem: TracedWorkItem, file: StaticString = #fileID, line: UInt = #line
    ) {
        guard qs_records_wrapper() else {
            underlying.async(group: group.underlying, execute: workItem.underlying)
            return
        }
        workItem.recordSubmission(
            to: self, kind: qs_item_kind_async, site: CallSite(file: file, line: line), group: group)
        underlying.async(group: group.underlying, execute: workItem.underlying)
    }

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
    func recordAsync(
        group: TracedGroup?, qos: DispatchQoS, flags: DispatchWorkItemFlags, site: CallSite,
        _ work: @escaping @Sendable () -> Void
    ) {
        let item = recordEnqueue(qs_item_kind_async, qos: qos, flags: flags, site: site)
        guard let group else {
            underlying.async(qos: qos, flags: flags, execute: recording(item, work))
            return
        }
        qs_record_group_enter(group.id)
        underlying.async(group: group.underlying, qos: qos, flags: flags) { [hold = identity.hold] in
            qs_item_begin(hold.pointer, item)
            work()
            qs_item_end(hold.pointer, item)
            qs_record_group_leave(group.id)
        }
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

    /// Records the submission of an item, and returns the id of the item.
    func recordEnqueue(
        _ kind: qs_item_kind, qos: DispatchQoS, flags: DispatchWorkItemFlags, site: CallSite
    ) -> UInt64 {
        let item = qs_new_item()
        qs_record_item_enqueue(item, identity.number, site.code, kind.field, qos.field)
        recordBarrier(item, flags: flags)
        return item
    }

    /// Records that the item is a barrier. On a serial queue the flag has no effect and is not recorded.
    func recordBarrier(_ item: UInt64, flags: DispatchWorkItemFlags) {
        if flags.contains(.barrier), !identity.isSerial { qs_record_item_barrier(item) }
    }

    /// The closure that records the run of an item. It retains the hold.
    func recording(
        _ item: UInt64, _ work: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        { [hold = identity.hold] in
            qs_item_begin(hold.pointer, item)
            work()
            qs_item_end(hold.pointer, item)
        }
    }
}
