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
    /// Queues left out because neither they nor their descendants ran an item.
    let idle: Int

    /// Fewer look-alikes than this stay apart.
    private static let leastGroup = 3

    /// - Parameters:
    ///   - analysis: the queues and their statistics.
    ///   - groupsAlike: put siblings together whose labels differ in numbers only.
    init(_ analysis: Analysis, groupsAlike: Bool) {
        var statistics = [QueueStatistics?](repeating: nil, count: analysis.model.queues.count)
        for queue in analysis.queues { statistics[queue.queue.position] = queue }
        let builder = Builder(
            model: analysis.model, statistics: statistics,
            active: Self.active(analysis.model, statistics), groupsAlike: groupsAlike)
        roots = builder.nodes(analysis.model.queues.filter { $0.target == nil }.map(\.index), depth: 0)
        idle = builder.active.count { !$0 }
    }

    /// Marks the queues that ran items, and all their targets.
    private static func active(_ model: DispatchModel, _ statistics: [QueueStatistics?]) -> [Bool] {
        var active = [Bool](repeating: false, count: model.queues.count)
        for start in model.queues where (statistics[start.index.position]?.items ?? 0) > 0 {
            var next: QueueIndex? = start.index
            while let queue = next, !active[queue.position] {
                active[queue.position] = true
                next = model[queue].target
            }
        }
        return active
    }

    private struct Builder {
        let model: DispatchModel
        let statistics: [QueueStatistics?]
        let active: [Bool]
        let groupsAlike: Bool

        /// A damaged trace can describe a cycle of targets; no real hierarchy is this deep.
        private static let deepest = 64

        func nodes(_ siblings: [QueueIndex], depth: Int) -> [Node] {
            guard depth < Self.deepest else { return [] }
            let siblings = siblings.filter { active[$0.position] }
            var nodes: [Node] = []
            for group in grouped(siblings) {
                let children = self.nodes(group.queues.flatMap { model[$0].children }, depth: depth + 1)
                let summary = QueueSummary(group.queues.compactMap { statistics[$0.position] })
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
            var patterns: [String: [QueueIndex]] = [:]
            if groupsAlike {
                for queue in siblings { patterns[LabelPattern.of(model[queue].name), default: []].append(queue) }
            }
            var groups: [(label: String, queues: [QueueIndex])] = []
            for queue in siblings {
                let label = model[queue].name
                let pattern = LabelPattern.of(label)
                guard let alike = patterns[pattern], alike.count >= QueueForest.leastGroup else {
                    groups.append((label, [queue]))
                    continue
                }
                if alike[0] == queue { groups.append((pattern, alike)) }
            }
            return groups
        }
    }
}
