// Events of threads that poll in a loop.
extension ModelBuilder {
    mutating func handle(_ event: DispatchEvent.LoopState, tid: UInt32) {
        loops.define(event, at: moment(event.tid, else: tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.LoopPollBegin, tid: UInt32) {
        loops.beginPoll(event.loop, at: moment(tid), items: &items, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.LoopPollEnd, tid: UInt32) {
        loops.endPoll(event.loop, at: moment(tid), items: &items, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.LoopWake, tid: UInt32) {
        loops.wake(event.loop, at: moment(tid), items: &items, in: &state)
    }
}

// Timers of run loops.
extension ModelBuilder {
    mutating func handle(_ event: DispatchEvent.RunLoopTimer, tid: UInt32) {
        let thread = thread(tid)
        let item = Int(state.threads[thread].innermost)
        let stack = state.codes.stack(event.stack)
        runLoopTimers.add(
            RunLoopTimer(
                thread: thread,
                queue: item < 0 ? nil : QueueIndex(Int(state.items[item].queue)),
                code: state.codes.code(event.code), caller: state.codes.caller(stack), stack: stack,
                addedAt: Timestamp(nanoseconds: now),
                due: Timestamp(nanoseconds: now.addingReportingOverflow(Int64(clamping: event.due)).partialValue)),
            id: event.timer, to: event.runLoop)
    }

    mutating func handle(_ event: DispatchEvent.RunLoopTimerEnd, tid: UInt32) { runLoopTimers.end(event.timer) }

    mutating func handle(_ event: DispatchEvent.RunLoopRun, tid: UInt32) { runLoopTimers.run(event.runLoop) }
}
