import CTraceRecorder
import Dispatch

extension TracedWorkItem {
    /// Records the submission of the item, and stores it for the run. Call before the submission.
    ///
    /// For `asyncAfter`, `delay` is the number of nanoseconds until the item is due, and `due` is the uptime at that
    /// time.
    @usableFromInline
    @inline(never)
    func recordSubmission(
        to queue: TracedQueue, kind: qs_item_kind, site: CallSite, group: TracedGroup? = nil, delay: UInt64? = nil,
        due: UInt64 = 0
    ) {
        let item = queue.recordEnqueue(kind, qos: qos, flags: flags, site: site)
        if let delay { qs_record_item_delay(item, delay) }
        if let group { qs_record_group_enter(group.id) }
        var submission = WorkItemSubmission(item: item, queue: queue.identity, group: group)
        submission.due = max(submission.due, due)
        submissions.add(submission, on: queue.underlying)
        if isCancelled { submissions.recordCancel() }
    }

    /// Waits for the latest submission of the item, and records the wait.
    @usableFromInline
    @inline(never)
    func recordingWait(_ site: CallSite, _ wait: () -> DispatchTimeoutResult) -> DispatchTimeoutResult {
        guard let item = submissions.latest else { return wait() }
        qs_record_item_wait_begin(item, site.code)
        let result = wait()
        qs_record_item_wait_end(item, result == .timedOut ? 1 : 0)
        return result
    }

    /// Records the events of a call that runs the item on a queue and waits for it.
    ///
    /// `call` makes the call.
    @usableFromInline
    @inline(never)
    func recordWait(on queue: TracedQueue, kind: qs_item_kind, site: CallSite, _ call: () -> Void) {
        let item = qs_new_item()
        // On this stack frame, which exists until the item has run.
        var entry = qs_sync_entry()
        withUnsafeMutablePointer(to: &entry) { entry in
            qs_sync_enter(queue.identity.hold.pointer, item, site.code, kind.field, qos.field, entry)
            queue.recordBarrier(item, flags: flags)
            submissions.add(
                WorkItemSubmission(item: item, queue: queue.identity, syncEntry: entry), on: queue.underlying)
            if isCancelled { submissions.recordCancel() }
            call()
            submissions.forget(item, of: queue.identity)
        }
        qs_record_sync_return(item)
    }
}
