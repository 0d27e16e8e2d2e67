/// What the clocks show that a queue shares with others: those of its exclusion queue, of the concurrent queue that it
/// targets, and of its root queue's workers.
struct SharedClocks {
    /// Time in which the exclusion queue was held.
    var domain: Int64 = 0
    /// Time in which a barrier of the concurrent queue that it targets ran.
    var writers: Int64 = 0
    /// Times in which the workers were busy, or on their way, while nothing held the queue.
    var pool = PoolReading()
}
