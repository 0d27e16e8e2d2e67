/// Tracks the timers of run loops that no thread runs.
struct RunLoopTimerTracker {
    /// Most timers followed. A program with more has the same mistake many times.
    private static let limit = 4096

    private var timers: [UInt64: (loop: UInt64, timer: RunLoopTimer)] = [:]
    /// Numbers of waiting timers by run loop, so that a run of a run loop without timers costs one look-up.
    private var counts: [UInt64: Int] = [:]

    mutating func add(_ timer: RunLoopTimer, id: UInt64, to loop: UInt64) {
        // A timer is added to each of the common modes separately.
        guard timers[id] == nil, timers.count < Self.limit else { return }
        timers[id] = (loop, timer)
        counts[loop, default: 0] += 1
    }

    mutating func end(_ id: UInt64) {
        guard let loop = timers.removeValue(forKey: id)?.loop else { return }
        counts[loop, default: 1] -= 1
    }

    /// A thread runs a run loop: its timers can fire.
    mutating func run(_ loop: UInt64) {
        guard counts[loop, default: 0] > 0 else { return }
        counts[loop] = nil
        timers = timers.filter { $0.value.loop != loop }
    }

    /// The timers whose run loops have not run, in the order of their addition.
    var waiting: [RunLoopTimer] { timers.values.map(\.timer).sorted { $0.addedAt < $1.addedAt } }
}
