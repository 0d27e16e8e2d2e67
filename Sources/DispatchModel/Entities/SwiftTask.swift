/// A task of Swift Concurrency: its whole life in a few numbers.
///
/// ```
///   created      begins           suspends           resumed    goes on      finishes
///      ├─ thread ──┼──── ran ────────┼──── awaits ──────┼─ actor ───┼─── ran ────┤
/// ```
public struct SwiftTask: Sendable {
    /// The runtime's number, unique for the life of the process.
    public let number: UInt64
    /// What the program calls it; empty for most.
    public internal(set) var name = ""
    /// How the program made it.
    public internal(set) var kind = TaskKind.unknown
    /// The priority that it was made with.
    public internal(set) var qos = QoSClass.unspecified
    /// The function that it was made to run.
    public internal(set) var code = CodeIndex.unknown
    /// The number of the task that made it; nil when none did, or that was not recorded.
    public internal(set) var parent: UInt64?
    /// The id of the task group that it is a child of; 0 for none.
    public internal(set) var group: UInt64 = 0
    /// When it was created; when it was first met, where the trace does not say, or where its part begins that is told.
    public internal(set) var createdAt: Timestamp
    /// The thread that created it; nil when that was not recorded.
    public internal(set) var createdOn: ThreadIndex?
    /// When it ran to its end; the trace's end for one that did not.
    public internal(set) var endedAt: Timestamp
    /// The thread on which it ran to its end; nil when it did not.
    public internal(set) var endedOn: ThreadIndex?
    /// It ran to its end.
    public internal(set) var isFinished = false
    /// It was cancelled.
    public internal(set) var isCancelled = false
    /// How often its priority was raised.
    public internal(set) var escalations = 0
    /// What it was raised to last; nil when it was not, or that was not recorded.
    public internal(set) var escalatedTo: QoSClass?
    /// How often it left its thread.
    public internal(set) var suspensions = 0
    /// How often it moved to another actor or executor, whether it left its thread for that or not.
    public internal(set) var hops = 0
    /// Where its time went.
    public internal(set) var parts = TaskParts()
    /// For a task that has not ended: what it waits for.
    public internal(set) var openWait: TaskWait?

    /// From its creation to its end.
    public var life: Nanoseconds { endedAt - createdAt }

    /// Makes it count from the begin of the part of a trace that it is told of.
    mutating func forgetCounts(before time: Timestamp) {
        (createdAt, createdOn) = (time, nil)
        (parts, suspensions, hops, escalations) = (TaskParts(), 0, 0, 0)
    }
}

extension QoSClass {
    /// Nobody waits for work of this class: it is utility or background.
    public var isLow: Bool { rawValue <= QoSClass.utility.rawValue && self != .unspecified }
}

/// Where the life of a task went. The parts sum to the life, to the nanosecond.
public struct TaskParts: Sendable, Equatable, Encodable {
    /// It ran on a thread.
    public internal(set) var running: Nanoseconds = .zero
    /// It could have run, and waited for an actor or another serial executor.
    public internal(set) var actor: Nanoseconds = .zero
    /// It could have run, and waited for a thread.
    public internal(set) var thread: Nanoseconds = .zero
    /// It waited for another task.
    public internal(set) var task: Nanoseconds = .zero
    /// It waited for a continuation to be resumed; sleeping is that, too.
    public internal(set) var continuation: Nanoseconds = .zero
    /// It waited for a task group.
    public internal(set) var group: Nanoseconds = .zero
    /// It waited for something that was not recorded.
    public internal(set) var unknown: Nanoseconds = .zero

    /// Creates the parts of no time.
    public init() {}

    /// All parts with the names of the JSON report.
    public var named: [(name: String, value: Nanoseconds)] {
        [
            ("running", running), ("actor", actor), ("thread", thread), ("task", task),
            ("continuation", continuation), ("group", group), ("unknown", unknown),
        ]
    }

    /// The life that they sum to.
    public var total: Nanoseconds { named.reduce(.zero) { $0 + $1.value } }

    /// Adds part by part.
    public static func += (left: inout TaskParts, right: TaskParts) {
        left.running += right.running
        left.actor += right.actor
        left.thread += right.thread
        left.task += right.task
        left.continuation += right.continuation
        left.group += right.group
        left.unknown += right.unknown
    }

    mutating func add(_ time: Nanoseconds, awaiting wait: AwaitKind) {
        switch wait {
        case .task: task += time
        case .continuation: continuation += time
        case .group: group += time
        case .executor: thread += time
        default: unknown += time
        }
    }
}

/// A stretch for which a task ran on a thread, on one executor.
public struct TaskRun: Sendable {
    /// The task's number.
    public let task: UInt64
    /// The thread that it ran on.
    public let thread: ThreadIndex
    /// The actor or executor that it held; nil for the global executor.
    public let actor: QueueIndex?
    /// Where it went on: the function that awaited, or the one that the task was made with.
    public let code: CodeIndex
    /// The task that it made to begin at once, and that ran in its place on the thread; nil when it ran itself.
    public let inner: UInt64?
    /// When it began.
    public internal(set) var begin: Timestamp
    /// When it suspended, moved to another executor or finished.
    public internal(set) var end: Timestamp

    /// The part of it that lies in an interval.
    public func cut(from begin: Timestamp, to end: Timestamp) -> TaskRun {
        var part = self
        part.begin = max(self.begin, begin)
        part.end = min(self.end, end)
        return part
    }
}

/// A time for which a task did not run, between two stretches: what it awaited, and what it then waited for to run on.
///
/// ```
///   began ──── awaits `kind` ──── resumedAt ── waits for `actor`, or a thread ── ended
/// ```
public struct TaskWait: Sendable {
    /// The task's number.
    public let task: UInt64
    /// What it awaited; `executor` when it only had to get to another actor or executor.
    public let kind: AwaitKind
    /// The number of the task that it awaited, or the id of the group; 0 for what has none.
    public let object: UInt64
    /// The function that awaits.
    public let code: CodeIndex
    /// The functions that await each other, innermost first.
    public let stack: StackIndex
    /// The innermost of them that is the program's own, not one of Swift's libraries; unknown without a stack.
    public let awaiter: CodeIndex
    /// The function of Swift's libraries that ``awaiter`` awaits, such as `AsyncStream.Iterator.next()`; unknown where
    /// there is none between it and the runtime.
    public let awaited: CodeIndex
    /// When it left its thread.
    public internal(set) var began: Timestamp
    /// The thread that it left.
    public internal(set) var beganOn: ThreadIndex
    /// When what it awaited happened; nil when it has not.
    public internal(set) var resumedAt: Timestamp?
    /// The thread on which that happened.
    public internal(set) var resumedOn: ThreadIndex?
    /// The task that ran there; nil when none did.
    public internal(set) var resumedBy: UInt64?
    /// The code that resumed its continuation; unknown for what is none.
    public internal(set) var resumeCode = CodeIndex.unknown
    /// The actor or executor that it then had to get; nil for the global executor.
    public internal(set) var actor: QueueIndex?
    /// The task that held that actor when this one began to wait for it; nil when none did.
    public internal(set) var holder: UInt64?
    /// The class that the task was made with, or inherited from the one that made it.
    public internal(set) var qos = QoSClass.default
    /// The class of the task that it awaited, or else of the one that held its actor, before any escalation; nil when
    /// there was none, or it is not known.
    public internal(set) var awaitedQoS: QoSClass?
    /// When that one left the actor, for one of the classes utility or background; nil when it is not known.
    public internal(set) var heldUntil: Timestamp?
    /// When it ran again; the trace's end when it did not.
    public internal(set) var ended: Timestamp
    /// It ran again.
    public internal(set) var isFinished = false

    /// How long it did not run.
    public var duration: Nanoseconds { ended - began }
    /// Where the program awaits: ``awaiter``, or else ``code``.
    public var place: CodeIndex { awaiter == .unknown ? code : awaiter }

    /// The part of it that lies in an interval.
    public func cut(from begin: Timestamp, to end: Timestamp) -> TaskWait {
        var part = self
        part.began = max(began, begin)
        part.ended = min(ended, end)
        if let resumed = resumedAt { part.resumedAt = resumed > end ? nil : max(resumed, begin) }
        return part
    }
}

/// How much a trace tells of tasks and actors.
public struct TaskTrack: Sendable, Equatable {
    /// How much.
    public let detail: TaskDetail
    /// Why it is not more; empty when it is everything.
    public let reason: String
}
