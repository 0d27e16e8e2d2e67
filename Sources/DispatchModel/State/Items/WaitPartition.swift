/// Divides a wait into its causes, from the queue's clocks at its begin and its end.
///
/// ```
///   enqueued                                            began
///      ├──────────┬──────────────┬────────────┬───────────┤
///        suspended   not due       queue held    pool,
///                                  own, other,   thread start,
///                                  or barrier    scheduler
/// ```
///
/// The parts are disjoint by construction. A suspension stops the clocks of the backlog and of the workers. A held
/// queue stops the clocks of the workers. The due time splits the wait in two. The queue's own busy time is a part of
/// its domain's busy time. The remainder belongs to the scheduler.
enum WaitPartition {
    /// Adds the time since the item was last settled to the parts of its wait.
    ///
    /// - Parameters:
    ///   - item: a waiting item.
    /// - reading: the current reading of its queue's clocks.
    /// - time: the current time.
    /// - isExclusive: the queue has an exclusion queue, so a running item blocks all others.
    /// - needsWorker: a worker must start for the item, or for an item ahead of it.
    static func settle(
        _ item: inout OpenItem, reading: WaitSnapshot, at time: Int64, isExclusive: Bool, needsWorker: Bool
    ) {
        let details = item.details
        var remaining = Swift.max(0, time - details.pointee.settledAt)
        // Clamping has no effect while events are in order. It keeps the sum exact when a clock goes back.
        func take(_ amount: Int64) -> Nanoseconds {
            let taken = Swift.min(Swift.max(0, amount), remaining)
            remaining -= taken
            return Nanoseconds(taken)
        }
        let spent = reading - item.snapshot
        details.pointee.parts.suspended += take(spent.suspended)
        if item.isDelayed {
            details.pointee.parts.notDue += take(remaining)
        } else if isExclusive {
            details.pointee.parts.ownBacklog += take(spent.own)
            details.pointee.parts.hierarchy += take(spent.domain - spent.own)
            details.pointee.parts.barrier += take(spent.writers)
        } else {
            // A barrier waits for all running items of its queue and for the barriers of its targets. These never run
            // at the same time.
            let isBehindAll = item.isBarrier || !details.pointee.barrier.isNone
            details.pointee.parts.barrier += take(isBehindAll ? spent.own + spent.domain : spent.writers)
        }
        if !item.isDelayed, needsWorker {
            details.pointee.parts.threadStart += take(spent.pool.starting)
            details.pointee.parts.pool += take(spent.pool.saturated)
        }
        details.pointee.parts.scheduler += take(remaining)
        item.snapshot = reading
        details.pointee.settledAt = time
    }

    /// Moves the time that a thread needed to start from the scheduler's part to the part of the thread start. For
    /// traces without worker events.
    ///
    /// ```
    ///   queue held ──────┤ free ├── thread_start ──┤ item_begin
    ///                           ╰── thread start ──╯ scheduler
    /// ```
    ///
    /// - Parameters:
    ///   - item: an item that begins, settled.
    ///   - freeSince: when the last obstacle of the item disappeared.
    ///   - threadStart: the time of the first record of the thread that runs the item.
    static func splitThreadStart(_ item: inout OpenItem, freeSince: Int64, threadStart: Int64) {
        guard threadStart > freeSince else { return }
        let moved = Swift.min(Nanoseconds(threadStart - freeSince), item.parts.scheduler)
        item.parts.threadStart += moved
        item.parts.scheduler = item.parts.scheduler - moved
    }
}
