import DispatchModel

/// What one queue did.
public struct QueueStatistics: Sendable {
    /// The queue.
    public let queue: QueueIndex
    /// Items that it ran.
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
    /// Where the waits went; the sum over its items.
    public internal(set) var waitParts = WaitParts()
    /// Syncs that had to wait and were handed the queue by another thread.
    public internal(set) var handoffs = 0
    /// What queueing theory makes of it; nil for a queue that ran nothing.
    public internal(set) var queueing: QueueingEstimate?
    /// Times that the threads of its items had no processor, while those ran; an item inside of another counts for both
    /// their queues. Nil without context switches.
    public internal(set) var processorTimes: ProcessorTimes?
    /// Of the scheduler's part of the waits, the time for which the threads that then ran the items had no processor. Nil
    /// without context switches.
    public internal(set) var waitOffProcessor: Nanoseconds?

    /// Creates the statistics of a queue without activity.
    public init(queue: QueueIndex) { self.queue = queue }
}

/// Percentiles of a latency, to three significant digits (HdrHistogram) or, for few values, exact.
public struct LatencyPercentiles: Sendable, Equatable {
    /// The median.
    public var p50: Nanoseconds = .zero
    /// 90 per cent are not longer.
    public var p90: Nanoseconds = .zero
    /// 99 per cent are not longer.
    public var p99: Nanoseconds = .zero
    /// 99.9 per cent are not longer.
    public var p999: Nanoseconds = .zero
    /// Exact.
    public var max: Nanoseconds = .zero

    /// Creates the percentiles of no values: all zero.
    public init() {}
}

/// What one thread did.
public struct ThreadStatistics: Sendable {
    /// The thread.
    public let thread: ThreadIndex
    /// Items that it ran, and iterations of concurrentPerform.
    public internal(set) var items = 0
    /// Time in which it ran these. The rounds of event loops do not count: see ``LoopStatistics``.
    public internal(set) var busy: Nanoseconds = .zero
    /// Time in which it waited in sync, locks, groups and semaphores.
    public internal(set) var blocked: Nanoseconds = .zero
    /// Context switches: how often it lost its processor; nil when they were not recorded.
    public internal(set) var switches: Int?
    /// How often it lost its processor although it could have run on; nil when that was not recorded.
    public internal(set) var preemptions: Int?
    /// Time on a processor since it started; nil when that was not recorded.
    public internal(set) var onProcessor: Nanoseconds?
    /// Time in which it could have run and had no processor; nil when that was not recorded.
    public internal(set) var runDelay: Nanoseconds?

    /// Creates the statistics of a thread without activity.
    public init(thread: ThreadIndex) { self.thread = thread }
}
