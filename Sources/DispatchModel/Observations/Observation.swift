/// Something the model concluded from the trace, handed to detectors and renderers in the order it became known.
///
/// Observations are the only thing that a detector reads: it never sees event records. They carry complete facts (an
/// item that has ended, an acquisition that was released), so an observer keeps no half-open state of its own.
/// The large ones are kept apart, as every observation takes the room of the largest.
public enum Observation: Sendable {
    /// An item ended (or the trace did, see ``Item/isFinished``).
    indirect case item(Item)
    /// A lock, or the exclusion queue of a hierarchy, was held for a while and given back.
    case acquisition(Acquisition)
    /// A sync that had to wait got its queue from another thread.
    case handoff(Handoff)
    /// One of the GCD performance kinds that the recorder itself sees.
    case misuse(Misuse)
    /// A signpost interval ended, or a signpost event happened (then `begin == end`).
    case signpost(Signpost)
    /// One iteration-range of a concurrentPerform ran on a thread.
    case applyIteration(ApplyIteration)
    /// A thread waited for a group, a semaphore or a work item; for a queue or a lock when the trace ended first.
    case blockedWait(BlockedWait)
    /// A queue or source was activated, suspended, resumed, cancelled, retargeted or disposed.
    case objectChange(ObjectChange)
    /// A thread ran on a processor for a while, and left it (or the trace ended).
    case processorSlice(ProcessorSlice)
    /// A thread that had no processor for milliseconds was asked where it is, and got one again (or the trace ended).
    case blockedCall(BlockedCall)
    /// A semaphore was signalled, a group became empty, or a work item that a thread waits for ended.
    case signal(Signal)
    /// Worker threads were asked for, or one was made, started, parked, woke or ended.
    case worker(WorkerChange)
    /// A concurrentPerform returned (or the trace ended, see ``ApplyCall/isFinished``).
    case apply(ApplyCall)
    /// An item was cancelled before it began, or still waits at the trace's end.
    indirect case pending(PendingItem)
    /// At the trace's end: threads inside of exclusive domains asked for another one.
    case domainOrder(DomainOrder)
    /// A timer was scheduled, or fires.
    case timer(TimerChange)
    /// A task ran for a while, on one executor.
    case taskRun(TaskRun)
    /// A task that had left its thread runs again (or the trace ended, see ``TaskWait/isFinished``).
    indirect case taskWait(TaskWait)
    /// A task has run to its end (or the trace ended, see ``SwiftTask/isFinished``).
    indirect case task(SwiftTask)
}

/// What can be held by one thread at a time.
public enum ExclusiveDomain: Sendable, Hashable {
    case lock(LockIndex)
    /// The bottommost common serial queue of a hierarchy: its exclusion queue.
    case queue(QueueIndex)
}

/// One holding of a lock or an exclusion queue.
///
/// ```
///   requestedAt     grantedAt       releasedAt
///       │── waits ──────│── holds ──────│
/// ```
public struct Acquisition: Sendable {
    /// What was held.
    public let domain: ExclusiveDomain
    /// The thread concerned.
    public let thread: ThreadIndex
    /// When the thread asked; equal to `grantedAt` when it did not have to wait, or for an item that a worker ran: then
    /// the enqueue is `requestedAt`.
    public let requestedAt: Timestamp
    /// When it got it.
    public let grantedAt: Timestamp
    /// When it gave it back.
    public let releasedAt: Timestamp
    /// True when a thread was blocked from request to grant (sync, lock); false for an async item, which blocks nobody.
    public let blocksThread: Bool
    /// Where the program asked.
    public let code: CodeIndex
    /// The item that held an exclusion queue; nil for locks.
    public let item: ItemNumber?
    /// The queue the item was submitted to, which may sit above the exclusion queue; nil for locks.
    public let queue: QueueIndex?
    /// For a lock: the thread that held it when this one asked; nil when that was not recorded.
    public internal(set) var blockedBy: ThreadIndex?
    /// For a lock: for how much of the wait that thread, or this one once it was woken, could have run and had no
    /// processor; zero when context switches were not recorded.
    public internal(set) var withoutProcessor = Nanoseconds.zero

    @usableFromInline
    init(
        domain: ExclusiveDomain, thread: ThreadIndex, requestedAt: Timestamp, grantedAt: Timestamp,
        releasedAt: Timestamp, blocksThread: Bool, code: CodeIndex, item: ItemNumber?, queue: QueueIndex?
    ) {
        self.domain = domain
        self.thread = thread
        self.requestedAt = requestedAt
        self.grantedAt = grantedAt
        self.releasedAt = releasedAt
        self.blocksThread = blocksThread
        self.code = code
        self.item = item
        self.queue = queue
    }
}

/// A queue that passed from one thread to a sync waiter on another.
public struct Handoff: Sendable {
    /// The item concerned.
    public let item: ItemNumber
    /// The level of the hierarchy that was handed over.
    public let queue: QueueIndex
    /// The thread that gave it back.
    public let from: ThreadIndex
    /// The thread that got it.
    public let to: ThreadIndex
    /// When the waiter called sync.
    public let requestedAt: Timestamp
    /// When the last holder gave the queue back; nil when that was not recorded.
    public let releasedAt: Timestamp?
    /// When the waiter's item began.
    public let grantedAt: Timestamp
}

/// A GCD performance event that the recorder saw happen.
public struct Misuse: Sendable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        case mutationAfterActivation(HandlerKind)
        case retargetAfterActivation(from: QueueIndex?, to: QueueIndex?)
        /// A queue whose target may change got another one while other objects target it.
        case nonLeafRetarget(from: QueueIndex?, to: QueueIndex?)
        /// An object was resumed that was not suspended.
        case overResume
        /// The last reference to a suspended object went away; `isInactive` when it never was activated.
        case releaseWhileSuspended(isInactive: Bool)
    }
    /// The object concerned.
    public enum Object: Sendable, Hashable {
        case queue(QueueIndex)
        case source(SourceIndex)
        /// An object whose creation was not recorded.
        case unknown(id: UInt64, kind: ObjectKind)
    }

    /// What happened.
    public let kind: Kind
    /// The object concerned.
    public let object: Object
    /// When it happened.
    public let time: Timestamp
    /// The thread concerned.
    public let thread: ThreadIndex
    /// Where the call was made.
    public let code: CodeIndex
    /// The call stack of the call.
    public let stack: StackIndex
    /// When the object had been activated; nil when that was not recorded.
    public let activatedAt: Timestamp?
    /// Where the object was activated.
    public let activationCode: CodeIndex
    /// The call stack of the activation.
    public let activationStack: StackIndex
}

/// A signpost interval or event.
public struct Signpost: Sendable {
    /// The recorder's id.
    public let id: UInt64
    /// The signposter's subsystem.
    public let subsystem: String
    /// The signposter's category.
    public let category: String
    /// What the interval or event is called.
    public let name: String
    /// Free text.
    public let message: String
    /// The code site.
    public let code: CodeIndex
    /// Where it began.
    public let beginThread: ThreadIndex
    /// Where it ended, which may be another thread.
    public let endThread: ThreadIndex
    /// When it began.
    public let begin: Timestamp
    /// When it ended.
    public let end: Timestamp
    /// True for a point of interest rather than an interval.
    public let isEvent: Bool
    /// False for an interval that was open when the trace ended; `end` is then the trace's end.
    public internal(set) var isFinished = true
    /// The number of the task that it began on; nil for none.
    public internal(set) var task: UInt64?
}

/// One iteration of a concurrentPerform.
public struct ApplyIteration: Sendable {
    /// The recorder's id of the concurrentPerform.
    public let apply: UInt64
    /// Number of the iteration.
    public let index: UInt64
    /// The thread concerned.
    public let thread: ThreadIndex
    /// The queue concerned.
    public let queue: QueueIndex
    /// The code site.
    public let code: CodeIndex
    /// When it began.
    public let begin: Timestamp
    /// When it ended.
    public let end: Timestamp
    /// Its thread is in an item, whose time it is part of.
    public let isInItem: Bool
    /// With context switches: for how much of it its thread could have run and others had the processors; zero without.
    public let preempted: Nanoseconds
    /// With context switches: for how much of it its thread waited for something; zero without.
    public let blocked: Nanoseconds
    /// For how long its thread could not begin it, since the call began or since its last iteration of the call: it was
    /// asked for and had not come, or, as far as context switches were recorded, it had no processor.
    public let late: Nanoseconds
}

/// A thread that waited for a group, a semaphore or a work item, or that still waits for a queue or a lock.
public struct BlockedWait: Sendable {
    /// What was waited for, by the recorder's id where the model has no entity of its own.
    public enum Object: Sendable, Hashable {
        case group(UInt64), semaphore(UInt64), item(UInt64)
        /// A sync that had not got its queue when the trace ended.
        case queue(QueueIndex)
        /// A lock that the thread had not got when the trace ended.
        case lock(LockIndex)
    }
    /// The object concerned.
    public let object: Object
    /// The thread concerned.
    public let thread: ThreadIndex
    /// The code site.
    public let code: CodeIndex
    /// When it began.
    public let begin: Timestamp
    /// When it ended.
    public let end: Timestamp
    /// The wait ended by its time-out.
    public let timedOut: Bool
    /// False when the trace ended first.
    public let isFinished: Bool
    /// The thread that held a queue or a lock; nil when that is not known.
    public internal(set) var holder: ThreadIndex?
    /// What ended the wait; nil when it need not have waited, timed out, still waits, or when that was not recorded.
    public internal(set) var signal: Signal?
    /// The item that the thread ran when it began to wait; nil outside of items.
    public internal(set) var waiter: ItemNumber?

    /// The thread that ended the wait; see ``signal``.
    public var signaller: ThreadIndex? { signal?.thread }
}

/// A change in the life of a queue or a source.
public struct ObjectChange: Sendable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        case activated, suspended, resumed, cancelled, retargeted(to: QueueIndex?), disposed
    }
    /// What happened.
    public let kind: Kind
    /// The object concerned.
    public let object: Misuse.Object
    /// When it happened.
    public let time: Timestamp
    /// The thread concerned.
    public let thread: ThreadIndex
    /// The code site.
    public let code: CodeIndex
    /// The call stack of an activation or a suspension, where it was taken.
    public let stack: StackIndex

    /// The queue whose last reference went away; nil for every other change.
    public var disposedQueue: QueueIndex? {
        guard kind == .disposed, case .queue(let queue) = object else { return nil }
        return queue
    }
}
