import DispatchModel

/// What one lock did: how often it was taken, and how long threads waited for it and held it.
public struct LockStatistics: Sendable {
    /// The lock.
    public let lock: LockIndex
    /// How often it was taken; of a mutex that the interposer saw, only what had to wait was recorded.
    public internal(set) var acquisitions = 0
    /// How often a thread had to wait for it.
    public internal(set) var contended = 0
    /// Sum over the acquisitions that had to wait.
    public internal(set) var waitTotal: Nanoseconds = .zero
    /// The longest wait.
    public internal(set) var waitMax: Nanoseconds = .zero
    /// Sum over all acquisitions.
    public internal(set) var holdTotal: Nanoseconds = .zero
    /// The longest time that it was held.
    public internal(set) var holdMax: Nanoseconds = .zero

    /// Creates the statistics of a lock that nobody took.
    public init(lock: LockIndex) { self.lock = lock }

    mutating func add(_ acquisition: Acquisition) {
        acquisitions += 1
        let hold = acquisition.releasedAt - acquisition.grantedAt
        holdTotal += hold
        holdMax = max(holdMax, hold)
        guard acquisition.blocksThread, acquisition.grantedAt > acquisition.requestedAt else { return }
        contended += 1
        let wait = acquisition.grantedAt - acquisition.requestedAt
        waitTotal += wait
        waitMax = max(waitMax, wait)
    }
}
