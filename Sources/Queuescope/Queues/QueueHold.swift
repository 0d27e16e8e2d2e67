import CTraceRecorder

/// The holder of a queue and its hierarchy, in the form of the recorder. It exists until the last recorded item has
/// run.
///
/// It is separate from the identity of the queue, because every recorded item retains it. Identities are weakly
/// referenced, and to retain a weakly referenced object costs twice as much in Swift.
@usableFromInline
final class QueueHold: @unchecked Sendable {
    /// The chain of pointers stays valid, because a hold retains the hold of its target and the holds of former
    /// targets.
    @usableFromInline let pointer: UnsafeMutablePointer<qs_queue_holder>

    private let recordsEnd: Bool
    // Changes only while no item runs on the queue.
    private var target: QueueHold?
    // A sync that entered on another thread before the target changed may still follow these.
    private var former: [QueueHold] = []

    /// - Parameters:
    ///   - number: the queue's number.
    ///   - width: the number of items that may run at once.
    ///   - recordsEnd: true to record the end of the queue in `deinit`.
    init(number: UInt64, width: UInt16, recordsEnd: Bool) {
        self.recordsEnd = recordsEnd
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: qs_queue_holder())
        pointer.pointee.queue = number
        pointer.pointee.width = width
    }

    deinit {
        if recordsEnd, qs_records_wrapper() { qs_record_queue_dispose(pointer.pointee.queue) }
        pointer.deallocate()
    }

    /// Links to the hold of the target. Call only while no item runs on the queue, and on one thread at a time.
    func chain(to target: QueueHold?) {
        guard target !== self.target else { return }
        if let current = self.target { former.append(current) }
        self.target = target
        qs_queue_holder_set_target(pointer, target?.pointer)
    }
}
