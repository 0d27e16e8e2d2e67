/// The reason why a thread does not run.
enum ThreadWait: Equatable {
    /// A sync on a queue. `level` is the queue of its hierarchy that another thread holds, or the queue itself.
    case queue(UInt64, level: UInt64, owner: UInt32?)
    /// A mutex of the C library, also below `NSLock` and `std::mutex`.
    case mutex(UInt64, owner: UInt32)
    /// A futex with priority inheritance: `Synchronization.Mutex`, or a lock of the Swift runtime.
    case ownedFutex(UInt64, owner: UInt32)
    /// A read-write lock. The owner is the writer; the lock does not have the ids of its readers.
    case readWriteLock(UInt64, owner: UInt32?)
    /// A one-time initialization that another thread executes.
    case once(UInt64, owner: UInt32)
    /// The end of another thread (`pthread_join`).
    case threadEnd(UInt32)
    case group(UInt64, enters: Int?)
    case semaphore(UInt64, initial: Int)
    case condition(UInt64)
    /// The end of one or all operations of Foundation.
    case operation(UInt64, isAll: Bool)
    /// A futex of unknown meaning.
    case futex(UInt64)
    /// Another system call.
    case call(String)
    /// A thread without work.
    case idle(Idle)
    /// The thread ran.
    case running
    /// The thread could not be read.
    case unknown

    enum Idle: String {
        /// A worker of libdispatch that waits for an item.
        case worker
        /// The thread of libdispatch that waits for sources and timers.
        case manager
        /// The main thread after `dispatchMain()` or in an async `main`.
        case parked
        /// The thread of the recorder in a process that is recorded.
        case recorder
    }

    /// The id of the thread that has to act, in the namespace of the process; nil when it is unknown.
    var owner: UInt32? {
        switch self {
        case .queue(_, _, let owner), .readWriteLock(_, let owner): owner
        case .mutex(_, let owner), .ownedFutex(_, let owner), .once(_, let owner), .threadEnd(let owner): owner
        case .group, .semaphore, .condition, .operation, .futex, .call, .idle, .running, .unknown: nil
        }
    }

    /// Whether the thread is blocked by another part of the program.
    var isBlocked: Bool {
        switch self {
        case .queue, .mutex, .ownedFutex, .readWriteLock, .once, .threadEnd, .group, .semaphore, .condition, .operation,
            .futex:
            true
        case .call, .idle, .running, .unknown: false
        }
    }

    /// Whether a program without work waits in this way.
    var mayBeIdle: Bool {
        switch self {
        case .condition, .call: true
        default: false
        }
    }
}
