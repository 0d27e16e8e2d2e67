import DispatchModel

/// Statistics of one lock: acquisitions, waits and holds.
public struct LockStatistics: Sendable {
    /// The lock.
    public let lock: LockIndex
    /// Number of acquisitions. For a mutex that the interposer recorded, only contended acquisitions.
    public internal(set) var acquisitions = 0
    /// Number of acquisitions that had to wait.
    public internal(set) var contended = 0
    /// The sum of the waits.
    public internal(set) var waitTotal: Nanoseconds = .zero
    /// The longest wait.
    public internal(set) var waitMax: Nanoseconds = .zero
    /// The sum of the holds.
    public internal(set) var holdTotal: Nanoseconds = .zero
    /// The longest hold.
    public internal(set) var holdMax: Nanoseconds = .zero

    /// Creates empty statistics.
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
