import DispatchAnalysis
import DispatchModel

/// The `queueing` member of a queue: what queueing theory makes of it.
struct QueueingDocument: Encodable {
    let arrivalsPerSecond: Double
    let load: Double
    let meanService: Int64
    let serviceVariation: Double
    let meanDepth: Double
    let littleDepth: Double
    let meanQueueing: Int64
    /// Left out where the assumptions cannot hold.
    let predictedQueueing: Int64?

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
        func finite(_ value: Double) -> Double { value.isFinite ? value : 0 }
        arrivalsPerSecond = finite(estimate.arrivalRate)
        load = finite(estimate.load)
        meanService = estimate.meanService.count
        serviceVariation = finite(estimate.serviceVariation)
        meanDepth = finite(estimate.meanDepth)
        littleDepth = finite(estimate.littleDepth)
        meanQueueing = estimate.meanQueueing.count
        predictedQueueing = estimate.predictedQueueing?.count
    }
}
