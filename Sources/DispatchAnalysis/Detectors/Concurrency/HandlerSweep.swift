import DispatchModel

/// Sorts runs by their begin. Runs are observed when they end.
///
/// The sweep waits until the model reports that no run with an earlier begin can follow. When one long run would delay
/// it for too long, the sweep continues without it, and the long run counts only from the time that the sweep has
/// reached.
struct HandlerSweep {
    /// Most runs that wait to be sorted: some megabytes.
    private static let limit = 65_536
    private static let step = 2_048

    private let waiting = PlainRows<HandlerRun>()
    private var isSorted = true
    /// Begin of the earliest waiting run.
    private var earliest = Timestamp.distantFuture
    private var nextAttempt = step

    /// Whether enough runs wait for an attempt to advance.
    var isFull: Bool { waiting.count >= nextAttempt }

    @inline(__always)
    mutating func add(_ run: HandlerRun) {
        if waiting.count > 0, Self.precedes(run, waiting[waiting.count - 1]) { isSorted = false }
        waiting.append(run)
        earliest = min(earliest, run.begin)
    }

    @inline(__always)
    private static func precedes(_ left: HandlerRun, _ right: HandlerRun) -> Bool {
        if left.begin != right.begin { return left.begin < right.begin }
        return left.end != right.end ? left.end < right.end : left.thread < right.thread
    }

    /// Passes the runs that began before `settled` to their groups, in the order of their begin.
    mutating func advance(until settled: Timestamp, groups: inout [HandlerGroup], processors: Int) {
        // During one long run no other run is settled, so there is nothing to sort.
        guard earliest < settled || waiting.count >= Self.limit || settled == .distantFuture else {
            setNextAttempt()
            return
        }
        if !isSorted { waiting.sort { Self.precedes($0, $1) } }
        isSorted = true
        var count = (0..<waiting.count).first { waiting[$0].begin >= settled } ?? waiting.count
        if waiting.count - count >= Self.limit { count = waiting.count / 2 }
        var first = 0
        while first < count {
            var end = first + 1
            while end < count, waiting[end].isLike(waiting[first]) { end += 1 }
            let of = waiting[first].groups
            for group in [of.0, of.1, of.2] where group >= 0 {
                groups[Int(group)].add(first..<end, of: waiting, processors: processors)
            }
            first = end
        }
        waiting.removeFirst(count)
        earliest = waiting.count > 0 ? waiting[0].begin : .distantFuture
        setNextAttempt()
        guard settled == .distantFuture else { return }
        for position in groups.indices { groups[position].sweep(to: .distantFuture, processors: processors) }
    }

    /// The next attempt follows after `step` more runs, and at the limit at the latest. So the runs that are passed on
    /// at the limit do not depend on the steps.
    private mutating func setNextAttempt() {
        let next = waiting.count + Self.step
        nextAttempt = waiting.count < Self.limit ? min(next, Self.limit) : next
    }
}
