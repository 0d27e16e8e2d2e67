import CTraceRecorder
import Dispatch

/// One submission of a work item that has not begun to run.
///
/// Sendable although it points to a caller's stack: that caller waits until the item has run.
struct WorkItemSubmission: @unchecked Sendable {
    let item: UInt64
    /// Where it will run; nil when it is performed on the caller's thread.
    let queue: QueueIdentity?
    /// Of a `perform`: the thread that runs it.
    var performer: UInt32?
    /// When Dispatch puts it into the queue, in uptime nanoseconds: now, or when an `asyncAfter` is due.
    var due = DispatchTime.now().uptimeNanoseconds
    var group: TracedGroup?
    /// Of a `sync`: what it remembers between its entry and its begin.
    var syncEntry: UnsafeMutablePointer<qs_sync_entry>?
    /// Of an item that another one's end submits.
    var notification: WorkItemNotification?
    var isCancelled = false

    /// Writes that the item begins on this thread.
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

    /// Writes that the item ended on this thread.
    func recordEnd() {
        if let queue {
            qs_item_end(queue.hold.pointer, item)
        } else {
            qs_record_item_end(item)
        }
        if let group, !isCancelled { qs_record_group_leave(group.id) }
    }
}
