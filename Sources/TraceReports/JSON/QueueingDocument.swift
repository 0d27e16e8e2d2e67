import DispatchAnalysis
import DispatchModel

/// Estimates of queueing theory for a queue.
struct QueueingDocument: Encodable {
    let arrivalsPerSecond: Double
    /// Arrival rate multiplied by the mean service time. 1 or more is overload.
    let load: Double
    let meanService: Nanoseconds
    /// Variance of the service time divided by the square of its mean: 0 is constant, 1 is exponential.
    let serviceVariation: Double
    /// The mean number of items that waited, measured.
    let meanDepth: Double
    /// The mean number of items that waited by Little's law: arrival rate multiplied by mean wait. It equals mean_depth
    /// in a complete trace.
    let littleDepth: Double
    /// The mean time per item for which the queue was held while the item waited.
    let meanQueueing: Nanoseconds
    /// The prediction of the Pollaczek–Khinchine formula for mean_queueing_ns. Absent when its assumptions do not hold.
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
