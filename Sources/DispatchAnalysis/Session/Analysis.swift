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
    /// The findings: errors that stopped work first, the others in descending order of cost.
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
    /// The number of items and tasks that a sampled trace represents; nil for a trace with all items.
    public internal(set) var sample: SampleTotals?
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
        /// Whether the recorder left out a part to stay within its budget, or the analysis to bound its memory. That is
        /// a limit and no failure.
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
