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

    enum CodingKeys: String, CodingKey {
        case tid, name, items, switches
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
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(tid, forKey: .tid)
        try container.encode(name, forKey: .name)
        try container.encode(items, forKey: .items)
        try container.encode(busy, forKey: .busy)
        try container.encode(blocked, forKey: .blocked)
        try container.encode(switches, forKey: .switches)
    }
}
