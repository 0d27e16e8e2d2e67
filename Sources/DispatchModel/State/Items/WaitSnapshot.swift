/// The clocks of a queue at one instant. The difference between two snapshots is the time that passed on each clock.
///
/// Waits are divided by such differences. An item needs two snapshots, independent of the length of the queue, and the
/// items that run before it need not visit it.
struct WaitSnapshot {
    /// Time during which a queue of the target chain was suspended or inactive.
    var suspended: Int64 = 0
    /// Time during which items of the queue itself ran, except for suspended time.
    var own: Int64 = 0
    /// Time during which the exclusion queue was held by this queue or another, except for suspended time. Without an
    /// exclusion queue: time during which a barrier on a concurrent target ran.
    var domain: Int64 = 0
    /// Time during which a barrier of the queue or of a concurrent target ran, except for suspended time.
    var writers: Int64 = 0
    /// Times during which the queue was free, and its root queue had no free worker or waited for one to start, except
    /// for suspended time.
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
