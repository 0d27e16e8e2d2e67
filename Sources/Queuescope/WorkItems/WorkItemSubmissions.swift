import CTraceRecorder
import Dispatch
import Synchronization

/// The recorded submissions of one work item, and the notifications for its end.
///
/// The block of a work item has no parameter that identifies its submission, and a wrapper block would lose the flags,
/// the cancellation and the identity of the item. So the submissions are stored, and each run takes one of them: the
/// submission of the current `perform` of this thread, or otherwise the earliest in its queue. If submissions to
/// several queues are pending, a queue-specific value identifies the queue of the run.
final class WorkItemSubmissions: Sendable {
    private struct State {
        var pending = PendingSubmissions()
        /// The item of the last submission.
        var latest: UInt64?
        var notifications: [WorkItemNotification] = []
        /// Set if the work item is the handler of a source, which runs without a submission.
        var handler: SourceHandler?
        var hasRun = false

        mutating func add(_ submission: WorkItemSubmission) -> Bool {
            latest = submission.item
            return pending.add(submission)
        }
    }

    private static let queueNumber = DispatchSpecificKey<UInt64>()
    private static let numbering = Mutex(())

    private let state = Mutex(State())
    /// True after the first change of `state`. A run of an unrecorded item reads it instead of taking the lock.
    private let isRecorded = Atomic(false)

    /// Adds a submission. Call before Dispatch gets the item. `queue` is nil for a `perform`.
    func add(_ submission: WorkItemSubmission, on queue: DispatchQueue? = nil) {
        let isOneOfSeveral = state.withLock { $0.add(submission) }
        isRecorded.store(true, ordering: .releasing)  // pairs with the load in run
        if isOneOfSeveral, let queue, let number = submission.queue?.number { Self.number(queue, number) }
    }

    /// Stores the number of a queue as a queue-specific value. The value is set only once: a replacement would free the
    /// old value while a block may read it.
    private static func number(_ queue: DispatchQueue, _ number: UInt64) {
        numbering.withLock { _ in
            if queue.getSpecific(key: queueNumber) == nil { queue.setSpecific(key: queueNumber, value: number) }
        }
    }

    /// The item of the latest submission; nil if there is none.
    var latest: UInt64? { state.withLock { $0.latest } }

    /// Makes the work item the handler of a source.
    func attach(_ handler: SourceHandler) {
        state.withLock { $0.handler = handler }
        isRecorded.store(true, ordering: .releasing)  // pairs with the load in run
    }

    /// Removes a submission that did not run. `queue` is nil for a `perform`.
    func forget(_ item: UInt64, of queue: QueueIdentity?) {
        state.withLock { $0.pending.forget(item, of: queue?.number) }
    }

    /// The block of the work item: runs `work`, and records the run if the submission was recorded.
    func run(_ work: () -> Void) {
        guard isRecorded.load(ordering: .acquiring) else {
            work()
            return
        }
        guard let submission = takeSubmission() else {
            if let handler = state.withLock({ $0.handler }) { handler.run(work) } else { work() }
            return
        }
        submission.recordBegin()
        work()
        submission.recordEnd()
        let notifications = state.withLock { state in
            state.hasRun = true
            defer { state.notifications = [] }
            return state.notifications
        }
        for notification in notifications { notification.recordEnqueue() }
    }

    private func takeSubmission() -> WorkItemSubmission? {
        let tid = qs_current_tid()
        return state.withLock { state in
            let queue = state.pending.areSeveral ? DispatchQueue.getSpecific(key: Self.queueNumber) : nil
            return state.pending.take(on: tid, at: DispatchTime.now().uptimeNanoseconds, queue: queue)
        }
    }

    /// Registers an item that is submitted at the end of the run. If the run has already ended, the submission is
    /// recorded now.
    func notify(_ notification: WorkItemNotification) {
        let isLate = state.withLock { state in
            if !state.hasRun { state.notifications.append(notification) }
            return state.hasRun
        }
        isRecorded.store(true, ordering: .releasing)  // pairs with the load in run
        if isLate { notification.recordEnqueue() }
    }

    /// Records the cancellation of all submissions that have not begun.
    ///
    /// A run may have passed the cancellation test of libdispatch before. It still finds its submission, which is
    /// marked, and is recorded.
    func recordCancel() {
        guard isRecorded.load(ordering: .acquiring) else { return }
        let cancelled = state.withLock { $0.pending.cancelAll() }
        for submission in cancelled {
            qs_record_item_cancel(submission.item)
            // libdispatch leaves the group when it skips the item, and no code of this library runs then.
            if let group = submission.group { qs_record_group_leave(group.id) }
        }
    }
}
