import DispatchAnalysis
import DispatchModel

/// Selects the queues that are rows of a report. All queues are rows, unless many have one label pattern: then the ten
/// queues with the most lost time are rows, and one row of `queue_patterns` has the sums over all of them.
struct QueueRows {
    /// A pattern with more queues than this becomes a row of `queue_patterns`.
    static let patternLimit = 256
    /// Number of queues of such a pattern that are still rows.
    static let worst = 10

    /// The queues that are rows, the most lost time first.
    let queues: [QueueStatistics]
    /// The patterns with omitted queues, the most lost time first.
    let patterns: [QueuePatternDocument]

    /// - Parameters:
    ///   - analysis: the analysis that has the queues.
    ///   - all: makes every queue a row.
    init(of analysis: Analysis, all: Bool) {
        // Actors and event loops are the members `actors` and `loops` of the report.
        let rows = analysis.queues.filter { analysis.model[$0.queue].isDispatch }
        guard !all, rows.count > Self.patternLimit else {
            queues = rows
            patterns = []
            return
        }
        let known = analysis.model.queuePatterns
        var kinds = known.patterns.map { QueuePatternDocument(pattern: $0) }
        for queue in rows { kinds[known.number(of: queue.queue)].add(queue) }
        let isSummed = kinds.map { $0.queues > Self.patternLimit && !$0.pattern.isEmpty }
        var shown = [Int](repeating: 0, count: kinds.count)
        queues = rows.filter { queue in
            let kind = known.number(of: queue.queue)
            shown[kind] += 1
            return !isSummed[kind] || shown[kind] <= Self.worst
        }
        patterns = kinds.indices.filter { isSummed[$0] }.map { kinds[$0] }
            .sorted { ($1.waitTotal, $0.pattern) < ($0.waitTotal, $1.pattern) }
    }
}

/// The sums over queues whose labels differ only in numbers.
struct QueuePatternDocument: Encodable {
    /// The label with every number replaced by *.
    let pattern: NonEmptyText
    /// Number of busy queues of this pattern.
    private(set) var queues: Int = 0
    /// Number of these queues that are not rows of queues.
    private(set) var leftOut: Int = 0
    private(set) var items: Int = 0
    private(set) var busy: Nanoseconds = .zero
    /// The largest depth of any of these queues.
    private(set) var maxDepth: Int = 0
    private(set) var waitTotal: Nanoseconds = .zero
    private(set) var waitParts: WaitParts = WaitParts()
    private(set) var handoffs: Int = 0

    init(pattern: String) { self.pattern = pattern }

    mutating func add(_ queue: QueueStatistics) {
        queues += 1
        leftOut = max(0, queues - QueueRows.worst)
        items += queue.items
        busy += queue.busy
        maxDepth = max(maxDepth, queue.maxDepth)
        waitTotal += queue.waitTotal
        waitParts += queue.waitParts
        handoffs += queue.handoffs
    }

    enum CodingKeys: String, CodingKey {
        case pattern, queues, items, handoffs
        case leftOut = "left_out"
        case busy = "busy_ns"
        case maxDepth = "max_depth"
        case waitTotal = "wait_total_ns"
        case waitParts = "wait_parts_ns"
    }
}
