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
