// Items that libdispatch does not know: a task runs on an actor for a while, an event loop goes round once. They wait for
// their queue and hold it as any item does, and nest in the items of libdispatch's that they run in.
//
//   worker   callout_begin ── task_begin ─────────────── task_suspend ── callout_end
//   item     ├───────────────────────────────────────────────────────────────────┤   on a global queue
//   stretch                    ├─────────────────────────┤                           on the actor
extension ItemTracker {
    /// An item waits for such a queue from now on. Returns its slot.
    mutating func enqueueStretch(
        _ kind: ItemKind, on queue: Int, code: CodeIndex, at time: Int64, thread: Int, in state: inout ModelState
    ) -> Int {
        confirmSubmission(of: thread, at: time, in: &state)
        let slot = openStretch(kind, on: queue, code: code, at: time, thread: thread, in: &state)
        submit(slot, at: time, in: &state)
        return slot
    }

    /// An item that waits runs from now on. Nothing happens when it has been given up since.
    mutating func beginStretch(
        _ slot: Int, number: Int64, at time: Int64, thread: Int, in state: inout ModelState
    ) {
        guard items[slot].number == number, items[slot].state == .waiting else { return }
        confirmSubmission(of: thread, at: time, in: &state)
        stopWaiting(slot, at: time, thread: thread, in: &state)
        learnPool(of: Int(items[slot].queue), from: thread, at: time, in: &state)
        run(slot, isKnown: true, at: time, thread: thread, in: &state)
    }

    /// An item finds its queue free and runs at once. Returns its slot.
    mutating func runStretch(
        _ kind: ItemKind, on queue: Int, code: CodeIndex, at time: Int64, thread: Int, in state: inout ModelState
    ) -> Int {
        confirmSubmission(of: thread, at: time, in: &state)
        learnPool(of: queue, from: thread, at: time, in: &state)
        let slot = openStretch(kind, on: queue, code: code, at: time, thread: thread, in: &state)
        items[slot].isEnqueueKnown = true
        run(slot, isKnown: true, at: time, thread: thread, in: &state)
        return slot
    }

    /// An item has run. Nothing happens when its end was worked out already.
    mutating func endStretch(_ slot: Int, number: Int64, at time: Int64, in state: inout ModelState) {
        guard items[slot].number == number, items[slot].state == .running else { return }
        finishInTime(slot, at: time, in: &state)
    }

    /// An item has run for a while, and its end was not recorded.
    mutating func leaveStretch(_ slot: Int, number: Int64, at time: Int64, in state: inout ModelState) {
        guard items[slot].number == number, items[slot].state == .running else { return }
        finish(slot, at: time, isFinished: false, in: &state)
    }

    /// Whether an item has been submitted, and not begun.
    func isWaiting(_ slot: Int, number: Int64) -> Bool {
        items[slot].number == number && items[slot].state == .waiting
    }

    /// An item that waits will not run.
    mutating func withdrawStretch(_ slot: Int, number: Int64, at time: Int64, in state: inout ModelState) {
        guard isWaiting(slot, number: number) else { return }
        countWait(of: slot, at: time, in: &state)
        abandon(slot, at: time, in: &state)
    }

    /// The job that a thread runs goes on with a task: that says more than the function of the runtime that resumes it.
    mutating func nameJob(on thread: Int, code: CodeIndex, in state: inout ModelState) {
        let slot = innermostOfDispatch(on: thread, in: &state)
        guard slot >= 0, items[slot].kind == .swiftJob, !items[slot].isJobNamed, code != .unknown else { return }
        items[slot].isJobNamed = true
        items[slot].code = code.rawValue
    }

    /// A task runs on an actor, or leaves its thread for one: the workers that run the task also run the actor. The
    /// first pool is kept, although each quality of service has a pool of its own.
    func learnPool(of actor: Int, from thread: Int, at time: Int64, in state: inout ModelState) {
        guard state.forest.activity[actor].awaitsPool else { return }
        let pool = poolOfTasks(on: thread, in: &state)
        if pool >= 0 { state.forest.join(actor, pool: pool, at: time) }
    }

    /// The pool of the global executor's job that a thread runs, -1 where it runs none.
    private func poolOfTasks(on thread: Int, in state: inout ModelState) -> Int {
        let job = innermostOfDispatch(on: thread, in: &state)
        guard job >= 0 else {
            // The begin of the job was lost.
            let worker = state.threads.activity[thread]
            return worker.worker == .none ? -1 : Int(worker.pool)
        }
        let queue = Int(items[job].queue)
        // A serial queue that runs jobs is an executor of the program's own, or the main actor's.
        guard items[job].kind == .swiftJob, state.forest.exclusion(of: queue) < 0 else { return -1 }
        return Int(state.forest.activity[queue].pool)
    }

    private mutating func openStretch(
        _ kind: ItemKind, on queue: Int, code: CodeIndex, at time: Int64, thread: Int, in state: inout ModelState
    ) -> Int {
        let slot = items.take(kind: kind, queue: queue, at: time)
        items[slot].code = code.rawValue
        items[slot].enqueuedOn = Int32(thread)
        joinOperation(slot, of: thread, in: &state)
        recordCause(of: slot, thread: thread, at: time, in: &state)
        return slot
    }

    /// Whether a thread is in an item, or a task on an actor, from a slot outwards. A round of an event loop is neither.
    @inline(__always)
    func isInItem(_ innermost: Int) -> Bool {
        var slot = innermost
        while slot >= 0, items.place(of: slot).pointee.kind == .loopIteration {
            slot = Int(items.place(of: slot).pointee.rest.pointee.enclosing)
        }
        return slot >= 0
    }

    /// Slot of the innermost item of libdispatch's that runs on a thread, -1 for none.
    @inline(__always)
    func innermostOfDispatch(on thread: Int, in state: inout ModelState) -> Int {
        var slot = Int(state.threads.activity[thread].innermost)
        while slot >= 0, items[slot].isStretch { slot = Int(items[slot].enclosing) }
        return slot
    }
}
