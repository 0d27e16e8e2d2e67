/// The `flags` field of `queue_create` and `queue_state`.
struct QueueFlags: OptionSet, Sendable {
    let rawValue: UInt8

    static let main = QueueFlags(rawValue: 1)
    static let global = QueueFlags(rawValue: 2)
    static let overcommit = QueueFlags(rawValue: 4)
    static let createdInactive = QueueFlags(rawValue: 16)
    /// Seen, but not created through this library.
    static let seen = QueueFlags(rawValue: 32)
}
