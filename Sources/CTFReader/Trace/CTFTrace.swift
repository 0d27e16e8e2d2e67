/// A CTF 1.8 or CTF 2 trace: a directory with a `metadata` file and data stream files.
public struct CTFTrace: Sendable {
    /// The path of the directory as passed to ``init(path:)``.
    public let path: String
    /// The UUID of the trace, common to all pieces of a rotated session and to all its snapshots; nil when it has none.
    public let uuid: [UInt8]?
    /// The values of the environment block.
    public let environment: [String: EnvironmentValue]
    /// The clock of the first stream class that has a clock. Each stream class has its clock in ``streamClasses``.
    public let clock: ClockClass
    /// The stream classes with their contexts.
    public let streamClasses: [CTFStreamClass]
    /// The event classes. ``EventRecord/classIndex`` is an index of this array.
    public let eventClasses: [CTFEventClass]
    /// Size of all data stream files in bytes.
    public let totalBytes: Int

    let plan: TracePlan
    /// The data stream files that are read.
    let files: [MappedFile]
    /// Notes about ignored parts of the metadata and data stream files that are not read.
    let notes: [TraceNote]
    /// The lock on a trace that is being recorded, held during the lifetime of the trace.
    private let lock: ReaderLock?

    /// Opens a trace: reads its metadata and maps its data stream files.
    ///
    /// Files must not be truncated while the trace is open. They may grow.
    ///
    /// - Parameter path: the directory.
    /// - Throws: a ``CTFError`` when the path is not a trace or the metadata is invalid.
    public init(path: String) throws(CTFError) {
        let lock = ReaderLock(path: path)
        let description = try TraceDescription.read(try TraceDirectory.metadata(in: path))
        let plan = try TracePlan(description)
        self.init(path: path, plan: plan, files: try TraceDirectory.streamFiles(in: path), lock: lock)
    }

    /// Creates a trace from parts that were read before.
    init(path: String, plan: TracePlan, files: [MappedFile], lock: ReaderLock? = nil) {
        self.path = path
        self.lock = lock
        self.plan = plan
        let (files, notes) = RepeatedFiles.leaveOut(files, plan)
        self.files = files
        self.notes = plan.description.notes + notes
        environment = Dictionary(plan.description.environment.map { ($0.name, $0.value) }) { $1 }
        uuid = plan.description.uuid
        clock = plan.clock
        streamClasses = plan.streamClasses
        eventClasses = plan.eventClasses
        totalBytes = files.reduce(0) { $0 + $1.count }
    }

    /// The number of event records according to the packet heads, without reading the records.
    ///
    /// - Complexity: O(packets).
    public var packetTotals: PacketTotals {
        var totals = PacketTotals()
        for file in files { totals.add(file, plan) }
        return totals
    }

    /// Delivers all event records in order of time.
    ///
    /// Records of equal time come in the order of their streams (class, instance, file name). The records of a stream
    /// keep their order. Damaged parts are skipped and noted in the summary.
    ///
    /// - Parameters:
    ///   - clocks: the common offsets of the clocks of several traces.
    ///   - progress: called at intervals with the share of bytes read, 0 to 1.
    ///   - body: called with each record, which is valid only during the call.
    /// - Returns: counts, losses and damage.
    /// - Throws: the errors of `body`.
    /// - Complexity: O(events × log streams) in time, O(streams) in memory.
    public func forEachEvent(
        clocks: ClockAgreement = ClockAgreement(), progress: ((Double) -> Void)? = nil,
        _ body: (EventRecord) throws -> Void
    ) throws -> ReadSummary {
        try EventPass(of: self, agreement: clocks.agreed, order: .exactTime, progress: progress).run(body)
    }

    /// Delivers all event records in order of time, as ``forEachEvent(clocks:progress:_:)`` does, in batches.
    ///
    /// - Parameters:
    ///   - clocks: the common offsets of the clocks of several traces.
    ///   - readsAhead: whether other threads may read while `body` runs.
    ///   - progress: called at intervals with the share of bytes read, 0 to 1, possibly on another thread.
    ///   - body: called with batches, which are valid only during the call.
    /// - Returns: counts, losses and damage.
    /// - Throws: the errors of `body`.
    /// - Complexity: O(events × log streams) in time, O(streams) in memory.
    public func forEachBatch(
        clocks: ClockAgreement = ClockAgreement(), readsAhead: Bool, progress: ((Double) -> Void)? = nil,
        _ body: (RecordBatch) throws -> Void
    ) throws -> ReadSummary {
        try EventPass(of: self, agreement: clocks.agreed, order: .exactTime, progress: progress)
            .runInBatches(readsAhead: readsAhead, body)
    }

    /// The data stream files that are read, by name.
    ///
    /// - Complexity: O(files).
    public var streamFiles: [CTFStreamFile] {
        files.map {
            CTFStreamFile(name: $0.name, size: $0.count, instanceID: $0.firstPacket(of: plan)?.values.streamInstanceID)
        }
    }

    /// Returns the number of discarded event records that the packets of a data stream file report.
    ///
    /// - Parameter name: the name of the file.
    /// - Returns: the number; 0 when the file does not exist.
    /// - Complexity: O(packets of the file).
    public func discarded(reportedBy name: String) -> UInt64 {
        var totals = PacketTotals()
        for file in files where file.name == name { totals.add(file, plan) }
        return totals.discarded
    }

    /// Returns the place of a field in the records of an event class.
    ///
    /// - Parameters:
    ///   - field: index in the class's ``CTFEventClass/fields``.
    ///   - classIndex: index of the class in ``eventClasses``.
    /// - Returns: the place, valid for records of this trace.
    public func place(of field: Int, in classIndex: Int) -> FieldPlace {
        precondition(eventClasses[classIndex].fields.indices.contains(field))
        return FieldPlace(plan.layouts[classIndex].slots[field], position: field)
    }
}

/// A data stream file of a trace.
public struct CTFStreamFile: Hashable, Sendable {
    /// The name of the file in the trace directory.
    public let name: String
    /// The size of the file in bytes.
    public let size: Int
    /// Whether the file is empty.
    public var isEmpty: Bool { size == 0 }
    /// The id of the data stream in its class, from the first packet; nil when it has none or the packet is damaged.
    public let instanceID: UInt64?
}
