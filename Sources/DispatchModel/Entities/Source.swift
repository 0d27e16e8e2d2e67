/// A dispatch source.
public struct Source: Sendable {
    /// Its place in the model.
    public let index: SourceIndex
    /// The recorder's id.
    public let id: UInt64
    /// What it watches; `other` when its creation was not recorded.
    public let type: SourceType
    /// File descriptor, signal number or process id; 0 for timers and user data.
    public let handle: UInt64
    /// The queue that its handlers run on.
    public var queue: QueueIndex?
    /// Where the program created it.
    public let creationCode: CodeIndex
    /// When its creation, or its first event, was recorded.
    public var createdAt: Timestamp
    /// When it was activated; a first resume counts.
    public var activatedAt: Timestamp?
    /// When it was cancelled.
    public var cancelledAt: Timestamp?
}
