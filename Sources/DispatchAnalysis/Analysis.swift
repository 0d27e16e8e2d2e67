import DispatchModel

/// Everything a report says about a trace: what the renderers draw.
public struct Analysis {
    /// What was recorded.
    public let trace: TraceSummary
    /// How far the trace can be believed.
    public let quality: Quality
    /// One per queue of the model that had any activity, in the order of time lost (the sum of waits), largest first.
    public let queues: [QueueStatistics]
    /// One per thread, in the order of `ThreadIndex`.
    public let threads: [ThreadStatistics]
    /// The costliest first.
    public internal(set) var findings: [Finding]
    /// What threads still waited for when the trace ended, in the order of their begin.
    public internal(set) var openWaits: [BlockedWait] = []
    /// One per code that ran, in the order of time lost (the sum of waits), largest first.
    public internal(set) var codes: [CodeStatistics] = []
    /// One per lock that was taken, in the order of time lost (the sum of waits), largest first.
    public internal(set) var locks: [LockStatistics] = []
    /// What tasks of Swift Concurrency did; nil when there were none.
    public internal(set) var tasks: TaskSummary?
    /// One per event loop that went round, the one that could not poll for longest first.
    public internal(set) var loops: [LoopStatistics] = []
    /// Who waited for whom, by code.
    public internal(set) var blame = BlameMatrix([])
    /// The entities that the indices above refer to.
    public let model: DispatchModel
    /// What the run, or what ``ModelOptions/criticalPath`` asked for, went by with; nil when nothing asked for it.
    public var criticalPath: CriticalPath? { model.criticalPath }

    /// Creates it from its parts.
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

/// What was recorded, where and how much.
public struct TraceSummary: Sendable {
    /// A traced process.
    public struct Process: Sendable {
        /// The kernel's process id; 0 when unknown.
        public let pid: Int
        /// The name of its program.
        public let name: String
        /// Its machine; empty for that of the trace.
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
        /// Its first and its last instant.
        public let begin: Timestamp
        public let end: Timestamp
        /// How long the whole trace lasts.
        public let whole: Nanoseconds
        /// The trace goes on behind it.
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
    /// Event records read: of the whole trace, or of the part that was asked for.
    public let events: Int
    /// Event records that the recorder had to drop.
    public let discarded: Int
    /// Data stream files that are not empty, or missing, and those of which a part could not be read.
    public let files: Int
    public let damagedFiles: Int
    /// Whether more was recorded before the first event record, and has been overwritten: by a flight recorder, or in a
    /// snapshot of LTTng's. It begins with what all threads have.
    public let isOverwritten: Bool
    /// When event records are missing, in order of time.
    public let missing: [MissingEvents]
    /// Event records of classes that this version does not know.
    public let unknown: Int
    /// Time from the first event record to the last, or that of the part that was read.
    public let duration: Nanoseconds
    /// The part that was read, to which everything else refers; nil for the whole trace.
    public let window: Window?
    /// Wall-clock time of the first event record: nanoseconds since 1970-01-01T00:00:00Z.
    public let beginUnixNanoseconds: Int64
    /// The processors that the process may use.
    public let processors: UsableProcessors
    /// Things a reader should know, such as a stream that was cut short: one sentence each.
    public let notes: [String]

    /// The first instant that was read.
    public var begin: Timestamp { window?.begin ?? .zero }
    /// The last instant that was read.
    public var end: Timestamp { begin + duration }

    /// Creates it from its parts.
    public init(
        path: String, schema: String, backend: String, host: String, processes: [Process], events: Int, discarded: Int,
        files: Int = 0, damagedFiles: Int = 0, isOverwritten: Bool = false, missing: [MissingEvents] = [], unknown: Int,
        duration: Nanoseconds,
        beginUnixNanoseconds: Int64, processors: UsableProcessors, notes: [String], window: Window? = nil
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
    }
}

/// How far the trace can be believed: invariants that hold in every complete trace, each counted.
public struct Quality: Sendable {
    /// One invariant.
    public struct Check: Sendable {
        /// Kebab-case, stable for ever.
        public let id: String
        /// How many facts were checked.
        public let checked: Int
        /// How many violated the invariant.
        public let violations: Int
        /// One sentence.
        public let detail: String
        /// Every fact that was checked holds.
        public var passed: Bool { violations == 0 }

        /// Creates the result of a check.
        public init(id: String, checked: Int, violations: Int, detail: String) {
            self.id = id
            self.checked = checked
            self.violations = violations
            self.detail = detail
        }
    }

    /// One per invariant.
    public let checks: [Check]
    /// The share of checked facts that hold, averaged over the checks: 1 is a perfect trace; 0 where none was checked.
    public var score: Double {
        let shares = checks.filter { $0.checked > 0 }.map { 1 - Double($0.violations) / Double($0.checked) }
        return shares.isEmpty ? 0 : shares.reduce(0, +) / Double(shares.count)
    }

    /// Creates a judgement.
    public init(checks: [Check]) { self.checks = checks }
}
