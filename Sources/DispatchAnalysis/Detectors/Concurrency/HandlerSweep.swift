import DispatchModel

/// Puts runs, which become known when they end, into the order of their begin.
///
/// It waits until the model says that no run with an earlier begin can come. A run that goes on for very long would
/// hold everything up: then the sweep goes ahead, and the long run counts from where the sweep has come to.
struct HandlerSweep {
    /// Runs that may wait: some megabytes.
    private static let limit = 65_536
    private static let step = 4_096

    private var waiting: [HandlerRun] = []
    private var nextAttempt = step

    /// It is worth to try to advance.
    var isFull: Bool { waiting.count >= nextAttempt }

    mutating func add(_ run: HandlerRun) { waiting.append(run) }

    /// Hands over the runs that began before `settled`, in the order of their begin.
    mutating func advance(until settled: Timestamp, groups: inout [HandlerGroup], processors: Int) {
        waiting.sort { ($0.begin, $0.end, $0.thread) < ($1.begin, $1.end, $1.thread) }
        var count = waiting.firstIndex { $0.begin >= settled } ?? waiting.count
        if waiting.count - count >= Self.limit { count = waiting.count / 2 }
        for run in waiting.prefix(count) {
            Self.hand(run, to: run.groups.0, &groups, processors)
            Self.hand(run, to: run.groups.1, &groups, processors)
            Self.hand(run, to: run.groups.2, &groups, processors)
        }
        waiting.removeFirst(count)
        nextAttempt = waiting.count + Self.step
        guard settled == .distantFuture else { return }
        for position in groups.indices { groups[position].sweep(to: .distantFuture, processors: processors) }
    }

    @inline(__always)
    private static func hand(_ run: HandlerRun, to group: Int32, _ groups: inout [HandlerGroup], _ processors: Int) {
        if group >= 0 { groups[Int(group)].add(run, processors: processors) }
    }
}
