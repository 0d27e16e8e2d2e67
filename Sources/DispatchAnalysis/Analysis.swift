import DispatchModel

/// The contents of a report about a trace, for the renderers.
public struct Analysis {
    /// The summary of the trace.
    public let trace: TraceSummary
    /// The quality of the trace.
    public let quality: Quality
    /// The statistics of each queue with activity, in descending order of the time lost (the sum of waits).
    public let queues: [QueueStatistics]
    /// The statistics of each thread, in the order of `ThreadIndex`.
    public let threads: [ThreadStatistics]
    /// The findings in descending order of cost.
    public internal(set) var findings: [Finding]
    /// The open waits of threads at the end of the trace, in the order of their begin.
    public internal(set) var openWaits: [BlockedWait] = []
    /// The waits of threads, tasks and items at the end of the trace, and the one to mention in the verdict.
    public internal(set) var stillWaiting = StillWaiting()
    /// The statistics of each code that ran, in descending order of the time lost (the sum of waits).
    public internal(set) var codes: [CodeStatistics] = []
    /// The statistics of each lock that was taken, in descending order of the time lost (the sum of waits).
    public internal(set) var locks: [LockStatistics] = []
    /// The statistics of Swift Concurrency tasks; nil when there were none.
    public internal(set) var tasks: TaskSummary?
    /// The statistics of each event loop with iterations, in descending order of the longest time without a poll.
    public internal(set) var loops: [LoopStatistics] = []
    /// The waiting times per pair of code.
    public internal(set) var blame = BlameMatrix([])
    /// The entities that the indices above refer to.
    public let model: DispatchModel
    /// Where the time of the run went; nil when the critical path of the run was not requested.
    public internal(set) var account: RunAccount?
    /// The critical path of the run, or of the object that ``ModelOptions/criticalPath`` selects; nil when none was
    /// requested.
    public var criticalPath: CriticalPath? { account?.path ?? model.criticalPath }

    /// Creates an analysis from its parts.
    public init(
        trace: TraceSummary, quality: Quality, queues: [QueueStatistics], threads: [ThreadStatistics],
        findings: [Finding], model: DispatchModel
    ) {
        self.trace = trace
        self.quality = quality
        self.queues = queues
        self.threads = threads
        self.findings = findings
        self.model = model
    }
}

/// The summary of a trace: the recorded processes, the machine, and the amount of data.
public struct TraceSummary: Sendable {
    /// A traced process.
    public struct Process: Sendable {
        /// The kernel's process id; 0 when unknown.
        public let pid: Int
        /// The name of its program.
        public let name: String
        /// Its machine; empty for the machine of the trace.
        public let host: String
        /// Creates the description of a process.
        public init(pid: Int, name: String, host: String = "") {
            self.pid = pid
            self.name = name
            self.host = host
        }
    }

    /// A part of a trace.
    public struct Window: Sendable, Equatable {
        /// Its first and last instant.
        public let begin: Timestamp
        public let end: Timestamp
        /// The length of the whole trace.
        public let whole: Nanoseconds
        /// Whether the trace continues after the part.
        var continuesAfterEnd: Bool { end < .zero + whole }
        /// Creates the description of a part.
        public init(begin: Timestamp, end: Timestamp, whole: Nanoseconds) {
            self.begin = begin
            self.end = end
            self.whole = whole
        }
    }

    /// The trace directory; empty for events that were analysed in memory.
    public let path: String
    /// Schema version, `major.minor`.
    public let schema: String
    /// `ring` or `lttng`.
    public let backend: String
    /// The recording machine.
    public let host: String
    /// The traced processes.
    public let processes: [Process]
    /// Number of event records read, of the whole trace or of the requested part.
    public let events: Int
    /// Number of event records that the recorder discarded.
    public let discarded: Int
    /// Number of data stream files that are not empty or are missing, and the number of files that could not be read
    /// completely.
    public let files: Int
    public let damagedFiles: Int
    /// Whether earlier event records were overwritten, by a flight recorder or in an LTTng snapshot. The trace then
    /// begins where all threads have records.
    public let isOverwritten: Bool
    /// The times at which event records are missing, in order.
    public let missing: [MissingEvents]
    /// Number of event records of unknown classes.
    public let unknown: Int
    /// The time from the first event record to the last, or the length of the part that was read.
    public let duration: Nanoseconds
    /// The part that was read, to which all other values refer; nil for the whole trace.
    public let window: Window?
    /// Wall-clock time of the first event record, in nanoseconds since 1970-01-01T00:00:00Z.
    public let beginUnixNanoseconds: Int64
    /// The processors that the process may use.
    public let processors: UsableProcessors
    /// Notes for the reader, such as a stream that was cut short. One sentence each.
    public let notes: [String]

    /// How the program ended; nil when it is unknown or several processes were traced.
    public let ending: ProgramEnding?
    /// The reason for which this snapshot of a recording was taken; nil for a trace that is not a snapshot.
    public let snapshotReason: SnapshotReason?

    /// The first instant that was read.
    public var begin: Timestamp { window?.begin ?? .zero }
    /// The last instant that was read.
    public var end: Timestamp { begin + duration }

    /// Creates a summary from its parts.
    public init(
        path: String, schema: String, backend: String, host: String, processes: [Process], events: Int, discarded: Int,
        files: Int = 0, damagedFiles: Int = 0, isOverwritten: Bool = false, missing: [MissingEvents] = [], unknown: Int,
        duration: Nanoseconds,
        beginUnixNanoseconds: Int64, processors: UsableProcessors, notes: [String], window: Window? = nil,
        ending: ProgramEnding? = nil, snapshotReason: SnapshotReason? = nil
    ) {
        self.path = path
        self.schema = schema
        self.backend = backend
        self.host = host
        self.processes = processes
        self.events = events
        self.discarded = discarded
        self.files = files
        self.damagedFiles = damagedFiles
        self.isOverwritten = isOverwritten
        self.missing = missing
        self.unknown = unknown
        self.duration = duration
        self.beginUnixNanoseconds = beginUnixNanoseconds
        self.processors = processors
        self.notes = notes
        self.window = window
        self.ending = ending
        self.snapshotReason = snapshotReason
    }
}

/// The quality of a trace: invariants that hold in every complete trace, each with its violations.
public struct Quality: Sendable {
    /// One invariant.
    public struct Check: Sendable {
        /// Its id in kebab-case. It never changes.
        public let id: String
        /// Number of checked facts.
        public let checked: Int
        /// Number of violations.
        public let violations: Int
        /// One sentence.
        public let detail: String
        /// Whether the recorder left out a part on purpose, to stay within its budget. That is a limit and no failure.
        public let isLimited: Bool
        /// Whether all checked facts hold.
        public var passed: Bool { violations == 0 }

        /// Creates the result of a check.
        public init(id: String, checked: Int, violations: Int, detail: String, isLimited: Bool = false) {
            self.id = id
            self.checked = checked
            self.violations = violations
            self.detail = detail
            self.isLimited = isLimited
        }
    }

    /// The checks, one per invariant.
    public let checks: [Check]
    /// The mean over the checks of the share of facts that hold: 1 for a complete trace, 0 if nothing was checked.
    public var score: Double {
        let shares = checks.filter { $0.checked > 0 }.map { 1 - Double($0.violations) / Double($0.checked) }
        return shares.isEmpty ? 0 : shares.reduce(0, +) / Double(shares.count)
    }

    /// Creates a quality from its checks.
    public init(checks: [Check]) { self.checks = checks }
}
