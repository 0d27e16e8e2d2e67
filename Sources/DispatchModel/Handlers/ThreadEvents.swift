// Events of threads, workers and context switches.
extension ModelBuilder {
    mutating func handle(_ event: DispatchEvent.ThreadStart, tid: UInt32) {
        state.threads.start(tid: event.tid == 0 ? tid : event.tid, name: event.name, at: now)
        let isMainBusy = !locks.isWaiting(0) && !loops.isPolling(0)
        items.startPath(of: thread(event.tid, else: tid), isMainBusy: isMainBusy, at: now, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.ThreadExit, tid: UInt32) {
        let thread = thread(event.tid, else: tid)
        items.exitThread(thread, at: now, in: &state)
        state.processors.resume(thread, at: now)
        emit(state.processors.exit(thread, at: now))
        state.exitWorker(thread, at: now)
        state.held.exit(thread)
        state.threads.exit(thread, at: now)
    }

    mutating func handle(_ event: DispatchEvent.WorkerRequest, tid: UInt32) {
        state.requestWorkers(event, at: now, thread: thread(tid))
    }

    mutating func handle(_ event: DispatchEvent.WorkerCreate, tid: UInt32) {
        state.createWorker(root: event.root, at: now, thread: thread(tid))
    }

    mutating func handle(_ event: DispatchEvent.WorkerStart, tid: UInt32) {
        state.startWorker(thread(tid), root: event.root, at: now)
    }

    mutating func handle(_ event: DispatchEvent.WorkerUnpark, tid: UInt32) {
        items.endItemsWithLostEnds(on: thread(tid), at: now, in: &state)
        state.unparkWorker(thread(tid), root: event.root, at: now)
    }

    mutating func handle(_ event: DispatchEvent.WorkerPark, tid: UInt32) {
        items.endItemsWithLostEnds(on: thread(tid), at: now, in: &state)
        state.parkWorker(thread(tid), root: event.root, at: now)
    }

    mutating func handle(_ event: DispatchEvent.WorkerExit, tid: UInt32) {
        items.endItemsWithLostEnds(on: thread(tid), at: now, in: &state)
        state.exitWorker(thread(tid), at: now)
    }

    mutating func handle(_ event: DispatchEvent.SwitchIn, tid: UInt32) {
        let thread = thread(event.tid)
        let call = state.processors.endCall(of: thread, at: now, codes: &state.codes).map { end($0) }
        if state.paths.isFollowed, let absence = state.processors.absence(of: thread),
            now - absence.begin >= ItemTracker.shortestAbsence, !locks.isWaiting(thread), !loops.isPolling(thread)
        {
            items.returnOnPath(thread, from: absence, in: call, at: now, state: &state)
        }
        state.processors.switchIn(thread, processor: Int32(event.processor) - 1, at: now)
    }

    /// A blocking call ends, or the trace does.
    ///
    /// An idle worker has ended its items, even if the trace lacks their ends. The stack alone does not prove that the
    /// thread is idle: the thread must be a worker outside of all recorded waits. If the wait ends, the next event is
    /// the proof: a worker that finds work again unparks or begins an item, and an item that only waited ends.
    @discardableResult
    mutating func end(_ call: BlockedCall) -> BlockedCall {
        var call = call
        let thread = call.thread.position
        call.waitsForWork =
            call.waitsForWork && state.threads.mayBeWorker(thread) && !items.isInWait(thread, in: &state)
        if call.waitsForWork, !call.isFinished {
            items.endItemsWithLostEnds(on: thread, at: now, in: &state)
        } else if call.waitsForWork {
            items.suspectLostEnds(on: thread, in: state)
        }
        state.emit(.blockedCall(call))
        return call
    }

    mutating func handle(_ event: DispatchEvent.SwitchOut, tid: UInt32) {
        emit(state.processors.switchOut(thread(event.tid), isPreempted: event.preempted != 0, at: now))
    }

    private func emit(_ slice: ProcessorSlice?) {
        if let slice, state.followed.contains(.processorSlices) { state.emit(.processorSlice(slice)) }
    }

    mutating func handle(_ event: DispatchEvent.BlockedCall, tid: UInt32) {
        state.processors.capture(call: event.call, stack: state.codes.stack(event.stack), of: thread(event.tid))
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
        state.processors.pause(thread(event.tid), at: now)
    }

    mutating func handle(_ event: DispatchEvent.SwitchesPauseEnd, tid: UInt32) {
        let thread = thread(event.tid)
        // If the event of the pause's begin was overwritten, the pause lasted since the begin of the trace.
        state.processors.pause(thread, at: model.begin.nanoseconds)
        state.processors.resume(thread, at: now)
    }

    mutating func handle(_ event: DispatchEvent.ProcessorTrack, tid: UInt32) {
        // Keep the kernel trace as the origin, unless the process records its switches itself.
        if model.processorTrack?.origin != .kernelTrace || event.origin == .perfEvents {
            model.processorTrack = ProcessorTrack(origin: event.origin, detail: event.detail)
        }
    }

    mutating func handle(_ event: DispatchEvent.ThreadTimes, tid: UInt32) {
        let runDelay = event.runDelay == .max ? nil : Nanoseconds(Int64(clamping: event.runDelay))
        model.threads[thread(event.tid, else: tid)].kernelTimes = ThreadTimes(
            onProcessor: Nanoseconds(Int64(clamping: event.onCpu)), runDelay: runDelay,
            slices: Int(clamping: event.slices))
    }
}
