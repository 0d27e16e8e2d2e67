import DispatchModel

/// Something wrong, with its proof, its price and what to do about it.
public struct Finding: Sendable {
    /// How bad a finding is.
    ///
    /// Error: the program ends or goes wrong, now or on another day. Warning: it costs time, or an event may be lost.
    /// Info: worth to know.
    public enum Severity: String, Sendable, Comparable, CaseIterable {
        case info, warning, error

        /// Less severe comes first.
        public static func < (left: Severity, right: Severity) -> Bool {
            allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
        }
    }

    /// `F1`, `F2` … in the order of the report: the costliest first.
    public var id: String
    /// The detector's id, such as `staircase-contention`.
    public let detector: String
    /// How bad it is.
    public var severity: Severity
    /// One sentence: what happens, where, how much it costs.
    public let summary: String
    /// The queues concerned, the most important first.
    public let queues: [QueueIndex]
    /// The locks concerned.
    public let locks: [LockIndex]
    /// When it begins to matter.
    public let begin: Timestamp
    /// When it last mattered.
    public let end: Timestamp
    /// Time lost to it.
    public let cost: Nanoseconds
    /// How often the pattern occurred.
    public let occurrences: Int
    /// The numbers behind the summary, in reading order: (name, value).
    public let measures: [(name: String, value: String)]
    /// Proof, in order of time; bounded.
    public let evidence: [Evidence]
    /// The code to look at, the most important first.
    public let code: [CodeIndex]
    /// Call stacks to show: title and stack.
    public let stacks: [(title: String, stack: StackIndex)]
    /// What to change, naming the queues and the lines of this program.
    public internal(set) var advice: String
    /// What the same cause shows as elsewhere: findings of other detectors that were folded into this one.
    public internal(set) var symptoms: [Symptom] = []
    /// Why the finding may be incomplete, such as lost events in its window; nil when nothing is known against it.
    public var caveat: String?
    /// What tells problems of one detector in the same code apart, such as the handler that is set too late.
    var distinction = ""
    /// Whether events are missing in its time; its caveat says how many.
    public internal(set) var isTouchedByLosses = false
    /// The library of the system that all its code is in, such as `libFoundationNetworking.so`; nil when the program's
    /// own code has a part in it.
    public var library: String?

    /// Creates a finding; its id comes with the ranking.
    public init(
        detector: String, severity: Severity, summary: String, queues: [QueueIndex], locks: [LockIndex] = [],
        begin: Timestamp, end: Timestamp, cost: Nanoseconds, occurrences: Int,
        measures: [(name: String, value: String)], evidence: [Evidence], code: [CodeIndex],
        stacks: [(title: String, stack: StackIndex)] = [], advice: String, caveat: String? = nil
    ) {
        self.id = ""
        self.detector = detector
        self.severity = severity
        self.summary = summary
        self.queues = queues
        self.locks = locks
        self.begin = begin
        self.end = end
        self.cost = cost
        self.occurrences = occurrences
        self.measures = measures
        self.evidence = evidence
        self.code = code
        self.stacks = stacks
        self.advice = advice
        self.caveat = caveat
    }
}

extension Finding {
    /// What a finding's cause shows as elsewhere.
    public struct Symptom: Sendable {
        /// The id of the detector that found it.
        public let detector: String
        /// What that detector says.
        public let summary: String
        /// Time lost to it; a part of it may be in the finding's own cost.
        public let cost: Nanoseconds
    }
}

/// One observed fact that proves a finding.
public struct Evidence: Sendable {
    /// When it happened.
    public let time: Timestamp
    /// The thread that recorded it.
    public let thread: ThreadIndex
    /// What happened, in the event catalogue's words, such as `sync_handoff`.
    public let event: String
    /// One line for a person.
    public let detail: String

    /// Creates a piece of evidence.
    public init(time: Timestamp, thread: ThreadIndex, event: String, detail: String) {
        self.time = time
        self.thread = thread
        self.event = event
        self.detail = detail
    }
}
