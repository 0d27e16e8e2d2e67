import DispatchModel

/// Random event loops with their own threads, which other threads wake.
struct RandomLoops {
    private static let threads: [UInt32] = [30, 31]
    /// Whether each loop is polling; empty before the loops are defined.
    private var polls: [Bool] = []

    private static func id(_ loop: Int) -> UInt64 { 0x6000_0000 + UInt64(loop) }

    /// Performs one random step.
    mutating func step(_ trace: inout TraceBuilder, at now: Double, _ random: inout SeededGenerator) {
        if polls.isEmpty { return define(&trace, at: now) }
        let loop = Int.random(in: polls.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let waker = UInt32.random(in: 20...22, using: &random)
            trace.add(.loopWake(.init(loop: Self.id(loop))), at: now, thread: waker)
        case 1:
            polls[loop].toggle()
            if polls[loop] {
                trace.add(.loopPollBegin(.init(loop: Self.id(loop))), at: now, thread: Self.threads[loop])
            } else {
                trace.add(.loopPollEnd(.init(loop: Self.id(loop), ready: 1)), at: now, thread: Self.threads[loop])
            }
        default: break
        }
    }

    private mutating func define(_ trace: inout TraceBuilder, at now: Double) {
        for (loop, tid) in Self.threads.enumerated() {
            let name = "NIO-ELT-0-#\(loop)"
            trace.add(
                .loopState(.init(loop: Self.id(loop), kind: .epoll, tid: tid, shares: 0, name: name)), at: now)
            trace.add(.loopPollBegin(.init(loop: Self.id(loop))), at: now, thread: tid)
            polls.append(true)
        }
    }
}
