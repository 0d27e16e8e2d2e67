/// A message that libdispatch logged, such as a warning about a misuse.
public struct LibraryMessage: Sendable {
    /// The text.
    public let text: String
    /// How often it was logged.
    public internal(set) var count: Int
    /// When it was logged first.
    public let time: Timestamp
    /// When it was logged last.
    public internal(set) var lastTime: Timestamp
    /// The thread that logged it first.
    public let thread: ThreadIndex
}
