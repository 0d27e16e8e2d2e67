/// Where the time of a wait goes, from what the queue's clocks show at its two ends.
///
/// ```
///   enqueued                                            began
///      ├──────────┬──────────────┬────────────┬───────────┤
///        suspended   not due       queue held    pool,
///                                  own, other,   thread start,
///                                  or barrier    scheduler
/// ```
///
/// The parts are disjoint by construction: a suspension stops the clocks of backlog and of the workers, so does the
/// queue being held those of the workers, the due time splits the wait in two, and the queue's own busy time is a part
/// of its domain's. What no clock claims is the scheduler's.
enum WaitPartition {
    /// Books the time since the item was last settled.
    ///
    /// - Parameters:
    ///   - item: a waiting item.
    ///   - reading: what its queue's clocks show now.
    ///   - time: now.
    ///   - isExclusive: the queue has an exclusion queue, so an item that runs holds up all others.
    ///   - needsWorker: a worker must come for the item, or for what is ahead of it.
    static func settle(
        _ item: inout OpenItem, reading: WaitSnapshot, at time: Int64, isExclusive: Bool, needsWorker: Bool
    ) {
        let more = item.rest
        var rest = Swift.max(0, time - more.pointee.settledAt)
        // Clamping changes nothing while events come in order; it keeps the sum exact when a clock goes back.
        func take(_ amount: Int64) -> Nanoseconds {
            let taken = Swift.min(Swift.max(0, amount), rest)
            rest -= taken
            return Nanoseconds(taken)
        }
        let spent = reading - item.snapshot
        more.pointee.parts.suspended += take(spent.suspended)
        if item.isDelayed {
            more.pointee.parts.notDue += take(rest)
        } else if isExclusive {
            more.pointee.parts.ownBacklog += take(spent.own)
            more.pointee.parts.hierarchy += take(spent.domain - spent.own)
            more.pointee.parts.barrier += take(spent.writers)
        } else {
            // A barrier waits for all that runs on its queue, and for the barriers below. These never run at once.
            let isBehindAll = item.isBarrier || more.pointee.barrier >= 0
            more.pointee.parts.barrier += take(isBehindAll ? spent.own + spent.domain : spent.writers)
        }
        if !item.isDelayed, needsWorker {
            more.pointee.parts.threadStart += take(spent.pool.starting)
            more.pointee.parts.pool += take(spent.pool.saturated)
        }
        more.pointee.parts.scheduler += take(rest)
        item.snapshot = reading
        more.pointee.settledAt = time
    }

    /// Moves the scheduler's part to the start of a thread, for as much of it as the thread needed to start: where the
    /// trace tells nothing of workers.
    ///
    /// ```
    ///   queue held ──────┤ free ├── thread_start ──┤ item_begin
    ///                           ╰── thread start ──╯ scheduler
    /// ```
    ///
    /// - Parameters:
    ///   - item: an item that begins, settled.
    ///   - freeSince: when the last thing that held the item up went away.
    ///   - threadStart: when the thread that runs the item recorded first.
    static func splitThreadStart(_ item: inout OpenItem, freeSince: Int64, threadStart: Int64) {
        guard threadStart > freeSince else { return }
        let moved = Swift.min(Nanoseconds(threadStart - freeSince), item.parts.scheduler)
        item.parts.threadStart += moved
        item.parts.scheduler = item.parts.scheduler - moved
    }
}
