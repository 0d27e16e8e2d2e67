/// An exclusive domain that a thread holds.
public struct HeldDomain: Sendable, Hashable {
    /// The kinds of domains that a thread can request while it holds another one.
    public enum Domain: Sendable, Hashable {
        /// The queue to which an item was submitted. The item holds every serial queue of its target chain.
        case queue(QueueIndex)
        case lock(LockIndex)
        /// A semaphore that is used as a lock: initial value 1, and signalled only by the thread that waited.
        case semaphore(SemaphoreIndex)
    }

    /// The held domain.
    public let domain: Domain
    /// The code of the item, or the code that acquired the lock.
    public let code: CodeIndex
    /// When it was acquired.
    public let since: Timestamp
    /// The item that holds a queue; nil for locks and semaphores.
    public let item: ItemNumber?
}

/// Requests for an exclusive domain by threads that held other ones. All requests of the same shape are reported as
/// one, at the end of the trace.
///
/// ```
///   thread   ├─ item on A ───────────────┤
///                 ├─ lock L ────────┤
///                      sync on B          held: [A, L]   wanted: B
/// ```
public struct DomainOrder: Sendable {
    /// The held domains, the most recently acquired first. The times belong to the first request.
    public internal(set) var held: [HeldDomain]
    /// The requested domain.
    public let wanted: HeldDomain.Domain
    /// The code of the request.
    public let code: CodeIndex
    /// The thread of the first request.
    public let thread: ThreadIndex
    /// Whether other threads made the request, too.
    public internal(set) var isOnSeveralThreads = false
    /// Number of requests.
    public internal(set) var count = 1
    /// The time of the first request.
    public let first: Timestamp
    /// The time of the last request.
    public internal(set) var last: Timestamp
    /// The root of the async chain of the first request; nil outside of items.
    public let operation: ItemNumber?
    /// Whether all requests belong to that chain. Its items can be ordered by their submissions.
    public internal(set) var isOneOperation = true
}
