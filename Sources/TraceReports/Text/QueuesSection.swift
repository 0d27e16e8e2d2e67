import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// The queues as a tree by target queue, sorted by lost time; or the actors, which the model stores as queues.
struct QueuesSection {
    enum Subject { case queues, actors }

    let analysis: Analysis
    let symbols: SymbolTable
    var subject = Subject.queues
    let detail: TextStyle.Detail

    private var columns: TextColumns<QueueSummary> {
        TextColumns { columns in
            columns.add("items", width: 6) { $0.items }
            columns.add("busy", width: 5, dropRank: 3) { CompactNumber.percent($0.utilisation) }
            columns.add("lost", width: 6, .strong) { $0.lost }
            columns.add("mostly to", width: 12, alignsRight: false, dropRank: 4, .place) { $0.dominantPart?.title }
            columns.add("p50", in: "wait", width: 5, dropRank: 1) { $0.wait.p50 }
            columns.add("p99", in: "wait", width: 5, dropRank: 7) { $0.wait.p99 }
            columns.add("max", in: "wait", width: 5) { $0.wait.max }
            columns.add("p50", in: "run", width: 5, dropRank: 6) { $0.service.p50 }
            columns.add("p99", in: "run", width: 5, dropRank: 2) { $0.service.p99 }
            columns.add("max", in: "run", width: 5, dropRank: 5) { $0.service.max }
            columns.add("handed", width: 6, dropRank: 0) { $0.handoffs == 0 ? nil : $0.handoffs }
            guard hasSwitches else { return }
            columns.add("switches", width: 8, dropRank: -1) { $0.processorTimes?.switches }
            columns.add("off CPU", width: 7, dropRank: -2) { $0.processorTimes.map { $0.preempted + $0.blocked } }
        }
    }

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
        let columns = columns
        var table = TextTable(firstTitle: subject == .queues ? "queue" : "actor", columns: columns)
        for root in selection.roots { add(root, under: nil, columns, to: &table, branches: "", childBranches: "") }
        table.draw(on: &page)
        drawLegend(selection, forest, shows: { [page] in table.shows($0, on: page) }, on: &page)
    }

    private func add(
        _ node: QueueSelection.Node, under parent: QueueForest.Node?, _ columns: TextColumns<QueueSummary>,
        to table: inout TextTable, branches: String, childBranches: String
    ) {
        let short = shortLabel(node.node, under: parent).map { name(node.node, label: $0) }
        table.rows.append(
            TextTable.Row(
                branches: branches, first: .init(name(node.node, label: node.node.label)), shortFirst: short,
                cells: cells(node.node.summary, columns)))
        for (position, child) in node.children.enumerated() {
            let isLast = position == node.children.count - 1
            add(
                child, under: node.node, columns, to: &table, branches: childBranches + (isLast ? "└ " : "├ "),
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
        return name + suffix(analysis.model[node.queues[0]]) + runs(of: node.queues[0])
    }

    /// The function that a custom executor ran most often, which identifies its actor, and its only thread.
    private func runs(of queue: QueueIndex) -> String {
        let model = analysis.model
        guard let executor = model.executors.first(where: { $0.queue == queue }) else { return "" }
        let code = executor.code == .unknown ? nil : CodeName.brief(executor.code, in: model, symbols: symbols)
        let thread = executor.thread.map { "on \(ThreadName.of($0, in: model))" }
        let words = [code, thread].compactMap(\.self).joined(separator: " ")
        return words.isEmpty ? "" : " (\(words))"
    }

    /// Marks queues that are not serial.
    private func suffix(_ queue: Queue) -> String {
        queue.kind == .concurrent ? " ∥" : ""
    }

    private func cells(_ summary: QueueSummary, _ columns: TextColumns<QueueSummary>) -> [TextTable.Cell] {
        guard summary.items == 0 else { return columns.cells(of: summary) }
        // A queue that ran nothing has no figures. A zero distinguishes a busy queue from a mere target.
        var cells = columns.emptyCells
        if summary.busy > 0 { cells[0] = "0" }
        return cells
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
                "items: runs of a task on the actor. lost: total wait. wait: from the time at which a task is ready to "
                    + "the time at which it gets the actor; run: until it leaves the actor, at an await or at its end."
                    + (analysis.model.executors.isEmpty
                        ? "" : " In brackets: the function that an executor ran most often, and its only thread."))
        } else {
            noteColumns(selection, shows: shows, on: &page)
        }
        if selection.hasGroups {
            page.addNote(
                "×n: n similar \(noun)s in one row, with their mean load, the median \(noun)'s p50, and the worst "
                    + "\(noun)'s p99 and max; --all lists each.")
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
