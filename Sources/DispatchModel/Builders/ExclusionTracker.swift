// Who holds what: a running item holds the exclusion queue of its hierarchy, and counts as running on its own queue.
extension ItemTracker {
    /// The item starts to run.
    @inline(__always)
    mutating func hold(_ slot: Int, at time: Int64, thread: Int, in state: inout ModelState) {
        // DispatchWorkItem.perform runs code without a queue.
        guard items[slot].kind != .perform else { return }
        let queue = Int(items[slot].queue)
        let domain = state.forest.exclusion(of: queue)
        items[slot].domain = Int32(domain)
        state.forest.activity[queue].own.begin(at: time)
        if domain >= 0 {
            if state.forest.activity[domain].domain.isBusy {
                giveUpLostEnds(inDomain: domain, of: thread, at: time, in: &state)
                resynchronise(domain, at: time, in: &state)
                if state.forest.activity[domain].domain.isBusy { state.forest.activity[domain].sharedSince = time }
            }
            if !state.forest.activity[domain].domain.isBusy { state.forest.hidePool(of: domain, at: time) }
            state.forest.activity[domain].domain.begin(at: time)
            state.blame.hold(state.forest.activity[domain].blame, code: items[slot].code, at: time)
            state.forest.activity[domain].lastBegin = time
        } else if state.forest.activity[queue].honoursBarriers {
            if items[slot].isBarrier {
                if !state.forest.activity[queue].writers.isBusy { state.forest.hidePool(of: queue, at: time) }
                state.forest.activity[queue].writers.begin(at: time)
                state.blame.hold(state.forest.activity[queue].blame, code: items[slot].code, at: time)
            }
            state.forest.activity[queue].lastBegin = time
        }
    }

    /// A thread cannot take what it holds already: libdispatch would have ended the process. So the end of the item
    /// that holds it was lost.
    private mutating func giveUpLostEnds(
        inDomain domain: Int, of thread: Int, at time: Int64, in state: inout ModelState
    ) {
        var inner = Int(state.threads.activity[thread].innermost)
        while inner >= 0 {
            let next = Int(items[inner].enclosing)
            if items[inner].domain == domain { giveUpEnd(of: inner, at: time, in: &state) }
            inner = next
        }
    }

    /// Two items seem to hold a domain for longer than clocks differ: the end of the earlier one was lost.
    /// `ending` is the item whose end is being recorded, if any.
    private mutating func resynchronise(
        _ domain: Int, ending: Int = -1, at time: Int64, in state: inout ModelState
    ) {
        let shared = state.forest.activity[domain].sharedSince
        guard shared >= 0, time - shared > state.options.clockTolerance.count else { return }
        state.forest.activity[domain].sharedSince = -1
        for thread in state.threads.activity.indices {
            var inner = Int(state.threads.activity[thread].innermost)
            while inner >= 0 {
                let next = Int(items[inner].enclosing)
                if inner != ending, items[inner].domain == domain, items[inner].beganAt < shared {
                    giveUpEnd(of: inner, at: time, in: &state)
                }
                inner = next
            }
        }
    }

    /// The end of a running item was lost: it has ended some time before now.
    private mutating func giveUpEnd(of slot: Int, at time: Int64, in state: inout ModelState) {
        state.unknown.add(
            UnknownStretch(
                queue: QueueIndex(Int(items[slot].queue)), thread: ThreadIndex(Int(items[slot].thread)),
                begin: Timestamp(nanoseconds: items[slot].beganAt), end: Timestamp(nanoseconds: time)))
        finish(slot, at: time, isFinished: false, in: &state)
    }

    /// A waiting item has run, some time between its submission and now.
    mutating func giveUpBegin(of slot: Int, at time: Int64, in state: inout ModelState) {
        state.unknown.add(
            UnknownStretch(
                queue: QueueIndex(Int(items[slot].queue)), thread: ThreadIndex(Int(max(0, items[slot].enqueuedOn))),
                begin: Timestamp(nanoseconds: items[slot].enqueuedAt), end: Timestamp(nanoseconds: time)))
        abandon(slot, at: time, in: &state)
    }

    /// The thread does what it can only do without an item: the ends of the items that it ran were lost.
    mutating func giveUpEnds(on thread: Int, at time: Int64, in state: inout ModelState) {
        while case let innermost = Int(state.threads.activity[thread].innermost), innermost >= 0 {
            giveUpEnd(of: innermost, at: time, in: &state)
        }
    }

    /// The item has run. Checks that nothing ran beside it that must not.
    ///
    /// ```
    ///   i  ├──────────┤ ends now
    ///   j        ├─────── lastBegin
    ///            ╰────╯ overlap
    /// ```
    @inline(__always)
    mutating func letGo(_ slot: Int, at time: Int64, in state: inout ModelState) {
        guard items[slot].kind != .perform else { return }
        let queue = Int(items[slot].queue)
        let domain = Int(items[slot].domain)
        let tolerance = state.options.clockTolerance.count
        state.forest.activity[queue].own.end(at: time)
        if domain >= 0 {
            state.forest.activity[domain].domain.end(at: time)
            state.forest.activity[domain].lastHolder = items[slot].thread
            let isShared = state.forest.activity[domain].domain.isBusy
            if !isShared {
                state.forest.showPool(of: domain, at: time)
                state.blame.letGo(state.forest.activity[domain].blame, at: time)
            }
            state.invariants.exclusion.check(
                !isShared || time - state.forest.activity[domain].lastBegin <= tolerance)
            if state.forest.activity[domain].sharedSince >= 0 {
                resynchronise(domain, ending: slot, at: time, in: &state)
                state.forest.activity[domain].sharedSince = -1
            }
        } else if state.forest.activity[queue].honoursBarriers {
            if items[slot].isBarrier {
                state.forest.activity[queue].writers.end(at: time)
                if !state.forest.activity[queue].writers.isBusy {
                    state.forest.showPool(of: queue, at: time)
                    state.blame.letGo(state.forest.activity[queue].blame, at: time)
                }
            }
            let isShared =
                items[slot].isBarrier
                ? state.forest.activity[queue].own.isBusy : state.forest.activity[queue].writers.isBusy
            state.invariants.exclusion.check(!isShared || time - state.forest.activity[queue].lastBegin <= tolerance)
        }
    }

    /// Books the time since a waiting item was last settled.
    @inline(__always)
    mutating func settle(_ slot: Int, at time: Int64, in state: borrowing ModelState) {
        let queue = Int(items[slot].queue)
        let reading = state.forest.snapshot(of: queue, at: time)
        WaitPartition.settle(
            &items[slot], reading: reading, at: time, isExclusive: state.forest.activity[queue].exclusion >= 0)
    }

    /// Settles and takes new readings for the items that wait on these queues, around a change of their hierarchy.
    mutating func settleWaiting(on queues: [Int], at time: Int64, in state: borrowing ModelState) {
        for queue in queues {
            for list in [state.forest.activity[queue].ordered, state.forest.activity[queue].unordered] {
                var slot = Int(list.first)
                while slot >= 0 {
                    settle(slot, at: time, in: state)
                    slot = Int(items[slot].next)
                }
            }
        }
    }

    /// When the last thing went away that held up an item that begins; nil while its hierarchy is held.
    func freeSince(_ slot: Int, in state: borrowing ModelState) -> Int64? {
        let queue = Int(items[slot].queue)
        let domain = state.forest.exclusion(of: queue)
        // `settledAt` of a delayed item was its due time, but settling at the begin moved it: recover it from the
        // parts.
        var freeSince = items[slot].enqueuedAt + items[slot].parts.notDue.count
        if domain >= 0 {
            guard !state.forest.activity[domain].domain.isBusy else { return nil }
            freeSince = max(freeSince, state.forest.activity[domain].domain.idleSince)
        } else if state.forest.activity[queue].honoursBarriers {
            freeSince = max(freeSince, state.forest.activity[queue].writers.idleSince)
        }
        if items[slot].parts.suspended > .zero {
            freeSince = max(freeSince, state.forest.activity[queue].suspensionChangedAt)
        }
        return freeSince
    }

    /// Splits the thread's start off the scheduler's part, when the thread started while the item waited for one.
    @inline(__always)
    mutating func splitThreadStart(_ slot: Int, thread: Int, in state: borrowing ModelState) {
        let threadStart = state.threads.activity[thread].startedAt
        guard threadStart > items[slot].enqueuedAt, items[slot].enqueuedOn != thread,
            state.forest.activity[Int(items[slot].queue)].pool < 0, let freeSince = freeSince(slot, in: state)
        else { return }
        WaitPartition.splitThreadStart(&items[slot], freeSince: freeSince, threadStart: threadStart)
    }
}
