import CTFReader

/// The result of reading a trace, or several traces as one: its amounts, its losses and its damage.
public struct ReadOutcome: Sendable {
    /// Number of event records read, of the whole trace or of the requested part.
    public var events: Int
    /// Number of event records that the recorder discarded.
    public var discarded: Int
    /// Number of event records of classes or definitions that are unknown to this version.
    public var unknown: Int
    /// Number of data stream files that are not empty or are missing, and the number of files that could not be read
    /// completely.
    public private(set) var files = 0
    public private(set) var damagedFiles = 0
    /// Whether earlier event records were overwritten, by a flight recorder or in an LTTng snapshot. The trace then
    /// begins where all threads have records.
    public private(set) var isOverwritten = false
    /// Wall-clock time of the first event record, in nanoseconds since 1970-01-01T00:00:00Z; 0 without events.
    public var beginUnixNanoseconds: Int64
    /// Damage that was skipped, one sentence each.
    public var notes: [String]
    /// The losses of the streams.
    private var losses: [TraceLoss] = []

    /// Creates the outcome of reading event records without damage.
    public init(
        events: Int = 0, discarded: Int = 0, unknown: Int = 0, beginUnixNanoseconds: Int64 = 0, notes: [String] = []
    ) {
        self.events = events
        self.discarded = discarded
        self.unknown = unknown
        self.beginUnixNanoseconds = beginUnixNanoseconds
        self.notes = notes
    }

    /// Creates the outcome of reading several traces as one.
    ///
    /// - Parameters:
    ///   - reads: the traces, each with the summary of its records. Pieces of one trace are counted once.
    ///   - unknown: the number of unknown event records.
    ///   - begin: the time of the first event record.
    ///   - ignored: the number of records that were ignored because earlier ones are overwritten; nil when none are
    ///     overwritten.
    ///   - coverage: the part of a flight recorder's window that the traces have; nil without a window.
    init(
        of reads: [(trace: DispatchTrace, read: ReadSummary)], unknown: Int, begin: Int64, ignored: Int? = nil,
        coverage: WindowCoverage? = nil
    ) {
        let absent = reads.reduce(0) { $0 + $1.trace.missingFiles.count }
        self.init(
            events: reads.reduce(0) { $0 + $1.read.events },
            discarded: Int(clamping: TraceMerge.discarded(reads.map(\.read), of: reads.map(\.trace.trace))),
            unknown: unknown, beginUnixNanoseconds: begin, notes: reads.flatMap { Self.notes($0.read, of: $0.trace) })
        files = reads.reduce(absent) { $0 + $1.read.files }
        damagedFiles = reads.reduce(absent) { $0 + $1.read.damagedFiles }
        losses = reads.flatMap { $0.trace.missingFiles.losses + $0.read.losses }
        guard let ignored else { return }
        isOverwritten = true
        let left = ignored == 0 ? "" : ", except \(GroupedNumber.text(ignored)) events, which are ignored"
        let reason = coverage?.reason ?? "earlier events were overwritten"
        notes.append("This is the end of a longer recording: \(reason)\(left).")
        if let shortage = coverage?.shortage { notes.append(shortage) }
    }

    /// Adds up the outcomes of independent traces.
    ///
    /// - Parameter outcomes: the outcome of each trace. The earliest begin counts.
    public init(of outcomes: [ReadOutcome]) {
        self.init(
            events: outcomes.reduce(0) { $0 + $1.events }, discarded: outcomes.reduce(0) { $0 + $1.discarded },
            unknown: outcomes.reduce(0) { $0 + $1.unknown },
            beginUnixNanoseconds: outcomes.map(\.beginUnixNanoseconds).min() ?? 0, notes: outcomes.flatMap(\.notes))
        files = outcomes.reduce(0) { $0 + $1.files }
        damagedFiles = outcomes.reduce(0) { $0 + $1.damagedFiles }
        isOverwritten = outcomes.contains { $0.isOverwritten }
        losses = outcomes.flatMap(\.losses)
    }

    /// The gaps in which event records are missing, in order of time since the first event record.
    public var missing: [MissingEvents] { missing(since: beginUnixNanoseconds) }

    /// The gaps in which event records are missing, in the time of one process.
    ///
    /// - Parameter origin: the time of its first event, in nanoseconds since 1970-01-01T00:00:00Z.
    /// - Returns: gaps in order of time.
    public func missing(since origin: Int64) -> [MissingEvents] {
        MissingEvents.gaps(losses, discarded: discarded, since: origin)
    }

    private static func notes(_ read: ReadSummary, of trace: DispatchTrace) -> [String] {
        var notes = trace.missingFiles.notes + read.notes.map { "\($0)" }
        if read.lostPackets > 0 {
            notes.append("\(GroupedNumber.text(read.lostPackets)) packets of events are missing from the trace.")
        }
        return notes
    }
}
