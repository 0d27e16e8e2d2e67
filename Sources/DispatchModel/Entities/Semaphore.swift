/// A counting semaphore.
public struct Semaphore: Sendable {
    /// Its place in the model.
    public let index: SemaphoreIndex
    /// The recorder's id, which can be reused after the semaphore is gone.
    public let id: UInt64
    /// Where the program created it; unknown when its creation was not recorded.
    public let creationCode: CodeIndex
    /// When it was created, or first seen.
    public let createdAt: Timestamp
    /// The initial value; nil when the creation was not recorded.
    public let firstValue: Int?
    /// The current value, computed from the recorded operations. As in libdispatch, a negative value is the number of
    /// waiters.
    public internal(set) var value: Int
    /// Number of signals.
    public internal(set) var signals = 0
    /// Waits that ended, including time-outs.
    public internal(set) var waits = 0
    /// Waits that timed out.
    public internal(set) var timeouts = 0
    /// Waits that blocked their thread.
    public internal(set) var blockedWaits = 0
    /// Sum of the durations of all waits that ended.
    public internal(set) var waited: Nanoseconds = .zero
    /// Whether a thread signalled it without having decremented it before. It then signals events, and is not used as a
    /// lock.
    public internal(set) var isSignalledByOthers = false
    /// The thread of the last signal.
    public internal(set) var lastSignaller: ThreadIndex?
    /// The code of the last signal.
    public internal(set) var lastSignalCode = CodeIndex.unknown

    /// Whether it is used as a lock: its initial value is 1, and every thread signals only after its own wait.
    public var isLock: Bool { mayBeLock && waits > 0 }

    var mayBeLock: Bool { firstValue == 1 && !isSignalledByOthers }
}
