import CTraceRecorder
import Synchronization

/// An object whose definition a session that starts later must write.
protocol LiveObject: AnyObject, Sendable {
    /// Writes the definition of the object in its current state.
    func recordState()
}

/// All live traced objects of the process. A session that starts late writes their definitions (the statedump).
enum LiveObjects {
    private struct Reference {
        weak var object: (any LiveObject)?
    }

    private static let references = Mutex<[ObjectIdentifier: Reference]>([:])

    // Registered with the first object: earlier there is no definition to write.
    private static let statedump: Void = qs_add_statedump {
        LiveQueues.recordStates()
        LiveObjects.recordStates()
    }

    /// Registers the statedump, so that later sessions write the definitions of existing objects.
    static func hearOfSessions() { _ = statedump }

    static func add(_ object: some LiveObject) {
        hearOfSessions()
        let reference = Reference(object: object)
        references.withLock { $0[ObjectIdentifier(object)] = reference }
    }

    /// Call from the `deinit` of the object.
    static func remove(_ object: some LiveObject) {
        let identifier = ObjectIdentifier(object)
        _ = references.withLock { $0.removeValue(forKey: identifier) }
    }

    private static func recordStates() {
        // Not under the lock: this may release the last reference to an object, and its `deinit` takes the lock.
        let objects = references.withLock { $0.values.compactMap(\.object) }
        for object in objects { object.recordState() }
    }
}
