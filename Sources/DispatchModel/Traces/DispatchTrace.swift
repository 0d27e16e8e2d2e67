import CTFReader
import TraceSchema

/// A recorded trace as events of the dispatch catalogue, independent of the recorder.
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
    /// The id of the traced process; 0 when unknown, or when the records contain it.
    public let processID: Int
    /// The name of the traced program.
    public let processName: String
    /// The processors that the process may use; unknown when the records contain them.
    public let processors: UsableProcessors

    let trace: CTFTrace
    /// The files that are missing from the directory.
    let missingFiles: MissingFiles
    /// By event class of the trace: how its records are decoded.
    let classes: [RecordFields]
    /// Position of each field of the catalogue in the records, class by class.
    let places: [FieldPlace]

    /// Opens a trace.
    ///
    /// - Parameter path: the trace directory.
    /// - Throws: `CTFError` when it is not a readable CTF trace, ``DispatchTraceError`` when it has no dispatch events
    ///   or another major version of the schema.
    public init(path: String) throws { try self.init(CTFTrace(path: path)) }

    /// Reads what is new of a trace that a process may still record.
    ///
    /// - Parameter followed: the trace. Release this trace before the next reading.
    /// - Throws: as ``init(path:)``.
    public init(following followed: FollowedTrace) throws { try self.init(followed.read()) }

    /// Uses a trace that is already open.
    init(_ trace: CTFTrace) throws(DispatchTraceError) {
        let path = trace.path
        let environment = trace.environment
        func text(_ name: String) -> String { environment[name]?.stringValue ?? "" }
        func number(_ name: String) -> Int { Int(environment[name]?.integerValue ?? 0) }

        // The environment of an LTTng trace has no schema version. Assume the version of this build, until an event
        // reports another one.
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
        var places: [FieldPlace] = []
        classes = trace.eventClasses.enumerated().map { index, eventClass in
            let first = places.count
            guard eventClass.name.hasPrefix(prefix),
                let known = EventCatalogue.event(named: String(eventClass.name.dropFirst(prefix.count)))
            else { return RecordFields(id: 0, firstPlace: first) }
            func place(_ name: String) -> FieldPlace {
                eventClass.fields.firstIndex { $0.name == name }.map { trace.place(of: $0, in: index) } ?? .absent
            }
            places += known.fields.map { place($0.name) }
            return RecordFields(
                id: known.id, firstPlace: first, process: place("vpid"), thread: place("vtid"),
                beginsSync: known.name == "sync_begin", endsCallout: known.name == "callout_end",
                describesProcess: known.name == "process_state", isDefinition: known.isDefinition,
                role: WindowRole(for: known.windowUse, item: place("item").position))
        }
        // A class without fields at the end needs a valid position after the last one.
        self.places = places + [.absent]
        self.trace = trace
        self.path = path
        missingFiles = MissingFiles(of: trace)
        backend = isLTTng ? "lttng" : text("backend").isEmpty ? "ring" : text("backend")
        host = text("hostname")
        processID = number("vpid")
        processName = text("procname")
        processors = UsableProcessors(
            allowed: number("processors"), online: number("processors_online"),
            quotaMilli: number("processor_quota_milli"))
    }

    /// The process that the metadata identify.
    public var process: TracedProcess { process(numbered: 0) }

    /// The process that the metadata identify.
    ///
    /// - Parameter index: its position in the list of processes.
    public func process(numbered index: Int) -> TracedProcess {
        TracedProcess(
            index: index, host: host, pid: processID, name: processName, backend: backend, schema: schema,
            processors: processors)
    }

    /// Totals from the headers of the packets, including the number of events.
    public var packetTotals: PacketTotals { trace.packetTotals }

    /// Builds the model of the whole trace in order of time.
    ///
    /// - Parameters:
    ///   - builder: receives every event of the catalogue.
    ///   - clocks: the common clock of this trace and of others.
    ///   - readsAhead: whether other threads may read the records.
    ///   - progress: called regularly with the fraction that has been read, from 0 to 1.
    /// - Returns: counts and damage.
    /// - Throws: the errors of the reader.
    public func read(
        into builder: inout ModelBuilder, clocks: ClockAgreement = ClockAgreement(), readsAhead: Bool = true,
        progress: ((Double) -> Void)? = nil
    ) throws -> ReadOutcome {
        var pass = RecordPass(origin: nil)
        let read = try withFields { fields in
            try trace.forEachBatch(clocks: clocks, readsAhead: readsAhead, progress: progress) { batch in
                let origin = pass.origin ?? batch.record(0).nanoseconds
                pass.origin = origin
                pass.unknown += builder.handle(batch, 0..<batch.count, fields, since: origin)
            }
        }
        return outcome(of: read, pass)
    }

    /// Builds the model of a part of the trace in order of time.
    ///
    /// - Parameters:
    ///   - builder: receives every event of the catalogue, preceded by the required events before the window.
    ///   - window: the part.
    ///   - progress: called regularly with the fraction that has been read, from 0 to 1.
    ///   - windowBegins: called when the builder begins the window.
    /// - Returns: counts and damage.
    /// - Throws: the errors of the reader.
    public func read(
        into builder: inout ModelBuilder, in window: TraceWindow, progress: ((Double) -> Void)? = nil,
        windowBegins: (Timestamp) -> Void = { _ in }
    ) throws -> ReadOutcome {
        let origin = window.whole.lowerBound
        var pass = RecordPass(origin: origin)
        let read = try withFields { fields in
            try trace.forEachBatch(
                in: window, role: { classes[$0].role }, progress: progress,
                windowBegins: {
                    pass.unknown = 0
                    let begin = Timestamp(nanoseconds: window.begin - origin)
                    builder.beginWindow(at: begin)
                    windowBegins(begin)
                }
            ) { batch, range in
                pass.unknown += builder.handle(batch, range, fields, since: origin)
            }
        }
        return outcome(of: read, pass)
    }

    /// Reads the whole trace in order of time.
    ///
    /// - Parameters:
    ///   - progress: called regularly with the fraction that has been read, from 0 to 1.
    ///   - body: called for every event of the catalogue with the event, its time and its thread.
    /// - Returns: counts and damage.
    /// - Throws: the errors of the reader and of `body`.
    public func forEachEvent(
        progress: ((Double) -> Void)? = nil, _ body: (DispatchEvent, Timestamp, UInt32) throws -> Void
    ) throws -> ReadOutcome {
        var pass = RecordPass(origin: nil)
        let read = try withFields { fields in
            try trace.forEachEvent(progress: progress) { record in
                let origin = pass.origin ?? record.nanoseconds
                pass.origin = origin
                let known = fields[record.classIndex]
                let places = fields.places(of: known)
                guard let event = DispatchEvent(id: known.pointee.id, payload: record.payload, fields: places) else {
                    pass.unknown += 1
                    return
                }
                try body(
                    event, Timestamp(nanoseconds: record.nanoseconds - origin),
                    known.pointee.thread(of: record.payload, else: record.packetTID))
            }
        }
        return outcome(of: read, pass)
    }

    /// Calls `body` with the positions of the fields in the records.
    @inline(__always)
    func withFields<Result>(_ body: (FieldTables) throws -> Result) rethrows -> Result {
        try classes.withUnsafeBufferPointer { classes in
            try places.withUnsafeBufferPointer { try body(FieldTables(classes, places: $0)) }
        }
    }

    /// Whether the payload alone identifies the process of a record, if the metadata do not.
    var namesProcessInPayload: Bool { processID != 0 || classes.allSatisfy { $0.id == 0 || !$0.process.isAbsent } }

    private func outcome(of read: ReadSummary, _ pass: RecordPass) -> ReadOutcome {
        ReadOutcome(of: [(self, read)], unknown: pass.unknown, begin: pass.origin ?? 0)
    }

    /// The state of a pass over the records.
    private struct RecordPass {
        /// The begin of the trace; nil before the first record.
        var origin: Int64?
        var unknown = 0
    }
}
