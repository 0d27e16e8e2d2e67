/// The load of a queue over the whole trace.
public struct QueueLoad: Sendable {
    // The counters are 32 bits wide, because a trace can have a million queues.
    private var begunCount: Int32 = 0
    private var neverBegunCount: Int32 = 0
    private var handoffCount: Int32 = 0
    private var largestDepth: Int32 = 0

    /// Time in which at least one item of the queue ran.
    public internal(set) var busy: Nanoseconds = .zero
    /// The number of waiting items, integrated over time. Divided by a duration, it is the mean depth.
    public internal(set) var depthIntegral = Nanoseconds.zero
    /// The waits of all items, including items that were cancelled or never began. By Little's law their sum is
    /// ``depthIntegral``; it is less when begins of items were lost.
    public internal(set) var waitTotal = Nanoseconds.zero

    /// Items that began.
    public internal(set) var begun: Int {
        get { Int(begunCount) }
        set { begunCount = Int32(clamping: newValue) }
    }
    /// The largest number of items submitted and not yet begun.
    public internal(set) var maxDepth: Int {
        get { Int(largestDepth) }
        set { largestDepth = Int32(clamping: newValue) }
    }
    /// Items that were not cancelled and had not begun when the trace ended.
    public internal(set) var neverBegun: Int {
        get { Int(neverBegunCount) }
        set { neverBegunCount = Int32(clamping: newValue) }
    }
    /// Syncs that got the queue handed off by another thread.
    public internal(set) var handoffs: Int {
        get { Int(handoffCount) }
        set { handoffCount = Int32(clamping: newValue) }
    }

    init() {}
}
