import DispatchAnalysis
import DispatchModel

/// The queues as a tree by target queue, sorted by lost time; or the actors, which the model stores as queues.
struct QueuesSection {
    enum Subject { case queues, actors }

    let analysis: Analysis
    var subject = Subject.queues
    let detail: TextStyle.Detail

    private static let columns: [TextTable.Column] = [
        .init(title: "items", width: 6),
        .init(title: "busy", width: 5, dropRank: 3),
        .init(title: "lost", width: 6),
        .init(title: "mostly to", width: 12, alignsRight: false, dropRank: 4),
        .init(group: "wait", title: "p50", width: 5, dropRank: 1),
        .init(group: "wait", title: "p99", width: 5, dropRank: 7),
        .init(group: "wait", title: "max", width: 5),
        .init(group: "run", title: "p50", width: 5, dropRank: 6),
        .init(group: "run", title: "p99", width: 5, dropRank: 2),
        .init(group: "run", title: "max", width: 5, dropRank: 5),
        .init(title: "handed", width: 6, dropRank: 0),
    ]
    /// Columns that require context switches.
    private static let switchColumns: [TextTable.Column] = [
        .init(title: "switches", width: 8, dropRank: -1), .init(title: "off CPU", width: 7, dropRank: -2),
    ]

    private var hasSwitches: Bool { analysis.queues.contains { $0.processorTimes != nil } }

    private var rowLimit: Int { detail.limit(30, brief: 10) }

    func draw(on page: inout TextPage) {
        let forest = QueueForest(analysis, groupsAlike: detail != .everything) {
            subject == .queues ? $0.isDispatch : $0.kind == .actor
        }
        if subject == .actors, forest.roots.isEmpty { return }
        switch subject {
        case .queues: page.addSection("QUEUES", note: "by lost time, below their target queue")
        case .actors: page.addSection("ACTORS", note: "by time that tasks waited for them")
        }
        guard !forest.roots.isEmpty else {
            page.add(" No queue ran an item.")
            return
        }
        let selection = QueueSelection(forest, model: analysis.model, limit: rowLimit)
        var table = TextTable(
            firstTitle: subject == .queues ? "queue" : "actor",
            columns: Self.columns + (hasSwitches ? Self.switchColumns : []))
        for root in selection.roots { add(root, under: nil, to: &table, branches: "", childBranches: "") }
        table.draw(on: &page)
        drawLegend(selection, forest, shows: { [page] in table.shows($0, on: page) }, on: &page)
    }

    private func add(
        _ node: QueueSelection.Node, under parent: QueueForest.Node?, to table: inout TextTable, branches: String,
        childBranches: String
    ) {
        let short = shortLabel(node.node, under: parent).map { name(node.node, label: $0) }
        table.rows.append(
            TextTable.Row(
                branches: branches, first: .init(name(node.node, label: node.node.label)), shortFirst: short,
                cells: cells(node.node.summary)))
        for (position, child) in node.children.enumerated() {
            let isLast = position == node.children.count - 1
            add(
                child, under: node.node, to: &table, branches: childBranches + (isLast ? "└ " : "├ "),
                childBranches: childBranches + (isLast ? "  " : "│ "))
        }
    }

    /// The label without the prefix that its parent in the tree implies; nil when there is no such prefix.
    private func shortLabel(_ node: QueueForest.Node, under parent: QueueForest.Node?) -> String? {
        let prefixes = [parent.map { $0.label + "." }, "com.apple.root."]
        for case let prefix? in prefixes where prefix != "." && node.label.hasPrefix(prefix) {
            return "…" + node.label.dropFirst(prefix.count)
        }
        return Self.shortNames[node.label]
    }

    /// Names for labels that a cut in the middle would make unreadable.
    private static let shortNames = ["Swift global concurrent queue": "Swift global queue"]

    private func name(_ node: QueueForest.Node, label: String) -> String {
        if node.isGroup {
            let count = CompactNumber.grouped(node.queues.count)
            return (label.isEmpty ? "unlabelled" : DisplayText.escaped(label)) + " ×\(count)"
        }
        let name = label.isEmpty ? QueueName.of(node.queues[0], in: analysis.model) : DisplayText.escaped(label)
        return name + suffix(analysis.model[node.queues[0]])
    }

    /// Marks queues that are not serial.
    private func suffix(_ queue: Queue) -> String {
        queue.kind == .concurrent ? " ∥" : ""
    }

    private func cells(_ summary: QueueSummary) -> [TextTable.Cell] {
        // A queue that ran nothing has no figures. A zero distinguishes a busy queue from a mere target.
        guard summary.items > 0 else {
            return (Self.columns + Self.switchColumns).enumerated().map { position, _ in
                position == 0 && summary.busy > 0 ? "0" : ""
            }
        }
        let part = summary.dominantPart.map(\.title) ?? "–"
        return [
            .init(CompactNumber.count(summary.items)), .init(CompactNumber.percent(summary.utilisation)),
            .init(summary.lost, .strong), .init(part, .place),
            .init(summary.wait.p50), .init(summary.wait.p99), .init(summary.wait.max),
            .init(summary.service.p50), .init(summary.service.p99), .init(summary.service.max),
            .init(summary.handoffs == 0 ? "–" : CompactNumber.count(summary.handoffs)),
        ] + switchCells(summary)
    }

    private func switchCells(_ summary: QueueSummary) -> [TextTable.Cell] {
        guard let times = summary.processorTimes else { return ["–", "–"] }
        return [
            .init(CompactNumber.count(times.switches)), .init(times.preempted + times.blocked),
        ]
    }

    private func drawLegend(
        _ selection: QueueSelection, _ forest: QueueForest, shows: (String) -> Bool, on page: inout TextPage
    ) {
        if selection.hiddenQueues > 0 {
            let queues = CompactNumber.counted(selection.hiddenQueues, "more \(noun)")
            page.addNote("… \(queues), lost \(selection.hiddenLost) in total; --all shows every \(noun).")
        }
        guard detail != .brief else { return }
        let idle = CompactNumber.grouped(forest.idle) + " ran nothing and \(forest.idle == 1 ? "is" : "are") not shown"
        page.addNote(CompactNumber.counted(forest.busy, "busy \(noun)") + (forest.idle > 0 ? "; \(idle)." : "."))
        if subject == .actors {
            page.addNote(
                "items: runs of a task on the actor. lost: total wait. wait: from the time at which a task is ready to the "
                    + "time at which it gets the actor; run: until it leaves the actor, at an await or at its end.")
        } else {
            noteColumns(selection, shows: shows, on: &page)
        }
        if selection.hasGroups {
            page.addNote(
                "×n: n similar \(noun)s in one row, with their mean load, the median \(noun)'s p50, and the worst \(noun)'s p99 and max; "
                    + "--all lists each."
            )
        }
    }

    private var noun: String { subject == .queues ? "queue" : "actor" }

    private func noteColumns(_ selection: QueueSelection, shows: (String) -> Bool, on page: inout TextPage) {
        page.addNote(
            "lost: total wait. wait: from enqueue to begin; run: from begin to end."
                + (shows("handed") ? " handed: syncs that waited and got the queue from another thread." : "")
                + (selection.hasConcurrent ? " ∥: a concurrent queue." : "")
                + (shows("switches") ? " switches, off CPU: of threads while they ran items of the queue." : ""))
    }
}
