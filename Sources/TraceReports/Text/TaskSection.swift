import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// One task: its creation, its runs, its waits and their causes. For the task that serves a request, only the steps and
/// created tasks in the interval of the request.
struct TaskSection {
    let story: TaskStory
    var interval: Signpost?
    let model: DispatchModel
    let symbols: SymbolTable
    let detail: TextStyle.Detail

    private var names: TaskNames { TaskNames(model: model, symbols: symbols, directory: story.directory) }

    private static let standardSteps = 60
    private static let standardChildren = 10

    func draw(on page: inout TextPage) {
        guard let task = story.task else { return }
        if interval != nil {
            drawSteps(on: &page)
            drawChildren(on: &page)
            return
        }
        let name = task.name.isEmpty ? "" : " " + DisplayText.escaped(task.name)
        page.addSection("TASK \(task.number)\(name)", note: "\(words(task.kind)), from its creation to its end")
        page.addFact("function", function(of: task), .place)
        page.addFact("created", creation(of: task))
        let end =
            task.isFinished
            ? "" : task.isLeftOut ? "; the recorder left it out then" : "; still alive at the end of the trace"
        page.addFact("lived", "\(task.life)\(end)" + (task.isCancelled ? "; it was cancelled" : ""), .strong)
        let parts = task.parts.named.filter { $0.value > .zero }.map { "\($0.title) \($0.value)" }
        page.addFact("of that", parts.joined(separator: ", "))
        drawSteps(on: &page)
        drawChildren(on: &page)
    }

    /// The steps of the task. With an interval, the steps in it, cut to its bounds.
    private var steps: [TaskStory.Step] {
        guard let interval else { return story.steps }
        return story.steps.compactMap { $0.cut(from: interval.begin, to: interval.end) }
    }

    /// The tasks that the task created. With an interval, only the tasks created in it.
    private var children: [SwiftTask] {
        guard let interval else { return story.children }
        return story.children.filter { $0.createdAt >= interval.begin && $0.createdAt <= interval.end }
    }

    private func creation(of task: SwiftTask) -> String {
        guard let thread = task.createdOn else { return "by the runtime, or before the recording" }
        let maker = task.parent.map { "by \(names.task($0)), " } ?? ""
        return "\(maker)at \(CompactNumber.place(task.createdAt)) on \(ThreadName.of(thread, in: model))"
    }

    private func drawSteps(on page: inout TextPage) {
        page.addSection("STEPS", note: "in order of time")
        var table = TextTable(
            firstTitle: "what it did",
            columns: [
                .init(title: "from", width: 11, dropRank: 1), .init(title: "time", width: 7),
                .init(title: "where, or waiting for", width: 46, alignsRight: false, dropRank: 0),
            ])
        if interval == nil, let wait = story.firstWait {
            table.rows.append(row("waited to begin", from: wait.begin, to: wait.end, ""))
        }
        let limit = detail.limit(Self.standardSteps)
        for step in steps.prefix(limit) { table.rows += rows(step) }
        table.draw(on: &page)
        page.addRest(steps.count - limit, "step")
    }

    private func rows(_ step: TaskStory.Step) -> [TextTable.Row] {
        switch step {
        case .run(let run):
            let actor = run.actor.map { "\(DisplayText.escaped(model[$0].name)), " } ?? ""
            let what = run.inner.map { "ran \(names.task($0)) inline" } ?? "ran \(names.brief(run.code))"
            return [row(what, from: run.begin, to: run.end, actor + ThreadName.of(run.thread, in: model))]
        case .wait(let wait):
            var rows: [TextTable.Row] = []
            let resumed = wait.resumedAt ?? wait.ended
            if wait.kind != .executor {
                rows.append(row(names.awaiting(wait), from: wait.began, to: resumed, names.waker(of: wait), .strong))
            }
            if wait.resumedAt != nil, wait.ended > resumed {
                let place = wait.actor.map { "actor \(DisplayText.escaped(model[$0].name))" } ?? "a thread"
                let holder = wait.holder.map { $0 == wait.task ? "" : "held by \(names.task($0))" }
                rows.append(
                    row(
                        "waited for \(place)", from: resumed, to: wait.ended, holder ?? names.block(of: wait), .strong))
            }
            return rows
        }
    }

    private func row(
        _ what: String, from: Timestamp, to end: Timestamp, _ place: String, _ color: TextColor = .plain
    ) -> TextTable.Row {
        TextTable.Row(
            first: .init(what),
            cells: [
                .init(CompactNumber.place(from), .faint), .init(end - from, color), .init(place),
            ])
    }

    private func drawChildren(on page: inout TextPage) {
        guard !children.isEmpty else { return }
        page.addSection("CREATED TASKS", note: "longest first")
        let columns = TextColumns<SwiftTask> { columns in
            columns.add("kind", width: 12, alignsRight: false) { words($0.kind) }
            columns.add("from", width: 11, dropRank: 0, .faint) { CompactNumber.place($0.createdAt) }
            columns.add("lived", width: 7) { $0.life }
            columns.add("ran", width: 7) { $0.parts.running }
            columns.add("mostly", width: 20, alignsRight: false, dropRank: 1) { child in
                child.parts.named.max { $0.value < $1.value }?.title
            }
        }
        var table = TextTable(firstTitle: "task", columns: columns)
        let children = children.sorted { ($1.life, $0.number) < ($0.life, $1.number) }
        let limit = detail.limit(Self.standardChildren)
        table.rows = children.prefix(limit).map {
            .init(first: .init(names.task($0.number)), cells: columns.cells(of: $0))
        }
        table.draw(on: &page)
        page.addRest(children.count - limit, "task")
    }

    private func function(of task: SwiftTask) -> String {
        guard task.code == .unknown else { return CodeName.of(task.code, in: model, symbols: symbols) }
        return "unknown: \(task.kind == .unknown ? "created earlier, or by the runtime" : "created by the runtime")"
    }

    private func words(_ kind: TaskKind) -> String { kind.description.replacing("_", with: " ") }
}
