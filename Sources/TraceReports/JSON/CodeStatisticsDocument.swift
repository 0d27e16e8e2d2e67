import DispatchAnalysis
import DispatchModel
import Symbolication

/// Wait and run times of the items that ran one place in the code.
struct CodeStatisticsDocument: Encodable {
    let code: CodeDocument
    /// Number of items that ran the code, and iterations of concurrentPerform.
    let items: Int
    let wait: LatencyDocument
    let service: LatencyDocument
    let waitTotal: Nanoseconds
    let serviceTotal: Nanoseconds
    let waitParts: WaitParts

    enum CodingKeys: String, CodingKey {
        case code, items
        case wait = "wait_ns"
        case service = "service_ns"
        case waitTotal = "wait_total_ns"
        case serviceTotal = "service_total_ns"
        case waitParts = "wait_parts_ns"
    }

    init(_ statistics: CodeStatistics, in model: DispatchModel, symbols: SymbolTable) {
        code = CodeDocument(statistics.code, in: model, symbols: symbols)
        items = statistics.items
        wait = LatencyDocument(statistics.wait)
        service = LatencyDocument(statistics.service)
        waitTotal = statistics.waitTotal
        serviceTotal = statistics.serviceTotal
        waitParts = statistics.waitParts
    }
}
