import DispatchAnalysis
import DispatchModel

/// A thread of the process.
struct ThreadDocument: Encodable {
    let tid: UInt32
    let name: String
    /// Items that it ran, and iterations of concurrentPerform; the rounds of event loops are in loops.
    let items: Int
    let busy: Nanoseconds
    let blocked: Nanoseconds
    /// Null when context switches were not recorded.
    let switches: CountOrNull
    /// Switches at which it could have run on; absent when that was not recorded.
    let preemptions: Int?
    /// Time on a processor since it started; absent when that was not recorded.
    let onProcessor: Nanoseconds?
    /// Time in which it could have run and had no processor; absent when that was not recorded.
    let runDelay: Nanoseconds?
    /// For a worker: the label of the root queue that it serves.
    let root: String?

    enum CodingKeys: String, CodingKey {
        case tid, name, items, switches, preemptions, root
        case onProcessor = "on_cpu_ns"
        case runDelay = "run_delay_ns"
        case busy = "busy_ns"
        case blocked = "blocked_ns"
    }

    init(_ statistics: ThreadStatistics, in model: DispatchModel) {
        let thread = model[statistics.thread]
        tid = thread.tid
        name = thread.name
        items = statistics.items
        busy = statistics.busy
        blocked = statistics.blocked
        switches = statistics.switches
        preemptions = statistics.preemptions
        onProcessor = statistics.onProcessor
        runDelay = statistics.runDelay
        root = thread.root.map { model[$0].label }
    }
}

/// The worker threads of a root queue.
struct WorkersDocument: Encodable {
    /// The root queue's label.
    let root: String
    /// Workers that started while the program was recorded.
    let made: Int
    /// The most that were alive at once.
    let most: Int

    init(_ workers: RootWorkers, in model: DispatchModel) {
        root = model[workers.root].label
        made = workers.made
        most = workers.most
    }
}
