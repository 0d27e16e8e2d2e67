import DispatchAnalysis
import DispatchModel

/// A queue of libdispatch's.
struct QueueDocument: Encodable {
    /// Actors and event loops are no rows of queues.
    enum Kind: String, Encodable { case serial, concurrent, global, main, workloop, unknown }

    /// The queue's number in this report.
    var id: Int
    /// libdispatch's own.
    let serialNumber: UInt32
    let label: String
    let kind: Kind
    let qos: String
    let width: Int
    /// Absent for a root.
    var target: Int?
    /// The end of the chain of targets.
    var root: Int
    /// Items that it ran, and iterations of concurrentPerform.
    let items: Int
    let busy: Nanoseconds
    let utilisation: Double
    let maxDepth: Int
    let wait: LatencyDocument
    let service: LatencyDocument
    let waitTotal: Nanoseconds
    let waitParts: WaitParts
    let handoffs: Int
    /// Where the program created it.
    let code: CodeDocument?
    /// Absent for a queue that ran nothing.
    let queueing: QueueingDocument?
    /// How often the threads of its items lost their processor while those ran; this and what follows is absent when
    /// context switches were not recorded.
    let switches: Int?
    /// Switches of threads that could have run on.
    let preemptions: Int?
    /// Of off_cpu_ns, the time for which they could have run.
    let preempted: Nanoseconds?
    /// Time that the threads of its items had no processor while those ran.
    let offProcessor: Nanoseconds?
    /// Of the scheduler's part of the wait, the time for which the thread had no processor.
    let waitOffProcessor: Nanoseconds?

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
        kind = Kind(rawValue: queue.kind.rawValue) ?? .unknown
        qos = queue.qos.description
        width = queue.width
        target = queue.target?.position
        root = Self.root(of: queue.index, in: model).position
        items = statistics.items
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

/// Percentiles of three significant digits; max is exact.
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
