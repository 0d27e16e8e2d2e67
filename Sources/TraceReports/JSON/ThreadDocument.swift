import DispatchAnalysis
import DispatchModel

/// One element of the report's `threads`.
struct ThreadDocument: Encodable {
    let tid: UInt32
    let name: String
    let items: Int
    let busy: Int64
    let blocked: Int64
    /// Null when context switches were not recorded.
    let switches: Int?
    /// The rest is left out when it was not recorded.
    let preemptions: Int?
    let onProcessor: Int64?
    let runDelay: Int64?
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
        busy = statistics.busy.count
        blocked = statistics.blocked.count
        switches = statistics.switches
        preemptions = statistics.preemptions
        onProcessor = statistics.onProcessor?.count
        runDelay = statistics.runDelay?.count
        root = thread.root.map { model[$0].label }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(tid, forKey: .tid)
        try container.encode(name, forKey: .name)
        try container.encode(items, forKey: .items)
        try container.encode(busy, forKey: .busy)
        try container.encode(blocked, forKey: .blocked)
        try container.encode(switches, forKey: .switches)
        try container.encodeIfPresent(preemptions, forKey: .preemptions)
        try container.encodeIfPresent(onProcessor, forKey: .onProcessor)
        try container.encodeIfPresent(runDelay, forKey: .runDelay)
        try container.encodeIfPresent(root, forKey: .root)
    }
}
