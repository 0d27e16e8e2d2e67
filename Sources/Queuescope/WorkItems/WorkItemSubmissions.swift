import CTraceRecorder
import Dispatch
import Synchronization

/// The recorded submissions of one work item, and what waits for its end.
///
/// A work item's block cannot be told which submission it runs for, and wrapping the item in another block would lose
/// its flags, its cancellation and its identity. So the submissions are kept and each run takes one: that of the `perform`
/// that this thread is in, or else the first to come into its queue; where there are several on different queues, a
/// queue-specific value tells the block where it is.
final class WorkItemSubmissions: Sendable {
    private struct State {
        var pending: [WorkItemSubmission] = []
        var notifications: [WorkItemNotification] = []
        /// Set when the work item is a source's handler, which runs without being submitted.
        var handler: SourceHandler?
        var hasRun = false
    }

    private static let queueNumber = DispatchSpecificKey<UInt32>()

    private let state = Mutex(State())
    /// Whether `state` ever had something: lets a run that is not recorded pass without the lock.
    private let isRecorded = Atomic(false)

    func add(_ submission: WorkItemSubmission) {
        state.withLock { $0.pending.append(submission) }
        isRecorded.store(true, ordering: .releasing)  // pairs with the load in run
    }

    /// The same for a submission to a queue, before Dispatch sees it.
    func add(_ submission: WorkItemSubmission, on queue: DispatchQueue) {
        let others = state.withLock { state in
            state.pending.append(submission)
            return state.pending.count > 1
        }
        isRecorded.store(true, ordering: .releasing)  // pairs with the load in run
        if others { queue.setSpecific(key: Self.queueNumber, value: submission.queue?.number) }
    }

    /// Makes the work item a source's handler.
    func attach(_ handler: SourceHandler) {
        state.withLock { $0.handler = handler }
        isRecorded.store(true, ordering: .releasing)  // pairs with the load in run
    }

    /// Drops a submission that did not run.
    func forget(_ item: UInt64) {
        state.withLock { state in state.pending.removeAll { $0.item == item } }
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
            guard let index = Self.submission(running: tid, in: state.pending) else { return nil }
            return state.pending.remove(at: index)
        }
    }

    /// The index of the submission that a run on this thread belongs to.
    private static func submission(running tid: UInt32, in pending: [WorkItemSubmission]) -> Int? {
        if let performed = pending.firstIndex(where: { $0.performer == tid }) { return performed }
        guard let first = pending.firstIndex(where: { $0.performer == nil }) else { return nil }
        guard pending.count > 1 else { return first }
        let now = DispatchTime.now().uptimeNanoseconds
        let fitting = pending.indices.filter {
            pending[$0].performer == nil && !pending[$0].isCancelled && pending[$0].due <= now
        }
        let here = DispatchQueue.getSpecific(key: queueNumber)
        let local = here.map { here in fitting.filter { pending[$0].queue?.number == here } } ?? []
        return (local.isEmpty ? fitting : local).min { pending[$0].due < pending[$1].due } ?? first
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
        let cancelled = state.withLock { state in
            let cancelled = state.pending.filter { !$0.isCancelled }
            for index in state.pending.indices { state.pending[index].isCancelled = true }
            return cancelled
        }
        for submission in cancelled {
            qs_record_item_cancel(submission.item)
            // libdispatch leaves the group when it skips the item, where no code of ours runs.
            if let group = submission.group { qs_record_group_leave(group.id) }
        }
    }
}
