/// A task of Swift Concurrency, with a summary of its life.
///
/// ```
///   created      begins           suspends           resumed    continues    finishes
///      ├─ thread ──┼──── ran ────────┼──── awaits ──────┼─ actor ───┼─── ran ────┤
/// ```
public struct SwiftTask: Sendable {
    /// The runtime's number, unique within the process.
    public let number: UInt64
    /// The name that the program gave it; often empty.
    public internal(set) var name = ""
    /// How the program created it.
    public internal(set) var kind = TaskKind.unknown
    /// The priority that it was created with.
    public internal(set) var qos = QoSClass.unspecified
    /// The function that it runs.
    public internal(set) var code = CodeIndex.unknown
    /// The number of the task that created it; nil when no task did, or that was not recorded.
    public internal(set) var parent: UInt64?
    /// The id of the task group whose child it is; 0 for none.
    public internal(set) var group: UInt64 = 0
    /// When it was created. Without a record of the creation, the time of its first record. In a window of a trace, not
    /// before the begin of the window.
    public internal(set) var createdAt: Timestamp
    /// The thread that created it; nil when that was not recorded.
    public internal(set) var createdOn: ThreadIndex?
    /// When it finished; for an unfinished task the end of the trace, or the time from which the recorder left it out.
    public internal(set) var endedAt: Timestamp
    /// The thread on which it finished; nil for an unfinished task.
    public internal(set) var endedOn: ThreadIndex?
    /// Whether it finished.
    public internal(set) var isFinished = false
    /// Whether it was cancelled, by itself or as a child of a task that was cancelled.
    public internal(set) var isCancelled = false
    /// When it was cancelled; nil when it was not.
    public internal(set) var cancelledAt: Timestamp?
    /// ``steps`` at its cancellation; nil when it was not cancelled by itself.
    public internal(set) var stepsBeforeCancellation: Int?
    /// How often it suspended and released its thread.
    public internal(set) var suspensions = 0
    /// How often it switched to another actor or executor, with or without leaving its thread.
    public internal(set) var hops = 0
    /// How often it suspended, or switched to another executor, whichever is more. A switch can also be a suspension.
    public var steps: Int { max(suspensions, hops) }
    /// How its life divides into running and waiting.
    public internal(set) var parts = TaskParts()
    /// The wait in progress, for an unfinished task.
    public internal(set) var openWait: TaskWait?
    /// Whether the recorder left it out from ``endedAt`` on, because its rate decreased (``ItemSampling``).
    public internal(set) var isLeftOut = false
    /// The number of tasks that it represents in a sampled trace; 0 if other tasks represent it.
    public internal(set) var weight = 1
    /// The number of tasks that it represents at its end.
    public internal(set) var endWeight = 1
    /// The sums over all tasks that it represents.
    public internal(set) var sums = TaskSums()

    /// Whether the runtime cancels it together with its parent.
    public var isChild: Bool { group != 0 || kind == .groupChild || kind == .asyncLet }

    /// The runtime's first number: the main task, if the program has one. It is recorded at every rate.
    public static let first: UInt64 = 1
    /// The recorder numbers isolated deinitializers from this number on. The runtime counts tasks from 1.
    public static let firstDeinit: UInt64 = 1 << 40

    /// Whether this is an isolated deinitializer that runs on its actor, and not a task that the program created.
    public var isDeinit: Bool { number >= Self.firstDeinit }

    /// From creation to end.
    public var life: Nanoseconds { endedAt - createdAt }

    /// Restarts its counts and times at the begin of the window of a trace.
    mutating func forgetCounts(before time: Timestamp) {
        (createdAt, createdOn) = (time, nil)
        (parts, suspensions, hops) = (TaskParts(), 0, 0)
        if stepsBeforeCancellation != nil { stepsBeforeCancellation = 0 }
    }
}

extension QoSClass {
    /// Whether the class is utility or background, for work that no user waits for.
    public var isLow: Bool { rawValue <= QoSClass.utility.rawValue && self != .unspecified }
}

/// Sums over the lives of tasks.
public struct TaskSums: Sendable, Equatable {
    /// How their lives divide into running and waiting.
    public internal(set) var parts = TaskParts()
    /// How often they suspended and released their threads.
    public internal(set) var suspensions = 0
    /// How often they switched to another actor or executor.
    public internal(set) var hops = 0

    /// Creates sums of zero.
    public init() {}

    /// The sums of one task so far.
    init(of task: SwiftTask) { (parts, suspensions, hops) = (task.parts, task.suspensions, task.hops) }

    /// Adds the difference between two sums of a task, several times.
    mutating func add(_ now: TaskSums, since before: TaskSums, times number: Int) {
        parts.add(now.parts, since: before.parts, times: Int64(number))
        suspensions += (now.suspensions - before.suspensions) * number
        hops += (now.hops - before.hops) * number
    }

    /// Adds all sums.
    public static func += (left: inout TaskSums, right: TaskSums) { left.add(right, since: TaskSums(), times: 1) }
}

extension TaskParts {
    fileprivate mutating func add(_ now: TaskParts, since before: TaskParts, times number: Int64) {
        func difference(_ part: KeyPath<TaskParts, Nanoseconds>) -> Nanoseconds {
            Nanoseconds((now[keyPath: part] - before[keyPath: part]).count * number)
        }
        running += difference(\.running)
        actor += difference(\.actor)
        thread += difference(\.thread)
        task += difference(\.task)
        continuation += difference(\.continuation)
        group += difference(\.group)
        unknown += difference(\.unknown)
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

/// An interval for which a task ran on one thread and one executor.
public struct TaskRun: Sendable {
    /// The task's number.
    public let task: UInt64
    /// The thread that it ran on.
    public let thread: ThreadIndex
    /// The actor or executor that it occupied; nil for the global executor.
    public let actor: QueueIndex?
    /// The function at the begin of the run: after an await the awaiting function, otherwise the function of the task.
    public let code: CodeIndex
    /// The child task that started immediately and ran in place of this one on the thread; nil when the task itself
    /// ran.
    public let inner: UInt64?
    /// When it began.
    public internal(set) var begin: Timestamp
    /// When it suspended, switched to another executor or finished.
    public internal(set) var end: Timestamp

    /// The part of the run within an interval.
    public func cut(from begin: Timestamp, to end: Timestamp) -> TaskRun {
        var part = self
        part.begin = max(self.begin, begin)
        part.end = min(self.end, end)
        return part
    }
}

/// An interval between two runs of a task: first the await itself, then the wait for an executor or a thread.
///
/// ```
///   began ──── awaits `kind` ──── resumedAt ── waits for `actor`, or a thread ── ended
/// ```
public struct TaskWait: Sendable {
    /// The task's number.
    public let task: UInt64
    /// The kind of the await; `executor` when the task only switched to another actor or executor.
    public let kind: AwaitKind
    /// The number of the awaited task, or the id of the awaited group; 0 for other kinds.
    public let object: UInt64
    /// When this task created the awaited task; nil when another task did, and for other kinds.
    public internal(set) var ownTaskCreatedAt: Timestamp?
    /// The function that awaits.
    public let code: CodeIndex
    /// The async call stack, innermost function first.
    public let stack: StackIndex
    /// The innermost function of the stack that belongs to the program, not to a library of Swift; unknown without a
    /// stack.
    public let awaiter: CodeIndex
    /// The library function of Swift that ``awaiter`` awaits, such as `AsyncStream.Iterator.next()`; unknown when
    /// ``awaiter`` calls the runtime directly.
    public let awaited: CodeIndex
    /// When the task left its thread.
    public internal(set) var began: Timestamp
    /// The thread that the task left.
    public internal(set) var beganOn: ThreadIndex
    /// When the awaited event happened; nil when it has not.
    public internal(set) var resumedAt: Timestamp?
    /// The thread on which the awaited event happened.
    public internal(set) var resumedOn: ThreadIndex?
    /// The task that ran on ``resumedOn`` at that time; nil for none.
    public internal(set) var resumedBy: UInt64?
    /// The code that resumed the continuation; unknown for other kinds of await.
    public internal(set) var resumeCode = CodeIndex.unknown
    /// The actor or executor that the task needed afterwards; nil for the global executor.
    public internal(set) var actor: QueueIndex?
    /// The task that occupied that actor when this task started to wait for it; nil for none.
    public internal(set) var holder: UInt64?
    /// The code of the item of the main queue that ran when this task started to wait for the main actor; unknown when
    /// none ran, or when a task occupied the main actor.
    public internal(set) var blockCode = CodeIndex.unknown
    /// The priority that the task was created with, or inherited from its creator.
    public internal(set) var qos = QoSClass.default
    /// The priority, before any escalation, of the awaited task, or otherwise of the task that occupied the actor; nil
    /// when there is no such task or its priority is unknown.
    public internal(set) var awaitedQoS: QoSClass?
    /// When ``holder`` left the actor, if its class is utility or background; nil when unknown.
    public internal(set) var heldUntil: Timestamp?
    /// When the task ran again; the end of the trace when it did not.
    public internal(set) var ended: Timestamp
    /// Whether the task ran again.
    public internal(set) var isFinished = false

    /// Duration of the wait.
    public var duration: Nanoseconds { ended - began }
    /// The place of the await in the program: ``awaiter``, or ``code`` when that is unknown.
    public var place: CodeIndex { awaiter == .unknown ? code : awaiter }

    /// The part of the wait within an interval.
    public func cut(from begin: Timestamp, to end: Timestamp) -> TaskWait {
        var part = self
        part.began = max(began, begin)
        part.ended = min(ended, end)
        if let resumed = resumedAt { part.resumedAt = resumed > end ? nil : max(resumed, begin) }
        return part
    }
}

/// The level of detail of a trace about tasks and actors.
public struct TaskTrack: Sendable, Equatable {
    /// The level.
    public let detail: TaskDetail
    /// The reason why the level is not higher; empty for the highest level.
    public let reason: String
}
