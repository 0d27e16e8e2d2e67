import DispatchAnalysis
import DispatchModel

/// The queues of a process.
struct QueuesTable: TraceTable {
    struct Row {
        let statistics: QueueStatistics
        let queue: Queue
        let target: String
        let isActive: Bool
    }

    static let meaning =
        "A row per queue: load, percentiles and parts of the waits. Active queues are first, by lost time."
    static let key = ["process", "queue_index"]

    static let columns = TableColumns<Row> { columns in
        columns.add("queue", "Its label.") { $0.queue.name }
        columns.add("serial_number", "The serial number of libdispatch, unique in the process.") {
            Int($0.queue.serialNumber)
        }
        columns.add("kind", "serial, concurrent, global, main, workloop, actor, event_loop or unknown.") {
            $0.queue.kind.rawValue
        }
        columns.add("target", "The label of its target.") { $0.target }
        columns.add("items", "Items that it ran, iterations of concurrentPerform, and rounds of an event loop.") {
            $0.statistics.items
        }
        columns.add("busy_ns", "Time in which at least one of its items ran.") { $0.statistics.busy }
        columns.add("utilisation", "The share of busy_ns in the recording.") { $0.statistics.utilisation }
        columns.add("max_depth", "The most items that were submitted and not begun.") { $0.statistics.maxDepth }
        columns.add("wait_total_ns", "From submission to begin: the sum.") { $0.statistics.waitTotal }
        addPercentiles("wait", "From submission to begin", to: &columns) { $0.statistics.wait }
        addPercentiles("service", "From begin to end", to: &columns) { $0.statistics.service }
        columns.add("handoffs", "Syncs that got the queue from another thread.") { $0.statistics.handoffs }
        columns.add("switches", "Context switches of threads while they ran an item; needs switch events.") {
            $0.statistics.processorTimes?.switches
        }
        columns.addWaitParts(of: "Part of the waits") { $0.statistics.waitParts }
        columns.addProcess()
        columns.add("queue_index", "Its number in the tables.") { $0.queue.index }
        columns.add("target_index", "Its target queue.") { $0.queue.target }
        columns.add("pattern", "Its label with every number replaced by an asterisk.") {
            LabelPattern.of($0.queue.name)
        }
        columns.add("active", "True when it ran an item, or an item waited at the end.") { $0.isActive }
        columns.add("width", "The number of items that may run at once; 1 is serial.") { $0.queue.width }
        columns.add("qos", "The requested quality of service.") { $0.queue.qos.description }
        columns.add("created_ns", "When it was created.") { $0.queue.createdAt }
        columns.add("disposed_ns", "When its last reference was released.") { $0.queue.disposedAt }
        columns.add("creation_code_index", "The code that created it.") { $0.queue.creationCode }
    }

    private static func addPercentiles(
        _ name: String, _ what: String, to columns: inout TableColumns<Row>,
        _ latency: @escaping @Sendable (Row) -> LatencyPercentiles
    ) {
        columns.add("\(name)_p50_ns", "\(what): the median.") { latency($0).p50 }
        columns.add("\(name)_p90_ns", "\(what): 90 % are not longer.") { latency($0).p90 }
        columns.add("\(name)_p99_ns", "\(what): 99 % are not longer.") { latency($0).p99 }
        columns.add("\(name)_p999_ns", "\(what): 99.9 % are not longer.") { latency($0).p999 }
        columns.add("\(name)_max_ns", "\(what): the longest.") { latency($0).max }
    }

    func finish(_ analysis: Analysis, _ add: (Row) -> Void) {
        let model = analysis.model
        func row(_ statistics: QueueStatistics, isActive: Bool) -> Row {
            let queue = model[statistics.queue]
            return Row(
                statistics: statistics, queue: queue, target: queue.target.map { model[$0].name } ?? "",
                isActive: isActive)
        }
        for statistics in analysis.queues { add(row(statistics, isActive: true)) }
        let active = Set(analysis.queues.map(\.queue))
        for queue in model.queues where !active.contains(queue.index) {
            add(row(QueueStatistics(queue: queue.index), isActive: false))
        }
    }
}
