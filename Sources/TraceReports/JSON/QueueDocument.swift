import DispatchAnalysis
import DispatchModel

/// One element of the report's `queues`.
///
/// `id`, `target` and `root` number the queues of this report; `serial_number` is libdispatch's own.
struct QueueDocument: Encodable {
    var id: Int
    let serialNumber: UInt32
    let label: String
    let kind: String
    let qos: String
    let width: Int
    var target: Int?
    var root: Int
    let items: Int
    let busy: Int64
    let utilisation: Double
    let maxDepth: Int
    let wait: LatencyDocument
    let service: LatencyDocument
    let waitTotal: Int64
    let waitParts: WaitPartsDocument
    let handoffs: Int
    let code: CodeDocument?
    /// Left out for a queue that ran nothing.
    let queueing: QueueingDocument?
    /// These are left out when context switches were not recorded.
    let switches: Int?
    let preemptions: Int?
    let preempted: Int64?
    let offProcessor: Int64?
    let waitOffProcessor: Int64?

    enum CodingKeys: String, CodingKey {
        case id, label, kind, qos, width, target, root, items, utilisation, handoffs, code, queueing
        case serialNumber = "serial_number"
        case busy = "busy_ns"
        case maxDepth = "max_depth"
        case wait = "wait_ns"
        case service = "service_ns"
        case waitTotal = "wait_total_ns"
        case waitParts = "wait_parts_ns"
        case switches, preemptions
        case preempted = "preempted_ns"
        case offProcessor = "off_cpu_ns"
        case waitOffProcessor = "scheduler_off_cpu_ns"
    }

    init(_ statistics: QueueStatistics, in model: DispatchModel) {
        let queue = model[statistics.queue]
        id = queue.index.position
        serialNumber = queue.serialNumber
        label = queue.label
        kind = queue.kind.rawValue
        qos = queue.qos.description
        width = queue.width
        target = queue.target?.position
        root = Self.root(of: queue.index, in: model).position
        items = statistics.items
        busy = statistics.busy.count
        utilisation = statistics.utilisation.isFinite ? statistics.utilisation : 0
        maxDepth = statistics.maxDepth
        wait = LatencyDocument(statistics.wait)
        service = LatencyDocument(statistics.service)
        waitTotal = statistics.waitTotal.count
        waitParts = WaitPartsDocument(parts: statistics.waitParts)
        handoffs = statistics.handoffs
        code = queue.creationCode == .unknown ? nil : CodeDocument(queue.creationCode, in: model, symbols: nil)
        queueing = statistics.queueing.map(QueueingDocument.init)
        let times = statistics.processorTimes
        switches = times?.switches
        preemptions = times?.preemptions
        preempted = times?.preempted.count
        offProcessor = times.map { ($0.preempted + $0.blocked).count }
        waitOffProcessor = statistics.waitOffProcessor?.count
    }

    /// The end of the chain of targets; a damaged trace's cycle of targets ends where it would begin again.
    private static func root(of start: QueueIndex, in model: DispatchModel) -> QueueIndex {
        var queue = start
        for _ in 0..<model.queues.count {
            guard let target = model[queue].target else { break }
            queue = target
        }
        return queue
    }
}

/// Percentiles in nanoseconds.
struct LatencyDocument: Encodable {
    let p50: Int64
    let p90: Int64
    let p99: Int64
    let p999: Int64
    let max: Int64

    init(_ latency: LatencyPercentiles) {
        p50 = latency.p50.count
        p90 = latency.p90.count
        p99 = latency.p99.count
        p999 = latency.p999.count
        max = latency.max.count
    }
}

/// The parts of the wait in nanoseconds, by name.
struct WaitPartsDocument: Encodable {
    let parts: WaitParts

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (name, value) in parts.named { try container.encode(value.count, forKey: Key(name)) }
    }
}
