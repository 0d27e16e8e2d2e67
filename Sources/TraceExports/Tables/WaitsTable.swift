import AnalysisText
import DispatchAnalysis
import DispatchModel
import Symbolication

/// The waits of a process by code, queue and cause.
struct WaitsTable: TraceTable {
    struct Row {
        let key: WaitTally.Key
        let sum: WaitTally.Sum
        let code: String
        let queue: String?
    }

    static let meaning = "A row per code, queue and cause of waiting, with sums. The longest wait is first."
    static let key: [String] = []
    static let followed = WaitTally.follows

    static let columns = TableColumns<Row> { columns in
        columns.add("code", "The code that waited.") { $0.code }
        columns.add("queue", "The queue of its item; empty for a thread that waited outside of queues.") { $0.queue }
        columns.add(
            "cause",
            "A part of the wait of an item, such as own_backlog; or the object of a wait: semaphore, group, "
                + "work item, lock, queue."
        ) { $0.key.cause.name }
        columns.add("waits", "Number of waits with this cause.") { $0.sum.count }
        columns.add("time_ns", "The sum of the times with this cause.") { $0.sum.time }
        columns.addProcess()
        columns.add("code_index", "The code that waited.") { $0.key.code }
        columns.add("queue_index", "The queue of its item.") { $0.key.queue }
    }

    private var tally = WaitTally()

    mutating func observe(_ observation: Observation, _ add: (Row) -> Void) { tally.observe(observation) }

    mutating func observe(_ item: Item, _ add: (Row) -> Void) { tally.observe(.item(item)) }

    func finish(_ analysis: Analysis, _ add: (Row) -> Void) {
        let model = analysis.model
        let symbols = SymbolTable(images: model.images)
        for (key, sum) in tally.sums {
            add(
                Row(
                    key: key, sum: sum, code: CodeName.of(key.code, in: model, symbols: symbols),
                    queue: key.queue.map { QueueName.of($0, in: model) }))
        }
    }
}
