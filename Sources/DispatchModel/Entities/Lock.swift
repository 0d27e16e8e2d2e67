/// A lock that the program takes through Queuescope or that the interposer saw.
public struct Lock: Sendable {
    /// Its place in the model.
    public let index: LockIndex
    /// The recorder's id.
    public let id: UInt64
    /// The program's name for it; empty when unknown.
    public let label: String
    /// Waiters get it in the order they came.
    public let isFair: Bool
    /// Where the program created it.
    public let creationCode: CodeIndex
    /// A pthread mutex that the interposer saw, or a lock whose creation was lost: it has no name, and only contention
    /// for it was recorded.
    public internal(set) var isMutex = false

    /// What a person calls it: the label, or what it is and its id.
    public var name: String {
        label.isEmpty ? "\(isMutex ? "mutex" : "lock") 0x\(String(id, radix: 16))" : label
    }
}
