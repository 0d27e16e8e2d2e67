import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// One request: its duration, the waits and runs that it consists of, and its spans as a tree.
struct RequestSection {
    let request: RequestStory
    /// Indexed by process.
    let symbols: [SymbolTable]
    let detail: TextStyle.Detail

    private static let standardRows = 20
    private static let standardSpans = 40

    private var span: RequestSpan { request.request }

    func draw(on page: inout TextPage) {
        drawHead(on: &page)
        drawTime(on: &page)
        drawSpans(on: &page)
    }

    private func drawHead(on page: inout TextPage) {
        page.addSection("REQUEST \(DisplayText.escaped(span.name))", note: "and all work for it")
        if let context = span.context {
            let processes = Set(request.spans.map(\.process)).count
            let of = processes > 1 ? " of \(CompactNumber.counted(processes, "process", plural: "processes"))" : ""
            let spans = CompactNumber.counted(request.spans.count, "span") + of
            page.addFact("trace", "\(context.traceID), \(spans) here")
            let parent = context.parentID.map { ", child of span \($0), which is not part of this request" } ?? ""
            page.addFact("span", context.spanID + parent)
            if !context.attributes.isEmpty {
                page.addFact("attributes", DisplayText.escaped(context.attributes.joined(separator: " ")))
            }
        } else if !span.signpost.message.isEmpty {
            page.addFact("message", DisplayText.escaped(span.signpost.message))
        }
        if let task = span.signpost.task {
            let name = request.processes[span.process].recording.tasks[task]?.name ?? ""
            let named = name.isEmpty ? "" : ", named " + DisplayText.escaped(name)
            page.addFact("task", names(span.process).task(task) + named, .place)
        } else {
            let thread = ThreadName.of(span.signpost.beginThread, in: model(span.process))
            page.addFact("task", "none: it began on \(thread)", .place)
        }
        let end = span.signpost.isFinished ? "" : "; still open at the end of the trace"
        page.addFact("took", "\(span.duration), from \(place(span.begin))\(end)", .strong)
        let totals = request.totals.map { "\(Self.words(ofKind: $0.kind)) \($0.time)" }
        page.addFact("of that", totals.joined(separator: ", "))
        let omitted = [(request.omittedSpans, "interval"), (request.omittedSteps, "step")].filter { $0.0 > 0 }.map {
            CompactNumber.counted($0, $1)
        }
        if !omitted.isEmpty {
            page.addFact("omitted", omitted.joined(separator: " and ") + ": more than the limit")
        }
    }

    private struct Row: Hashable {
        let process: Int
        let what: String
        let place: String
    }

    private func drawTime(on page: inout TextPage) {
        page.addSection(
            "WHERE ITS TIME WENT", note: "sums to its duration; awaited tasks count by their steps")
        var sums: [Row: (time: Nanoseconds, count: Int, isWait: Bool)] = [:]
        for step in request.steps {
            let (what, place, isWait) = words(step)
            let row = Row(process: step.process, what: what, place: place)
            let known = sums[row] ?? (.zero, 0, isWait)
            sums[row] = (known.time + step.duration, known.count + 1, isWait)
        }
        let rows = sums.sorted { ($1.value.time, $0.key.what) < ($0.value.time, $1.key.what) }
        var table = TextTable(
            firstTitle: "what it did",
            columns: [
                .init(title: "time", width: 7), .init(title: "share", width: 5, dropRank: 1),
                .init(title: "times", width: 6, dropRank: 0),
                .init(title: "where, or waiting for", width: 44, alignsRight: false),
            ])
        let limit = detail.limit(Self.standardRows)
        let whole = Double(max(span.duration.count, 1))
        for (row, sum) in rows.prefix(limit) {
            let process = row.process == span.process ? "" : "process \(pid(row.process)) "
            table.rows.append(
                TextTable.Row(
                    first: .init(row.what),
                    cells: [
                        .init(sum.time, sum.isWait ? .strong : .plain),
                        .init(CompactNumber.percent(Double(sum.time.count) / whole)),
                        .init(CompactNumber.grouped(sum.count), .faint), .init(process + row.place),
                    ]))
        }
        table.draw(on: &page)
        page.addRest(rows.count - limit, "row")
    }

    private func words(_ step: RequestStep) -> (what: String, place: String, isWait: Bool) {
        let model = model(step.process)
        let names = names(step.process)
        func actor(_ queue: QueueIndex?) -> String { queue.map { DisplayText.escaped(model[$0].name) } ?? "" }
        switch step.what {
        case .run(let run): return ("ran \(names.brief(run.code))", actor(run.actor), false)
        case .executor(let wait):
            guard wait.actor != nil else { return ("waited for a thread", "", true) }
            return ("waited for \(actor(wait.actor))", holder(of: wait, in: step.process), true)
        case .starting: return ("waited for a thread", "", true)
        case .awaiting(let wait):
            return (names.awaiting(wait), wait.kind == .continuation ? names.waker(of: wait) : "", true)
        case .queued(let item):
            let most = item.waitParts.named.max { $0.value < $1.value }!
            let why = most.value > .zero ? "mostly for \(most.title)" : ""
            return ("waited in \(actor(item.queue))", why, true)
        case .item(let item):
            if item.queueKind == .eventLoop {
                return ("in an event loop", actor(item.queue), true)
            }
            return ("ran \(names.brief(item.code))", actor(item.queue), false)
        case .offTask(let signpost):
            let thread = ThreadName.of(signpost.beginThread, in: model)
            let name = DisplayText.escaped(signpost.span?.name ?? signpost.name)
            return ("in \(name)", "no task; began on " + thread, true)
        case .unknown: return ("unknown", "", true)
        }
    }

    private func holder(of wait: TaskWait, in process: Int) -> String {
        guard let holder = wait.holder else { return names(process).block(of: wait) }
        guard holder != wait.task else { return "" }
        let recording = request.processes[process].recording
        if recording.tasks[holder] != nil { return "held by \(names(process).task(holder)) of this request" }
        guard let other = recording.span(of: holder, during: wait) else {
            return "held by \(names(process).task(holder))"
        }
        let context = other.span
        let trace = context.map { ", trace \($0.traceID.prefix(8))" } ?? ""
        return "held by task \(holder) (\(DisplayText.escaped(context?.name ?? other.name))\(trace))"
    }

    private func drawSpans(on page: inout TextPage) {
        guard request.spans.count > 1 || span.context != nil else { return }
        page.addSection(
            "SPANS", note: "own: the request's time in the span and in none of its children")
        let severalProcesses = Set(request.spans.map(\.process)).count > 1
        let mostly = self.mostly
        let columns = TextColumns<(position: Int, span: RequestSpan)> { columns in
            if severalProcesses {
                columns.add("process", width: 20, alignsRight: false) { processName($0.span.process) }
            }
            columns.add("from", width: 11, dropRank: 1, .faint) { place($0.span.begin) }
            columns.add("took", width: 7) { $0.span.duration }
            columns.add("own", width: 7, .strong) { $0.span.share > .zero ? $0.span.share : nil }
            columns.add("mostly", width: 32, alignsRight: false, dropRank: 0) { position, span in
                let failure = span.context?.attributes.first { $0.hasPrefix("error=") }
                let error = failure.map { ", " + DisplayText.escaped($0) } ?? ""
                return (mostly[position] ?? "") + error + (span.signpost.isFinished ? "" : ", still open")
            }
        }
        var table = TextTable(firstTitle: "span", columns: columns)
        let limit = detail.limit(Self.standardSpans)
        for (position, span) in request.spans.enumerated().prefix(limit) {
            table.rows.append(
                TextTable.Row(
                    branches: branches(position), first: .init(DisplayText.escaped(span.name)),
                    cells: columns.cells(of: (position, span))))
        }
        table.draw(on: &page)
        page.addRest(request.spans.count - limit, "span")
    }

    /// The largest part of each span's own time.
    private var mostly: [Int: String] {
        var sums: [Int: [RequestKind: Nanoseconds]] = [:]
        for step in request.steps { sums[step.span, default: [:]][step.what.kind, default: .zero] += step.duration }
        return sums.mapValues { kinds in
            kinds.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }
                .map { Self.words(ofKind: $0.key) } ?? ""
        }
    }

    private func branches(_ position: Int) -> String {
        let spans = request.spans
        guard let parent = spans[position].parent else { return "" }
        var text = spans[parent].children.last == position ? "└ " : "├ "
        var node = parent
        while let above = spans[node].parent {
            text = (spans[above].children.last == node ? "  " : "│ ") + text
            node = above
        }
        return text
    }

    private func model(_ process: Int) -> DispatchModel { request.processes[process].analysis.model }

    private func names(_ process: Int) -> TaskNames {
        TaskNames(
            model: model(process), symbols: symbols[process],
            directory: request.processes[process].recording.directory)
    }

    private func pid(_ process: Int) -> Int { request.processes[process].analysis.trace.processes.first?.pid ?? 0 }

    private func processName(_ process: Int) -> String {
        let name = request.processes[process].analysis.trace.processes.first?.name ?? ""
        return name.isEmpty ? "process \(pid(process))" : "\(DisplayText.escaped(name)) \(pid(process))"
    }

    /// A time in the clock of the process in which the request began.
    private func place(_ time: Int64) -> String {
        CompactNumber.place(Timestamp(nanoseconds: time - request.processes[span.process].origin))
    }

    private static func words(ofKind kind: RequestKind) -> String {
        switch kind {
        case .queue: "waiting in a queue"
        case .item: "running in a queue"
        case .loop: "in an event loop"
        case .offTask: "outside of tasks"
        case .running: TaskPart.running.title
        case .actor: TaskPart.actor.title
        case .thread: TaskPart.thread.title
        case .task: TaskPart.task.title
        case .continuation: TaskPart.continuation.title
        case .group: TaskPart.group.title
        case .unknown: TaskPart.unknown.title
        }
    }
}
