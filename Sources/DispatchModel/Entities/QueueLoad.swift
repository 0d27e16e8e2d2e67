/// How busy a queue was, over the whole trace.
public struct QueueLoad: Sendable {
    /// Items that began.
    public internal(set) var begun = 0
    /// The largest number of items submitted and not yet begun.
    public internal(set) var maxDepth = 0
    /// Time in which at least one item of the queue ran.
    public internal(set) var busy: Nanoseconds = .zero
    /// Items submitted that had neither begun nor been cancelled when the trace ended.
    public internal(set) var neverBegun = 0
    /// Syncs that got the queue from another thread.
    public internal(set) var handoffs = 0
    /// The number of waiting items, integrated over time: divided by a length of time, the mean depth.
    public internal(set) var depthIntegral = Nanoseconds.zero
    /// The waits of all items, also of those that were cancelled or never began. Little's law says that they sum to
    /// ``depthIntegral``; they sum to less when begins of items were lost.
    public internal(set) var waitTotal = Nanoseconds.zero

    init() {}
}
