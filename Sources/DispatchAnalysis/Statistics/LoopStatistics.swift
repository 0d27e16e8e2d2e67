import DispatchModel

/// Statistics of one event loop.
public struct LoopStatistics: Sendable {
    /// The loop.
    public let loop: EventLoop
    /// Its iterations as items of its queue. The service time of an iteration is the time without a poll.
    public let queue: QueueStatistics
    /// Number of iterations for which another thread woke the loop.
    public internal(set) var wakes = 0
    /// The time from such a wake-up to the iteration.
    public internal(set) var wakeLatency = LatencyPercentiles()
    /// The threads that woke it, the most frequent first.
    public internal(set) var wakers: [(thread: ThreadIndex, wakes: Int)] = []
}

/// Collects the wake-ups of one loop.
struct LoopWakes {
    private var latencies = LatencyRecorder()
    private var wakers: [ThreadIndex: Int] = [:]

    mutating func add(_ iteration: ItemRow) {
        guard let waker = iteration.enqueuedOn, waker != iteration.thread else { return }
        latencies.record(iteration.wait)
        wakers[waker, default: 0] += 1
    }

    func fill(_ statistics: inout LoopStatistics) {
        statistics.wakes = latencies.count
        statistics.wakeLatency = latencies.percentiles
        statistics.wakers = wakers.map { (thread: $0.key, wakes: $0.value) }
            .sorted { ($1.wakes, $0.thread) < ($0.wakes, $1.thread) }
    }
}
