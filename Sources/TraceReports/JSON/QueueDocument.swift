import DispatchAnalysis
import DispatchModel

/// A Dispatch queue.
struct QueueDocument: Encodable {
    /// The types of the queues in `queues`. Actors and event loops have lists of their own.
    enum Kind: String, Encodable { case serial, concurrent, global, main, workloop, unknown }

    /// The id of the queue in this report.
    var id: Int
    /// The serial number that libdispatch gave the queue.
    let serialNumber: UInt64
    let label: String
    let kind: Kind
    let qos: String
    let width: Int
    /// The id of the target queue. Absent for a root queue.
    var target: Int?
    /// The id of the root queue at the end of the chain of targets.
    var root: Int
    /// Number of items that ran, and iterations of concurrentPerform.
    let items: Int
    /// Half of the 95 % confidence interval of items, relative to items. Absent when all items were recorded.
    let itemsError: Double?
    let busy: Nanoseconds
    let utilisation: Double
    let maxDepth: Int
    let wait: LatencyDocument
    let service: LatencyDocument
    let waitTotal: Nanoseconds
    let waitParts: WaitParts
    let handoffs: Int
    /// The code that created the queue. Absent when unknown.
    let code: CodeDocument?
    /// Estimates of queueing theory. Absent for a queue that ran nothing.
    let queueing: QueueingDocument?
    /// Number of context switches that took the processor from a thread while it ran an item of the queue. This member
    /// and the following members are absent when context switches were not recorded.
    let switches: Int?
    /// Number of switches of threads that were runnable (preemptions).
    let preemptions: Int?
    /// Part of off_cpu_ns in which the threads were runnable.
    let preempted: Nanoseconds?
    /// Time for which threads had no processor while they ran items of the queue.
    let offProcessor: Nanoseconds?
    /// Part of the scheduler share of the wait for which the thread that then ran the item had no processor.
    let waitOffProcessor: Nanoseconds?

    enum CodingKeys: String, CodingKey {
        case id, label, kind, qos, width, target, root, items, utilisation, handoffs, code, queueing
        case serialNumber = "serial_number"
        case itemsError = "items_error"
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
        kind = Kind(rawValue: queue.kind.rawValue) ?? .unknown
        qos = queue.qos.description
        width = queue.width
        target = queue.target?.position
        root = Self.root(of: queue.index, in: model).position
        items = statistics.items
        itemsError = statistics.itemsError.relative > 0 ? statistics.itemsError.relative.finite : nil
        busy = statistics.busy
        utilisation = statistics.utilisation.finite
        maxDepth = statistics.maxDepth
        wait = LatencyDocument(statistics.wait)
        service = LatencyDocument(statistics.service)
        waitTotal = statistics.waitTotal
        waitParts = statistics.waitParts
        handoffs = statistics.handoffs
        code = CodeDocument(known: queue.creationCode, in: model, symbols: nil)
        queueing = statistics.queueing.map(QueueingDocument.init)
        let times = statistics.processorTimes
        switches = times?.switches
        preemptions = times?.preemptions
        preempted = times?.preempted
        offProcessor = times.map { $0.preempted + $0.blocked }
        waitOffProcessor = statistics.waitOffProcessor
    }

    /// Follows the chain of targets to its end. In a damaged trace the chain can be a cycle, so the number of steps is
    /// limited to the number of queues.
    private static func root(of start: QueueIndex, in model: DispatchModel) -> QueueIndex {
        var queue = start
        for _ in 0..<model.queues.count {
            guard let target = model[queue].target else { break }
            queue = target
        }
        return queue
    }
}

/// Percentiles in nanoseconds, with three significant digits. max is exact.
struct LatencyDocument: Encodable {
    let p50: Nanoseconds
    let p90: Nanoseconds
    let p99: Nanoseconds
    let p999: Nanoseconds
    let max: Nanoseconds

    init(_ latency: LatencyPercentiles) {
        p50 = latency.p50
        p90 = latency.p90
        p99 = latency.p99
        p999 = latency.p999
        max = latency.max
    }
}
