/// Something that libdispatch itself said, such as a warning about how it is used.
public struct LibraryMessage: Sendable {
    /// Its text.
    public let text: String
    /// How often it said so.
    public internal(set) var count: Int
    /// When it said so first.
    public let time: Timestamp
    /// When it said so last.
    public internal(set) var lastTime: Timestamp
    /// The thread that it said so on first.
    public let thread: ThreadIndex
}
