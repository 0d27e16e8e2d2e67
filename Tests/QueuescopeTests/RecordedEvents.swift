import CTFReader
import Queuescope
import TestSupport

/// One event record of a test's own trace.
struct RecordedEvent {
    let name: String
    let tid: UInt64
    /// Numbers and strings by field name.
    let fields: [String: String]

    subscript(_ field: String) -> String { fields[field] ?? "" }
    func number(_ field: String) -> UInt64 { UInt64(self[field]) ?? 0 }
}

/// The events that a closure recorded.
struct RecordedEvents {
    let all: [RecordedEvent]

    /// Runs a closure while a session records, and reads the trace.
    init(_ body: () throws -> Void) throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        try TraceSession.start(directory: path)
        do {
            defer { TraceSession.stop() }
            try body()
        }
        try self.init(reading: path)
    }

    /// Runs an asynchronous closure while a session records, and reads the trace.
    init(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void) async throws {
        let directory = TemporaryDirectory()
        let path = directory.appending("trace")
        try await withTraceSession(directory: path) { try await body() }
        try self.init(reading: path)
    }

    init(reading path: String) throws {
        _ = try ArenaRecovery.complete(path: path)
        let trace = try CTFTrace(path: path)
        var all: [RecordedEvent] = []
        _ = try trace.forEachEvent { record in
            let eventClass = trace.eventClasses[record.classIndex]
            var fields: [String: String] = [:]
            for (position, field) in eventClass.fields.enumerated() {
                fields[field.name] = record.value(position).recordedText
            }
            let name = eventClass.name.split(separator: ":").last.map(String.init) ?? ""
            all.append(RecordedEvent(name: name, tid: UInt64(record.packetTID), fields: fields))
        }
        self.all = all
    }

    func named(_ names: String...) -> [RecordedEvent] { all.filter { names.contains($0.name) } }

    /// The names of the events of an item, in order.
    func story(of item: String) -> [String] { all.filter { $0.fields["item"] == item }.map(\.name) }

    /// The trace's id of the queue with this label.
    func queue(_ label: String) -> String? {
        all.first { ["queue_create", "queue_state"].contains($0.name) && $0["label"] == label }?["queue"]
    }

    /// File and line of a call site.
    func site(_ code: String) -> String? {
        all.first { $0.name == "code_symbol" && $0["code"] == code }.map { "\($0["file"]):\($0["line"])" }
    }
}
