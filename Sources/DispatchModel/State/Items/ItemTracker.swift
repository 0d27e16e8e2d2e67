/// Tracks items from submission to end.
///
/// ``ModelState/items`` has the open items, and ``ModelState/forest`` the state of the queues. This file has the
/// submission of items, their due times, and the items of actors and event loops. `ItemTracker+Runs` has their begins
/// and ends, and `ItemTracker+Syncs` the calls of syncs.
///
/// Items that libdispatch does not run are jobs of actors (a task runs on an actor for a while) and iterations of event
/// loops. They wait for their queue and hold it like other items, and nest in the items of libdispatch that run them.
///
/// ```
///   worker   callout_begin ── task_begin ─────────────── task_suspend ── callout_end
///   item     ├───────────────────────────────────────────────────────────────────┤   on a global queue
///   job                        ├─────────────────────────┤                           on the actor
/// ```
struct ItemTracker: ~Copyable {
    var due = DueHeap()
    var endsUntilSettling = 0

    /// Takes a slot for a new item. Abandons an open item with the same id first, because its end was lost.
    mutating func open(id: UInt64, kind: ItemKind, queue: QueueIndex, at time: Int64, in state: inout ModelState)
        -> Slot
    {
        if let old = state.items.slot(of: id) { abandon(old, at: time, in: &state) }
        let slot = state.items.take(kind: kind, queue: queue, at: time)
        state.items.give(id, to: slot)
        return slot
    }

    /// Removes an item whose begin or end is lost.
    mutating func abandon(_ slot: Slot, at time: Int64, in state: inout ModelState) {
        switch state.items[slot].state {
        case .running: finish(slot, at: time, isFinished: false, in: &state)
        case .waiting:
            let number = state.items[slot].number
            leaveQueue(slot, at: time, in: &state)
            state.removed(slot)
            state.items.recycle(slot)
            if !state.targets.isEmpty { state.changeTargets(behind: number, at: time) }
        case .announced:
            state.removed(slot)
            state.items.recycle(slot)
        case .free: break
        }
    }

    // MARK: Submission

    mutating func enqueue(
        _ event: DispatchEvent.ItemEnqueue, isRecordedLate: Bool = false, at moment: Moment,
        in state: inout ModelState
    ) {
        state.confirmSubmission(at: moment)
        if let known = state.items.slot(of: event.item) {
            // The clocks of the two threads differ: the begin was recorded before the submission.
            if state.items[known].state == .running, !state.items[known].isEnqueueKnown,
                state.items[known].source.isNone
            {
                return attachLateEnqueue(event, to: known, at: moment, in: &state)
            }
            // The group of a notification became empty, so libdispatch submits the notification now.
            if state.items[known].state == .announced, state.items[known].source.isNone {
                state.submitted(known, at: moment)
                return submit(known, at: moment.time, in: &state)
            }
            // The end of the old item was lost.
            abandon(known, at: moment.time, in: &state)
        }
        let queue =
            event.queue == 0 && event.kind == .perform
            ? state.forest.placeholder(.perform) : state.forest.queue(serial: event.queue)
        let slot = state.items.take(kind: event.kind, queue: queue, at: moment.time)
        state.items.give(event.item, to: slot)
        let item = state.items.place(of: slot)
        item.pointee.qos = event.qos
        item.pointee.code = state.codes.code(event.code)
        item.pointee.enqueuedOn = moment.thread
        item.pointee.isRecordedLate = isRecordedLate
        let submitter = state.threads.place(of: moment.thread)
        // The item of the group may be missing, and this item may belong to another call.
        if state.sampling.isSampled { submitter.pointee.enteredGroup = .none }
        if !submitter.pointee.enteredGroup.isNone {
            state.items.giveDetails(to: slot)
            item.pointee.group = submitter.pointee.enteredGroup
            submitter.pointee.enteredGroup = .none
        }
        submitter.pointee.submitted = slot
        submitter.pointee.submittedNumber = item.pointee.number
        submitter.pointee.submittedAt = moment.time
        state.joinOperation(slot, of: moment.thread)
        if event.kind == .notify { state.joinEnded(slot, at: moment) }
        state.submitted(slot, at: moment)
        submit(slot, at: moment.time, in: &state)
    }

    /// Appends an item to its queue.
    mutating func submit(_ slot: Slot, at time: Int64, in state: inout ModelState) {
        let item = state.items.place(of: slot)
        let position = item.pointee.queue
        item.pointee.state = .waiting
        item.pointee.isEnqueueKnown = true
        item.pointee.enqueuedAt = time
        if item.pointee.hasOwnDetails { item.pointee.settledAt = time }
        item.pointee.snapshot = state.forest.snapshot(of: position, at: time)
        item.pointee.isOrdered = item.pointee.obeysOrder
        let queue = state.forest.place(of: position)
        if item.pointee.isOrdered {
            state.items.append(slot, to: &queue.pointee.ordered)
            if item.pointee.isSync, !queue.pointee.exclusion.isNone { state.items.followWorker(slot) }
        } else {
            state.items.append(slot, to: &queue.pointee.unordered)
            if item.pointee.isSync, !queue.pointee.exclusion.isNone {
                state.items.followWorker(slot, behind: queue.pointee.ordered.last)
            }
        }
        state.items.followBarrier(slot, on: state.forest)
        state.blame.startContending(slot, at: time, of: state.items, on: state.forest)
        queue.pointee.changeDepth(by: 1, at: time)
    }

    private mutating func attachLateEnqueue(
        _ event: DispatchEvent.ItemEnqueue, to slot: Slot, at moment: Moment, in state: inout ModelState
    ) {
        state.items[slot].isEnqueueKnown = true
        state.items[slot].kind = event.kind
        state.items[slot].qos = event.qos
        state.items[slot].code = state.codes.code(event.code)
        state.items[slot].enqueuedOn = moment.thread
        state.invariants.enqueues.violations -= 1
        if moment.time - state.items[slot].beganAt > state.options.clockTolerance.count {
            state.invariants.times.violations += 1
        }
    }

    mutating func cancel(_ id: UInt64, at time: Int64, in state: inout ModelState) {
        guard let slot = state.items.slot(of: id), state.items[slot].state != .running else { return }
        if state.items[slot].state == .waiting {
            state.items.settle(slot, at: time, on: state.forest)
            state.countWait(of: slot, at: time)
            state.emit(.pending(state.items[slot].pending(until: time, isCancelled: true)))
        }
        abandon(slot, at: time, in: &state)
    }

    /// Removes a waiting item from the lists and counters of its queue.
    @inline(__always)
    mutating func leaveQueue(_ slot: Slot, at time: Int64, in state: inout ModelState) {
        let item = state.items.place(of: slot)
        let queue = state.forest.place(of: item.pointee.queue)
        if item.pointee.isOrdered {
            state.items.releaseSyncs(behind: item, at: time, on: state.forest)
            state.items.remove(slot, from: &queue.pointee.ordered)
        } else {
            state.items.remove(slot, from: &queue.pointee.unordered)
        }
        state.blame.stopContending(slot, at: time, of: state.items, on: state.forest)
        state.items.releaseFollowers(of: slot, at: time, on: state.forest)
        state.items.stopFollowing(slot)
        queue.pointee.changeDepth(by: -1, at: time)
    }

    /// Marks a waiting item as a barrier. Barriers have an effect only on the program's own concurrent queues.
    mutating func markBarrier(_ id: UInt64, in state: inout ModelState) {
        guard let slot = state.items.slot(of: id) else { return }
        state.items[slot].isBarrier = true
        let queue = state.items[slot].queue
        guard state.items[slot].state == .waiting, state.forest[queue].honoursBarriers else { return }
        // A barrier does not follow a barrier, because every running item blocks it. A sync needs no worker of its own
        // once the barrier ahead has one.
        let ahead = state.items[slot].barrier
        state.items.stopFollowing(slot)
        if !ahead.isNone, state.items[slot].isSync { state.items.followWorker(slot, behind: ahead) }
        state.forest[queue].lastBarrier = slot
    }

    /// Marks the item as delayed.
    mutating func delay(_ event: DispatchEvent.ItemDelay, at time: Int64, in state: inout ModelState) {
        guard let slot = state.items.slot(of: event.item), state.items[slot].state == .waiting else { return }
        state.blame.stopContending(slot, at: time, of: state.items, on: state.forest)
        state.items[slot].isDelayed = true
        let delay = Int64(clamping: event.delay)
        let (dueTime, overflow) = time.addingReportingOverflow(delay)
        guard !overflow else { return }
        state.items.giveDetails(to: slot)
        state.items[slot].dueAt = dueTime
        due.insert(.init(due: dueTime, slot: slot, number: state.items[slot].number))
    }

    /// Settles the delayed items that became due up to `time`, each at its due time. Call before every event.
    @inline(__always)
    mutating func advance(to time: Int64, in state: inout ModelState) {
        if due.nextDue <= time { becomeDue(upTo: time, in: &state) }
    }

    private mutating func becomeDue(upTo time: Int64, in state: inout ModelState) {
        while due.nextDue <= time {
            let entry = due.removeFirst()
            let slot = entry.slot
            guard state.items[slot].number == entry.number, state.items[slot].state == .waiting,
                state.items[slot].isDelayed
            else {
                continue
            }
            state.items.settle(slot, at: entry.due, on: state.forest)
            state.items[slot].isDelayed = false
            state.blame.startContending(slot, at: entry.due, of: state.items, on: state.forest)
        }
    }

    // MARK: Foreign items

    /// Appends a new item to the queue of an actor or event loop. Returns its slot.
    mutating func enqueueForeign(
        _ kind: ItemKind, on queue: QueueIndex, code: CodeIndex, at moment: Moment, in state: inout ModelState
    ) -> Slot {
        state.confirmSubmission(at: moment)
        let slot = openForeign(kind, on: queue, code: code, at: moment, in: &state)
        submit(slot, at: moment.time, in: &state)
        return slot
    }

    /// Begins a waiting item. Does nothing if the item has been abandoned.
    mutating func beginForeign(_ slot: Slot, number: Int64, at moment: Moment, in state: inout ModelState) {
        guard state.items[slot].number == number, state.items[slot].state == .waiting else { return }
        state.confirmSubmission(at: moment)
        stopWaiting(slot, at: moment, in: &state)
        setPool(of: state.items[slot].queue, at: moment, in: &state)
        run(slot, isKnown: true, at: moment, in: &state)
    }

    /// Begins a new item at once on a free queue. Returns its slot.
    mutating func runForeign(
        _ kind: ItemKind, on queue: QueueIndex, code: CodeIndex, at moment: Moment, in state: inout ModelState
    ) -> Slot {
        state.confirmSubmission(at: moment)
        setPool(of: queue, at: moment, in: &state)
        let slot = openForeign(kind, on: queue, code: code, at: moment, in: &state)
        state.items[slot].isEnqueueKnown = true
        run(slot, isKnown: true, at: moment, in: &state)
        return slot
    }

    /// Ends a running item. Does nothing if the item has already ended.
    mutating func endForeign(_ slot: Slot, number: Int64, at time: Int64, in state: inout ModelState) {
        guard state.items[slot].number == number, state.items[slot].state == .running else { return }
        finishAtRecordedEnd(slot, at: time, in: &state)
    }

    /// Ends a running item whose end was not recorded.
    mutating func endForeignUnfinished(_ slot: Slot, number: Int64, at time: Int64, in state: inout ModelState) {
        guard state.items[slot].number == number, state.items[slot].state == .running else { return }
        finish(slot, at: time, isFinished: false, in: &state)
    }

    /// The running item represents no other item in a sampled trace.
    func keepWhole(_ slot: Slot, in state: inout ModelState) { state.items[slot].isWhole = true }

    /// Removes a waiting item that will not run.
    mutating func cancelForeign(_ slot: Slot, number: Int64, at time: Int64, in state: inout ModelState) {
        guard state.items.isWaiting(slot, number: number) else { return }
        state.countWait(of: slot, at: time)
        abandon(slot, at: time, in: &state)
    }

    /// Names a job after the task that it resumes, which is more specific than the runtime function that resumes it.
    mutating func nameJob(on thread: ThreadIndex, code: CodeIndex, in state: inout ModelState) {
        let slot = state.innermostOfDispatch(on: thread)
        guard !slot.isNone, state.items[slot].kind == .swiftJob, !state.items[slot].isJobNamed, code != .unknown else {
            return
        }
        state.items[slot].isJobNamed = true
        state.items[slot].code = code
    }

    /// Sets the pool of an actor from the thread of a task that runs on the actor or suspends for it: the workers that
    /// run the task also run the actor. The first pool is kept, although each quality of service has its own pool.
    func setPool(of actor: QueueIndex, at moment: Moment, in state: inout ModelState) {
        guard state.forest[actor].needsPool else { return }
        let (pool, isLimited) = poolOfTasks(on: moment.thread, in: &state)
        if pool >= 0 { state.forest.join(actor, pool: pool, isLimited: isLimited, at: moment.time) }
    }

    /// The pool of the global executor whose job the thread runs, -1 for none, and whether the executor has a limit.
    private func poolOfTasks(on thread: ThreadIndex, in state: inout ModelState) -> (pool: Int, isLimited: Bool) {
        let job = state.innermostOfDispatch(on: thread)
        guard !job.isNone else {
            // The begin of the job was lost.
            let worker = state.threads[thread]
            return (worker.worker == .none ? -1 : Int(worker.pool), false)
        }
        let queue = state.items[job].queue
        // A serial queue that runs jobs belongs to a custom executor or to the main actor.
        guard state.items[job].kind == .swiftJob, state.forest.exclusion(of: queue).isNone else { return (-1, false) }
        return (Int(state.forest[queue].pool), state.forest[queue].limit > 0)
    }

    private mutating func openForeign(
        _ kind: ItemKind, on queue: QueueIndex, code: CodeIndex, at moment: Moment, in state: inout ModelState
    ) -> Slot {
        let slot = state.items.take(kind: kind, queue: queue, at: moment.time)
        state.items[slot].code = code
        state.items[slot].enqueuedOn = moment.thread
        state.joinOperation(slot, of: moment.thread)
        state.submitted(slot, at: moment)
        return slot
    }

    // MARK: End of the trace

    /// The thread ended, so its items end.
    mutating func exitThread(at moment: Moment, in state: inout ModelState) {
        while case let innermost = state.threads[moment.thread].innermost, !innermost.isNone {
            finish(innermost, at: moment.time, isFinished: false, in: &state)
        }
    }

    /// The end of the trace: reports running items as unfinished, and counts and reports waiting state.items.
    mutating func finishAll(at time: Int64, in state: inout ModelState) {
        advance(to: time, in: &state)
        state.targets.removeAll()
        let running = state.items.indices.filter { state.items[$0].state == .running }
        // Ending an item can reveal the lost end of another one. Inner items end before outer state.items.
        for slot in running.sorted(by: { state.items[$0].number < state.items[$1].number }) {
            while state.items[slot].state == .running {
                let innermost = state.threads[state.items[slot].thread].innermost
                finish(innermost.isNone ? slot : innermost, at: time, isFinished: false, in: &state)
            }
        }
        var pending: [PendingItem] = []
        for slot in state.items.indices where state.items[slot].state == .waiting {
            state.forest[state.items[slot].queue].load.neverBegun += 1
            if state.items[slot].isSync { emitOpenWait(slot, at: time, in: &state) }
            state.items.settle(slot, at: time, on: state.forest)
            state.countWait(of: slot, at: time)
            pending.append(state.items[slot].pending(until: time, isCancelled: false))
            leaveQueue(slot, at: time, in: &state)
            state.items.recycle(slot)
        }
        for item in pending.sorted(by: { $0.number < $1.number }) { state.emit(.pending(item)) }
        state.settle(until: time)
    }
}
