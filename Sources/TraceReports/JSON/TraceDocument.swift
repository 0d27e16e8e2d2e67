import DispatchAnalysis
import DispatchModel

/// The report's `trace` member.
struct TraceDocument: Encodable {
    struct Process: Encodable {
        let host: String
        let pid: Int
        let name: String
    }

    struct Missing: Encodable {
        let kind: String
        let count: Int
        let begin: Int64?
        let end: Int64?

        enum CodingKeys: String, CodingKey {
            case kind, count
            case begin = "begin_ns"
            case end = "end_ns"
        }

        init(_ gap: MissingEvents) {
            kind = gap.kind == .events ? "events" : "packets"
            count = gap.count
            begin = gap.begin.map { max(0, $0.nanoseconds) }
            end = gap.end.map { max(0, $0.nanoseconds) }
        }
    }

    struct Window: Encodable {
        let begin: Int64
        let end: Int64
        let whole: Int64

        enum CodingKeys: String, CodingKey {
            case begin = "begin_ns"
            case end = "end_ns"
            case whole = "trace_duration_ns"
        }

        init(_ window: TraceSummary.Window) {
            begin = window.begin.nanoseconds
            end = window.end.nanoseconds
            whole = window.whole.count
        }
    }

    let path: String
    let schema: String
    let backend: String
    let events: Int
    let discarded: Int
    let missing: [Missing]
    let unknown: Int
    let duration: Int64
    let begin: Int64
    let host: String
    let processors: Int
    let processorQuota: Double?
    let processorsAllowed: Int?
    let processorsOnline: Int?
    let processes: [Process]
    let notes: [String]
    /// Left out for a whole trace.
    let window: Window?

    enum CodingKeys: String, CodingKey {
        case path, schema, backend, events, discarded, missing, unknown, host, processors, processes, notes, window
        case duration = "duration_ns"
        case begin = "begin_unix_ns"
        case processorQuota = "processor_quota"
        case processorsAllowed = "processors_allowed"
        case processorsOnline = "processors_online"
    }

    init(_ trace: TraceSummary) {
        path = trace.path
        schema = trace.schema
        backend = trace.backend
        events = trace.events
        discarded = trace.discarded
        missing = trace.missing.map(Missing.init)
        unknown = trace.unknown
        duration = trace.duration.count
        begin = trace.beginUnixNanoseconds
        host = trace.host
        processors = trace.processors.count
        processorQuota = trace.processors.quota
        processorsAllowed = trace.processors.allowed > 0 ? trace.processors.allowed : nil
        processorsOnline = trace.processors.online > 0 ? trace.processors.online : nil
        processes = trace.processes.map {
            Process(host: $0.host.isEmpty ? trace.host : $0.host, pid: $0.pid, name: $0.name)
        }
        notes = trace.notes
        window = trace.window.map(Window.init)
    }
}
