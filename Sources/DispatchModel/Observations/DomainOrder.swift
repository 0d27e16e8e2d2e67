/// An exclusive domain that a thread is in.
public struct HeldDomain: Sendable, Hashable {
    /// The kinds of domains that one can wait for while inside of another.
    public enum Domain: Sendable, Hashable {
        /// The queue that an item was submitted to: it is inside of every serial queue of its chain.
        case queue(QueueIndex)
        case lock(LockIndex)
        /// A semaphore that is used as a lock: made with a value, taken and given back by the same thread.
        case semaphore(SemaphoreIndex)
    }

    /// What is held.
    public let domain: Domain
    /// Where it was taken: the code of the item, or the place that took the lock.
    public let code: CodeIndex
    /// Since when.
    public let since: Timestamp
    /// The item that holds a queue; nil for the others.
    public let item: ItemNumber?
}

/// Threads inside of one or more exclusive domains asked for another one: all requests of the same shape, told once at
/// the trace's end.
///
/// ```
///   thread   ├─ item on A ───────────────┤
///                 ├─ lock L ────────┤
///                      sync on B          held: [A, L]   wanted: B
/// ```
public struct DomainOrder: Sendable {
    /// What the thread was in, the innermost first. The times are those of the first request.
    public internal(set) var held: [HeldDomain]
    /// What it asked for.
    public let wanted: HeldDomain.Domain
    /// Where it asked.
    public let code: CodeIndex
    /// The thread that asked first.
    public let thread: ThreadIndex
    /// Other threads asked too.
    public internal(set) var isOnSeveralThreads = false
    /// How often it was asked.
    public internal(set) var count = 1
    /// When it was asked first.
    public let first: Timestamp
    /// When it was asked last.
    public internal(set) var last: Timestamp
    /// The root of the async chain that the first request belongs to; nil outside of items.
    public let operation: ItemNumber?
    /// All requests belong to that chain: its items may be ordered by their submissions.
    public internal(set) var isOneOperation = true
}
