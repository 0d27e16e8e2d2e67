import CTraceRecorder
import Synchronization

/// Something that a session which starts later has to hear of.
protocol LiveObject: AnyObject, Sendable {
    /// Writes the definition of the object as it is now.
    func recordState()
}

/// Every traced object of the process that is alive, so that a session that starts late knows them (the statedump).
enum LiveObjects {
    private struct Reference {
        weak var object: (any LiveObject)?
    }

    private static let references = Mutex<[ObjectIdentifier: Reference]>([:])

    // Registered with the first object: before that there is nothing to dump.
    private static let statedump: Void = qs_add_statedump {
        LiveQueues.recordStates()
        LiveObjects.recordStates()
    }

    /// Makes sure that sessions that start from now on write what exists.
    static func hearOfSessions() { _ = statedump }

    static func add(_ object: some LiveObject) {
        hearOfSessions()
        let reference = Reference(object: object)
        references.withLock { $0[ObjectIdentifier(object)] = reference }
    }

    /// To be called from the object's `deinit`.
    static func remove(_ object: some LiveObject) {
        let identifier = ObjectIdentifier(object)
        _ = references.withLock { $0.removeValue(forKey: identifier) }
    }

    private static func recordStates() {
        // Outside the lock: the last reference to an object may end here, and its deinit takes the lock.
        let objects = references.withLock { $0.values.compactMap(\.object) }
        for object in objects { object.recordState() }
    }
}
