import CTFReader
import TraceSchema

/// A recorded trace as events of the dispatch catalogue, whichever recorder wrote it.
public struct DispatchTrace {
    /// The schema version of this build, `major.minor`.
    public static var currentSchema: String { SchemaVersion.current.description }

    /// The trace directory.
    public let path: String
    /// The schema version that the trace was written with.
    public let schema: SchemaVersion
    /// `ring` or `lttng`.
    public let backend: String
    /// The recording machine.
    public let host: String
    /// The traced process, 0 when unknown.
    public let processID: Int
    /// The name of its program.
    public let processName: String
    /// Processors online on the recording machine; 0 when unknown.
    public let processors: Int

    private let trace: CTFTrace
    /// Per event class of the trace: its number in the catalogue, 0 for classes that this version does not know.
    private let catalogueIDs: [UInt8]
    /// Per event class of the trace: for each field of the catalogue its position in the payload, -1 when it is absent.
    private let fields: [[Int]]
    /// Per event class of the trace: the position of the thread in the payload, -1 where it stands elsewhere. LTTng's
    /// events have it there, so that a session need not add a context for it.
    private let threadFields: [Int]

    /// Opens a trace.
    ///
    /// - Parameter path: the trace directory.
    /// - Throws: `CTFError` when it is not a readable CTF trace, ``DispatchTraceError`` when it has no dispatch events
    ///   or another major version of the schema.
    public init(path: String) throws {
        let trace = try CTFTrace(path: path)
        let environment = trace.environment
        func text(_ name: String) -> String { environment[name]?.stringValue ?? "" }
        func number(_ name: String) -> Int { Int(environment[name]?.integerValue ?? 0) }

        // LTTng writes an environment of its own, without our schema version: its provider is of this version.
        let isLTTng = text("tracer_name").hasPrefix("lttng")
        let major = environment["schema_major"]?.integerValue.map { Int($0) }
        schema =
            major.map { SchemaVersion(major: $0, minor: number("schema_minor")) } ?? SchemaVersion.current
        guard schema.isReadable else {
            let newer = schema.major > SchemaVersion.current.major
            throw DispatchTraceError(
                .unsupportedSchema, path: path,
                "Cannot read \(path): it was written with \(newer ? "newer " : "")schema version \(schema), and this "
                    + "queuescope reads version \(SchemaVersion.current.major).x; use the queuescope that belongs to "
                    + "the recorder.")
        }
        let prefix = EventCatalogue.provider + ":"
        guard trace.eventClasses.contains(where: { $0.name.hasPrefix(prefix) }) else {
            throw DispatchTraceError(
                .notADispatchTrace, path: path,
                "Cannot analyse \(path): it is a CTF trace without events of the \(EventCatalogue.provider) provider; "
                    + "record the program with queuescope record.")
        }
        let classes = trace.eventClasses.map { eventClass -> (UInt8, [Int]) in
            guard eventClass.name.hasPrefix(prefix),
                let known = EventCatalogue.event(named: String(eventClass.name.dropFirst(prefix.count)))
            else { return (0, []) }
            let positions = known.fields.map { field in
                eventClass.fields.firstIndex { $0.name == field.name } ?? -1
            }
            return (known.id, positions)
        }
        catalogueIDs = classes.map(\.0)
        fields = classes.map(\.1)
        threadFields = trace.eventClasses.map { eventClass in
            eventClass.name.hasPrefix(prefix) ? eventClass.fields.firstIndex { $0.name == "vtid" } ?? -1 : -1
        }
        self.trace = trace
        self.path = path
        backend = isLTTng ? "lttng" : text("backend").isEmpty ? "ring" : text("backend")
        host = text("hostname")
        processID = number("vpid")
        processName = text("procname")
        processors = number("processors")
    }

    /// What was read.
    public struct Summary: Sendable {
        /// Event records read.
        public let events: Int
        /// Event records of classes, or of definitions, that this version does not know.
        public let unknown: Int
        /// Event records that the recorder had to drop.
        public let discarded: Int
        /// Wall-clock time of the first event record: nanoseconds since 1970-01-01T00:00:00Z; 0 without events.
        public let beginUnixNanoseconds: Int64
        /// Damage that was met and read around: one sentence each.
        public let notes: [String]
    }

    /// Reads the whole trace in order of time.
    ///
    /// - Parameters:
    ///   - progress: called now and then with the share read, from 0 to 1.
    ///   - body: called for every event of the catalogue.
    /// - Returns: counts and damage.
    /// - Throws: what the reader or `body` throws.
    public func forEachEvent(
        progress: ((Double) -> Void)? = nil, _ body: (DispatchEvent, Timestamp, UInt32) throws -> Void
    ) throws -> Summary {
        var origin: Int64?
        var unknown = 0
        let summary = try trace.forEachEvent(progress: progress) { record in
            let begin: Int64
            if let origin {
                begin = origin
            } else {
                begin = record.nanoseconds
                origin = begin
            }
            let id = catalogueIDs[record.classIndex]
            guard let event = DispatchEvent(id: id, record: record, fields: fields[record.classIndex]) else {
                unknown += 1
                return
            }
            let threadField = threadFields[record.classIndex]
            let tid =
                threadField < 0 ? record.packetTID : UInt32(truncatingIfNeeded: record.unsigned(threadField))
            try body(event, Timestamp(nanoseconds: record.nanoseconds - begin), tid)
        }
        var notes = summary.notes.map { "\($0)" }
        if summary.lostPackets > 0 {
            notes.append("\(summary.lostPackets) packets of events are missing from the trace.")
        }
        return Summary(
            events: summary.events, unknown: unknown, discarded: Int(clamping: summary.discarded),
            beginUnixNanoseconds: origin ?? 0, notes: notes)
    }
}
