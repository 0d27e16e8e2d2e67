/// A queue that passed from one thread to a sync waiter on another.
public struct Handoff: Sendable {
    /// The item concerned.
    public let item: ItemNumber
    /// The level of the hierarchy that was handed over.
    public let queue: QueueIndex
    /// The thread that gave it back.
    public let from: ThreadIndex
    /// The thread that got it.
    public let to: ThreadIndex
    /// When the waiter called sync.
    public let requestedAt: Timestamp
    /// When the last holder gave the queue back; nil when that was not recorded.
    public let releasedAt: Timestamp?
    /// When the waiter's item began.
    public let grantedAt: Timestamp
}
