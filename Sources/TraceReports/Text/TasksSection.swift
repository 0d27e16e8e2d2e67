import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// The tasks of Swift Concurrency, by the function that they were created to run.
struct TasksSection {
    let analysis: Analysis
    let symbols: SymbolTable
    let detail: TextStyle.Detail

    private struct Row {
        var names: [String] = []
        let tasks: Int
        let open: Int
        let parts: TaskParts
        let hops: Int
        /// The lifetimes of the tasks that ended; nil for none.
        var life: LatencyPercentiles?
    }

    private func columns(of functions: [TaskStatistics]) -> TextColumns<Row> {
        TextColumns { columns in
            func time(_ duration: Nanoseconds) -> Nanoseconds? { duration == .zero ? nil : duration }
            if functions.contains(where: { !$0.names.isEmpty }) {
                columns.add("name", width: 18, alignsRight: false, dropRank: 4, .place) {
                    DisplayText.escaped($0.names.joined(separator: ", "))
                }
            }
            columns.add("tasks", width: 6) { $0.tasks }
            columns.add("open", width: 6, dropRank: 5) { $0.open == 0 ? nil : $0.open }
            columns.add("ran", width: 6) { time($0.parts.running) }
            columns.add("actor", in: "waited for", width: 6, .strong) { time($0.parts.actor) }
            columns.add("thread", in: "waited for", width: 6, .strong) { time($0.parts.thread) }
            columns.add("task", in: "waited for", width: 6, dropRank: 6) { time($0.parts.task + $0.parts.group) }
            columns.add("contin.", in: "waited for", width: 7, dropRank: 7) { time($0.parts.continuation) }
            columns.add("hops", width: 6, dropRank: 1) { $0.hops == 0 ? nil : $0.hops }
            columns.add("p50", in: "life", width: 5, dropRank: 2) { $0.life?.p50 }
            columns.add("p99", in: "life", width: 5, dropRank: 0) { $0.life?.p99 }
            columns.add("max", in: "life", width: 5, dropRank: 3) { $0.life?.max }
        }
    }

    private var limit: Int { detail.limit(12, brief: 5) }

    func draw(on page: inout TextPage) {
        guard let tasks = analysis.tasks else { return }
        page.addSection("TASKS", note: "by lifetime")
        let columns = columns(of: Array(tasks.functions.prefix(limit)))
        var table = TextTable(firstTitle: "function", columns: columns)
        for function in tasks.functions.prefix(limit) {
            let row = Row(
                names: function.names, tasks: function.tasks, open: function.open, parts: function.parts,
                hops: function.hops, life: function.ended == 0 ? nil : function.life)
            table.rows.append(.init(first: .init(name(of: function)), cells: columns.cells(of: row)))
        }
        if tasks.functions.count > 1 {
            let open = tasks.functions.reduce(0) { $0 + $1.open }
            let row = Row(tasks: tasks.count, open: open, parts: tasks.parts, hops: tasks.hops)
            // The lifetimes of all functions together have no meaning.
            table.rows.append(
                .init(first: .init("all tasks", .faint), cells: columns.cells(of: row).dropLast(3) + ["", "", ""]))
        }
        table.draw(on: &page)
        page.addRest(tasks.functions.count - limit, "function")
        guard detail != .brief else { return }
        page.addNote(
            "open: not ended at the end of the trace. waited for: an actor or a thread to run on, another task or a "
                + "task group, a continuation (a sleep is one). hops: switches to another actor. "
                + "--task slowest shows the steps of one task.")
    }

    private func name(of function: TaskStatistics) -> String {
        guard function.code == .unknown else {
            return CodeName.brief(function.code, in: analysis.model, symbols: symbols)
        }
        return function.kind == .unknown ? "created earlier, or by the runtime" : "created by the runtime"
    }
}
