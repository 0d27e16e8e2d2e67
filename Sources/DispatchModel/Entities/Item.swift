/// A work item that has run, with everything the trace tells about it.
///
/// ```
///   enqueuedAt        beganAt            endedAt
///       │── wait ────────│── service ──────│
/// ```
public struct Item: Sendable {
    // What nearly every observer reads comes first, so that it is in one or two cache lines.

    /// When it was submitted; equal to `beganAt` when that is not observable (source handlers) or was not recorded.
    public internal(set) var enqueuedAt: Timestamp
    /// When its code started to run.
    public internal(set) var beganAt: Timestamp
    /// When its code returned, or the trace's end.
    public internal(set) var endedAt: Timestamp
    /// The queue that it was submitted to.
    public internal(set) var queue: QueueIndex
    /// The code that runs, or the call site that submitted it.
    public internal(set) var code: CodeIndex
    /// The thread that ran it.
    public internal(set) var thread: ThreadIndex
    /// Positions, -1 for none: optionals would make every item larger.
    @usableFromInline var enqueuingThread: Int32 = -1
    /// Positions of the exclusion queue that it held while it ran, and of that of its queue when it ended.
    @usableFromInline var domainPosition: Int32 = -1
    @usableFromInline var exclusionPosition: Int32 = -1
    /// What made it.
    public internal(set) var kind: ItemKind
    /// The quality of service asked for.
    public internal(set) var qos: QoSClass
    /// The quality of service that it was submitted with, else that of its queue; unspecified when neither is known.
    public internal(set) var rank = QoSClass.unspecified
    /// The kind of its queue.
    public internal(set) var queueKind = Queue.Kind.unknown
    /// Whether a worker woke for it.
    public internal(set) var wake = Wake.unknown
    /// It was submitted as a barrier.
    public internal(set) var isBarrier: Bool
    /// False when the trace ended first; `endedAt` is then the trace's end.
    public internal(set) var isFinished: Bool
    /// It had to wait, whatever the queue's clocks showed.
    @usableFromInline var hadToWait = false
    /// Another item ran around it on its thread. A round of an event loop is no such item.
    public internal(set) var isNested = false
    // Here and behind optionals there is room for four bytes.
    @usableFromInline var handingThread: Int32 = -1

    /// Its number in the model.
    public internal(set) var number: ItemNumber
    /// The root of its async chain: the first item of it that no other item submitted, which may be this one. All items
    /// of an operation have the same.
    public internal(set) var operation: ItemNumber
    @usableFromInline var parentNumber: Int64 = -1
    @usableFromInline var parentQueuePosition: Int32 = -1
    @usableFromInline var sourcePosition: Int32 = -1
    /// Where its wait went.
    public internal(set) var waitParts: WaitParts
    /// With context switches: the time that its thread spent off its processor while the item ran.
    public internal(set) var processorTimes: ProcessorTimes?
    @usableFromInline var groupPosition: Int32 = -1
    /// With context switches: of the scheduler's part of the wait, the time for which the thread that then ran the item
    /// had no processor. For the rest of that part it ran, on its way to the item.
    public internal(set) var waitOffProcessor: Nanoseconds?
    /// How many submissions lie between the root of its async chain and this item; 0 for the root.
    public internal(set) var hops: Int32
    /// What its submissions of other items took, at most: until its thread was seen to do something else.
    public internal(set) var submitting = Nanoseconds.zero
    /// What the syncs that it made cost it.
    public internal(set) var syncs = SyncCost()
    /// The recorder's id; reused after the item has ended. 0 for a sync that found its queue free.
    public internal(set) var id: UInt64
    @usableFromInline var blockedLevel: Int32 = -1
    @usableFromInline var blockingThread: Int32 = -1

    /// The source whose handler it is.
    @inlinable public var source: SourceIndex? { sourcePosition < 0 ? nil : SourceIndex(Int(sourcePosition)) }
    /// The thread that submitted it; nil when the enqueue was not recorded.
    @inlinable public var enqueuedOn: ThreadIndex? { enqueuingThread < 0 ? nil : ThreadIndex(Int(enqueuingThread)) }
    /// The item that was running on that thread at the time: the parent in the async chain. For a work item's
    /// notification the work item.
    @inlinable public var parent: ItemNumber? { parentNumber < 0 ? nil : ItemNumber(parentNumber) }
    /// The queue of that item; for a group's notification that of the item that emptied the group.
    @inlinable public var parentQueue: QueueIndex? {
        parentQueuePosition < 0 ? nil : QueueIndex(Int(parentQueuePosition))
    }
    /// For sync: the thread that held the hierarchy last, when the caller had to wait for it.
    @inlinable public var handedOverBy: ThreadIndex? { handingThread < 0 ? nil : ThreadIndex(Int(handingThread)) }
    /// For sync: the level of the hierarchy that was held when it came, nil when it found all of them free.
    @inlinable public var blockedOn: QueueIndex? { blockedLevel < 0 ? nil : QueueIndex(Int(blockedLevel)) }
    /// For sync: the thread that held that level, as far as libdispatch knew.
    @inlinable public var blockedBy: ThreadIndex? { blockingThread < 0 ? nil : ThreadIndex(Int(blockingThread)) }
    /// The group that was entered just before it was submitted, on the same thread: by an async in the group, or by the
    /// program; nil for none.
    @inlinable public var group: GroupIndex? { groupPosition < 0 ? nil : GroupIndex(Int(groupPosition)) }

    /// From submission to begin.
    @inlinable public var wait: Nanoseconds { beganAt - enqueuedAt }
    /// From begin to end.
    @inlinable public var service: Nanoseconds { endedAt - beganAt }
    /// Its service, less the time in which its thread could have run and others had the processors: what it took by
    /// itself, however busy the machine was. The whole service where the trace has no context switches.
    @inlinable public var ownService: Nanoseconds { service - (processorTimes?.preempted ?? .zero) }
    /// With context switches: the time that its thread spent on a processor while the item ran.
    @inlinable public var onProcessor: Nanoseconds? { processorTimes.map { service - $0.preempted - $0.blocked } }
    /// The exclusion queue of its queue when it ended; nil when there is none.
    @inlinable public var exclusion: QueueIndex? { exclusionPosition < 0 ? nil : QueueIndex(Int(exclusionPosition)) }
    /// The exclusion queue that it held; nil when it ran without one.
    @inlinable public var domain: QueueIndex? { domainPosition < 0 ? nil : QueueIndex(Int(domainPosition)) }
    /// Its holding of the exclusion queue. A sync that found everything free did not wait: its request is its grant.
    @inlinable public var acquisition: Acquisition? {
        guard domainPosition >= 0 else { return nil }
        return Acquisition(
            domain: .queue(QueueIndex(Int(domainPosition))), thread: thread, requestedAt: requestedAt,
            grantedAt: beganAt, releasedAt: endedAt, blocksThread: blocksThread, code: code, item: number, queue: queue)
    }
    /// A sync whose caller was blocked, because the queue was not free.
    @inlinable public var blocksThread: Bool {
        isSync && (hadToWait || waitParts.ownBacklog > .zero || waitParts.hierarchy > .zero)
    }
    /// When it asked for its exclusion queue.
    @inlinable public var requestedAt: Timestamp { isSync && !blocksThread ? beganAt : enqueuedAt }
    /// Its submitter waits for it.
    @inlinable public var isSync: Bool { kind == .sync || kind == .asyncAndWait }
    /// A task ran on an actor, or an event loop went round: no item of libdispatch's.
    @inlinable public var isStretch: Bool { kind.isStretch }
}

extension ItemKind {
    /// No item of libdispatch's: a task runs on an actor, or an event loop goes round.
    @inlinable public var isStretch: Bool { self == .actorJob || self == .loopIteration }
}

extension Item {
    /// A worker woke for it. Where the trace does not tell of workers: nothing held it up, so that one must have.
    @inlinable public var wokeWorker: Bool {
        switch wake {
        case .none: false
        case .unparked, .started, .delayed: true
        case .unknown: waitParts.ownBacklog + waitParts.hierarchy + waitParts.barrier == .zero
        }
    }

    /// Whether the worker that ran an item woke for it.
    public enum Wake: UInt8, Sendable {
        /// The worker was awake already, or the item ran on a thread that is no worker.
        case none
        /// The worker was parked when the item was submitted, and the item is the first that it ran since.
        case unparked
        /// The same for a worker that was made since.
        case started
        /// The same for either, while items of other threads ran on as many threads as there are processors.
        case delayed
        /// The trace does not tell of the thread's parking.
        case unknown
    }
}

/// What its syncs cost an item: the time for which it kept a thread, but no processor.
///
/// ```
///   item     ├────────────────────────────┤   blocked: both waits
///   sync 1       ╰─wait─┤├──────────────┤
///   sync 2                  ╰─wait─┤├──┤
/// ```
public struct SyncCost: Sendable, Equatable {
    /// How long it waited.
    public var blocked = Nanoseconds.zero
    /// How much of that went into waking its thread, after the queue was given back.
    public var waking = Nanoseconds.zero

    /// Creates the cost of no syncs.
    public init() {}
}

/// Where the wait of an item went. The parts sum to the wait, to the nanosecond.
public struct WaitParts: Sendable, Equatable, Encodable {
    /// An earlier item of the same queue ran.
    public var ownBacklog: Nanoseconds = .zero
    /// An item of another queue held a shared serial ancestor.
    public var hierarchy: Nanoseconds = .zero
    /// Readers drained before a writer, or a writer held the concurrent queue.
    public var barrier: Nanoseconds = .zero
    /// A queue of the chain was suspended or inactive.
    public var suspended: Nanoseconds = .zero
    /// The due time of an `asyncAfter` had not come.
    public var notDue: Nanoseconds = .zero
    /// Nothing held the queue and no worker was free.
    public var pool: Nanoseconds = .zero
    /// A worker was requested and had not started.
    public var threadStart: Nanoseconds = .zero
    /// The rest: a thread was there and had not yet got to run the item.
    public var scheduler: Nanoseconds = .zero

    /// Creates the parts of no wait.
    public init() {}

    /// The wait that they sum to.
    public var total: Nanoseconds {
        ownBacklog + hierarchy + barrier + suspended + notDue + pool + threadStart + scheduler
    }

    enum CodingKeys: String, CodingKey {
        case ownBacklog = "own_backlog"
        case hierarchy, barrier, suspended
        case notDue = "not_due"
        case pool
        case threadStart = "thread_start"
        case scheduler
    }

    /// All parts with the names of the JSON report, in the order of the definition.
    public var named: [(name: String, value: Nanoseconds)] {
        [
            ("own_backlog", ownBacklog), ("hierarchy", hierarchy), ("barrier", barrier), ("suspended", suspended),
            ("not_due", notDue), ("pool", pool), ("thread_start", threadStart), ("scheduler", scheduler),
        ]
    }

    /// Adds part by part.
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
