import CTraceRecorder
import Dispatch
import Synchronization

/// The identities of all queues in use, by queue number. All wrappers of a queue share one identity.
enum LiveQueues {
    private struct Reference {
        weak var identity: QueueIdentity?
    }

    private static let references = Mutex<[UInt64: Reference]>([:])
    // The identities of root queues and of the main queue, which exist as long as the process.
    private static let permanent = Mutex<[QueueIdentity]>([])

    // Held while an identity is created, so that two threads that wrap the same queue get the same identity.
    private static let creation = Mutex<Void>(())

    static func add(_ identity: QueueIdentity) {
        LiveObjects.hearOfSessions()
        let reference = Reference(identity: identity)
        references.withLock { $0[identity.number] = reference }
    }

    /// Call from the `deinit` of the identity.
    static func remove(number: UInt64) {
        references.withLock {
            // Another thread may have wrapped the queue again since.
            if let reference = $0[number], reference.identity == nil { $0[number] = nil }
        }
    }

    /// The existing or a new identity of a queue that this library did not create.
    static func identity(of queue: DispatchQueue) -> QueueIdentity {
        guard let pointer = DispatchPointer.queue(queue), qs_queue_serial(pointer) != 0 else {
            return QueueIdentity(
                number: qs_new_queue_id(), label: queue.label, width: 0, qos: queue.qos, flags: .seen, target: nil)
        }
        return identity(at: pointer)
    }

    /// The same for a `dispatch_queue_t`. The queue must be alive.
    static func identity(at pointer: UnsafeRawPointer) -> QueueIdentity {
        let number = qs_queue_serial(pointer)
        if let known = known(number) { return known }
        let target = qs_queue_target(pointer).map(identity(at:))
        return creation.withLock { _ in known(number) ?? make(pointer, number: number, target: target) }
    }

    private static func known(_ number: UInt64) -> QueueIdentity? { references.withLock { $0[number]?.identity } }

    private static func make(_ pointer: UnsafeRawPointer, number: UInt64, target: QueueIdentity?) -> QueueIdentity {
        let label = String(cString: qs_queue_label(pointer))
        var flags: QueueFlags = .seen
        if pointer == qs_main_queue() {
            flags.insert(.main)
        } else if target == nil {
            flags.insert(.global)
            if label.hasSuffix(".overcommit") { flags.insert(.overcommit) }
        }
        let identity = QueueIdentity(
            number: number, label: label, width: qs_queue_width(pointer), qos: .unspecified, flags: flags,
            target: target)
        if flags.contains(.main) || flags.contains(.global) { permanent.withLock { $0.append(identity) } }
        return identity
    }

    /// Writes `queue_state` for every queue.
    static func recordStates() {
        // Not under the lock: this may release the last reference to an identity, and its `deinit` takes the lock.
        let identities = references.withLock { $0.values.compactMap(\.identity) }
        for identity in identities { identity.recordState() }
    }
}
