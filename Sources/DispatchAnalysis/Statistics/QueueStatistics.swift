import DispatchModel

/// Statistics of one queue.
///
/// It stores few values and in an order that minimises padding, because a trace can have a million queues.
public struct QueueStatistics: Sendable {
    /// The queue.
    public let queue: QueueIndex
    /// The variance of ``items`` in a sampled trace.
    var itemsVariance: Float = 0
    /// Number of items that it ran; in a sampled trace an estimate.
    public internal(set) var items = 0
    /// Time in which at least one of its items ran.
    public internal(set) var busy: Nanoseconds = .zero
    /// `busy` over the duration of the trace, or of the part that was read.
    public internal(set) var utilisation = 0.0
    /// The largest number of items submitted and not yet begun.
    public internal(set) var maxDepth = 0
    /// From submission to begin.
    public internal(set) var wait = LatencyPercentiles()
    /// From begin to end.
    public internal(set) var service = LatencyPercentiles()
    /// Sum over its items.
    public internal(set) var waitTotal: Nanoseconds = .zero
    /// The parts of the waits, summed over its items.
    public internal(set) var waitParts = WaitParts()
    /// Syncs that had to wait and got the queue by a hand-off from another thread.
    public internal(set) var handoffs = 0
    /// The sampling error of ``items``. Zero in a trace with all items.
    public var itemsError: SamplingError { SamplingError(of: items, variance: Double(itemsVariance)) }
    // The inputs of the estimate.
    var moments = QueueingMoments()
    var depthIntegral = Nanoseconds.zero
    /// The waits of all items, including items that were cancelled or never began.
    var waitTotalOfAll = Nanoseconds.zero

    var knownWaitOffProcessor = Nanoseconds.zero
    /// The off-CPU times of its items' threads during the items. A nested item counts for both queues. Nil without
    /// context switches.
    public internal(set) var processorTimes: ProcessorTimes?
    /// Whether the queue runs one item at a time, no other queue excludes its items, and nearly all of its items began.
    var isPredictable = false

    /// The part of the scheduler's share of the waits in which the threads that later ran the items were off-CPU. Nil
    /// without context switches.
    public var waitOffProcessor: Nanoseconds? { processorTimes == nil ? nil : knownWaitOffProcessor }
    /// The estimate by queueing theory; nil for a queue that ran nothing. It is computed at each access, because a
    /// trace can have a million queues.
    public var queueing: QueueingEstimate? { moments.estimate(self) }

    /// Creates the statistics of a queue without activity.
    public init(queue: QueueIndex) { self.queue = queue }
}

/// Percentiles of a latency, to three significant digits (HdrHistogram) or, for few values, exact.
public struct LatencyPercentiles: Sendable, Equatable {
    /// The median.
    public var p50: Nanoseconds = .zero
    /// The 90th percentile.
    public var p90: Nanoseconds = .zero
    /// The 99th percentile.
    public var p99: Nanoseconds = .zero
    /// The 99.9th percentile.
    public var p999: Nanoseconds = .zero
    /// The exact maximum.
    public var max: Nanoseconds = .zero

    /// Creates percentiles of zero.
    public init() {}
}

/// Statistics of one thread.
public struct ThreadStatistics: Sendable {
    /// The thread.
    public let thread: ThreadIndex
    /// Number of items and of iterations of concurrentPerform that it ran.
    public internal(set) var items = 0
    /// The time in which it ran them. Iterations of event loops do not count: see ``LoopStatistics``.
    public internal(set) var busy: Nanoseconds = .zero
    /// Time in which it waited in sync, locks, groups and semaphores.
    public internal(set) var blocked: Nanoseconds = .zero
    /// Number of context switches away from its processor; nil when they were not recorded.
    public internal(set) var switches: Int?
    /// Number of preemptions; nil when they were not recorded.
    public internal(set) var preemptions: Int?
    /// Time on a processor since it started; nil when that was not recorded.
    public internal(set) var onProcessor: Nanoseconds?
    /// The time in which it was runnable and had no processor; nil when it was not recorded.
    public internal(set) var runDelay: Nanoseconds?

    /// Creates the statistics of a thread without activity.
    public init(thread: ThreadIndex) { self.thread = thread }
}
