// Threads that poll in a loop.
extension ModelBuilder {
    mutating func handle(_ event: DispatchEvent.LoopState, tid: UInt32) {}

    mutating func handle(_ event: DispatchEvent.LoopPollBegin, tid: UInt32) {}

    mutating func handle(_ event: DispatchEvent.LoopPollEnd, tid: UInt32) {}

    mutating func handle(_ event: DispatchEvent.LoopWake, tid: UInt32) {}
}
