import DispatchAnalysis
import DispatchModel

/// What queueing theory makes of a queue.
struct QueueingDocument: Encodable {
    let arrivalsPerSecond: Double
    /// Arrivals × mean service: 1 and more is overload.
    let load: Double
    let meanService: Nanoseconds
    /// Variance over the square of the mean.
    let serviceVariation: Double
    /// Items that waited, on average.
    let meanDepth: Double
    /// What Little's law says that mean_depth is.
    let littleDepth: Double
    /// The mean time for which the queue was held while an item waited.
    let meanQueueing: Nanoseconds
    /// What Pollaczek and Khinchine predict for it; absent where their assumptions cannot hold.
    let predictedQueueing: Nanoseconds?

    enum CodingKeys: String, CodingKey {
        case load
        case arrivalsPerSecond = "arrivals_per_s"
        case meanService = "mean_service_ns"
        case serviceVariation = "service_variation"
        case meanDepth = "mean_depth"
        case littleDepth = "little_depth"
        case meanQueueing = "mean_queueing_ns"
        case predictedQueueing = "predicted_queueing_ns"
    }

    init(_ estimate: QueueingEstimate) {
        arrivalsPerSecond = estimate.arrivalRate.finite
        load = estimate.load.finite
        meanService = estimate.meanService
        serviceVariation = estimate.serviceVariation.finite
        meanDepth = estimate.meanDepth.finite
        littleDepth = estimate.littleDepth.finite
        meanQueueing = estimate.meanQueueing
        predictedQueueing = estimate.predictedQueueing
    }
}
