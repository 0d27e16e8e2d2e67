import DispatchModel

/// The rows of the forest that fit in a report: the rows with the most lost time, and the queues that they target.
struct QueueSelection {
    struct Node {
        let node: QueueForest.Node
        let children: [Node]
    }

    private(set) var roots: [Node] = []
    /// Number of queues in hidden rows.
    private(set) var hiddenQueues = 0
    /// Lost time of the hidden queues.
    private(set) var hiddenLost: Nanoseconds = .zero
    private(set) var hasGroups = false
    private(set) var hasConcurrent = false

    /// - Parameters:
    ///   - forest: all rows.
    ///   - model: the model that has the queues of the rows.
    ///   - limit: the largest number of rows.
    init(_ forest: QueueForest, model: DispatchModel, limit: Int) {
        var rows: [(order: Int, lost: Nanoseconds)] = []
        Self.flatten(forest.roots) { rows.append((rows.count, $0.lostInTree)) }
        // The lost time of a tree is at least the lost time of each of its children, and a parent precedes its
        // children. So a prefix of this order contains the target of each of its rows.
        rows.sort { ($1.lost, $0.order) < ($0.lost, $1.order) }
        let shown = Set(rows.prefix(limit).map(\.order))
        var order = 0
        roots = select(forest.roots, shown: shown, order: &order, model: model)
    }

    private static func flatten(_ nodes: [QueueForest.Node], _ visit: (QueueForest.Node) -> Void) {
        for node in nodes {
            visit(node)
            flatten(node.children, visit)
        }
    }

    private mutating func select(
        _ nodes: [QueueForest.Node], shown: Set<Int>, order: inout Int, model: DispatchModel
    ) -> [Node] {
        var selected: [Node] = []
        for node in nodes {
            let isShown = shown.contains(order)
            order += 1
            let children = select(node.children, shown: shown, order: &order, model: model)
            if isShown {
                selected.append(Node(node: node, children: children))
                hasGroups = hasGroups || node.isGroup
                hasConcurrent = hasConcurrent || node.queues.contains { model[$0].kind == .concurrent }
            } else {
                hiddenQueues += node.queues.count
                hiddenLost += node.summary.lost
            }
        }
        return selected
    }
}
