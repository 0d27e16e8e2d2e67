/// A counting semaphore.
public struct Semaphore: Sendable {
    /// Its place in the model.
    public let index: SemaphoreIndex
    /// The recorder's id, which another semaphore may have had before.
    public let id: UInt64
    /// Where the program created it; unknown when its creation was not recorded.
    public let creationCode: CodeIndex
    /// When it was created, or first seen.
    public let createdAt: Timestamp
    /// The value that it was created with; nil when that was not recorded.
    public let firstValue: Int?
    /// The value now, as far as it is known; as in libdispatch, below zero it is the number of waiters.
    public internal(set) var value: Int
    /// How often it was signalled.
    public internal(set) var signals = 0
    /// Waits that ended, time-outs included.
    public internal(set) var waits = 0
    /// Waits that ended by their time-out.
    public internal(set) var timeouts = 0
    /// Waits that could not go on at once.
    public internal(set) var blockedWaits = 0
    /// Time that threads waited for it, all together, in waits that ended.
    public internal(set) var waited: Nanoseconds = .zero
    /// A thread signalled it that had not taken it: it tells of events, and is no lock.
    public internal(set) var isSignalledByOthers = false
    /// The thread that signalled it last.
    public internal(set) var lastSignaller: ThreadIndex?
    /// Where it was signalled last.
    public internal(set) var lastSignalCode = CodeIndex.unknown

    /// It is used as a lock: made with the value 1, and every thread gives back what it took.
    public var isLock: Bool { mayBeLock && waits > 0 }

    var mayBeLock: Bool { firstValue == 1 && !isSignalledByOthers }
}
