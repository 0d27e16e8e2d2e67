// Begins and ends of items. A running item holds the exclusion queue of its hierarchy, and counts as running on its own
// queue.
//
// Items of a serial queue begin in the order of their submission. A submission is recorded before libdispatch processes
// it, and the thread can be preempted in between:
//
//   thread A   enqueue a ····· (preempted) ····· a is in the queue
//   thread B             enqueue b, b is in the queue, b begins
//
// It is valid that b begins first. The order is certain only if A recorded another event before B's submission, because
// A's submission was complete by then. A waiting sync records no further event, so its order is never certain, and it
// never counts as overtaken.
extension ItemTracker {
    /// The item with this id starts to run. `serial` is the serial number of its queue, for an item whose submission
    /// was lost. Returns its slot.
    @inline(__always) @discardableResult
    mutating func begin(_ id: UInt64, queue serial: UInt64, at moment: Moment, in state: inout ModelState) -> Slot {
        state.confirmSubmission(at: moment)
        let slot: Slot
        var isKnown = true
        if let known = state.items.slot(of: id), state.items[known].state != .running {
            slot = known
        } else {
            isKnown = false
            slot = open(id: id, kind: .async, queue: state.forest.queue(serial: serial), at: moment.time, in: &state)
        }
        let item = state.items.place(of: slot)
        // Workers begin asyncs only outside of other items, so the ends of the enclosing items were lost.
        let runner = state.threads.place(of: moment.thread)
        if item.pointee.kind == .async, !runner.pointee.innermost.isNone,
            runner.pointee.worker == .busy || state.items[runner.pointee.innermost].mayHaveEnded
        {
            endItemsWithLostEnds(at: moment, in: &state)
        }
        if item.pointee.state == .waiting {
            if !state.targets.isEmpty {
                state.changeTargets(ahead: slot, on: item.pointee.queue, at: moment.time)
            }
            if item.pointee.isOrdered, state.forest[item.pointee.queue].isOrdered {
                state.invariants.order.check(beginsInOrder(slot, at: moment.time, in: &state))
            }
            stopWaiting(slot, at: moment, in: &state)
        } else {
            // libdispatch itself submits source handlers and notifications, which is not recorded.
            item.pointee.enqueuedAt = moment.time
        }
        run(slot, isKnown: isKnown, at: moment, in: &state)
        if !item.pointee.handedOverBy.isNone { completeHandoff(slot, in: &state) }
        return slot
    }

    /// Ends the wait of an item and divides it into parts.
    @inline(__always)
    mutating func stopWaiting(_ slot: Slot, at moment: Moment, in state: inout ModelState) {
        state.items.settle(slot, at: moment.time, on: state.forest)
        state.countWait(of: slot, at: moment.time)
        leaveQueue(slot, at: moment.time, in: &state)
        state.splitThreadStart(slot, at: moment)
        if state.processors.isRecorded {
            state.processors.confirm(at: moment)
            state.measureWait(slot, at: moment)
        }
    }

    /// The item runs on this thread from now on. `isFree` is true for a sync that found its queue free.
    @inline(__always)
    mutating func run(_ slot: Slot, isKnown: Bool, isFree: Bool = false, at moment: Moment, in state: inout ModelState)
    {
        state.invariants.enqueues.check(isKnown)
        let (item, runner) = (state.items.place(of: slot), state.threads.place(of: moment.thread))
        state.items.giveDetails(to: slot)
        let details = item.pointee.details
        item.pointee.state = .running
        details.pointee.thread = moment.thread
        details.pointee.beganAt = moment.time
        state.forest.place(of: item.pointee.queue).pointee.load.begun += 1
        hold(slot, at: moment, in: &state)
        if isFree {
            state.beganUncontendedSync(at: moment)
        } else {
            state.began(slot, at: moment)
        }
        details.pointee.enclosing = runner.pointee.innermost
        if details.pointee.enclosing.isNone {
            if !item.pointee.isSync { details.pointee.wake = state.wake(of: slot, thread: moment.thread) }
            state.runOutermost(at: moment)
        }
        runner.pointee.innermost = slot
        runner.pointee.enteredGroup = .none
        if state.processors.isRecorded {
            state.processors.confirm(at: moment)
            details.pointee.timesAtBegin = state.processors.times(at: moment)
        }
    }

    /// Whether this item overtakes no item that was certainly submitted before it. The begin and end of an overtaken
    /// item are missing from the trace, so it is removed.
    @inline(__always)
    mutating func beginsInOrder(_ slot: Slot, at time: Int64, in state: inout ModelState) -> Bool {
        let queue = state.items[slot].queue
        if state.forest[queue].ordered.first == slot { return true }
        return overtakesNoItem(slot, queue: queue, at: time, in: &state)
    }

    private mutating func overtakesNoItem(_ slot: Slot, queue: QueueIndex, at time: Int64, in state: inout ModelState)
        -> Bool
    {
        let latest = state.items[slot].enqueuedAt - state.options.clockTolerance.count
        var ahead = state.forest[queue].ordered.first
        var isFirst = true
        // Few threads submit at the same time, so a limit of 16 items bounds the cost.
        var looks = 16
        while !ahead.isNone, ahead != slot, looks > 0 {
            let next = state.items[ahead].next
            let isCertain =
                state.items[ahead].confirmedAt <= latest
                || (state.items[ahead].enqueuedOn == state.items[slot].enqueuedOn && !state.items[ahead].isSync)
            if isCertain {
                isFirst = false
                removeItemWithLostBegin(of: ahead, at: time, in: &state)
            }
            ahead = next
            looks -= 1
        }
        return isFirst
    }

    /// The item starts to run and acquires its exclusion queue.
    @inline(__always)
    mutating func hold(_ slot: Slot, at moment: Moment, in state: inout ModelState) {
        let item = state.items.place(of: slot)
        // DispatchWorkItem.perform runs the item without a queue.
        guard item.pointee.kind != .perform else { return }
        let position = item.pointee.queue
        let queue = state.forest.place(of: position)
        let domain = queue.pointee.exclusion
        item.pointee.details.pointee.domain = domain
        queue.pointee.own.begin(at: moment.time)
        if queue.pointee.limit > 0 { state.forest.updateLimit(of: position, at: moment.time) }
        if !domain.isNone {
            let held = state.forest.place(of: domain)
            if held.pointee.domain.isBusy {
                endItemsWithLostEnds(inDomain: domain, at: moment, in: &state)
                resynchronise(domain, at: moment.time, in: &state)
                if held.pointee.domain.isBusy { held.pointee.sharedSince = moment.time }
            }
            if !held.pointee.domain.isBusy { state.forest.pausePoolClocks(of: domain, at: moment.time) }
            held.pointee.domain.begin(at: moment.time)
            let isOnMain = state.forest.mainExecutor.isOccupied(by: item.pointee.kind, holding: domain)
            item.pointee.details.pointee.isOnMain = isOnMain
            if isOnMain { state.forest.mainExecutor.occupied.begin(at: moment.time) }
            let isJob = state.blame.isJob(item.pointee.kind)
            state.blame.hold(held.pointee.blame, code: item.pointee.code.rawValue, isJob: isJob, at: moment.time)
            held.pointee.lastBegin = moment.time
        } else if queue.pointee.honoursBarriers {
            if item.pointee.isBarrier {
                if !queue.pointee.writers.isBusy { state.forest.pausePoolClocks(of: position, at: moment.time) }
                queue.pointee.writers.begin(at: moment.time)
                state.blame.hold(queue.pointee.blame, code: item.pointee.code.rawValue, at: moment.time)
            }
            queue.pointee.lastBegin = moment.time
        }
    }

    /// The item has run and releases its exclusion queue. Checks that no item ran at the same time that it excludes.
    ///
    /// ```
    ///   i  ├──────────┤ ends now
    ///   j        ├─────── lastBegin
    ///            ╰────╯ overlap
    /// ```
    @inline(__always)
    mutating func release(_ slot: Slot, at time: Int64, in state: inout ModelState) {
        let item = state.items.place(of: slot)
        guard item.pointee.kind != .perform else { return }
        let position = item.pointee.queue
        let domain = item.pointee.domain
        let tolerance = state.options.clockTolerance.count
        let queue = state.forest.place(of: position)
        queue.pointee.own.end(at: time)
        if queue.pointee.limit > 0 { state.forest.updateLimit(of: position, at: time) }
        if !domain.isNone {
            let held = state.forest.place(of: domain)
            held.pointee.domain.end(at: time)
            if item.pointee.details.pointee.isOnMain { state.forest.mainExecutor.occupied.end(at: time) }
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

    // MARK: Ends

    mutating func end(_ event: DispatchEvent.ItemEnd, at moment: Moment, in state: inout ModelState) {
        state.confirmSubmission(at: moment)
        guard let slot = state.items.slot(of: event.item), state.items[slot].state == .running else {
            state.invariants.ends.check(false)
            if let slot = state.items.slot(of: event.item) { abandon(slot, at: moment.time, in: &state) }
            return
        }
        finishAtRecordedEnd(slot, at: moment.time, in: &state)
    }

    /// Ends a running item at its recorded end.
    @inline(__always)
    mutating func finishAtRecordedEnd(_ slot: Slot, at time: Int64, in state: inout ModelState) {
        finish(slot, at: time, isFinished: true, in: &state)
        countEnd(at: time, in: &state)
    }

    @inline(__always)
    mutating func countEnd(at time: Int64, in state: inout ModelState) {
        state.invariants.ends.check(true)
        state.invariants.times.check(true)
        endsUntilSettling -= 1
        if endsUntilSettling <= 0 {
            // Settling visits every thread, so it is done once per 1,024 ends.
            endsUntilSettling = 1024
            state.settle(until: min(time, state.threads.earliestBegin()))
        }
    }

    mutating func finish(_ slot: Slot, at time: Int64, isFinished: Bool, in state: inout ModelState) {
        let item = state.items.place(of: slot)
        let details = item.pointee.details
        if isFinished, item.pointee.isSync, !details.pointee.isCallout {
            let returned = details.pointee.returnedAt
            state.invariants.syncReturns.check(
                returned == .max || time - returned <= state.options.clockTolerance.count)
        }
        state.ended(slot, at: time)
        release(slot, at: time, in: &state)
        state.leaveThread(slot, at: time)
        state.chargeCaller(of: slot, at: time)
        if state.waits.hasWaiters { state.signalEnd(of: slot, at: time) }
        if isFinished, state.processors.isRecorded {
            state.processors.confirm(at: Moment(time: time, thread: details.pointee.thread))
        }
        emit(slot, at: time, isFinished: isFinished, in: &state)
        state.items.recycle(slot)
        if !state.targets.isEmpty { state.changeTargets(behind: item.pointee.number, at: time) }
    }

    @inline(__always)
    private func emit(_ slot: Slot, at time: Int64, isFinished: Bool, in state: inout ModelState) {
        let item = state.items.place(of: slot)
        let (details, queue) = (item.pointee.details, state.forest.place(of: item.pointee.queue))
        var times: ProcessorTimes?
        // Skip threads without recorded switches: they would appear to be on a processor all the time.
        if state.processors.isRecorded, case let moment = Moment(time: time, thread: details.pointee.thread),
            state.processors.isKnown(moment.thread, since: details.pointee.beganAt)
        {
            // An item that began before the first switch of the trace has no times at its begin.
            times = state.processors.times(at: moment) - (details.pointee.timesAtBegin ?? ProcessorTimes())
        }
        let isNested = state.items.isInItem(details.pointee.enclosing)
        let weightShift = SampledItem.complete(item, on: queue, in: state.sampling)
        state.emitItem { row in
            OpenItem.fill(
                row, with: UnsafePointer(item), endedAt: time, isFinished: isFinished, isNested: isNested,
                processorTimes: times, weightShift: weightShift, in: UnsafePointer(queue))
        }
    }

    // MARK: Lost ends

    /// The thread already holds the domain that it acquires. libdispatch would terminate the process for that, so the
    /// end of the item that holds the domain was lost.
    private mutating func endItemsWithLostEnds(
        inDomain domain: QueueIndex, at moment: Moment, in state: inout ModelState
    ) {
        var inner = state.threads[moment.thread].innermost
        while !inner.isNone {
            let next = state.items[inner].enclosing
            if state.items[inner].domain == domain { endItemWithLostEnd(of: inner, at: moment.time, in: &state) }
            inner = next
        }
    }

    /// Two items seem to hold a domain for longer than clocks of threads differ, so the end of the earlier item was
    /// lost. `ending` is the item whose end is being processed.
    private mutating func resynchronise(
        _ domain: QueueIndex, ending: Slot = .none, at time: Int64, in state: inout ModelState
    ) {
        let shared = state.forest[domain].sharedSince
        guard shared >= 0, time - shared > state.options.clockTolerance.count else { return }
        state.forest[domain].sharedSince = -1
        for thread in state.threads.indices {
            var inner = state.threads[thread].innermost
            while !inner.isNone {
                let next = state.items[inner].enclosing
                if inner != ending, state.items[inner].domain == domain, state.items[inner].beganAt < shared {
                    endItemWithLostEnd(of: inner, at: time, in: &state)
                }
                inner = next
            }
        }
    }

    /// Ends a running item whose end was lost. The actual end is at an unknown time before `time`.
    private mutating func endItemWithLostEnd(of slot: Slot, at time: Int64, in state: inout ModelState) {
        state.unknown.add(
            UnknownInterval(
                queue: state.items[slot].queue, thread: state.items[slot].thread,
                begin: Timestamp(nanoseconds: state.items[slot].beganAt), end: Timestamp(nanoseconds: time)))
        finish(slot, at: time, isFinished: false, in: &state)
    }

    /// Removes a waiting item whose begin and end were lost. It ran between its submission and `time`.
    mutating func removeItemWithLostBegin(of slot: Slot, at time: Int64, in state: inout ModelState) {
        state.unknown.add(
            UnknownInterval(
                queue: state.items[slot].queue,
                thread: (state.items[slot].enqueuedOn.known ?? ThreadIndex(0)),
                begin: Timestamp(nanoseconds: state.items[slot].enqueuedAt), end: Timestamp(nanoseconds: time)))
        abandon(slot, at: time, in: &state)
    }

    /// The thread does something that is only possible outside of items, so the ends of its items were lost.
    mutating func endItemsWithLostEnds(at moment: Moment, in state: inout ModelState) {
        while case let innermost = state.threads[moment.thread].innermost, !innermost.isNone {
            endItemWithLostEnd(of: innermost, at: moment.time, in: &state)
        }
    }

    /// The thread waited in libdispatch as an idle worker does, or as an item does in a wait that is not recorded. If
    /// it begins an async next, the ends of its items were lost.
    mutating func suspectLostEnds(on thread: ThreadIndex, in state: inout ModelState) {
        let innermost = state.threads[thread].innermost
        if !innermost.isNone { state.items[innermost].mayHaveEnded = true }
    }
}
