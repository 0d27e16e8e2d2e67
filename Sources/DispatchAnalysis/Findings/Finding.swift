import DispatchModel

/// A problem with its evidence, its cost and its remedy.
public struct Finding: Sendable {
    /// The severity of a finding.
    ///
    /// Error: the program ends or behaves incorrectly, in this run or in another one. Warning: it loses time, or may
    /// lose an event. Info: a note.
    public enum Severity: String, Sendable, Comparable, CaseIterable {
        case info, warning, error

        /// Orders severities from info to error.
        public static func < (left: Severity, right: Severity) -> Bool {
            allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
        }
    }

    /// `F1`, `F2` …, in the order of the report.
    public var id: String
    /// The id of the detector, such as `staircase-contention`.
    public let detector: String
    /// The severity.
    public var severity: Severity
    /// One sentence with the problem, its place and its cost.
    public let summary: String
    /// The queues of the problem, the most important first.
    public let queues: [QueueIndex]
    /// The locks of the problem.
    public let locks: [LockIndex]
    /// The begin of the problem.
    public let begin: Timestamp
    /// The end of the problem.
    public let end: Timestamp
    /// The time lost.
    public let cost: Nanoseconds
    /// Number of occurrences.
    public let occurrences: Int
    /// The measures of the problem in reading order.
    public let measures: [Measure]
    /// The evidence in order of time, of limited length.
    public let evidence: [Evidence]
    /// The code of the problem, the most important first.
    public let code: [CodeIndex]
    /// The call stacks: title and stack.
    public let stacks: [(title: String, stack: StackIndex)]
    /// The remedy, with the queues and the lines of this program.
    public internal(set) var advice: Advice
    /// The symptoms of the same cause: findings of other detectors that were merged into this one.
    public internal(set) var symptoms: [Symptom] = []
    /// The reason why the finding may be incomplete, such as lost events in its time span; nil if there is none.
    public var caveat: String?
    /// Distinguishes problems of one detector in the same code, such as the handler that is set too late.
    var distinction = ""
    /// Whether events are missing in its time span. The caveat states their number.
    public internal(set) var isTouchedByLosses = false
    /// The system library that contains all its code, such as `libFoundationNetworking.so`; nil if the program's own
    /// code is part of it.
    public var library: String?

    /// Creates a finding, without unknown code. The ranking sets its id.
    public init(
        detector: String, severity: Severity, summary: String, queues: [QueueIndex], locks: [LockIndex] = [],
        begin: Timestamp, end: Timestamp, cost: Nanoseconds, occurrences: Int,
        measures: [Measure], evidence: [Evidence], code: [CodeIndex],
        stacks: [(title: String, stack: StackIndex)] = [], advice: Advice, caveat: String? = nil
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
        self.code = code.filter { $0 != .unknown }
        self.stacks = stacks
        self.advice = advice
        self.caveat = caveat
    }
}

extension Finding {
    /// A symptom of the cause of a finding.
    public struct Symptom: Sendable {
        /// The id of its detector.
        public let detector: String
        /// The summary of its finding.
        public let summary: String
        /// The time lost. The cost of the finding may already include a part of it.
        public let cost: Nanoseconds
    }
}

/// An observed fact that proves a finding.
public struct Evidence: Sendable {
    /// The time of the fact.
    public let time: Timestamp
    /// The thread that recorded it.
    public let thread: ThreadIndex
    /// The number of the task that it is about; nil if there is none, or if it is unknown.
    public let task: UInt64?
    /// The name of the event in the event catalogue, such as `sync_handoff`.
    public let event: String
    /// One line of text.
    public let detail: String

    /// Creates a piece of evidence.
    public init(time: Timestamp, thread: ThreadIndex, task: UInt64? = nil, event: String, detail: String) {
        self.time = time
        self.thread = thread
        self.task = task
        self.event = event
        self.detail = detail
    }
}
