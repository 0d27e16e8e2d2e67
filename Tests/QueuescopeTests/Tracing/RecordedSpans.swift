import CTFReader
import Queuescope
import TestSupport

/// The marks of spans that a closure recorded.
struct RecordedSpans {
    /// One mark of an interval.
    struct Mark {
        let event: String
        let name: String
        let message: String
        let category: String
        let id: String
        let tid: UInt64
    }

    let marks: [Mark]

    init(_ body: () async throws -> Void) async throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        try TraceSession.start(directory: path)
        do {
            defer { TraceSession.stop() }
            try await body()
        }
        _ = try ArenaRecovery.complete(path: path)
        let trace = try CTFTrace(path: path)
        var rows: [(event: String, tid: UInt64, fields: [String: String])] = []
        _ = try trace.forEachEvent { record in
            let eventClass = trace.eventClasses[record.classIndex]
            let name = eventClass.name.split(separator: ":").last.map(String.init) ?? ""
            guard name.hasPrefix("signpost") || name == "code_symbol" else { return }
            var fields: [String: String] = [:]
            for (position, field) in eventClass.fields.enumerated() {
                fields[field.name] = record.value(position).recordedText
            }
            rows.append((name, UInt64(record.packetTID), fields))
        }
        func find(_ event: String, _ field: String, _ value: String?, _ wanted: String) -> String {
            rows.first { $0.event == event && $0.fields[field] == value }?.fields[wanted] ?? ""
        }
        marks = rows.filter { ["signpost_begin", "signpost_end", "signpost_event"].contains($0.event) }.map { row in
            Mark(
                event: String(row.event.dropFirst("signpost_".count)),
                name: find("code_symbol", "code", row.fields["code"], "symbol"),
                message: row.fields["message"] ?? "",
                category: find("signpost_log", "log", row.fields["log"], "category"),
                id: row.fields["signpost"] ?? "", tid: row.tid)
        }
    }

    /// The messages of marks, such as `begin`.
    func messages(_ event: String) -> [String] { marks.filter { $0.event == event }.map(\.message) }
}
