// Tracks the owners of queues: a running item holds the exclusion queue of its hierarchy, and counts as running on its
// own queue.
extension ItemTracker {
    /// The item starts to run and acquires its exclusion queue.
    @inline(__always)
    mutating func hold(_ slot: Int, at moment: Moment, in state: inout ModelState) {
        let item = items.place(of: slot)
        // DispatchWorkItem.perform runs the item without a queue.
        guard item.pointee.kind != .perform else { return }
        let position = Int(item.pointee.queue)
        let queue = state.forest.activity.place(of: position)
        let domain = Int(queue.pointee.exclusion)
        item.pointee.details.pointee.domain = Int32(truncatingIfNeeded: domain)
        queue.pointee.own.begin(at: moment.time)
        if domain >= 0 {
            let held = state.forest.activity.place(of: domain)
            if held.pointee.domain.isBusy {
                endItemsWithLostEnds(inDomain: domain, at: moment, in: &state)
                resynchronise(domain, at: moment.time, in: &state)
                if held.pointee.domain.isBusy { held.pointee.sharedSince = moment.time }
            }
            if !held.pointee.domain.isBusy { state.forest.pausePoolClocks(of: domain, at: moment.time) }
            held.pointee.domain.begin(at: moment.time)
            let isJob = isJobOfTask(item.pointee.kind, in: state)
            state.blame.hold(held.pointee.blame, code: item.pointee.code, isJob: isJob, at: moment.time)
            held.pointee.lastBegin = moment.time
        } else if queue.pointee.honoursBarriers {
            if item.pointee.isBarrier {
                if !queue.pointee.writers.isBusy { state.forest.pausePoolClocks(of: position, at: moment.time) }
                queue.pointee.writers.begin(at: moment.time)
                state.blame.hold(queue.pointee.blame, code: item.pointee.code, at: moment.time)
            }
            queue.pointee.lastBegin = moment.time
        }
    }

    /// The thread already holds the domain that it acquires. libdispatch would terminate the process for that, so the
    /// end of the item that holds the domain was lost.
    private mutating func endItemsWithLostEnds(
        inDomain domain: Int, at moment: Moment, in state: inout ModelState
    ) {
        var inner = Int(state.threads[moment.thread].innermost)
        while inner >= 0 {
            let next = Int(items[inner].enclosing)
            if items[inner].domain == domain { endItemWithLostEnd(of: inner, at: moment.time, in: &state) }
            inner = next
        }
    }

    /// Two items seem to hold a domain for longer than clocks of threads differ, so the end of the earlier item was
    /// lost. `ending` is the item whose end is being processed, -1 for none.
    private mutating func resynchronise(
        _ domain: Int, ending: Int = -1, at time: Int64, in state: inout ModelState
    ) {
        let shared = state.forest.activity[domain].sharedSince
        guard shared >= 0, time - shared > state.options.clockTolerance.count else { return }
        state.forest.activity[domain].sharedSince = -1
        for thread in state.threads.indices {
            var inner = Int(state.threads[thread].innermost)
            while inner >= 0 {
                let next = Int(items[inner].enclosing)
                if inner != ending, items[inner].domain == domain, items[inner].beganAt < shared {
                    endItemWithLostEnd(of: inner, at: time, in: &state)
                }
                inner = next
            }
        }
    }

    /// Ends a running item whose end was lost. The actual end is at an unknown time before `time`.
    private mutating func endItemWithLostEnd(of slot: Int, at time: Int64, in state: inout ModelState) {
        state.unknown.add(
            UnknownInterval(
                queue: QueueIndex(Int(items[slot].queue)), thread: items[slot].thread,
                begin: Timestamp(nanoseconds: items[slot].beganAt), end: Timestamp(nanoseconds: time)))
        finish(slot, at: time, isFinished: false, in: &state)
    }

    /// Removes a waiting item whose begin and end were lost. It ran between its submission and `time`.
    mutating func removeItemWithLostBegin(of slot: Int, at time: Int64, in state: inout ModelState) {
        state.unknown.add(
            UnknownInterval(
                queue: QueueIndex(Int(items[slot].queue)), thread: (items[slot].enqueuedOn.known ?? ThreadIndex(0)),
                begin: Timestamp(nanoseconds: items[slot].enqueuedAt), end: Timestamp(nanoseconds: time)))
        abandon(slot, at: time, in: &state)
    }

    /// The thread does something that is only possible outside of items, so the ends of its items were lost.
    mutating func endItemsWithLostEnds(at moment: Moment, in state: inout ModelState) {
        while case let innermost = Int(state.threads[moment.thread].innermost), innermost >= 0 {
            endItemWithLostEnd(of: innermost, at: moment.time, in: &state)
        }
    }

    /// The thread waited in libdispatch as an idle worker does, or as an item does in a wait that is not recorded. If
    /// it begins an async next, the ends of its items were lost.
    mutating func suspectLostEnds(on thread: ThreadIndex, in state: borrowing ModelState) {
        let innermost = Int(state.threads[thread].innermost)
        if innermost >= 0 { items[innermost].mayHaveEnded = true }
    }

    /// The item has run and releases its exclusion queue. Checks that no item ran at the same time that it excludes.
    ///
    /// ```
    ///   i  ├──────────┤ ends now
    ///   j        ├─────── lastBegin
    ///            ╰────╯ overlap
    /// ```
    @inline(__always)
    mutating func release(_ slot: Int, at time: Int64, in state: inout ModelState) {
        let item = items.place(of: slot)
        guard item.pointee.kind != .perform else { return }
        let position = Int(item.pointee.queue)
        let domain = Int(item.pointee.domain)
        let tolerance = state.options.clockTolerance.count
        let queue = state.forest.activity.place(of: position)
        queue.pointee.own.end(at: time)
        if domain >= 0 {
            let held = state.forest.activity.place(of: domain)
            held.pointee.domain.end(at: time)
            held.pointee.lastHolder = item.pointee.thread
            let isShared = held.pointee.domain.isBusy
            if !isShared {
                state.forest.resumePoolClocks(of: domain, at: time)
                state.blame.release(held.pointee.blame, at: time)
            }
            state.invariants.exclusion.check(!isShared || time - held.pointee.lastBegin <= tolerance)
            if held.pointee.sharedSince >= 0 {
                resynchronise(domain, ending: slot, at: time, in: &state)
                held.pointee.sharedSince = -1
            }
        } else if queue.pointee.honoursBarriers {
            if item.pointee.isBarrier {
                queue.pointee.writers.end(at: time)
                if !queue.pointee.writers.isBusy {
                    state.forest.resumePoolClocks(of: position, at: time)
                    state.blame.release(queue.pointee.blame, at: time)
                }
            }
            let isShared = item.pointee.isBarrier ? queue.pointee.own.isBusy : queue.pointee.writers.isBusy
            state.invariants.exclusion.check(!isShared || time - queue.pointee.lastBegin <= tolerance)
        }
    }

    /// Divides the time since a waiting item was last settled, and adds it to the parts of its wait.
    @inline(__always)
    mutating func settle(_ slot: Int, at time: Int64, in state: inout ModelState) {
        let item = items.place(of: slot)
        let queue = Int(item.pointee.queue)
        let reading = state.forest.snapshot(of: queue, at: time)
        items.giveDetails(to: slot)
        WaitPartition.settle(
            &item.pointee, reading: reading, at: time, isExclusive: state.forest.exclusion(of: queue) >= 0,
            needsWorker: !item.pointee.isSync || waitsForWorker(slot))
    }

    /// Settles all items that wait on these queues. Call before and after a change of their hierarchy.
    mutating func settleWaiting(on queues: [Int], at time: Int64, in state: inout ModelState) {
        for slot in waiting(on: queues, in: state) { settle(slot, at: time, in: &state) }
    }

    /// The slots of the items that wait on these queues.
    func waiting(on queues: [Int], in state: borrowing ModelState) -> [Int] {
        var slots: [Int] = []
        for queue in queues {
            for first in [state.forest.activity[queue].ordered.first, state.forest.activity[queue].unordered.first] {
                var slot = Int(first)
                while slot >= 0 {
                    slots.append(slot)
                    slot = Int(items[slot].next)
                }
            }
        }
        return slots
    }

    /// When the last obstacle of a beginning item disappeared; nil while its hierarchy is held.
    func freeSince(_ slot: Int, in state: inout ModelState) -> Int64? {
        let item = items.place(of: slot)
        let queue = state.forest.activity.place(of: Int(item.pointee.queue))
        let domain = Int(queue.pointee.exclusion)
        // Before the item began, `settledAt` of a delayed item was its due time. Settling at the begin changed it, so
        // compute the due time from the parts.
        var freeSince = item.pointee.enqueuedAt + item.pointee.parts.notDue.count
        if domain >= 0 {
            let held = state.forest.activity.place(of: domain)
            guard !held.pointee.domain.isBusy else { return nil }
            freeSince = max(freeSince, held.pointee.domain.idleSince)
        } else if queue.pointee.honoursBarriers {
            freeSince = max(freeSince, queue.pointee.writers.idleSince)
        }
        if item.pointee.parts.suspended > .zero { freeSince = max(freeSince, queue.pointee.suspensionChangedAt) }
        return freeSince
    }

    /// Moves the start time of the thread out of the scheduler's part, if the thread started while the item waited.
    @inline(__always)
    mutating func splitThreadStart(_ slot: Int, at moment: Moment, in state: inout ModelState) {
        let queue = state.forest.activity.place(of: Int(items.place(of: slot).pointee.queue))
        guard queue.pointee.pool < 0 else { return }
        let activity = state.threads.place(of: moment.thread)
        if queue.pointee.isMain, activity.pointee.worker != .none {
            let pool = Int(activity.pointee.pool)
            let asked = pool < 0 ? .min : state.forest.pools[pool].askedAt
            let awake = max(activity.pointee.startedAt, activity.pointee.awakeSince)
            serveMainQueueByWorkers(slot, at: moment, asked: asked, awake: awake, in: &state)
        } else {
            splitThreadStart(slot, thread: moment.thread, awake: activity.pointee.startedAt, in: &state)
        }
    }

    /// - Parameters:
    ///   - asked: when the thread was requested; `Int64.min` when unknown.
    ///   - awake: the first record of the thread.
    private mutating func splitThreadStart(
        _ slot: Int, thread: ThreadIndex, asked: Int64 = .min, awake: Int64, in state: inout ModelState
    ) {
        let item = items.place(of: slot)
        guard awake > item.pointee.enqueuedAt, item.pointee.enqueuedOn != thread,
            let freeSince = freeSince(slot, in: &state)
        else { return }
        WaitPartition.splitThreadStart(&item.pointee, freeSince: max(freeSince, asked), threadStart: awake)
    }

    /// A worker begins an item of the main queue for the first time, because the main thread called `dispatch_main`.
    /// All items that wait have waited for this worker. Later items use the clocks of the worker's pool.
    private mutating func serveMainQueueByWorkers(
        _ slot: Int, at moment: Moment, asked: Int64, awake: Int64, in state: inout ModelState
    ) {
        let queue = Int(items[slot].queue)
        splitThreadStart(slot, thread: moment.thread, asked: asked, awake: awake, in: &state)
        for waiting in waiting(on: [queue], in: state) {
            settle(waiting, at: moment.time, in: &state)
            splitThreadStart(waiting, thread: moment.thread, asked: asked, awake: awake, in: &state)
        }
        state.forest.activity[queue].ranOnWorker = true
        state.forest.activity[queue].isMain = false
        restructure(queue, at: moment.time, in: &state) { _ in }
    }
}
