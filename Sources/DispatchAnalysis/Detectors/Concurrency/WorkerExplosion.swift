import DispatchModel

/// A time in which many more workers exist than there are processors.
struct WorkerExplosion {
    /// Longest time after the peak at which the worker that makes the peak takes its item.
    private static let settling = Nanoseconds.milliseconds(1)

    let begin: Timestamp
    var peak = 0
    var peakAt: Timestamp
    /// Its end; nil for the current explosion.
    var end: Timestamp?
    /// Most workers awake at the same time, that moment, and the workers that existed then.
    var awake = 0
    var busiestAt: Timestamp
    var existing = 0
    /// By position of the thread: whether it was awake at that moment.
    var wasAwake: [Bool] = []
    /// Workers started in it.
    var started = 0
    /// By thread: its activity at the busiest moment.
    var workers: [ThreadIndex: PeakWorker] = [:]

    /// Notes an activity of a thread at the busiest moment. A thread without an activity at that moment gets its next
    /// one, when it begins within a millisecond.
    @inline(__always)
    mutating func attribute(
        to thread: ThreadIndex, from begin: Timestamp, until end: Timestamp, _ change: (inout PeakWorker) -> Void
    ) {
        guard end >= busiestAt, begin <= busiestAt + Self.settling else { return }
        let isLater = begin > busiestAt
        // A worker that was not awake at that moment does not count. It replaces a worker that sleeps by then.
        if isLater, !wasAwake.indices.contains(thread.position) || !wasAwake[thread.position] { return }
        if let known = workers[thread], known.isLater != isLater {
            if isLater { return }
            workers[thread] = nil
        }
        change(&workers[thread, default: PeakWorker(isLater: isLater)])
    }
}

/// The activity of a worker at the busiest moment.
struct PeakWorker {
    enum State {
        case running
        /// Blocked in the named object.
        case waiting(String)
    }
    /// Whether it had no item at that moment, and the noted activity began within a millisecond after it.
    let isLater: Bool
    var queue: QueueIndex?
    var code = CodeIndex.unknown
    var state = State.running

    var blockedIn: String? { if case .waiting(let object) = state { object } else { nil } }
}
