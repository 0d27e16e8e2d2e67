import DispatchAnalysis
import DispatchModel

/// Which queues are rows of a report: all of them, unless many are of one kind. Of such a kind the ten that lost most
/// time are rows, and the whole kind is one row of `queue_patterns`.
struct QueueRows {
    /// More queues of one pattern than these are told as a pattern.
    static let patternLimit = 256
    /// How many of them are rows all the same.
    static let worst = 10

    /// The queues that are rows, those that lost most time first.
    let queues: [QueueStatistics]
    /// The kinds of which queues are left out, those that lost most time first.
    let patterns: [QueuePatternDocument]

    /// - Parameters:
    ///   - analysis: whose queues.
    ///   - all: every queue is a row.
    init(of analysis: Analysis, all: Bool) {
        // Actors and event loops are the report's `actors` and `loops`.
        let rows = analysis.queues.filter { analysis.model[$0.queue].isDispatch }
        guard !all, rows.count > Self.patternLimit else {
            queues = rows
            patterns = []
            return
        }
        let known = analysis.model.queuePatterns
        var kinds = known.patterns.map { QueuePatternDocument(pattern: $0) }
        for queue in rows { kinds[known.number(of: queue.queue)].add(queue) }
        let isTold = kinds.map { $0.queues > Self.patternLimit && !$0.pattern.isEmpty }
        var shown = [Int](repeating: 0, count: kinds.count)
        queues = rows.filter { queue in
            let kind = known.number(of: queue.queue)
            shown[kind] += 1
            return !isTold[kind] || shown[kind] <= Self.worst
        }
        patterns = kinds.indices.filter { isTold[$0] }.map { kinds[$0] }
            .sorted { ($1.waitTotal, $0.pattern) < ($0.waitTotal, $1.pattern) }
    }
}

/// Queues whose labels differ in numbers only, summed up.
struct QueuePatternDocument: Encodable {
    /// The label with every number replaced by *.
    let pattern: NonEmptyText
    /// The busy queues of this pattern.
    private(set) var queues: Int = 0
    /// How many of them are no rows of queues.
    private(set) var leftOut: Int = 0
    private(set) var items: Int = 0
    private(set) var busy: Nanoseconds = .zero
    /// The largest of any of them.
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
