import CTraceRecorder
import Dispatch
import Synchronization

/// An item that libdispatch submits when a work item has run.
final class WorkItemNotification: Sendable {
    let item: UInt64
    private let queue: QueueIdentity
    private let code: UInt32
    private let qos: DispatchQoS
    private let isEnqueued = Atomic(false)

    init(item: UInt64, queue: QueueIdentity, code: UInt32, qos: DispatchQoS) {
        self.item = item
        self.queue = queue
        self.code = code
        self.qos = qos
    }

    /// Writes the submission, once: at the end of the work item's run or, when that was not seen, at its own begin.
    func recordEnqueue() {
        guard !isEnqueued.exchange(true, ordering: .acquiringAndReleasing) else { return }
        qs_record_item_enqueue(item, queue.number, code, qs_item_kind_notify.field, qos.field)
    }
}
