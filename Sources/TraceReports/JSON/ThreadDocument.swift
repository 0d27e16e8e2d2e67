import DispatchAnalysis
import DispatchModel

/// A thread of the process.
struct ThreadDocument: Encodable {
    let tid: UInt32
    let name: String
    /// Number of items that the thread ran, and iterations of concurrentPerform. Iterations of event loops are in
    /// loops.
    let items: Int
    let busy: Nanoseconds
    let blocked: Nanoseconds
    /// Number of context switches that took the processor from the thread. Null when context switches were not
    /// recorded.
    let switches: CountOrNull
    /// Number of switches at which the thread was runnable (preemptions). Absent when not recorded.
    let preemptions: Int?
    /// Time on a processor since the thread started. Absent when not recorded.
    let onProcessor: Nanoseconds?
    /// Time for which the thread was runnable but had no processor. Absent when not recorded.
    let runDelay: Nanoseconds?
    /// The label of the root queue that a worker serves. Absent for other threads.
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
    /// The label of the root queue.
    let root: String
    /// Number of workers that started during the recording.
    let made: Int
    /// The largest number of workers that existed at the same time.
    let most: Int

    init(_ workers: RootWorkers, in model: DispatchModel) {
        root = model[workers.root].label
        made = workers.made
        most = workers.most
    }
}
