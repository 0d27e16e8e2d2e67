import CTraceRecorder
import Dispatch
import Synchronization

/// The recorded submissions of one work item, and what waits for its end.
///
/// A work item's block cannot be told which submission it runs for, and wrapping the item in another block would lose
/// its flags, its cancellation and its identity. So the submissions are kept and each run takes one: that of the
/// `perform` that this thread is in, or else the first to come into its queue; where there are several on different
/// queues, a queue-specific value tells the block where it is.
final class WorkItemSubmissions: Sendable {
    private struct State {
        var pending = PendingSubmissions()
        /// The item of the last submission.
        var latest: UInt64?
        var notifications: [WorkItemNotification] = []
        /// Set when the work item is a source's handler, which runs without being submitted.
        var handler: SourceHandler?
        var hasRun = false

        mutating func add(_ submission: WorkItemSubmission) -> Bool {
            latest = submission.item
            return pending.add(submission)
        }
    }

    private static let queueNumber = DispatchSpecificKey<UInt32>()
    private static let numbering = Mutex(())

    private let state = Mutex(State())
    /// Whether `state` ever had something: lets a run that is not recorded pass without the lock.
    private let isRecorded = Atomic(false)

    /// Adds a submission, before Dispatch sees it; `queue` is nil for one to no queue.
    func add(_ submission: WorkItemSubmission, on queue: DispatchQueue? = nil) {
        let isOneOfSeveral = state.withLock { $0.add(submission) }
        isRecorded.store(true, ordering: .releasing)  // pairs with the load in run
        if isOneOfSeveral, let queue, let number = submission.queue?.number { Self.number(queue, number) }
    }

    /// Tells the blocks that run on a queue which one it is. Once: to replace the value frees the one before, which a
    /// block may be reading.
    private static func number(_ queue: DispatchQueue, _ number: UInt32) {
        numbering.withLock { _ in
            if queue.getSpecific(key: queueNumber) == nil { queue.setSpecific(key: queueNumber, value: number) }
        }
    }

    /// The item that was submitted last; nil when none was.
    var latest: UInt64? { state.withLock { $0.latest } }

    /// Makes the work item a source's handler.
    func attach(_ handler: SourceHandler) {
        state.withLock { $0.handler = handler }
        isRecorded.store(true, ordering: .releasing)  // pairs with the load in run
    }

    /// Drops a submission to a queue, or to no queue, that did not run.
    func forget(_ item: UInt64, of queue: QueueIdentity?) {
        state.withLock { $0.pending.forget(item, of: queue?.number) }
    }

    /// The work item's block: runs `work`, recorded when the submission was.
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

    /// Registers an item that the end of the run submits; when the run has ended already it is submitted now.
    func notify(_ notification: WorkItemNotification) {
        let isLate = state.withLock { state in
            if !state.hasRun { state.notifications.append(notification) }
            return state.hasRun
        }
        isRecorded.store(true, ordering: .releasing)  // pairs with the load in run
        if isLate { notification.recordEnqueue() }
    }

    /// Writes the cancellation of everything that has not begun.
    ///
    /// A run that passed libdispatch's own test just before stays possible: it finds its submission, marked, and is
    /// recorded.
    func recordCancel() {
        guard isRecorded.load(ordering: .acquiring) else { return }
        let cancelled = state.withLock { $0.pending.cancelAll() }
        for submission in cancelled {
            qs_record_item_cancel(submission.item)
            // libdispatch leaves the group when it skips the item, where no code of ours runs.
            if let group = submission.group { qs_record_group_leave(group.id) }
        }
    }
}
