/// The waits at the end of the trace, and the owners of what the threads wait for.
///
/// ```
///   thread 1 ──waits──► queue B ──held by──► thread 2 ──waits──► queue A ──held by──► thread 1
/// ```
///
/// Edges from a thread to the object that it waits for are in ``waits``. Edges from an object to its owner are in
/// ``running`` (an item holds every serial queue of its target chain) and ``held`` (locks, and semaphores that are used
/// as locks). For a queue without an owner, ``backlogs`` has its first item, which waits for a worker of ``pools``.
public struct WaitForGraph: Sendable {
    /// An item that was running when the trace ended.
    public struct RunningItem: Sendable {
        /// The thread that runs it.
        public let thread: ThreadIndex
        /// Its number.
        public let item: ItemNumber
        /// The recorder's id, to which waits for the item refer.
        public let id: UInt64
        /// The queue that it was submitted to.
        public let queue: QueueIndex
        /// The operation that created it.
        public let kind: ItemKind
        /// Its code.
        public let code: CodeIndex
        /// The thread that submitted it; nil when unknown. If it is a sync, that thread waits for it.
        public let enqueuedOn: ThreadIndex?
        /// The group that was entered just before the submission; nil for none.
        public let group: GroupIndex?
        /// When it began.
        public let beganAt: Timestamp
    }

    /// A lock, or a semaphore that is used as a lock, that a thread held when the trace ended.
    public struct Holding: Sendable {
        /// The thread that holds it.
        public let thread: ThreadIndex
        /// The lock or semaphore.
        public let held: HeldDomain
    }

    /// The workers of a root queue when the trace ended.
    public struct Pool: Sendable {
        /// The root queue.
        public let root: QueueIndex
        /// Workers that are alive.
        public let alive: Int
        /// Workers that are parked or look for work.
        public let free: Int
        /// Workers that were created and have not started.
        public let starting: Int
    }

    /// A queue with waiting items when the trace ended.
    public struct Backlog: Sendable {
        /// The queue.
        public let queue: QueueIndex
        /// Number of waiting items, including items that are not due.
        public let count: Int
        /// The item that was submitted first.
        public let first: PendingItem
        /// Whether the queue, or a queue of its target chain, is suspended or inactive.
        public let isSuspended: Bool
    }

    /// Running items, ordered by thread, the outermost first.
    public internal(set) var running: [RunningItem] = []
    /// Locks and semaphores that threads hold.
    public internal(set) var held: [Holding] = []
    /// Waits that have not ended: for syncs, locks, groups, semaphores and items.
    public internal(set) var waits: [BlockedWait] = []
    /// Queues with a backlog, in the order of ``DispatchModel/queues``.
    public internal(set) var backlogs: [Backlog] = []
    /// The workers of the root queues.
    public internal(set) var pools: [Pool] = []

    init() {}
}
