import DispatchAnalysis
import DispatchModel

/// The queues as trees by target queue, in the order of time lost, with look-alikes put together.
///
/// ```
///   com.apple.root.default-qos
///   ├─ news.state                         one queue
///   └─ news.connection.* (64 queues)      siblings whose labels differ in numbers only
/// ```
struct QueueForest {
    struct Node {
        /// The queue, or all queues of a group.
        let queues: [QueueIndex]
        /// The label, or the pattern of a group.
        let label: String
        let summary: QueueSummary
        /// Time lost in these queues and in everything that targets them.
        let lostInTree: Nanoseconds
        let children: [Node]

        var isGroup: Bool { queues.count > 1 }
    }

    let roots: [Node]
    /// Queues that are busy (``BusyQueues``), in nodes of their own or of a group.
    let busy: Int
    /// Queues left out because neither they nor their descendants are busy.
    let idle: Int

    /// Fewer look-alikes than this stay apart.
    private static let leastGroup = 3

    /// - Parameters:
    ///   - analysis: the queues and their statistics.
    ///   - groupsAlike: put siblings together whose labels differ in numbers only.
    ///   - includes: whether a queue without a target is shown, and what targets it.
    init(_ analysis: Analysis, groupsAlike: Bool, includes: (Queue) -> Bool = { _ in true }) {
        let model = analysis.model
        var rows = [Int32](repeating: -1, count: model.queues.count)
        for (row, statistics) in analysis.queues.enumerated() { rows[statistics.queue.position] = Int32(row) }
        let builder = Builder(
            model: model, statistics: analysis.queues, rows: rows, active: Self.active(analysis),
            patterns: model.queuePatterns, groupsAlike: groupsAlike)
        let roots = model.queues.indices.filter { model.queues[$0].target == nil && includes(model.queues[$0]) }
        self.roots = builder.nodes(roots.map { QueueIndex($0) }, depth: 0)
        busy = analysis.queues.count { includes(model[$0.queue]) }
        idle = builder.active.indices.count { !builder.active[$0] && includes(model.queues[$0]) }
    }

    /// Marks the queues that are busy, and all their targets.
    private static func active(_ analysis: Analysis) -> [Bool] {
        let model = analysis.model
        var active = [Bool](repeating: false, count: model.queues.count)
        for start in analysis.queues {
            var next: QueueIndex? = start.queue
            while let queue = next, !active[queue.position] {
                active[queue.position] = true
                next = model.queues[queue.position].target
            }
        }
        return active
    }

    private struct Builder {
        let model: DispatchModel
        let statistics: [QueueStatistics]
        /// By position of the queue: where its statistics are, -1 for none.
        let rows: [Int32]
        let active: [Bool]
        let patterns: QueuePatterns
        let groupsAlike: Bool

        /// A damaged trace can describe a cycle of targets; no real hierarchy is this deep.
        private static let deepest = 64

        func nodes(_ siblings: [QueueIndex], depth: Int) -> [Node] {
            guard depth < Self.deepest else { return [] }
            let siblings = siblings.filter { active[$0.position] }
            var nodes: [Node] = []
            for group in grouped(siblings) {
                let children = self.nodes(
                    group.queues.flatMap { model.queues[$0.position].children }, depth: depth + 1)
                let summary = QueueSummary(
                    statistics, at: group.queues.lazy.map { Int(rows[$0.position]) }.filter { $0 >= 0 })
                nodes.append(
                    Node(
                        queues: group.queues, label: group.label, summary: summary,
                        lostInTree: children.reduce(summary.lost) { $0 + $1.lostInTree }, children: children))
            }
            return nodes.sorted {
                ($1.lostInTree, $1.summary.items, $0.queues[0])
                    < ($0.lostInTree, $0.summary.items, $1.queues[0])
            }
        }

        private func grouped(_ siblings: [QueueIndex]) -> [(label: String, queues: [QueueIndex])] {
            guard groupsAlike else { return siblings.map { (model[$0].name, [$0]) } }
            let alike = Dictionary(grouping: siblings) { patterns.number(of: $0) }
            var groups: [(label: String, queues: [QueueIndex])] = []
            for queue in siblings {
                let pattern = patterns.number(of: queue)
                guard let queues = alike[pattern], queues.count >= QueueForest.leastGroup else {
                    groups.append((model[queue].name, [queue]))
                    continue
                }
                if queues[0] == queue { groups.append((patterns.patterns[pattern], queues)) }
            }
            return groups
        }
    }
}
