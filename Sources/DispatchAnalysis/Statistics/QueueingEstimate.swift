import DispatchModel

/// A queue as queueing theory sees it: how much arrives, how long that takes, and whether the waits are what they ought
/// to be.
///
/// With arrivals at the rate λ, services of mean E[S] and second moment E[S²], the utilisation is ρ = λ·E[S]. Little's law
/// says that on average L = λ·W items wait. For a stable queue with one server Pollaczek and Khinchine give the mean wait
///
/// ```
///   W = λ·E[S²] / (2·(1 − ρ))
/// ```
///
/// This assumes Poisson arrivals, services independent of them, and first come, first served. A measured wait well above
/// the prediction says that arrivals come in bursts; well below, that they come evenly, or that submitters wait for their
/// items (sync) and so cannot come at any time.
public struct QueueingEstimate: Sendable, Equatable {
    /// How many items it is of.
    public let items: Int
    /// Items that ran per second, from the first submission to the last end of an item or a wait.
    public let arrivalRate: Double
    /// The mean service.
    public let meanService: Nanoseconds
    /// The variance of the service over the square of its mean: 0 is constant, 1 is exponential.
    public let serviceVariation: Double
    /// ρ = λ·E[S]: 1 and more is overload.
    public let load: Double
    /// L: how many items waited, on average over the same time.
    public let meanDepth: Double
    /// λ·W: what Little's law says that L is. Items that were cancelled or never began count, too.
    public let littleDepth: Double
    /// The mean time for which the queue was held while an item waited: backlog and hierarchy.
    public let meanQueueing: Nanoseconds
    /// What Pollaczek and Khinchine predict for `meanQueueing`; nil where the assumptions cannot hold.
    public let predictedQueueing: Nanoseconds?

    /// Fewer items than this have no steady state: a burst of a few makes a load of 100 %.
    public static let fewestItems = 100
    /// Above this the prediction grows without bound, and says more about the model than about the queue.
    static let highestLoad = 0.95

    /// How far Little's law is off: 0 is exact. It is off when begins of items are missing.
    public var littleError: Double {
        let larger = max(meanDepth, littleDepth)
        return larger > 0 ? abs(meanDepth - littleDepth) / larger : 0
    }
}

/// What it takes to estimate a queue.
struct QueueingMoments {
    private var first = Int64.max
    private var last: Int64 = 0
    private var service: Int64 = 0
    private var serviceSquares = 0.0

    mutating func add(_ run: borrowing ItemRun) {
        first = min(first, run.sums.first.nanoseconds)
        last = max(last, run.sums.last.nanoseconds)
        service += run.sums.service.count
        for service in run.services { serviceSquares += Double(service) * Double(service) }
    }

    /// Takes in an item that waited and did not run, from the part's first instant on.
    mutating func add(_ item: PendingItem, since begin: Timestamp) {
        first = min(first, max(item.enqueuedAt, begin).nanoseconds)
        last = max(last, item.until.nanoseconds)
    }

    /// - Parameters:
    ///   - statistics: of the same queue.
    ///   - load: of the same queue.
    ///   - isAlone: one item of the queue runs at a time, and items of no other queue keep it from running.
    /// - Returns: nil for a queue that took no time.
    func estimate(_ statistics: QueueStatistics, load: QueueLoad, isAlone: Bool) -> QueueingEstimate? {
        guard statistics.items > 0, last > first else { return nil }
        let items = Double(statistics.items)
        let span = Double(last - first)
        let rate = items / span
        let mean = Double(service) / items
        let squares = serviceSquares / items
        let utilisation = rate * mean
        let parts = statistics.waitParts
        let isStable =
            isAlone && statistics.items >= QueueingEstimate.fewestItems && utilisation < QueueingEstimate.highestLoad
            && load.neverBegun * 100 <= statistics.items && parts.hierarchy == .zero
        return QueueingEstimate(
            items: statistics.items, arrivalRate: rate * 1e9, meanService: Nanoseconds(Int64(mean)),
            serviceVariation: mean > 0 ? max(0, squares / (mean * mean) - 1) : 0, load: utilisation,
            meanDepth: Double(load.depthIntegral.count) / span,
            littleDepth: Double(load.waitTotal.count) / span,
            meanQueueing: Nanoseconds(Int64(Double((parts.ownBacklog + parts.hierarchy).count) / items)),
            predictedQueueing: isStable
                ? Nanoseconds(Int64(rate * squares / (2 * (1 - utilisation)))) : nil)
    }
}
