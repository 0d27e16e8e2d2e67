// Generated from Sources/TraceSchema by Tools/generate-schema. Do not edit.
// swift-format-ignore-file

/// A part of the wait of an item.
public enum WaitPart: UInt8, VocabularyTerm {
    /// An earlier item of the same queue ran.
    case ownBacklog
    /// An item of another queue held a queue that both target.
    case hierarchy
    /// Readers drained before a barrier, or a barrier held the concurrent queue.
    case barrier
    /// A queue was suspended or not yet activated.
    case suspended
    /// The deadline of an asyncAfter was in the future.
    case notDue
    /// The queue was free, and every worker was busy.
    case pool
    /// A worker was requested and had not started.
    case threadStart
    /// A thread was available and had not begun the item.
    case scheduler

    public static let allCases: [WaitPart] = [.ownBacklog, .hierarchy, .barrier, .suspended, .notDue, .pool, .threadStart, .scheduler]
    public static let words: [VocabularyWords] = [
        .init("own_backlog", "own backlog", "an earlier item of the same queue ran"),
        .init("hierarchy", "hierarchy", "an item of another queue held a queue that both target"),
        .init("barrier", "barrier", "readers drained before a barrier, or a barrier held the concurrent queue"),
        .init("suspended", "suspended", "a queue was suspended or not yet activated"),
        .init("not_due", "not due", "the deadline of an asyncAfter was in the future"),
        .init("pool", "pool", "the queue was free, and every worker was busy"),
        .init("thread_start", "thread start", "a worker was requested and had not started"),
        .init("scheduler", "scheduler", "a thread was available and had not begun the item"),
    ]
}

/// How the wait of an item divides into causes. The parts sum to the wait, to the nanosecond.
public struct WaitParts: Sendable, Equatable, BitwiseCopyable, Encodable {
    /// An earlier item of the same queue ran.
    public var ownBacklog = Nanoseconds.zero
    /// An item of another queue held a queue that both target.
    public var hierarchy = Nanoseconds.zero
    /// Readers drained before a barrier, or a barrier held the concurrent queue.
    public var barrier = Nanoseconds.zero
    /// A queue was suspended or not yet activated.
    public var suspended = Nanoseconds.zero
    /// The deadline of an asyncAfter was in the future.
    public var notDue = Nanoseconds.zero
    /// The queue was free, and every worker was busy.
    public var pool = Nanoseconds.zero
    /// A worker was requested and had not started.
    public var threadStart = Nanoseconds.zero
    /// A thread was available and had not begun the item.
    public var scheduler = Nanoseconds.zero

    /// Creates parts of zero.
    @inlinable public init() {}

    enum CodingKeys: String, CodingKey {
        case ownBacklog = "own_backlog"
        case hierarchy = "hierarchy"
        case barrier = "barrier"
        case suspended = "suspended"
        case notDue = "not_due"
        case pool = "pool"
        case threadStart = "thread_start"
        case scheduler = "scheduler"
    }

    /// One part.
    @inlinable public subscript(part: WaitPart) -> Nanoseconds {
        switch part {
        case .ownBacklog: ownBacklog
        case .hierarchy: hierarchy
        case .barrier: barrier
        case .suspended: suspended
        case .notDue: notDue
        case .pool: pool
        case .threadStart: threadStart
        case .scheduler: scheduler
        }
    }

    /// The sum of the parts.
    @inlinable public var total: Nanoseconds {
        ownBacklog + hierarchy + barrier + suspended + notDue + pool + threadStart + scheduler
    }

    /// Adds each part.
    @inlinable public static func += (left: inout WaitParts, right: WaitParts) {
        left.ownBacklog += right.ownBacklog
        left.hierarchy += right.hierarchy
        left.barrier += right.barrier
        left.suspended += right.suspended
        left.notDue += right.notDue
        left.pool += right.pool
        left.threadStart += right.threadStart
        left.scheduler += right.scheduler
    }
}

extension WaitParts: VocabularyParts {}

/// A part of the life of a task.
public enum TaskPart: UInt8, VocabularyTerm {
    /// It ran on a thread.
    case running
    /// It was runnable and waited for an actor or another serial executor.
    case actor
    /// It was runnable and waited for a thread.
    case thread
    /// It awaited another task.
    case task
    /// It awaited a continuation. This includes sleeping.
    case continuation
    /// It awaited a task group.
    case group
    /// It waited for an unrecorded reason.
    case unknown

    public static let allCases: [TaskPart] = [.running, .actor, .thread, .task, .continuation, .group, .unknown]
    public static let words: [VocabularyWords] = [
        .init("running", "running", "it ran on a thread"),
        .init("actor", "waiting for an actor", "it was runnable and waited for an actor or another serial executor"),
        .init("thread", "waiting for a thread", "it was runnable and waited for a thread"),
        .init("task", "awaiting a task", "it awaited another task"),
        .init("continuation", "awaiting a continuation", "it awaited a continuation. This includes sleeping"),
        .init("group", "awaiting a task group", "it awaited a task group"),
        .init("unknown", "waiting, cause unknown", "it waited for an unrecorded reason"),
    ]
}

/// How the life of a task divides into running and waiting. The parts sum to the life, to the nanosecond.
public struct TaskParts: Sendable, Equatable, BitwiseCopyable, Encodable {
    /// It ran on a thread.
    public var running = Nanoseconds.zero
    /// It was runnable and waited for an actor or another serial executor.
    public var actor = Nanoseconds.zero
    /// It was runnable and waited for a thread.
    public var thread = Nanoseconds.zero
    /// It awaited another task.
    public var task = Nanoseconds.zero
    /// It awaited a continuation. This includes sleeping.
    public var continuation = Nanoseconds.zero
    /// It awaited a task group.
    public var group = Nanoseconds.zero
    /// It waited for an unrecorded reason.
    public var unknown = Nanoseconds.zero

    /// Creates parts of zero.
    @inlinable public init() {}

    enum CodingKeys: String, CodingKey {
        case running = "running"
        case actor = "actor"
        case thread = "thread"
        case task = "task"
        case continuation = "continuation"
        case group = "group"
        case unknown = "unknown"
    }

    /// One part.
    @inlinable public subscript(part: TaskPart) -> Nanoseconds {
        switch part {
        case .running: running
        case .actor: actor
        case .thread: thread
        case .task: task
        case .continuation: continuation
        case .group: group
        case .unknown: unknown
        }
    }

    /// The sum of the parts.
    @inlinable public var total: Nanoseconds {
        running + actor + thread + task + continuation + group + unknown
    }

    /// Adds each part.
    @inlinable public static func += (left: inout TaskParts, right: TaskParts) {
        left.running += right.running
        left.actor += right.actor
        left.thread += right.thread
        left.task += right.task
        left.continuation += right.continuation
        left.group += right.group
        left.unknown += right.unknown
    }
}

extension TaskParts: VocabularyParts {}

/// The cause of a segment of a critical path.
public enum StepKind: UInt8, VocabularyTerm {
    /// An item ran.
    case run
    /// The program ran outside of items, or in items that were not recorded.
    case outside
    /// An item waited on a free queue for a worker or the scheduler.
    case start
    /// An item had not begun although the item that held its queue had ended.
    case queued
    /// A queue was handed off from its holder to a sync.
    case handoff
    /// A thread was signalled, or got a lock, and did not run yet.
    case wake
    /// The due time of an `asyncAfter` or of a timer had not been reached.
    case notDue
    /// A thread was blocked, and the call in which it was blocked is unknown.
    case blocked
    /// The time before the first known cause, such as before the recording.
    case before
    /// A queue of the item's hierarchy was suspended or inactive.
    case suspended
    /// An item of a concurrent queue waited for a barrier, or a barrier waited for earlier items.
    case barrier
    /// A task awaited, and the kind of the await was not recorded.
    case awaits
    /// A thread was runnable, and had no processor.
    case preempted
    /// A thread waited for a lock.
    case lock
    /// A thread waited for a queue in a sync.
    case `sync`
    /// A thread waited for a semaphore.
    case semaphore
    /// A thread waited for a group.
    case group
    /// A thread waited for a work item.
    case workItem
    /// A task awaited a continuation.
    case continuation
    /// A task awaited another task.
    case task
    /// A task awaited the children of a task group.
    case taskGroup
    /// A task waited for an actor.
    case actor
    /// A thread waited for a child process.
    case childProcess
    /// A thread was blocked in a call that opens a file, or that reads or writes a file, a pipe or another descriptor of a kind that was not recorded.
    case file
    /// A thread was blocked in a call of a socket, such as `accept` or `recv`.
    case socket
    /// A thread was blocked in a call whose descriptor has the kind file.
    case regularFile
    /// A thread was blocked in a call whose descriptor has the kind directory.
    case directory
    /// A thread was blocked in a call whose descriptor has the kind pipe.
    case pipe
    /// A thread was blocked in a call whose descriptor has the kind FIFO.
    case fifo
    /// A thread was blocked in a call whose descriptor has the kind TCP socket.
    case tcpSocket
    /// A thread was blocked in a call whose descriptor has the kind UDP socket.
    case udpSocket
    /// A thread was blocked in a call whose descriptor has the kind Unix socket.
    case unixSocket
    /// A thread was blocked in a call whose descriptor has the kind terminal.
    case terminal
    /// A thread was blocked in a call whose descriptor has the kind eventfd.
    case eventfd
    /// A thread was blocked in a call whose descriptor has the kind timerfd.
    case timerfd
    /// A thread was blocked in a call whose descriptor has the kind signalfd.
    case signalfd
    /// A thread was blocked in a call whose descriptor has the kind inotify.
    case inotify
    /// A thread slept until a time.
    case sleep
    /// A thread waited for a lock or a condition of which only the futex was recorded.
    case futex
    /// A thread was blocked in another system call.
    case systemCall
    /// A thread was blocked so shortly, less than 10 ms, that the recorder did not look at the call.
    case shortCall
    /// An event loop, or a thread in `poll`, waited for events of descriptors or for a time-out.
    case poll
    /// A source waited for its event.
    case source

    public static let allCases: [StepKind] = [.run, .outside, .start, .queued, .handoff, .wake, .notDue, .blocked, .before, .suspended, .barrier, .awaits, .preempted, .lock, .`sync`, .semaphore, .group, .workItem, .continuation, .task, .taskGroup, .actor, .childProcess, .file, .socket, .regularFile, .directory, .pipe, .fifo, .tcpSocket, .udpSocket, .unixSocket, .terminal, .eventfd, .timerfd, .signalfd, .inotify, .sleep, .futex, .systemCall, .shortCall, .poll, .source]
    public static let words: [VocabularyWords] = [
        .init("run", "running", "an item ran"),
        .init("outside", "outside of items", "the program ran outside of items, or in items that were not recorded"),
        .init("start", "wait for worker:", "an item waited on a free queue for a worker or the scheduler"),
        .init("queued", "queue free, not started:", "an item had not begun although the item that held its queue had ended"),
        .init("handoff", "hand-off to", "a queue was handed off from its holder to a sync"),
        .init("wake", "wake-up", "a thread was signalled, or got a lock, and did not run yet"),
        .init("not_due", "not yet due:", "the due time of an `asyncAfter` or of a timer had not been reached"),
        .init("blocked", "blocked in an unrecorded call", "a thread was blocked, and the call in which it was blocked is unknown"),
        .init("before", "before the first recorded cause", "the time before the first known cause, such as before the recording"),
        .init("suspended", "queue suspended:", "a queue of the item's hierarchy was suspended or inactive"),
        .init("barrier", "barrier before", "an item of a concurrent queue waited for a barrier, or a barrier waited for earlier items"),
        .init("awaits", "await", "a task awaited, and the kind of the await was not recorded"),
        .init("preempted", "runnable without a processor", "a thread was runnable, and had no processor"),
        .init("lock", "wait for a lock", "a thread waited for a lock"),
        .init("sync", "wait for a queue", "a thread waited for a queue in a sync"),
        .init("semaphore", "semaphore wait", "a thread waited for a semaphore"),
        .init("group", "group wait", "a thread waited for a group"),
        .init("work_item", "work item wait", "a thread waited for a work item"),
        .init("continuation", "await of a continuation", "a task awaited a continuation"),
        .init("task", "await of a task", "a task awaited another task"),
        .init("task_group", "await of a task group", "a task awaited the children of a task group"),
        .init("actor", "wait for an actor", "a task waited for an actor"),
        .init("child_process", "wait for a child process", "a thread waited for a child process"),
        .init("file", "file or descriptor access", "a thread was blocked in a call that opens a file, or that reads or writes a file, a pipe or another descriptor of a kind that was not recorded"),
        .init("socket", "socket access", "a thread was blocked in a call of a socket, such as `accept` or `recv`"),
        .init("regular_file", "file access", "a thread was blocked in a call whose descriptor has the kind file"),
        .init("directory", "directory access", "a thread was blocked in a call whose descriptor has the kind directory"),
        .init("pipe", "pipe access", "a thread was blocked in a call whose descriptor has the kind pipe"),
        .init("fifo", "FIFO access", "a thread was blocked in a call whose descriptor has the kind FIFO"),
        .init("tcp_socket", "TCP socket access", "a thread was blocked in a call whose descriptor has the kind TCP socket"),
        .init("udp_socket", "UDP socket access", "a thread was blocked in a call whose descriptor has the kind UDP socket"),
        .init("unix_socket", "Unix socket access", "a thread was blocked in a call whose descriptor has the kind Unix socket"),
        .init("terminal", "terminal access", "a thread was blocked in a call whose descriptor has the kind terminal"),
        .init("eventfd", "eventfd access", "a thread was blocked in a call whose descriptor has the kind eventfd"),
        .init("timerfd", "timerfd access", "a thread was blocked in a call whose descriptor has the kind timerfd"),
        .init("signalfd", "signalfd access", "a thread was blocked in a call whose descriptor has the kind signalfd"),
        .init("inotify", "inotify access", "a thread was blocked in a call whose descriptor has the kind inotify"),
        .init("sleep", "sleep", "a thread slept until a time"),
        .init("futex", "wait for a lock or condition", "a thread waited for a lock or a condition of which only the futex was recorded"),
        .init("system_call", "system call", "a thread was blocked in another system call"),
        .init("short_call", "short blocking calls", "a thread was blocked so shortly, less than 10 ms, that the recorder did not look at the call"),
        .init("poll", "event loop waits for events:", "an event loop, or a thread in `poll`, waited for events of descriptors or for a time-out"),
        .init("source", "source waits for its event:", "a source waited for its event"),
    ]

    /// Whether the kind is a cause. Otherwise the trace does not contain the cause.
    public var isNamed: Bool {
        switch self {
        case .blocked, .before, .awaits: false
        default: true
        }
    }
}

/// An object that a thread waits for.
public enum WaitObject: UInt8, VocabularyTerm {
    /// A thread waits for a group.
    case group
    /// A thread waits for a semaphore.
    case semaphore
    /// A thread waits for a work item.
    case item
    /// A sync had not acquired its queue when the trace ended.
    case queue
    /// A thread waits for a lock.
    case lock

    public static let allCases: [WaitObject] = [.group, .semaphore, .item, .queue, .lock]
    public static let words: [VocabularyWords] = [
        .init("group", "group", "a thread waits for a group"),
        .init("semaphore", "semaphore", "a thread waits for a semaphore"),
        .init("item", "work item", "a thread waits for a work item"),
        .init("queue", "queue", "a sync had not acquired its queue when the trace ended"),
        .init("lock", "lock", "a thread waits for a lock"),
    ]
}

/// A misuse, or a change of the state of a queue or a source.
public enum MarkKind: UInt8, VocabularyTerm {
    /// A property was set after the activation.
    case mutationAfterActivation
    /// The target queue was changed after the activation.
    case retargetAfterActivation
    /// The object was activated.
    case activated
    /// The object was suspended.
    case suspended
    /// The object was resumed.
    case resumed
    /// The source was cancelled.
    case cancelled
    /// The target queue was changed.
    case retargeted
    /// The last reference was released.
    case disposed
    /// The target of a queue was changed that other queues target.
    case nonLeafRetarget
    /// The object was resumed more often than suspended.
    case overResume
    /// The last reference was released while the object was suspended.
    case releaseWhileSuspended

    public static let allCases: [MarkKind] = [.mutationAfterActivation, .retargetAfterActivation, .activated, .suspended, .resumed, .cancelled, .retargeted, .disposed, .nonLeafRetarget, .overResume, .releaseWhileSuspended]
    public static let words: [VocabularyWords] = [
        .init("mutation_after_activation", "mutation after activation", "a property was set after the activation"),
        .init("retarget_after_activation", "retarget after activation", "the target queue was changed after the activation"),
        .init("activated", "activated", "the object was activated"),
        .init("suspended", "suspended", "the object was suspended"),
        .init("resumed", "resumed", "the object was resumed"),
        .init("cancelled", "cancelled", "the source was cancelled"),
        .init("retargeted", "retargeted", "the target queue was changed"),
        .init("disposed", "disposed", "the last reference was released"),
        .init("non_leaf_retarget", "non-leaf retarget", "the target of a queue was changed that other queues target"),
        .init("over_resume", "over-resume", "the object was resumed more often than suspended"),
        .init("release_while_suspended", "release while suspended", "the last reference was released while the object was suspended"),
    ]
}
