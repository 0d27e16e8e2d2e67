/// A hand-off of a queue from one thread to a sync waiter on another.
public struct Handoff: Sendable {
    /// The item of the sync.
    public let item: ItemNumber
    /// The queue of the hierarchy that was handed off.
    public let queue: QueueIndex
    /// The thread that released it.
    public let from: ThreadIndex
    /// The thread that acquired it.
    public let to: ThreadIndex
    /// When the waiter called sync.
    public let requestedAt: Timestamp
    /// When the last holder released the queue; nil when that was not recorded.
    public let releasedAt: Timestamp?
    /// When the waiter's item began.
    public let grantedAt: Timestamp
}
