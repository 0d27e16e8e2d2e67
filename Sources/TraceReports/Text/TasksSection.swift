import DispatchAnalysis
import DispatchModel

/// The tasks of Swift Concurrency, by the function that they were created to run.
struct TasksSection {
    let analysis: Analysis
    let symbols: SymbolTable
    let detail: TextStyle.Detail

    private static let columns: [TextTable.Column] = [
        .init(title: "tasks", width: 6),
        .init(title: "open", width: 6, dropRank: 4),
        .init(title: "ran", width: 6),
        .init(group: "waited for", title: "actor", width: 6),
        .init(group: "waited for", title: "thread", width: 6),
        .init(group: "waited for", title: "task", width: 6, dropRank: 5),
        .init(group: "waited for", title: "contin.", width: 7, dropRank: 6),
        .init(title: "hops", width: 6, dropRank: 1),
        .init(group: "life", title: "p50", width: 5, dropRank: 2),
        .init(group: "life", title: "p99", width: 5, dropRank: 0),
        .init(group: "life", title: "max", width: 5, dropRank: 3),
    ]

    private var limit: Int { detail.limit(12, brief: 5) }

    func draw(on page: inout TextPage) {
        guard let tasks = analysis.tasks else { return }
        page.addSection("TASKS", note: "by lifetime")
        var table = TextTable(firstTitle: "function", columns: Self.columns)
        for function in tasks.functions.prefix(limit) { table.rows.append(row(function)) }
        if tasks.functions.count > 1 { table.rows.append(total(tasks)) }
        table.draw(on: &page)
        page.addRest(tasks.functions.count - limit, "function")
        guard detail != .brief else { return }
        page.addNote(
            "open: not ended at the end of the trace. waited for: an actor or a thread to run on, another task or a "
                + "task group, a continuation (a sleep is one). hops: switches to another actor. "
                + "--task slowest shows the steps of one task.")
    }

    private func row(_ function: TaskStatistics) -> TextTable.Row {
        let name =
            function.code == .unknown
            ? function.kind == .unknown ? "created earlier, or by the runtime" : "created by the runtime"
            : CodeName.brief(function.code, in: analysis.model, symbols: symbols)
        return TextTable.Row(
            first: .init(name),
            cells: cells(function.tasks, open: function.open, function.parts, hops: function.hops)
                + [function.life.p50, function.life.p99, function.life.max].map {
                    .init(function.open == function.tasks ? nil : $0)
                })
    }

    private func total(_ tasks: TaskSummary) -> TextTable.Row {
        let open = tasks.functions.reduce(0) { $0 + $1.open }
        return TextTable.Row(
            first: .init("all tasks", .faint),
            cells: cells(tasks.count, open: open, tasks.parts, hops: tasks.hops) + ["", "", ""])
    }

    private func cells(_ count: Int, open: Int, _ parts: TaskParts, hops: Int) -> [TextTable.Cell] {
        func time(_ duration: Nanoseconds, _ color: TextColor = .plain) -> TextTable.Cell {
            .init(duration == .zero ? nil : duration, color)
        }
        return [
            .init(CompactNumber.count(count)), .init(open == 0 ? "–" : CompactNumber.count(open)),
            time(parts.running), time(parts.actor, .strong), time(parts.thread, .strong),
            time(parts.task + parts.group), time(parts.continuation),
            .init(hops == 0 ? "–" : CompactNumber.count(hops)),
        ]
    }
}
