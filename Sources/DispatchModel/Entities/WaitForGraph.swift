/// Who waits for what, and who has it, when the trace ends.
///
/// ```
///   thread 1 ──waits──► queue B ──held by──► thread 2 ──waits──► queue A ──held by──► thread 1
/// ```
///
/// Edges from threads to what they wait for are ``waits``; edges from what is waited for to threads are ``running`` (an
/// item holds every serial queue of its queue's chain), ``held`` (locks, and semaphores that are used as locks), and for
/// queues that nobody holds ``backlogs``, whose first item waits for a worker of ``pools``.
public struct WaitForGraph: Sendable {
    /// An item that ran when the trace ended.
    public struct RunningItem: Sendable {
        /// The thread that runs it.
        public let thread: ThreadIndex
        /// Its number.
        public let item: ItemNumber
        /// The recorder's id, which a wait for the item names.
        public let id: UInt64
        /// The queue that it was submitted to.
        public let queue: QueueIndex
        /// What made it.
        public let kind: ItemKind
        /// Its code.
        public let code: CodeIndex
        /// The thread that submitted it; nil when unknown. A sync's submitter waits for it.
        public let enqueuedOn: ThreadIndex?
        /// The group that was entered just before it was submitted; nil for none.
        public let group: GroupIndex?
        /// When it began.
        public let beganAt: Timestamp
    }

    /// A lock, or a semaphore used as one, that a thread had when the trace ended.
    public struct Holding: Sendable {
        /// The thread that has it.
        public let thread: ThreadIndex
        /// What it has.
        public let held: HeldDomain
    }

    /// The workers of a root queue when the trace ended.
    public struct Pool: Sendable {
        /// The root queue.
        public let root: QueueIndex
        /// Workers that exist.
        public let alive: Int
        /// Workers that are parked, or look for work.
        public let free: Int
        /// Workers that were made and have not started.
        public let starting: Int
    }

    /// A queue with items that wait when the trace ended.
    public struct Backlog: Sendable {
        /// The queue.
        public let queue: QueueIndex
        /// Items that wait, those that are not due included.
        public let count: Int
        /// The item submitted first.
        public let first: PendingItem
        /// The queue, or one of its targets, is suspended or inactive.
        public let isSuspended: Bool
    }

    /// Items that run: by thread, the outermost first.
    public internal(set) var running: [RunningItem] = []
    /// Locks and semaphores that threads have.
    public internal(set) var held: [Holding] = []
    /// Waits that have not ended: those of syncs, locks, groups, semaphores and items.
    public internal(set) var waits: [BlockedWait] = []
    /// Queues with a backlog, in the order of ``DispatchModel/queues``.
    public internal(set) var backlogs: [Backlog] = []
    /// The workers of the root queues.
    public internal(set) var pools: [Pool] = []

    init() {}
}
