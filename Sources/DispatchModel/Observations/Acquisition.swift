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
    /// The item that held an exclusion queue, or that the thread ran when it asked for a lock; nil outside of items.
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
