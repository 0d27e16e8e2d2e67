import DispatchModel

/// What one event loop did.
public struct LoopStatistics: Sendable {
    /// The loop.
    public let loop: EventLoop
    /// Its iterations as items of its queue: how many, for how long it did not poll in all, at most and as a rule.
    public let queue: QueueStatistics
    /// Iterations that another thread had woken the loop for.
    public internal(set) var wakes = 0
    /// From such a wake-up to the iteration.
    public internal(set) var wakeLatency = LatencyPercentiles()
    /// The threads that woke it, the most frequent first.
    public internal(set) var wakers: [(thread: ThreadIndex, wakes: Int)] = []
}

/// Collects what woke one loop.
struct LoopWakes {
    private var latencies = LatencyRecorder()
    private var wakers: [ThreadIndex: Int] = [:]

    mutating func add(_ iteration: ItemRow) {
        guard let waker = iteration.enqueuedOn, waker != iteration.thread else { return }
        latencies.record(iteration.wait)
        wakers[waker, default: 0] += 1
    }

    func tell(_ statistics: inout LoopStatistics) {
        statistics.wakes = latencies.count
        statistics.wakeLatency = latencies.percentiles
        statistics.wakers = wakers.map { (thread: $0.key, wakes: $0.value) }
            .sorted { ($1.wakes, $0.thread) < ($0.wakes, $1.thread) }
    }
}
