import DispatchAnalysis
import DispatchModel

/// The queues as trees by target queue, sorted by lost time. Queues with similar labels are one group.
///
/// ```
///   com.apple.root.default-qos
///   ├─ news.state                         one queue
///   └─ news.connection.* (64 queues)      siblings whose labels differ only in numbers
/// ```
struct QueueForest {
    struct Node {
        /// The queue, or all queues of the group.
        let queues: [QueueIndex]
        /// The label of the queue, or the label pattern of the group.
        let label: String
        let summary: QueueSummary
        /// Lost time of these queues and of all queues that target them, directly or not.
        let lostInTree: Nanoseconds
        let children: [Node]

        var isGroup: Bool { queues.count > 1 }
    }

    let roots: [Node]
    /// Number of busy queues (see ``BusyQueues``) in all nodes and groups.
    let busy: Int
    /// Number of queues that are excluded because they and their descendants are idle.
    let idle: Int

    /// The smallest number of similar queues that form a group.
    private static let leastGroup = 3

    /// - Parameters:
    ///   - analysis: the queues and their statistics.
    ///   - groupsAlike: group siblings whose labels differ only in numbers.
    ///   - includes: whether a queue without a target is shown together with its descendants.
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

    /// Marks the busy queues and all their direct and indirect targets.
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
        /// Indexed by queue position: the index of its statistics, or -1 for none.
        let rows: [Int32]
        let active: [Bool]
        let patterns: QueuePatterns
        let groupsAlike: Bool

        /// The most levels. A damaged trace can describe a cycle of targets, and real hierarchies have fewer levels.
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
