import CTraceRecorder
import Dispatch

/// A `DispatchGroup` that records enters, leaves and waits.
///
/// Thread safety: every method may be called on any thread.
public final class TracedGroup: Sendable {
    /// The group, for an API that needs a `DispatchGroup`.
    public let underlying = DispatchGroup()

    @usableFromInline let id = qs_new_object()

    /// Creates an empty group.
    ///
    /// - Parameters:
    ///   - file: where the group is created.
    ///   - line: where the group is created.
    public init(file: StaticString = #fileID, line: UInt = #line) {
        if qs_records_wrapper() { qs_record_group_create(id, CallSite(file: file, line: line).code) }
    }

    /// Enters the group, which is not empty until `leave()` was called the same number of times.
    @inlinable
    public func enter() {
        if qs_records_wrapper() { qs_record_group_enter(id) }
        underlying.enter()
    }

    /// Reverses one call of `enter()`.
    @inlinable
    public func leave() {
        if qs_records_wrapper() { qs_record_group_leave(id) }
        underlying.leave()
    }

    /// Waits until the group is empty.
    ///
    /// - Parameters:
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    @inlinable
    public func wait(file: StaticString = #fileID, line: UInt = #line) {
        guard qs_records_wrapper() else {
            underlying.wait()
            return
        }
        recordWaitBegin(CallSite(file: file, line: line))
        underlying.wait()
        qs_record_group_wait_end(id, 0)
    }

    /// Waits until the group is empty, or until a time.
    ///
    /// - Parameters:
    ///   - timeout: the time at which the wait ends without success.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    /// - Returns: `.timedOut` if the time passed first.
    @inlinable
    public func wait(
        timeout: DispatchTime, file: StaticString = #fileID, line: UInt = #line
    ) -> DispatchTimeoutResult {
        guard qs_records_wrapper() else { return underlying.wait(timeout: timeout) }
        recordWaitBegin(CallSite(file: file, line: line))
        let result = underlying.wait(timeout: timeout)
        qs_record_group_wait_end(id, result == .timedOut ? 1 : 0)
        return result
    }

    /// Waits until the group is empty, or until a time of the wall clock.
    ///
    /// - Parameters:
    ///   - wallTimeout: the time at which the wait ends without success.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    /// - Returns: `.timedOut` if the time passed first.
    @inlinable
    public func wait(
        wallTimeout: DispatchWallTime, file: StaticString = #fileID, line: UInt = #line
    ) -> DispatchTimeoutResult {
        guard qs_records_wrapper() else { return underlying.wait(wallTimeout: wallTimeout) }
        recordWaitBegin(CallSite(file: file, line: line))
        let result = underlying.wait(wallTimeout: wallTimeout)
        qs_record_group_wait_end(id, result == .timedOut ? 1 : 0)
        return result
    }

    /// Submits a closure when the group becomes empty.
    ///
    /// - Parameters:
    ///   - qos: the quality of service of the closure.
    ///   - flags: flags such as `.barrier`.
    ///   - queue: the queue on which the closure runs.
    ///   - work: the closure to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func notify(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: TracedQueue,
        execute work: @escaping @Sendable () -> Void, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        guard qs_records_wrapper() else {
            underlying.notify(qos: qos, flags: flags, queue: queue.underlying, execute: work)
            return
        }
        let item = qs_new_item()
        qs_record_group_notify(id, item, queue.identity.number, CallSite(file: file, line: line).code)
        queue.recordBarrier(item, flags: flags)
        underlying.notify(
            qos: qos, flags: flags, queue: queue.underlying, execute: queue.recording(item, work))
    }

    /// Submits a work item when the group becomes empty.
    ///
    /// - Parameters:
    ///   - queue: the queue on which the work item runs.
    ///   - work: the closure to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func notify(
        queue: TracedQueue, work: TracedWorkItem, file: StaticString = #fileID, line: UInt = #line
    ) {
        if qs_records_wrapper() {
            let item = qs_new_item()
            qs_record_group_notify(id, item, queue.identity.number, CallSite(file: file, line: line).code)
            work.submissions.add(WorkItemSubmission(item: item, queue: queue.identity), on: queue.underlying)
        }
        underlying.notify(queue: queue.underlying, work: work.underlying)
    }

    @usableFromInline
    @inline(never)
    func recordWaitBegin(_ site: CallSite) { qs_record_group_wait_begin(id, site.code) }
}
