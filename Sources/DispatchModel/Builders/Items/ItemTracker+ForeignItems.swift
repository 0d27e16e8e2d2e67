// Items that libdispatch does not run: jobs of actors (a task runs on an actor for a while) and iterations of event
// loops. They wait for their queue and hold it like other items, and nest in the items of libdispatch that they run in.
//
//   worker   callout_begin ── task_begin ─────────────── task_suspend ── callout_end
//   item     ├───────────────────────────────────────────────────────────────────┤   on a global queue
//   job                        ├─────────────────────────┤                           on the actor
extension ItemTracker {
    /// Appends a new item to the queue of an actor or event loop. Returns its slot.
    mutating func enqueueForeign(
        _ kind: ItemKind, on queue: Int, code: CodeIndex, at moment: Moment, in state: inout ModelState
    ) -> Int {
        confirmSubmission(at: moment, in: &state)
        let slot = openForeign(kind, on: queue, code: code, at: moment, in: &state)
        submit(slot, at: moment.time, in: &state)
        return slot
    }

    /// Begins a waiting item. Does nothing if the item has been abandoned.
    mutating func beginForeign(
        _ slot: Int, number: Int64, at moment: Moment, in state: inout ModelState
    ) {
        guard items[slot].number == number, items[slot].state == .waiting else { return }
        confirmSubmission(at: moment, in: &state)
        stopWaiting(slot, at: moment, in: &state)
        setPool(of: Int(items[slot].queue), at: moment, in: &state)
        run(slot, isKnown: true, at: moment, in: &state)
    }

    /// Begins a new item at once on a free queue. Returns its slot.
    mutating func runForeign(
        _ kind: ItemKind, on queue: Int, code: CodeIndex, at moment: Moment, in state: inout ModelState
    ) -> Int {
        confirmSubmission(at: moment, in: &state)
        setPool(of: queue, at: moment, in: &state)
        let slot = openForeign(kind, on: queue, code: code, at: moment, in: &state)
        items[slot].isEnqueueKnown = true
        run(slot, isKnown: true, at: moment, in: &state)
        return slot
    }

    /// Ends a running item. Does nothing if the item has already ended.
    mutating func endForeign(_ slot: Int, number: Int64, at time: Int64, in state: inout ModelState) {
        guard items[slot].number == number, items[slot].state == .running else { return }
        finishAtRecordedEnd(slot, at: time, in: &state)
    }

    /// Ends a running item whose end was not recorded.
    mutating func endForeignUnfinished(_ slot: Int, number: Int64, at time: Int64, in state: inout ModelState) {
        guard items[slot].number == number, items[slot].state == .running else { return }
        finish(slot, at: time, isFinished: false, in: &state)
    }

    /// Whether an item has been submitted and has not begun.
    func isWaiting(_ slot: Int, number: Int64) -> Bool {
        items[slot].number == number && items[slot].state == .waiting
    }

    /// Removes a waiting item that will not run.
    mutating func cancelForeign(_ slot: Int, number: Int64, at time: Int64, in state: inout ModelState) {
        guard isWaiting(slot, number: number) else { return }
        countWait(of: slot, at: time, in: &state)
        abandon(slot, at: time, in: &state)
    }

    /// Names a job after the task that it resumes, which is more specific than the runtime function that resumes it.
    mutating func nameJob(on thread: ThreadIndex, code: CodeIndex, in state: inout ModelState) {
        let slot = innermostOfDispatch(on: thread, in: &state)
        guard slot >= 0, items[slot].kind == .swiftJob, !items[slot].isJobNamed, code != .unknown else { return }
        items[slot].isJobNamed = true
        items[slot].code = code.rawValue
    }

    /// Sets the pool of an actor from the thread of a task that runs on the actor or suspends for it: the workers that
    /// run the task also run the actor. The first pool is kept, although each quality of service has its own pool.
    func setPool(of actor: Int, at moment: Moment, in state: inout ModelState) {
        guard state.forest.activity[actor].needsPool else { return }
        let pool = poolOfTasks(on: moment.thread, in: &state)
        if pool >= 0 { state.forest.join(actor, pool: pool, at: moment.time) }
    }

    /// The pool of the global executor whose job the thread runs; -1 for none.
    private func poolOfTasks(on thread: ThreadIndex, in state: inout ModelState) -> Int {
        let job = innermostOfDispatch(on: thread, in: &state)
        guard job >= 0 else {
            // The begin of the job was lost.
            let worker = state.threads[thread]
            return worker.worker == .none ? -1 : Int(worker.pool)
        }
        let queue = Int(items[job].queue)
        // A serial queue that runs jobs belongs to a custom executor or to the main actor.
        guard items[job].kind == .swiftJob, state.forest.exclusion(of: queue) < 0 else { return -1 }
        return Int(state.forest.activity[queue].pool)
    }

    private mutating func openForeign(
        _ kind: ItemKind, on queue: Int, code: CodeIndex, at moment: Moment, in state: inout ModelState
    ) -> Int {
        let slot = items.take(kind: kind, queue: queue, at: moment.time)
        items[slot].code = code.rawValue
        items[slot].enqueuedOn = moment.thread
        joinOperation(slot, of: moment.thread, in: &state)
        recordCause(of: slot, at: moment, in: &state)
        return slot
    }

    /// Whether a slot, or an enclosing slot, holds an item or a job of an actor. Iterations of event loops do not
    /// count.
    @inline(__always)
    func isInItem(_ innermost: Int) -> Bool {
        var slot = innermost
        while slot >= 0, items.place(of: slot).pointee.kind == .loopIteration {
            slot = Int(items.place(of: slot).pointee.details.pointee.enclosing)
        }
        return slot >= 0
    }

    /// Slot of the innermost item of libdispatch that runs on a thread; -1 for none.
    @inline(__always)
    func innermostOfDispatch(on thread: ThreadIndex, in state: inout ModelState) -> Int {
        var slot = Int(state.threads[thread].innermost)
        while slot >= 0, items[slot].isForeign { slot = Int(items[slot].enclosing) }
        return slot
    }
}
