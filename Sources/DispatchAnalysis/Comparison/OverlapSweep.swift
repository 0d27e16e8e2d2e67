import DispatchModel

/// Measures for how long two or more runs of a group ran at once, while it sees them in the order of their end.
///
/// ```
///   runs     ├─────┤   ├──────┤  ├──┤
///               ├────────┤
///   busy     ├────────────────┤  ├──┤
///   overlap     ├──┤   ├─┤
/// ```
///
/// Runs wait until no run with an earlier begin can come. Where that takes too long the sweep goes ahead, and a run that
/// comes later counts from where it has come to.
struct OverlapSweep {
    /// Runs that may wait: a megabyte.
    private static let limit = 65_536
    private static let step = 256

    private(set) var busy = Nanoseconds.zero
    private(set) var overlap = Nanoseconds.zero
    private var waiting: [(begin: Timestamp, end: Timestamp)] = []
    private var nextAttempt = step
    /// Up to here the runs seen so far make it busy.
    private var busyUntil = Timestamp.zero
    /// Up to here two of them do.
    private var overlapUntil = Timestamp.zero

    /// Overlap over busy time, from 0 to 1.
    var share: Double { busy > .zero ? Double(overlap.count) / Double(busy.count) : 0 }

    /// Adds a run that has ended.
    ///
    /// - Parameters:
    ///   - begin: when it began.
    ///   - end: when it ended.
    ///   - settled: no run that begins before this is still to come.
    mutating func add(begin: Timestamp, end: Timestamp, settled: Timestamp) {
        waiting.append((begin, end))
        if waiting.count >= nextAttempt { advance(until: settled) }
    }

    /// Takes the runs that began before `settled`, in the order of their begin.
    mutating func advance(until settled: Timestamp) {
        waiting.sort { ($0.begin, $0.end) < ($1.begin, $1.end) }
        var count = waiting.firstIndex { $0.begin >= settled } ?? waiting.count
        if waiting.count - count >= Self.limit { count = waiting.count / 2 }
        for run in waiting.prefix(count) { take(run.begin, run.end) }
        waiting.removeFirst(count)
        nextAttempt = 2 * waiting.count + Self.step
    }

    private mutating func take(_ begin: Timestamp, _ end: Timestamp) {
        // Whatever makes it busy until `busyUntil` began before this run did.
        let second = min(end, busyUntil)
        let from = max(begin, overlapUntil)
        if second > from { overlap += second - from }
        overlapUntil = max(overlapUntil, second)
        let first = max(begin, busyUntil)
        if end > first { busy += end - first }
        busyUntil = max(busyUntil, end)
    }

    /// Adds what another sweep found.
    mutating func merge(_ other: Self) {
        busy += other.busy
        overlap += other.overlap
    }
}
