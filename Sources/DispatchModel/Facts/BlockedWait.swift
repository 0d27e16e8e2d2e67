/// A wait of a thread for a group, a semaphore or a work item, or an open wait for a queue or a lock.
public struct BlockedWait: Sendable {
    /// The awaited object, by the recorder's id if the model has no entity for it.
    public enum Object: Sendable, Hashable {
        case group(UInt64), semaphore(UInt64), item(UInt64)
        /// A sync that had not acquired its queue when the trace ended.
        case queue(QueueIndex)
        /// A lock that the thread had not acquired when the trace ended.
        case lock(LockIndex)

        /// The kind of the object.
        public var kind: WaitObject {
            switch self {
            case .group: .group
            case .semaphore: .semaphore
            case .item: .item
            case .queue: .queue
            case .lock: .lock
            }
        }
    }
    /// The awaited object.
    public let object: Object
    /// The waiting thread.
    public let thread: ThreadIndex
    /// The code that waits.
    public let code: CodeIndex
    /// When it began.
    public let begin: Timestamp
    /// When it ended.
    public let end: Timestamp
    /// Whether the wait timed out.
    public let timedOut: Bool
    /// False when the trace ended first.
    public let isFinished: Bool
    /// The thread that held a queue or a lock; nil when unknown.
    public internal(set) var holder: ThreadIndex?
    /// The signal that ended the wait; nil if the wait did not block, timed out or is open, and when the signal was not
    /// recorded.
    public internal(set) var signal: Signal?
    /// Whether the wait blocked the thread and ended without a time-out, although no signal was recorded for it. The
    /// signal may be recorded after the wait has ended.
    public internal(set) var lacksSignal = false
    /// The item that the thread ran when the wait began; nil outside of items.
    public internal(set) var waiter: ItemNumber?

    /// The thread that ended the wait; see ``signal``.
    public var signaller: ThreadIndex? { signal?.thread }
}
