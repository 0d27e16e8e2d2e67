/// A lock that the program takes through Queuescope, or a mutex that the interposer recorded.
public struct Lock: Sendable {
    /// Its place in the model.
    public let index: LockIndex
    /// The recorder's id.
    public let id: UInt64
    /// The program's name for it; empty when unknown.
    public let label: String
    /// Whether waiters get it in the order of their requests.
    public let isFair: Bool
    /// Where the program created it.
    public let creationCode: CodeIndex
    /// A lock of pthread or a `Synchronization.Mutex` that the interposer recorded, or a lock whose creation was lost.
    /// It has no name, and only contended acquisitions were recorded.
    public internal(set) var isMutex = false
    /// The readers of a read-write lock are not recorded as holders.
    public internal(set) var kind = LockKind.exclusive

    /// The words for the kind of lock.
    public var kindName: String { kind == .readWrite ? "read-write lock" : isMutex ? "mutex" : "lock" }

    /// The display name: the label, or the kind of lock and its id.
    public var name: String {
        label.isEmpty ? "\(kindName) 0x\(String(id, radix: 16))" : label
    }
}
