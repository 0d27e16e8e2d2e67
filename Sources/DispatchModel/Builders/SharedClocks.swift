/// What the clocks show that a queue shares with others: those of its exclusion queue and of its root queue's workers.
struct SharedClocks {
    /// Time in which the exclusion queue was held.
    var domain: Int64 = 0
    /// Times in which the workers were busy, or on their way, while nothing held the queue.
    var pool = PoolReading()
}
