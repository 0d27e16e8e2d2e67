import DispatchAnalysis

/// The processes of a trace.
struct ProcessesTable: TraceTable {
    static let meaning = "A row per process: its recording and the quality of the trace."
    static let key = ["process"]

    static let columns = TableColumns<Analysis> { columns in
        columns.addProcess()
        columns.add("machine", "The machine that it ran on.") { machine(of: $0) }
        columns.add("pid", "The kernel's process id; 0 when unknown.") { $0.trace.processes.first?.pid ?? 0 }
        columns.add("name", "The name of its program.") { $0.trace.processes.first?.name ?? "" }
        columns.add("backend", "ring or lttng.") { $0.trace.backend }
        columns.add("schema", "The version of the event schema.") { $0.trace.schema }
        columns.add(
            "processors", "Processors that it may use, by affinity, cpuset and CFS quota (rounded up); 0 when unknown."
        ) { $0.trace.processors.count }
        columns.add(
            "begin_unix_ns", "Its first event record in nanoseconds since 1970-01-01T00:00:00Z: the zero of all times."
        ) { Int($0.trace.beginUnixNanoseconds) }
        columns.add("duration_ns", "From the first event record to the last.") { $0.trace.duration }
        columns.add("events", "Event records read.") { $0.trace.events }
        columns.add("discarded", "Event records that the recorder discarded.") { $0.trace.discarded }
        columns.add("unknown", "Event records with a class that this version does not have.") { $0.trace.unknown }
        columns.add("quality", "The mean share of facts that pass, over all checks; 1 is a perfect trace.") {
            $0.quality.score
        }
        columns.add("notes", "Sentences about damage and other limits of the trace.") {
            $0.trace.notes.map { $0.hasSuffix(".") ? $0 : $0 + "." }.joined(separator: " ")
        }
        columns.add("processor_quota", "Its CFS quota in processors.") { $0.trace.processors.quota }
    }

    private static func machine(of analysis: Analysis) -> String {
        let own = analysis.trace.processes.first?.host ?? ""
        return own.isEmpty ? analysis.trace.host : own
    }

    func finish(_ analysis: Analysis, _ add: (Analysis) -> Void) { add(analysis) }
}
