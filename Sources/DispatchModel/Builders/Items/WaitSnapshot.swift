/// What a queue's clocks show at an instant. The difference of two tells where the time between went.
///
/// Waits are split by such differences: an item costs two snapshots, however long the queue is, instead of a visit by
/// every item that runs before it.
struct WaitSnapshot {
    /// Time in which a queue of the chain was suspended or inactive.
    var suspended: Int64 = 0
    /// Time in which items of the queue itself ran while nothing of the chain was suspended.
    var own: Int64 = 0
    /// Time in which the exclusion queue was held, by this queue or another, while nothing of the chain was suspended.
    /// Of a queue without one: in which a barrier of a concurrent queue below ran.
    var domain: Int64 = 0
    /// Time in which a barrier of the queue, or of a concurrent one below, ran while nothing of the chain was
    /// suspended.
    var writers: Int64 = 0
    /// Times in which nothing held the queue, and its root queue had no free worker, or one on its way, while nothing of
    /// the chain was suspended.
    var pool = PoolReading()

    static func - (left: WaitSnapshot, right: WaitSnapshot) -> WaitSnapshot {
        WaitSnapshot(
            suspended: left.suspended - right.suspended, own: left.own - right.own, domain: left.domain - right.domain,
            writers: left.writers - right.writers, pool: left.pool - right.pool)
    }

    static func += (left: inout WaitSnapshot, right: WaitSnapshot) {
        left.suspended += right.suspended
        left.own += right.own
        left.domain += right.domain
        left.writers += right.writers
        left.pool = left.pool + right.pool
    }
}
