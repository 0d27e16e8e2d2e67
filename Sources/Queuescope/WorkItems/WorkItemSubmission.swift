import CTraceRecorder
import Dispatch

/// One submission of a work item that has not begun to run.
///
/// Sendable, although it points to the stack of a caller, because that caller waits until the item has run.
struct WorkItemSubmission: @unchecked Sendable {
    let item: UInt64
    /// The queue; nil for a `perform` on the thread of the caller.
    let queue: QueueIdentity?
    /// For a `perform`, the thread of the run.
    var performer: UInt32?
    /// The time at which Dispatch enqueues the item, in uptime nanoseconds: now, or the due time of an `asyncAfter`.
    var due = DispatchTime.now().uptimeNanoseconds
    var group: TracedGroup?
    /// For a `sync`, the state between its entry and its begin.
    var syncEntry: UnsafeMutablePointer<qs_sync_entry>?
    /// For an item that is submitted at the end of another item.
    var notification: WorkItemNotification?
    var isCancelled = false

    /// Records that the item begins on this thread.
    func recordBegin() {
        notification?.recordEnqueue()
        guard let queue else {
            qs_record_item_begin(item, 0)
            return
        }
        if let syncEntry {
            qs_sync_begin(queue.hold.pointer, item, syncEntry)
        } else {
            qs_item_begin(queue.hold.pointer, item)
        }
    }

    /// Records that the item ended on this thread.
    func recordEnd() {
        if let queue {
            qs_item_end(queue.hold.pointer, item)
        } else {
            qs_record_item_end(item)
        }
        if let group, !isCancelled { qs_record_group_leave(group.id) }
    }
}
