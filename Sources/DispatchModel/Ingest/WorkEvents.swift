// Events of work: items, waits, tasks and threads.
extension ModelBuilder {
    @inline(__always)
    mutating func handle(_ event: DispatchEvent.CalloutBegin, tid: UInt32) {
        items.beginCallout(event.item, at: moment(tid), in: &state)
    }

    @inline(__always)
    mutating func handle(_ event: DispatchEvent.CalloutEnd, tid: UInt32) {
        items.endCallout(at: moment(tid), in: &state)
    }

    @inline(__always)
    mutating func handle(_ event: DispatchEvent.SyncBegin, tid: UInt32) {
        items.beginSync(event, at: moment(tid), in: &state)
    }

    /// A sync begins now, and the next event is its end.
    ///
    /// - Returns: whether both events were processed. If false, nothing was.
    mutating func handleUncontendedSync(_ event: DispatchEvent.SyncBegin, tid: UInt32, until end: Timestamp) -> Bool {
        let end = max(now, end.nanoseconds)
        let sync = UncontendedSync(event: event, begin: moment(tid), end: end)
        guard items.run(sync, in: &state) else { return false }
        now = end
        return true
    }

    mutating func handle(_ event: DispatchEvent.ItemBegin, tid: UInt32) {
        items.begin(event.item, queue: event.queue, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.ItemEnd, tid: UInt32) { items.end(event, at: moment(tid), in: &state) }

    @inline(__always)
    mutating func handle(_ event: DispatchEvent.ItemEnqueue, tid: UInt32) {
        items.enqueue(event, at: moment(tid), in: &state)
        if event.kind == .cancelHandler { explainCancelHandler(event) }
    }

    @inline(never)
    private mutating func explainCancelHandler(_ event: DispatchEvent.ItemEnqueue) {
        guard let slot = state.items.slot(of: event.item) else { return }
        let queue = state.forest.queue(serial: event.queue)
        sources.causes.finish(on: queue, slot: slot, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.ItemDelay, tid: UInt32) { items.delay(event, at: now, in: &state) }

    mutating func handle(_ event: DispatchEvent.ItemBarrier, tid: UInt32) { items.markBarrier(event.item, in: &state) }

    mutating func handle(_ event: DispatchEvent.ItemCancel, tid: UInt32) {
        items.cancel(event.item, at: now, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.SyncEnter, tid: UInt32) {
        items.enterSync(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.SyncBlock, tid: UInt32) { items.blockSync(event, at: now, in: &state) }

    mutating func handle(_ event: DispatchEvent.SyncWait, tid: UInt32) {
        items.waitSync(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.SyncHandoff, tid: UInt32) { items.handOff(event, at: now, in: &state) }

    mutating func handle(_ event: DispatchEvent.SyncReturn, tid: UInt32) {
        items.returnFromSync(event.item, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.ItemWaitBegin, tid: UInt32) {
        let moment = moment(tid)
        state.blocked(at: moment)
        state.waits.begin(
            .item(event.item), code: state.codes.code(event.code),
            waiter: state.innermostNumber(on: moment.thread), at: moment)
    }

    mutating func handle(_ event: DispatchEvent.ItemWaitEnd, tid: UInt32) {
        state.endWait(.item(event.item), timedOut: event.timedOut != 0, at: moment(tid))
    }

    // MARK: Waits and holds: locks, groups, semaphores, and concurrentPerform

    mutating func handle(_ event: DispatchEvent.LockCreate, tid: UInt32) { locks.create(event, at: now, in: &state) }

    mutating func handle(_ event: DispatchEvent.LockWait, tid: UInt32) {
        locks.wait(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.LockAcquire, tid: UInt32) {
        locks.acquire(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.LockRelease, tid: UInt32) {
        locks.release(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.GroupCreate, tid: UInt32) { groups.create(event, at: now, in: &state) }

    mutating func handle(_ event: DispatchEvent.GroupEnter, tid: UInt32) {
        groups.enter(event.group, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.GroupLeave, tid: UInt32) {
        groups.leave(event.group, at: moment(tid), items: &items, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.GroupNotify, tid: UInt32) {
        groups.notify(event, at: moment(tid), items: &items, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.GroupWaitBegin, tid: UInt32) {
        groups.beginWait(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.GroupWaitEnd, tid: UInt32) {
        groups.endWait(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.SemaphoreCreate, tid: UInt32) {
        semaphores.create(event, at: now, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.SemaphoreSignal, tid: UInt32) {
        semaphores.signal(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.SemaphoreWaitBegin, tid: UInt32) {
        semaphores.beginWait(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.SemaphoreWaitEnd, tid: UInt32) {
        semaphores.endWait(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.ApplyBegin, tid: UInt32) {
        applies.begin(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.ApplyIterationBegin, tid: UInt32) {
        applies.beginIteration(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.ApplyIterationEnd, tid: UInt32) {
        applies.endIteration(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.ApplyEnd, tid: UInt32) { applies.end(event, at: now, in: &state) }

    // MARK: Tasks of Swift Concurrency, actors and executors

    mutating func handle(_ event: DispatchEvent.TaskCreate, tid: UInt32) {
        tasks.create(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.TaskName, tid: UInt32) { tasks.name(event) }

    mutating func handle(_ event: DispatchEvent.TaskEnqueue, tid: UInt32) {
        tasks.enqueue(event, at: moment(tid), items: &items, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.TaskBegin, tid: UInt32) {
        tasks.begin(event, at: moment(tid), items: &items, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.TaskSwitch, tid: UInt32) {
        tasks.switchExecutor(event, at: moment(tid), items: &items, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.TaskSuspend, tid: UInt32) {
        tasks.suspend(event, at: moment(tid), items: &items, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.TaskFinish, tid: UInt32) {
        tasks.finish(event.task, at: moment(tid), items: &items, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.TaskCollect, tid: UInt32) { tasks.collect(event, in: &state) }

    mutating func handle(_ event: DispatchEvent.TaskCancel, tid: UInt32) { tasks.cancel(event.task, at: now) }

    /// The model has no priorities after an escalation: waits are compared by the priorities before it.
    mutating func handle(_ event: DispatchEvent.TaskEscalate, tid: UInt32) {}

    mutating func handle(_ event: DispatchEvent.TaskTrack, tid: UInt32) {
        tasks.track(event)
        state.blame.recordsTasks = event.taskDetail == .full
        model.taskTrack = TaskTrack(detail: event.taskDetail, reason: event.reason)
    }

    mutating func handle(_ event: DispatchEvent.ActorCreate, tid: UInt32) {
        tasks.executors.create(event, at: now, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.ExecutorState, tid: UInt32) {
        tasks.executors.define(event, at: now, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.ActorDestroy, tid: UInt32) {
        tasks.executors.destroy(event.executor, at: now, in: &state)
    }

    // MARK: Threads, workers and context switches

    mutating func handle(_ event: DispatchEvent.ThreadStart, tid: UInt32) {
        let maker = event.maker == 0 ? nil : state.threads.known(tid: event.maker)
        state.threads.start(tid: event.tid == 0 ? tid : event.tid, name: event.name, at: now)
        loops.renamed(thread(event.tid, else: tid), to: event.name, in: &state)
        let made = now - Int64(clamping: event.age)
        if let maker, made >= model.begin.nanoseconds {
            return state.started(at: moment(event.tid, else: tid), madeBy: maker, at: made)
        }
        start(at: moment(event.tid, else: tid))
    }

    /// A thread starts whose maker is not in the trace.
    private mutating func start(at moment: Moment) {
        state.started(at: moment, isMainBusy: !locks.isWaiting(.main) && !loops.isPolling(.main))
    }

    mutating func handle(_ event: DispatchEvent.ThreadExit, tid: UInt32) {
        let moment = moment(event.tid, else: tid)
        items.exitThread(at: moment, in: &state)
        state.processors.resume(at: moment)
        emit(state.processors.exit(at: moment))
        state.exitWorker(at: moment)
        state.held.exit(moment.thread)
        state.threads.exit(at: moment)
    }

    mutating func handle(_ event: DispatchEvent.WorkerRequest, tid: UInt32) {
        state.requestWorkers(event, at: moment(tid))
    }

    mutating func handle(_ event: DispatchEvent.WorkerCreate, tid: UInt32) {
        state.createWorker(root: event.root, at: moment(tid))
    }

    mutating func handle(_ event: DispatchEvent.WorkerStart, tid: UInt32) {
        state.startWorker(root: event.root, at: moment(tid))
    }

    mutating func handle(_ event: DispatchEvent.WorkerUnpark, tid: UInt32) {
        items.endItemsWithLostEnds(at: moment(tid), in: &state)
        state.unparkWorker(root: event.root, at: moment(tid))
    }

    mutating func handle(_ event: DispatchEvent.WorkerPark, tid: UInt32) {
        items.endItemsWithLostEnds(at: moment(tid), in: &state)
        state.parkWorker(root: event.root, at: moment(tid))
    }

    mutating func handle(_ event: DispatchEvent.WorkerExit, tid: UInt32) {
        items.endItemsWithLostEnds(at: moment(tid), in: &state)
        state.exitWorker(at: moment(tid))
    }

    mutating func handle(_ event: DispatchEvent.SwitchIn, tid: UInt32) {
        let moment = moment(event.tid)
        let thread = moment.thread
        let call = state.processors.endCall(at: moment, codes: &state.codes).map { end($0) }
        if state.paths.isFollowed, let absence = state.processors.absence(of: thread),
            now - absence.begin >= ModelState.shortestAbsence, !locks.isWaiting(thread), !loops.isPolling(thread)
        {
            state.returned(at: moment, from: absence, in: call)
        }
        state.processors.switchIn(processor: Int32(event.processor) - 1, at: moment)
    }

    /// A blocking call ends, or the trace does.
    ///
    /// An idle worker has ended its items, even if the trace lacks their ends. The stack alone does not prove that the
    /// thread is idle: the thread must be a worker outside of all recorded waits. If the wait ends, the next event is
    /// the proof: a worker that finds work again unparks or begins an item, and an item that only waited ends.
    @discardableResult
    mutating func end(_ call: BlockedCall) -> BlockedCall {
        var call = call
        let thread = call.thread
        call.waitsForWork =
            call.waitsForWork && state.threads.mayBeWorker(thread) && !state.isInWait(thread)
        if call.waitsForWork, !call.isFinished {
            items.endItemsWithLostEnds(at: Moment(time: now, thread: thread), in: &state)
        } else if call.waitsForWork {
            items.suspectLostEnds(on: thread, in: &state)
        }
        state.emit(.blockedCall(call))
        return call
    }

    mutating func handle(_ event: DispatchEvent.SwitchOut, tid: UInt32) {
        // A thread whose hooks record no event has no thread_start. It ran until its first switch, so it is new, unless
        // it ran at the begin of the trace.
        let isNew =
            state.threads.known(tid: event.tid) == nil
            && now - model.begin.nanoseconds > PathTracker.longestThreadStart
        if isNew { start(at: moment(event.tid)) }
        emit(state.processors.switchOut(isPreempted: event.preempted != 0, at: moment(event.tid)))
    }

    private func emit(_ slice: ProcessorSlice?) {
        if let slice, state.followed.contains(.processorSlices) { state.emit(.processorSlice(slice)) }
    }

    mutating func handle(_ event: DispatchEvent.BlockedCall, tid: UInt32) {
        state.processors.capture(
            call: event.call, on: event.descriptor, stack: state.codes.stack(event.stack), of: thread(event.tid))
    }

    mutating func handle(_ event: DispatchEvent.SwitchesLost, tid: UInt32) {
        model.lostSwitches += Int(clamping: event.switches)
        if event.tid == 0 {
            state.processors.forgetAbsences()
        } else {
            state.processors.forgetAbsence(of: thread(event.tid))
        }
    }

    mutating func handle(_ event: DispatchEvent.SwitchesPauseBegin, tid: UInt32) {
        state.processors.pause(at: moment(event.tid))
    }

    mutating func handle(_ event: DispatchEvent.SwitchesPauseEnd, tid: UInt32) {
        let thread = thread(event.tid)
        // If the event of the pause's begin was overwritten, the pause lasted since the begin of the trace.
        state.processors.pause(at: Moment(time: model.begin.nanoseconds, thread: thread))
        state.processors.resume(at: Moment(time: now, thread: thread))
    }

    mutating func handle(_ event: DispatchEvent.ProcessorTrack, tid: UInt32) {
        // Keep the kernel trace as the origin, unless the process records its switches itself.
        if model.processorTrack?.origin != .kernelTrace || event.origin == .perfEvents {
            model.processorTrack = ProcessorTrack(origin: event.origin, detail: event.detail)
        }
    }

    mutating func handle(_ event: DispatchEvent.ThreadTimes, tid: UInt32) {
        let runDelay = event.runDelay == .max ? nil : Nanoseconds(Int64(clamping: event.runDelay))
        model.threads[thread(event.tid, else: tid).position].kernelTimes = ThreadTimes(
            onProcessor: Nanoseconds(Int64(clamping: event.onCpu)), runDelay: runDelay,
            slices: Int(clamping: event.slices))
    }
}
