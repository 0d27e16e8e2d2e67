import CTraceRecorder
import Dispatch

/// A `DispatchWorkItem` that records each of its runs.
///
/// It has the identity that `cancel`, `wait` and `notify` need. Each submission is a separate item in the trace. As
/// with `DispatchWorkItem`, use `wait` and `notify` only for an item that is submitted once.
///
/// Thread safety: every method may be called on any thread.
public final class TracedWorkItem: @unchecked Sendable {
    /// The work item, for an API that needs a `DispatchWorkItem`.
    ///
    /// Runs that start directly from it are not recorded.
    public let underlying: DispatchWorkItem

    let submissions: WorkItemSubmissions
    let site: CallSite
    let qos: DispatchQoS
    let flags: DispatchWorkItemFlags

    /// Creates a work item.
    ///
    /// - Parameters:
    ///   - qos: the quality of service of its runs.
    ///   - flags: flags such as `.barrier`.
    ///   - block: the closure to run.
    ///   - file: where the item is created.
    ///   - line: where the item is created.
    public init(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        block: @escaping @Sendable () -> Void, file: StaticString = #fileID, line: UInt = #line
    ) {
        let submissions = WorkItemSubmissions()
        self.submissions = submissions
        self.qos = qos
        self.flags = flags
        site = CallSite(file: file, line: line)
        let recorded = qs_hooks_record() ? block : { submissions.run(block) }
        underlying = DispatchWorkItem(qos: qos, flags: flags, block: recorded)
    }

    /// Runs the item on the calling thread.
    ///
    /// - Parameters:
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func perform(file: StaticString = #fileID, line: UInt = #line) {
        guard qs_records_wrapper(), !isCancelled else {
            underlying.perform()
            return
        }
        let item = qs_new_item()
        qs_record_item_enqueue(
            item, 0, CallSite(file: file, line: line).code, qs_item_kind_perform.field, qos.field)
        submissions.add(WorkItemSubmission(item: item, queue: nil, performer: qs_current_tid()))
        underlying.perform()
        // Another thread has cancelled the item since, and has not recorded the cancellation yet.
        if isCancelled { submissions.recordCancel() }
        submissions.forget(item, of: nil)
    }

    /// Waits until the item has run, or was skipped as cancelled.
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
        _ = recordingWait(CallSite(file: file, line: line)) {
            underlying.wait()
            return .success
        }
    }

    /// Waits until the item has run, or until a time.
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
        return recordingWait(CallSite(file: file, line: line)) { underlying.wait(timeout: timeout) }
    }

    /// Waits until the item has run, or until a time of the wall clock.
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
        return recordingWait(CallSite(file: file, line: line)) { underlying.wait(wallTimeout: wallTimeout) }
    }

    /// Cancels the runs that have not begun.
    public func cancel() {
        underlying.cancel()
        submissions.recordCancel()
    }

    /// Whether the item was cancelled.
    public var isCancelled: Bool { underlying.isCancelled }

    /// Submits a closure after the item has run.
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
        let notification = WorkItemNotification(
            item: qs_new_item(), queue: queue.identity, code: CallSite(file: file, line: line).code, qos: qos)
        submissions.notify(notification)
        let recorded = queue.recording(notification.item, work)
        underlying.notify(qos: qos, flags: flags, queue: queue.underlying) {
            notification.recordEnqueue()
            recorded()
        }
    }

    /// Submits another work item after this item has run.
    ///
    /// - Parameters:
    ///   - queue: the queue on which the work item runs.
    ///   - workItem: the work item to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func notify(
        queue: TracedQueue, execute workItem: TracedWorkItem, file: StaticString = #fileID, line: UInt = #line
    ) {
        if qs_records_wrapper() {
            let notification = WorkItemNotification(
                item: qs_new_item(), queue: queue.identity, code: CallSite(file: file, line: line).code,
                qos: workItem.qos)
            workItem.submissions.add(
                WorkItemSubmission(item: notification.item, queue: queue.identity, notification: notification))
            submissions.notify(notification)
        }
        underlying.notify(queue: queue.underlying, execute: workItem.underlying)
    }
}
