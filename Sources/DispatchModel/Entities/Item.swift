/// A work item that has run, with everything that was recorded about it.
///
/// ```
///   enqueuedAt        beganAt            endedAt
///       │── wait ────────│── service ──────│
/// ```
public struct Item: Sendable {
    // Fields that nearly every observer reads come first, so that they share one or two cache lines.

    /// When it was submitted. Equal to `beganAt` when the submission cannot be observed (source handlers) or was not
    /// recorded.
    public internal(set) var enqueuedAt: Timestamp
    /// When its code started to run.
    public internal(set) var beganAt: Timestamp
    /// When its code returned, or the end of the trace.
    public internal(set) var endedAt: Timestamp
    /// The queue that it was submitted to.
    public internal(set) var queue: QueueIndex
    /// The code that it runs, or the call site that submitted it.
    public internal(set) var code: CodeIndex
    /// The thread that ran it.
    public internal(set) var thread: ThreadIndex
    /// Position of the thread, -1 for none. An optional would make every item larger.
    @usableFromInline var enqueuingThread: Int32 = -1
    /// Positions, -1 for none: the exclusion queue that the item held while it ran, and the exclusion queue of its own
    /// queue when it ended.
    @usableFromInline var domainPosition: Int32 = -1
    @usableFromInline var exclusionPosition: Int32 = -1
    /// The operation that created it.
    public internal(set) var kind: ItemKind
    /// The requested quality of service.
    public internal(set) var qos: QoSClass
    /// The quality of service of the submission, or otherwise of its queue; unspecified when both are unknown.
    public internal(set) var effectiveQoS = QoSClass.unspecified
    /// The kind of its queue.
    public internal(set) var queueKind = Queue.Kind.unknown
    /// Whether a worker woke to run it.
    public internal(set) var wake = Wake.unknown
    /// Whether it was submitted as a barrier.
    public internal(set) var isBarrier: Bool
    /// False when the trace ended first. `endedAt` is then the end of the trace.
    public internal(set) var isFinished: Bool
    /// A `sync_block` or `sync_handoff` was recorded: the caller waited, even if the queue's clocks show no holder.
    @usableFromInline var hadToWait = false
    /// Whether it ran inside another item on the same thread. Iterations of event loops do not count as enclosing
    /// items.
    public internal(set) var isNested = false
    // This field fills four bytes of padding, as do the fields that follow optionals.
    @usableFromInline var handingThread: Int32 = -1

    /// Its number in the model.
    public internal(set) var number: ItemNumber
    /// The root of its async chain: the first item of the chain that no other item submitted, possibly this one. All
    /// items of an operation have the same root.
    public internal(set) var operation: ItemNumber
    @usableFromInline var parentNumber: Int64 = -1
    @usableFromInline var parentQueuePosition: Int32 = -1
    @usableFromInline var sourcePosition: Int32 = -1
    /// How the wait divides into causes.
    public internal(set) var waitParts: WaitParts
    /// With context switches: the time that its thread was off-CPU while the item ran.
    public internal(set) var processorTimes: ProcessorTimes?
    /// The binary logarithm of ``weight``.
    public internal(set) var weightShift: UInt8 = 0
    @usableFromInline var groupPosition: Int32 = -1
    /// With context switches: the part of `waitParts.scheduler` during which the thread that later ran the item was
    /// off-CPU. For the rest of that part, the thread was running but had not yet reached the item.
    public internal(set) var waitOffProcessor: Nanoseconds?
    /// Number of submissions between the root of its async chain and this item; 0 for the root.
    public internal(set) var hops: Int32
    /// Upper bound of the time that it spent submitting other items. A submission counts until the next record of its
    /// thread.
    public internal(set) var submitting = Nanoseconds.zero
    /// The cost of the syncs that it called.
    public internal(set) var syncs = SyncCost()
    /// The recorder's id, reused after the item has ended. 0 for a sync that found its queue free.
    public internal(set) var id: UInt64
    @usableFromInline var blockedLevel: Int32 = -1
    @usableFromInline var blockingThread: Int32 = -1

    /// The source whose handler this item is.
    @inlinable public var source: SourceIndex? { sourcePosition < 0 ? nil : SourceIndex(Int(sourcePosition)) }
    /// The thread that submitted it; nil when the enqueue was not recorded.
    @inlinable public var enqueuedOn: ThreadIndex? { enqueuingThread < 0 ? nil : ThreadIndex(Int(enqueuingThread)) }
    /// The item that ran on that thread at the time of the submission: the parent in the async chain. For a
    /// notification of a work item, this is the work item.
    @inlinable public var parent: ItemNumber? { parentNumber < 0 ? nil : ItemNumber(parentNumber) }
    /// The queue of the parent. For a notification of a group, the queue of the item that emptied the group.
    @inlinable public var parentQueue: QueueIndex? {
        parentQueuePosition < 0 ? nil : QueueIndex(Int(parentQueuePosition))
    }
    /// For sync: the last thread that held the hierarchy before the caller got it, when the caller had to wait.
    @inlinable public var handedOverBy: ThreadIndex? { handingThread < 0 ? nil : ThreadIndex(Int(handingThread)) }
    /// For sync: the queue of the hierarchy that was held when the caller arrived; nil when all of them were free.
    @inlinable public var blockedOn: QueueIndex? { blockedLevel < 0 ? nil : QueueIndex(Int(blockedLevel)) }
    /// For sync: the thread that held ``blockedOn``, according to libdispatch.
    @inlinable public var blockedBy: ThreadIndex? { blockingThread < 0 ? nil : ThreadIndex(Int(blockingThread)) }
    /// The group that was entered just before the submission, on the same thread, by an async in the group or by the
    /// program; nil for none.
    @inlinable public var group: GroupIndex? { groupPosition < 0 ? nil : GroupIndex(Int(groupPosition)) }

    /// The number of items that it represents: more than 1 when the recorder sampled items. See ``ItemSampling``.
    @inlinable public var weight: Int { 1 << Int(weightShift) }

    /// From submission to begin.
    @inlinable public var wait: Nanoseconds { beganAt - enqueuedAt }
    /// From begin to end.
    @inlinable public var service: Nanoseconds { endedAt - beganAt }
    /// ``service`` minus the time that its thread was runnable without a processor. This excludes the effect of a busy
    /// machine. Without context switches, it is the whole service.
    @inlinable public var ownService: Nanoseconds { service - (processorTimes?.preempted ?? .zero) }
    /// With context switches: the time that its thread was on a processor while the item ran.
    @inlinable public var onProcessor: Nanoseconds? { processorTimes.map { service - $0.preempted - $0.blocked } }
    /// The exclusion queue of its queue when the item ended; nil when there is none.
    @inlinable public var exclusion: QueueIndex? { exclusionPosition < 0 ? nil : QueueIndex(Int(exclusionPosition)) }
    /// The exclusion queue that it held while it ran; nil for none.
    @inlinable public var domain: QueueIndex? { domainPosition < 0 ? nil : QueueIndex(Int(domainPosition)) }
    /// The interval for which it held its exclusion queue. A sync that did not wait was granted the queue when it
    /// requested it.
    @inlinable public var acquisition: Acquisition? {
        guard domainPosition >= 0 else { return nil }
        return Acquisition(
            domain: .queue(QueueIndex(Int(domainPosition))), thread: thread, requestedAt: requestedAt,
            grantedAt: beganAt, releasedAt: endedAt, blocksThread: blocksThread, code: code, item: number, queue: queue)
    }
    /// Whether it is a sync whose caller was blocked because the queue was not free.
    @inlinable public var blocksThread: Bool {
        isSync && (hadToWait || waitParts.ownBacklog > .zero || waitParts.hierarchy > .zero)
    }
    /// When it requested its exclusion queue.
    @inlinable public var requestedAt: Timestamp { isSync && !blocksThread ? beganAt : enqueuedAt }
    /// Whether its submitter waits for it.
    @inlinable public var isSync: Bool { kind == .sync || kind == .asyncAndWait }
    /// Whether it is a job of an actor or an iteration of an event loop, and not a work item of libdispatch.
    @inlinable public var isForeign: Bool { kind.isForeign }
}

extension ItemKind {
    /// Whether items of this kind are jobs of an actor or iterations of an event loop, and not work items of
    /// libdispatch.
    @inlinable public var isForeign: Bool { self == .actorJob || self == .loopIteration }
}

extension Item {
    /// Whether a worker woke to run it. Without records of the worker, an item that waited for no other item must have
    /// woken one.
    @inlinable public var wokeWorker: Bool {
        switch wake {
        case .none: false
        case .unparked, .started, .delayed: true
        case .unknown: waitParts.ownBacklog + waitParts.hierarchy + waitParts.barrier == .zero
        }
    }

    /// Whether the worker that ran an item woke for it.
    public enum Wake: UInt8, Sendable {
        /// The worker was already awake. Also the value of syncs and of items that ran inside another item.
        case none
        /// The worker was parked when the item was submitted, and this is the first item that it ran since.
        case unparked
        /// As `unparked`, but the worker was created after the submission.
        case started
        /// As `unparked` or `started`, while items of other threads occupied all processors.
        case delayed
        /// No records of a worker exist for the thread.
        case unknown
    }
}

/// The cost of the syncs that an item called: the time for which its thread was blocked.
///
/// ```
///   item     ├────────────────────────────┤   blocked: both waits
///   sync 1       ╰─wait─┤├──────────────┤
///   sync 2                  ╰─wait─┤├──┤
/// ```
public struct SyncCost: Sendable, Equatable {
    /// Time that it was blocked.
    public var blocked = Nanoseconds.zero
    /// The part of `blocked` that was spent waking the thread, after the queue was released.
    public var waking = Nanoseconds.zero

    /// Creates a cost of zero.
    public init() {}
}
