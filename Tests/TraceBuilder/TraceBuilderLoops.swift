import DispatchModel

extension TraceBuilder {
    /// Defines an event loop whose thread polls from `time` on.
    public mutating func loop(
        _ name: String, kind: LoopKind = .epoll, at time: Double = 0, thread: UInt32, shares other: UInt64 = 0
    ) -> UInt64 {
        let loop = object()
        add(.loopState(.init(loop: loop, kind: kind, tid: thread, shares: other, name: name)), at: time)
        add(.loopPollBegin(.init(loop: loop)), at: time, thread: thread)
        return loop
    }

    /// Runs one iteration of a loop that is polling.
    public mutating func iterate(_ loop: UInt64, begin: Double, end: Double, thread: UInt32) {
        add(.loopPollEnd(.init(loop: loop, ready: 1)), at: begin, thread: thread)
        add(.loopPollBegin(.init(loop: loop)), at: end, thread: thread)
    }

    /// Wakes a loop from another thread.
    public mutating func wake(_ loop: UInt64, at time: Double, thread: UInt32 = main) {
        add(.loopWake(.init(loop: loop)), at: time, thread: thread)
    }
}
