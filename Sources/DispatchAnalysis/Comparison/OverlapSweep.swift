import DispatchModel

/// Measures the time in which two or more runs of a group overlap. It receives the runs in the order of their end.
///
/// ```
///   runs     ├─────┤   ├──────┤  ├──┤
///               ├────────┤
///   busy     ├────────────────┤  ├──┤
///   overlap     ├──┤   ├─┤
/// ```
///
/// Runs are buffered until no run with an earlier begin can arrive. If the buffer exceeds its limit, the sweep
/// continues without waiting, and a run that arrives later counts only from the position of the sweep.
struct OverlapSweep {
    /// Most buffered runs: one megabyte.
    private static let limit = 65_536
    private static let step = 256

    private(set) var busy = Nanoseconds.zero
    private(set) var overlap = Nanoseconds.zero
    private var waiting: [(begin: Timestamp, end: Timestamp)] = []
    private var nextAttempt = step
    /// The latest end of the runs so far.
    private var busyUntil = Timestamp.zero
    /// The latest time at which two runs so far overlap.
    private var overlapUntil = Timestamp.zero

    /// The share of the busy time with overlap, from 0 to 1.
    var share: Double { busy > .zero ? Double(overlap.count) / Double(busy.count) : 0 }

    /// Adds a run that has ended.
    ///
    /// - Parameters:
    ///   - begin: the begin of the run.
    ///   - end: the end of the run.
    ///   - settled: no later call adds a run that begins before this.
    mutating func add(begin: Timestamp, end: Timestamp, settled: Timestamp) {
        waiting.append((begin, end))
        if waiting.count >= nextAttempt { advance(until: settled) }
    }

    /// Processes the runs that began before `settled`, in the order of their begin.
    mutating func advance(until settled: Timestamp) {
        waiting.sort { ($0.begin, $0.end) < ($1.begin, $1.end) }
        var count = waiting.firstIndex { $0.begin >= settled } ?? waiting.count
        if waiting.count - count >= Self.limit { count = waiting.count / 2 }
        for run in waiting.prefix(count) { take(run.begin, run.end) }
        waiting.removeFirst(count)
        nextAttempt = 2 * waiting.count + Self.step
    }

    private mutating func take(_ begin: Timestamp, _ end: Timestamp) {
        // The run that ends at `busyUntil` began before this run.
        let second = min(end, busyUntil)
        let from = max(begin, overlapUntil)
        if second > from { overlap += second - from }
        overlapUntil = max(overlapUntil, second)
        let first = max(begin, busyUntil)
        if end > first { busy += end - first }
        busyUntil = max(busyUntil, end)
    }

    /// Adds the sums of another sweep.
    mutating func merge(_ other: Self) {
        busy += other.busy
        overlap += other.overlap
    }
}
