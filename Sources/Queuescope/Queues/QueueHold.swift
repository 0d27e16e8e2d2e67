import CTraceRecorder

/// Who holds a queue and its hierarchy, as the recorder keeps it; lives until the last recorded item has run.
///
/// Apart from the queue's identity because every recorded item keeps it, and keeping an object that is weakly referenced, as
/// identities are, costs Swift twice as much.
@usableFromInline
final class QueueHold: @unchecked Sendable {
    /// Its chain stays valid because a hold keeps its target's alive, and those of former targets.
    @usableFromInline let pointer: UnsafeMutablePointer<qs_queue_holder>

    private let recordsEnd: Bool
    // Changes only while nothing runs on the queue.
    private var target: QueueHold?
    // A sync that entered on another thread before the target changed may still walk through these.
    private var former: [QueueHold] = []

    /// - Parameters:
    ///   - number: the queue's number.
    ///   - width: how many items may run at once.
    ///   - recordsEnd: whether the end of this object is the end of the queue.
    init(number: UInt32, width: UInt16, recordsEnd: Bool) {
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

    /// Chains to the target's hold. Only while nothing runs on the queue, and on one thread at a time.
    func chain(to target: QueueHold?) {
        guard target !== self.target else { return }
        if let current = self.target { former.append(current) }
        self.target = target
        qs_queue_holder_set_target(pointer, target?.pointer)
    }
}
