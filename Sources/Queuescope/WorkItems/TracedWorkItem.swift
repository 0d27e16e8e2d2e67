import CTraceRecorder
import Dispatch

/// A `DispatchWorkItem` that records each of its runs.
///
/// It keeps the identity that `cancel`, `wait` and `notify` need; an item submitted several times is several items in
/// the trace. As with `DispatchWorkItem`, `wait` and `notify` are for items that are submitted once.
///
/// Thread safety: every method may be called on any thread.
public final class TracedWorkItem: @unchecked Sendable {
    /// The work item, for API that wants a `DispatchWorkItem`.
    ///
    /// Runs that start from it directly are not in the trace.
    public let underlying: DispatchWorkItem

    let submissions: WorkItemSubmissions
    let site: CallSite
    let qos: DispatchQoS
    let flags: DispatchWorkItemFlags

    /// Creates a work item.
    ///
    /// - Parameters:
    ///   - qos: the quality of service of its runs.
    ///   - flags: for instance `.barrier`.
    ///   - block: what to run.
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
    ///   - file: where the call is made.
    ///   - line: where the call is made.
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
        // Cancelled in the meantime by a thread that has not written it yet.
        if isCancelled { submissions.recordCancel() }
        submissions.forget(item, of: nil)
    }

    /// Waits until the item has run or was skipped because it is cancelled.
    ///
    /// - Parameters:
    ///   - file: where the call is made.
    ///   - line: where the call is made.
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
    ///   - timeout: when to give up.
    ///   - file: where the call is made.
    ///   - line: where the call is made.
    /// - Returns: whether the time passed first.
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
    ///   - wallTimeout: when to give up.
    ///   - file: where the call is made.
    ///   - line: where the call is made.
    /// - Returns: whether the time passed first.
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

    /// Submits a closure when the item has run.
    ///
    /// - Parameters:
    ///   - qos: the quality of service of the closure.
    ///   - flags: for instance `.barrier`.
    ///   - queue: where to run the closure.
    ///   - work: what to run.
    ///   - file: where the call is made.
    ///   - line: where the call is made.
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

    /// Submits another work item when this one has run.
    ///
    /// - Parameters:
    ///   - queue: where to run it.
    ///   - workItem: what to run.
    ///   - file: where the call is made.
    ///   - line: where the call is made.
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
