/// An object that one thread can hold at a time.
public enum ExclusiveDomain: Sendable, Hashable {
    case lock(LockIndex)
    /// The bottommost common serial queue of a hierarchy, called its exclusion queue.
    case queue(QueueIndex)
}

/// One hold of a lock or an exclusion queue.
///
/// ```
///   requestedAt     grantedAt       releasedAt
///       │── waits ──────│── holds ──────│
/// ```
public struct Acquisition: Sendable {
    /// The object that was held.
    public let domain: ExclusiveDomain
    /// The thread that held it.
    public let thread: ThreadIndex
    /// When the thread requested it. Equal to `grantedAt` if the thread did not wait. For an item that a worker ran,
    /// the time of the enqueue.
    public let requestedAt: Timestamp
    /// When the thread acquired it.
    public let grantedAt: Timestamp
    /// When the thread released it.
    public let releasedAt: Timestamp
    /// True if a thread was blocked from request to grant (sync, lock). False for async items, which block no thread.
    public let blocksThread: Bool
    /// The code of the request.
    public let code: CodeIndex
    /// The item that held an exclusion queue, or that the thread ran when it requested a lock; nil outside of items.
    public let item: ItemNumber?
    /// The queue to which the item was submitted, which can target the exclusion queue; nil for locks.
    public let queue: QueueIndex?
    /// For a lock: the thread that held it at the request; nil when that was not recorded.
    public internal(set) var blockedBy: ThreadIndex?
    /// For a lock: the part of the wait during which ``blockedBy``, or this thread after it was woken, was runnable
    /// without a processor; zero when context switches were not recorded.
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
