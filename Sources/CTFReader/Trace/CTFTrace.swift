/// A CTF 1.8 trace: a directory with a `metadata` file and data stream files.
public struct CTFTrace: Sendable {
    /// The path of the directory, as it was given.
    public let path: String
    /// The trace's identity, the same in all pieces of a rotated session and in all its snapshots; nil when it has none.
    public let uuid: [UInt8]?
    /// The trace's environment block.
    public let environment: [String: EnvironmentValue]
    /// The clock of the first stream class that has one; those of the others are in ``streamClasses``.
    public let clock: ClockClass
    /// The classes of all data streams, with their contexts.
    public let streamClasses: [CTFStreamClass]
    /// The classes of all event records; a class's position is ``EventRecord/classIndex``.
    public let eventClasses: [CTFEventClass]
    /// Size of all data stream files, in bytes.
    public let totalBytes: Int

    let plan: TracePlan
    /// The data stream files that are read.
    let files: [MappedFile]
    /// On the data stream files that are not read.
    let notes: [TraceNote]
    /// Held as long as the trace may be read.
    private let lock: ReaderLock?

    /// Opens a trace: reads its metadata and maps its data stream files.
    ///
    /// Files must not become shorter while the trace is open; that they grow does no harm.
    ///
    /// - Parameter path: the directory.
    /// - Throws: when there is no trace at the path or its metadata cannot be understood.
    public init(path: String) throws(CTFError) {
        let lock = ReaderLock(path: path)
        let description = try MetadataResolver.describe(try TraceDirectory.metadata(in: path))
        let plan = try TracePlan(description)
        self.init(path: path, plan: plan, files: try TraceDirectory.streamFiles(in: path), lock: lock)
    }

    /// A trace whose parts have been read, from wherever.
    init(path: String, plan: TracePlan, files: [MappedFile], lock: ReaderLock? = nil) {
        self.path = path
        self.lock = lock
        self.plan = plan
        (self.files, notes) = RepeatedFiles.leaveOut(files, plan)
        environment = Dictionary(plan.description.environment.map { ($0.name, $0.value) }) { $1 }
        uuid = plan.description.uuid
        clock = plan.clock
        streamClasses = plan.streamClasses
        eventClasses = plan.eventClasses
        totalBytes = self.files.reduce(0) { $0 + $1.count }
    }

    /// Counts the event records by what the heads of their packets say, without reading them.
    ///
    /// - Complexity: O(packets).
    public var packetTotals: PacketTotals {
        var totals = PacketTotals()
        for file in files { totals.add(file, plan) }
        return totals
    }

    /// Delivers every event record in the order of time.
    ///
    /// Records of equal time come in the order of their streams (class, instance, file name), whatever order the file
    /// system lists the files in; the records of one stream always keep the order in which they were recorded. What is
    /// damaged is skipped and noted in the summary.
    ///
    /// - Parameters:
    ///   - clocks: what the clocks of this trace and of others agree on.
    ///   - progress: called now and then with the share of bytes read, 0 to 1.
    ///   - body: called with every record, which is valid only during the call.
    /// - Returns: counts, losses and damage.
    /// - Throws: what `body` throws.
    /// - Complexity: O(events × log streams) in time, O(streams) in memory.
    public func forEachEvent(
        clocks: ClockAgreement = ClockAgreement(), progress: ((Double) -> Void)? = nil,
        _ body: (EventRecord) throws -> Void
    ) throws -> ReadSummary {
        try EventPass(of: self, agreement: clocks.agreed, order: .exactTime, progress: progress).run(body)
    }

    /// Delivers every event record in the order of time, as ``forEachEvent(clocks:progress:_:)`` does, many at a time.
    ///
    /// - Parameters:
    ///   - clocks: what the clocks of this trace and of others agree on.
    ///   - readsAhead: whether other threads may read while `body` runs.
    ///   - progress: called now and then with the share of bytes read, 0 to 1, maybe by one of these.
    ///   - body: called with the records, which are valid only during the call.
    /// - Returns: counts, losses and damage.
    /// - Throws: what `body` throws.
    /// - Complexity: O(events × log streams) in time, O(streams) in memory.
    public func forEachBatch(
        clocks: ClockAgreement = ClockAgreement(), readsAhead: Bool, progress: ((Double) -> Void)? = nil,
        _ body: (RecordBatch) throws -> Void
    ) throws -> ReadSummary {
        try EventPass(of: self, agreement: clocks.agreed, order: .exactTime, progress: progress)
            .runInBatches(readsAhead: readsAhead, body)
    }
}
