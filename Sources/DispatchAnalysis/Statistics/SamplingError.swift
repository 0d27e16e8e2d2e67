import DispatchModel

/// The error of a number that is estimated from a sample of items.
///
/// Each recorded item represents `w` items, because one of `w` items was recorded at random. The variance of the
/// estimated number of items is then the sum of w·(w − 1) over the recorded items. The recorder divides the items of
/// each thread into strata, so the actual error is smaller.
public struct SamplingError: Sendable, Equatable {
    /// Half of the 95 % confidence interval, relative to the number. Zero for an exact number.
    public let relative: Double

    /// The quantile of the normal distribution for 95 %.
    private static let quantile = 1.96

    init(of number: Int, variance: Double) {
        relative = number > 0 ? Self.quantile * variance.squareRoot() / Double(number) : 0
    }

    /// The contribution of a task to the variance of the number of items. All of its jobs and its items on actors are
    /// recorded, or none.
    static func variance(of task: SwiftTask) -> Double {
        let (weight, items) = (Double(task.endWeight), Double(task.suspensions + task.hops + 1))
        return weight * (weight - 1) * items * items
    }

    /// The contribution of a run of items to the variance.
    static func variance(of run: borrowing ItemRun) -> Double {
        let weight = Double(1 << run.weightShift)
        return Double(run.count) * weight * (weight - 1)
    }
}

/// The number of items and tasks in a sampled trace.
public struct SampleTotals: Sendable {
    /// Number of items in the trace.
    public private(set) var recorded = 0
    /// The estimated number of items that ran.
    public private(set) var items = 0
    /// Number of tasks in the trace.
    public private(set) var recordedTasks = 0
    /// The estimated number of tasks.
    public private(set) var tasks = 0
    private var variance = 0.0

    /// The error of ``items``.
    public var error: SamplingError { SamplingError(of: items, variance: variance) }

    /// Adds items.
    mutating func add(_ run: borrowing ItemRun) {
        recorded &+= run.count
        items &+= run.items
        variance += SamplingError.variance(of: run)
    }

    /// Adds tasks. The items of a task are recorded together, which adds to the variance of their number. The sum of
    /// both is an upper limit.
    mutating func add(_ summary: TaskSummary) {
        recordedTasks += summary.recorded
        tasks += summary.count
        variance += summary.itemsVariance
    }
}

extension QueueStatistics {
    /// Estimates the load of the queue in a sampled trace, from the sums over its items.
    mutating func estimateLoad(in model: DispatchModel) {
        // Items of a hierarchy with an exclusion queue do not overlap. For other queues, the time in which no recorded
        // item ran is unknown, and the time of the recorded items is a lower limit.
        if model.exclusionQueue(of: queue) != nil { busy = min(moments.serviceTotal, model.duration) }
        depthIntegral = waitTotal
        waitTotalOfAll = waitTotal
    }
}
