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
}
