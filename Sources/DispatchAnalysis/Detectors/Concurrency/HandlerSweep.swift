import DispatchModel

/// Puts runs, which become known when they end, into the order of their begin.
///
/// It waits until the model says that no run with an earlier begin can come. A run that goes on for very long would
/// hold everything up: then the sweep goes ahead, and the long run counts from where the sweep has come to.
struct HandlerSweep {
    /// Runs that may wait: some megabytes.
    private static let limit = 65_536
    private static let step = 2_048

    private let waiting = PlainRows<HandlerRun>()
    private var isSorted = true
    /// When the earliest of them began.
    private var earliest = Timestamp.distantFuture
    private var nextAttempt = step

    /// It is worth to try to advance.
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

    /// Hands over the runs that began before `settled`, in the order of their begin.
    mutating func advance(until settled: Timestamp, groups: inout [HandlerGroup], processors: Int) {
        // While one run goes on for long, there is nothing to hand over, and nothing to sort.
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

    /// After a step, or when there is no room any more: what is handed over then does not depend on the steps.
    private mutating func setNextAttempt() {
        let next = waiting.count + Self.step
        nextAttempt = waiting.count < Self.limit ? min(next, Self.limit) : next
    }
}
