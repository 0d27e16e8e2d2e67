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
    /// The traced process; 0 when unknown, or when the records tell it.
    public let processID: Int
    /// The name of its program.
    public let processName: String
    /// The processors that the process may use; unknown when the records tell them.
    public let processors: UsableProcessors

    let trace: CTFTrace
    /// What the directory lacks.
    let missingFiles: MissingFiles
    /// Per event class of the trace: how its records are read.
    let classes: [RecordFields]
    /// Where records have each field of the catalogue, class by class.
    let places: [FieldPlace]

    /// Opens a trace.
    ///
    /// - Parameter path: the trace directory.
    /// - Throws: `CTFError` when it is not a readable CTF trace, ``DispatchTraceError`` when it has no dispatch events
    ///   or another major version of the schema.
    public init(path: String) throws { try self.init(CTFTrace(path: path)) }

    /// Takes a trace that is open.
    init(_ trace: CTFTrace) throws(DispatchTraceError) {
        let path = trace.path
        let environment = trace.environment
        func text(_ name: String) -> String { environment[name]?.stringValue ?? "" }
        func number(_ name: String) -> Int { Int(environment[name]?.integerValue ?? 0) }

        // LTTng writes an environment of its own, without our schema version: its provider is of this version, or an event
        // says otherwise.
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
                role: WindowRole(known, item: place("item").position))
        }
        // A class without fields has its place behind the last one's.
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

    /// The process that the metadata name.
    public var process: TracedProcess { process(numbered: 0) }

    /// The process that the metadata name.
    ///
    /// - Parameter index: its place among the processes.
    public func process(numbered index: Int) -> TracedProcess {
        TracedProcess(
            index: index, host: host, pid: processID, name: processName, backend: backend, schema: schema,
            processors: processors)
    }

    /// How many events there are, by the headers of the packets.
    public var packetTotals: PacketTotals { trace.packetTotals }

    /// What was read.
    public struct Summary: Sendable {
        /// Event records read.
        public let events: Int
        /// Event records of classes, or of definitions, that this version does not know.
        public let unknown: Int
        /// Event records that the recorder had to drop.
        public let discarded: Int
        /// Data stream files that are not empty, or missing, and those of which a part could not be read.
        public let files: Int
        public let damagedFiles: Int
        /// When event records are missing.
        public let missing: [MissingEvents]
        /// Wall-clock time of the first event record: nanoseconds since 1970-01-01T00:00:00Z; 0 without events.
        public let beginUnixNanoseconds: Int64
        /// Damage that was met and read around: one sentence each.
        public let notes: [String]
        /// When its streams lack something.
        let losses: [TraceLoss]
    }

    /// Builds the model of the whole trace in order of time.
    ///
    /// - Parameters:
    ///   - builder: takes in every event of the catalogue.
    ///   - clocks: what the clocks of this trace and of others agree on.
    ///   - readsAhead: whether other threads may read the records.
    ///   - progress: called now and then with the share read, from 0 to 1.
    /// - Returns: counts and damage.
    /// - Throws: what the reader throws.
    public func read(
        into builder: inout ModelBuilder, clocks: ClockAgreement = ClockAgreement(), readsAhead: Bool = true,
        progress: ((Double) -> Void)? = nil
    ) throws -> Summary {
        var pass = RecordPass(origin: nil)
        let summary = try withFields { fields in
            try trace.forEachBatch(clocks: clocks, readsAhead: readsAhead, progress: progress) { batch in
                let origin = pass.origin ?? batch.record(0).nanoseconds
                pass.origin = origin
                pass.unknown += builder.handle(batch, 0..<batch.count, fields, since: origin)
            }
        }
        return self.summary(of: summary, pass)
    }

    /// Builds the model of a part of the trace in order of time.
    ///
    /// - Parameters:
    ///   - builder: takes in every event of the catalogue; what it has to know of the time before the part comes first.
    ///   - window: the part.
    ///   - progress: called now and then with the share read, from 0 to 1.
    ///   - windowBegins: called when the builder begins the part.
    /// - Returns: counts and damage.
    /// - Throws: what the reader throws.
    public func read(
        into builder: inout ModelBuilder, in window: TraceWindow, progress: ((Double) -> Void)? = nil,
        windowBegins: (Timestamp) -> Void = { _ in }
    ) throws -> Summary {
        let origin = window.whole.lowerBound
        var pass = RecordPass(origin: origin)
        let summary = try withFields { fields in
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
        return self.summary(of: summary, pass)
    }

    /// Reads the whole trace in order of time.
    ///
    /// - Parameters:
    ///   - progress: called now and then with the share read, from 0 to 1.
    ///   - body: called for every event of the catalogue: the event, its time and the thread.
    /// - Returns: counts and damage.
    /// - Throws: what the reader or `body` throws.
    public func forEachEvent(
        progress: ((Double) -> Void)? = nil, _ body: (DispatchEvent, Timestamp, UInt32) throws -> Void
    ) throws -> Summary {
        var pass = RecordPass(origin: nil)
        let summary = try withFields { fields in
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
        return self.summary(of: summary, pass)
    }

    /// Calls `body` with where the records have their fields.
    @inline(__always)
    func withFields<Result>(_ body: (FieldTables) throws -> Result) rethrows -> Result {
        try classes.withUnsafeBufferPointer { classes in
            try places.withUnsafeBufferPointer { try body(FieldTables(classes, places: $0)) }
        }
    }

    /// Whether the payload alone tells whose a record is, where the metadata do not.
    var namesProcessInPayload: Bool { processID != 0 || classes.allSatisfy { $0.id == 0 || !$0.process.isAbsent } }

    private func summary(of summary: ReadSummary, _ pass: RecordPass) -> Summary {
        let losses = missingFiles.losses + summary.losses
        return Summary(
            events: summary.events, unknown: pass.unknown, discarded: Int(clamping: summary.discarded),
            files: summary.files + missingFiles.count, damagedFiles: summary.damagedFiles + missingFiles.count,
            missing: MissingEvents.gaps(
                losses, discarded: Int(clamping: summary.discarded), since: pass.origin ?? 0),
            beginUnixNanoseconds: pass.origin ?? 0, notes: notes(summary), losses: losses)
    }

    /// What a pass over the records keeps from one to the next.
    private struct RecordPass {
        /// When the trace begins; nil before the first record.
        var origin: Int64?
        var unknown = 0
    }

    /// The damage in sentences.
    func notes(_ summary: ReadSummary) -> [String] {
        var notes = missingFiles.notes + summary.notes.map { "\($0)" }
        if summary.lostPackets > 0 {
            notes.append("\(GroupedNumber.text(summary.lostPackets)) packets of events are missing from the trace.")
        }
        return notes
    }
}
