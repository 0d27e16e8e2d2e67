import CTraceRecorder
import Dispatch
import Synchronization

/// An item that libdispatch submits after a work item has run.
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

    /// Records the submission once: at the end of the work item, or at the begin of the notification if that end was
    /// not recorded.
    func recordEnqueue() {
        guard !isEnqueued.exchange(true, ordering: .acquiringAndReleasing) else { return }
        qs_record_item_enqueue(item, queue.number, code, qs_item_kind_notify.field, qos.field)
    }
}
