import DispatchModel

/// Queueing-theory estimate of a queue: its arrivals, its load, and whether its waits match the prediction.
///
/// With arrivals at rate λ and service times of mean E[S] and second moment E[S²], the utilisation is ρ = λ·E[S]. By
/// Little's law, L = λ·W items wait on average. For a stable queue with one server, the Pollaczek–Khinchine formula
/// gives the mean wait:
///
/// ```
///   W = λ·E[S²] / (2·(1 − ρ))
/// ```
///
/// The formula assumes Poisson arrivals, independent service times, and first come, first served. A measured wait well
/// above the prediction indicates bursts of arrivals. A wait well below it indicates regular arrivals, or submitters
/// that wait for their items (sync) and so cannot submit at any time.
public struct QueueingEstimate: Sendable, Equatable {
    /// Number of items.
    public let items: Int
    /// Items per second, from the first submission to the last end of an item or a wait.
    public let arrivalRate: Double
    /// The mean service.
    public let meanService: Nanoseconds
    /// The variance of the service times divided by the square of their mean: 0 is constant, 1 is exponential.
    public let serviceVariation: Double
    /// ρ = λ·E[S]: 1 and more is overload.
    public let load: Double
    /// L: the mean number of waiting items over the same time.
    public let meanDepth: Double
    /// λ·W: the value of L by Little's law. Items that were cancelled or never began count as well.
    public let littleDepth: Double
    /// The mean time for which the queue was held while an item waited: backlog and hierarchy.
    public let meanQueueing: Nanoseconds
    /// The Pollaczek–Khinchine prediction of `meanQueueing`; nil if its assumptions do not hold.
    public let predictedQueueing: Nanoseconds?

    /// Fewest items of a steady state: a burst of a few items has a load of 100 %.
    public static let fewestItems = 100
    /// Largest load with a prediction. Above it the prediction grows without bound.
    static let highestLoad = 0.95

    /// The relative error of Little's law: 0 is exact. It is larger when begins of items are missing.
    public var littleError: Double {
        let larger = max(meanDepth, littleDepth)
        return larger > 0 ? abs(meanDepth - littleDepth) / larger : 0
    }
}

/// The sums for the estimate of a queue.
struct QueueingMoments {
    private var first = Int64.max
    private var last: Int64 = 0
    private var service: Int64 = 0
    private var serviceSquares = 0.0

    /// The sum of the service times.
    var serviceTotal: Nanoseconds { Nanoseconds(service) }

    mutating func add(_ run: borrowing ItemRun) {
        first = min(first, run.sums.first.nanoseconds)
        last = max(last, run.sums.last.nanoseconds)
        service += run.sums.service.count
        let weight = Double(1 << run.weightShift)
        for service in run.services { serviceSquares += Double(service) * Double(service) * weight }
    }

    /// Adds an item that waited and did not run, from the begin of the part that is read.
    mutating func add(_ item: PendingItem, since begin: Timestamp) {
        first = min(first, max(item.enqueuedAt, begin).nanoseconds)
        last = max(last, item.until.nanoseconds)
    }

    /// The estimate for a queue with these statistics; nil for a queue without a time span.
    func estimate(_ statistics: QueueStatistics) -> QueueingEstimate? {
        guard statistics.items > 0, last > first else { return nil }
        let items = Double(statistics.items)
        let span = Double(last - first)
        let rate = items / span
        let mean = Double(service) / items
        let squares = serviceSquares / items
        let utilisation = rate * mean
        let parts = statistics.waitParts
        let isStable =
            statistics.isPredictable && statistics.items >= QueueingEstimate.fewestItems
            && utilisation < QueueingEstimate.highestLoad && parts.hierarchy == .zero
        return QueueingEstimate(
            items: statistics.items, arrivalRate: rate * 1e9, meanService: Nanoseconds(Int64(mean)),
            serviceVariation: mean > 0 ? max(0, squares / (mean * mean) - 1) : 0, load: utilisation,
            meanDepth: Double(statistics.depthIntegral.count) / span,
            littleDepth: Double(statistics.waitTotalOfAll.count) / span,
            meanQueueing: Nanoseconds(Int64(Double((parts.ownBacklog + parts.hierarchy).count) / items)),
            predictedQueueing: isStable
                ? Nanoseconds(Int64(rate * squares / (2 * (1 - utilisation)))) : nil)
    }
}
