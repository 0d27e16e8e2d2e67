/// The load of a queue over the whole trace.
public struct QueueLoad: Sendable {
    /// Items that began.
    public internal(set) var begun = 0
    /// The largest number of items submitted and not yet begun.
    public internal(set) var maxDepth = 0
    /// Time in which at least one item of the queue ran.
    public internal(set) var busy: Nanoseconds = .zero
    /// Items that were not cancelled and had not begun when the trace ended.
    public internal(set) var neverBegun = 0
    /// Syncs that got the queue handed off by another thread.
    public internal(set) var handoffs = 0
    /// The number of waiting items, integrated over time. Divided by a duration, it is the mean depth.
    public internal(set) var depthIntegral = Nanoseconds.zero
    /// The waits of all items, including items that were cancelled or never began. By Little's law their sum is
    /// ``depthIntegral``; it is less when begins of items were lost.
    public internal(set) var waitTotal = Nanoseconds.zero

    init() {}
}
