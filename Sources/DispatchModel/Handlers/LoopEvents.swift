// Events of threads that poll in a loop.
extension ModelBuilder {
    mutating func handle(_ event: DispatchEvent.LoopState, tid: UInt32) {
        loops.define(event, at: now, thread: thread(event.tid, else: tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.LoopPollBegin, tid: UInt32) {
        loops.beginPoll(event.loop, at: now, thread: thread(tid), items: &items, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.LoopPollEnd, tid: UInt32) {
        loops.endPoll(event.loop, at: now, thread: thread(tid), items: &items, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.LoopWake, tid: UInt32) {
        loops.wake(event.loop, at: now, thread: thread(tid), items: &items, in: &state)
    }
}
