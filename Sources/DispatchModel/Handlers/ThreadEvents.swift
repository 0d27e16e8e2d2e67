// Events of threads, workers and context switches.
extension ModelBuilder {
    mutating func handle(_ event: DispatchEvent.ThreadStart, tid: UInt32) {
        state.threads.start(tid: event.tid == 0 ? tid : event.tid, name: event.name, at: now)
        let isMainBusy = !locks.isWaiting(.main) && !loops.isPolling(.main)
        state.started(at: moment(event.tid, else: tid), isMainBusy: isMainBusy)
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
        emit(state.processors.switchOut(isPreempted: event.preempted != 0, at: moment(event.tid)))
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
