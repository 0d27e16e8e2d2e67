import DispatchAnalysis

/// The report's `trace` member.
struct TraceDocument: Encodable {
    struct Process: Encodable {
        let host: String
        let pid: Int
        let name: String
    }

    let path: String
    let schema: String
    let backend: String
    let events: Int
    let discarded: Int
    let unknown: Int
    let duration: Int64
    let begin: Int64
    let host: String
    let processors: Int
    let processes: [Process]
    let notes: [String]

    enum CodingKeys: String, CodingKey {
        case path, schema, backend, events, discarded, unknown, host, processors, processes, notes
        case duration = "duration_ns"
        case begin = "begin_unix_ns"
    }

    init(_ trace: TraceSummary) {
        path = trace.path
        schema = trace.schema
        backend = trace.backend
        events = trace.events
        discarded = trace.discarded
        unknown = trace.unknown
        duration = trace.duration.count
        begin = trace.beginUnixNanoseconds
        host = trace.host
        processors = trace.processors
        processes = trace.processes.map {
            Process(host: $0.host.isEmpty ? trace.host : $0.host, pid: $0.pid, name: $0.name)
        }
        notes = trace.notes
    }
}
