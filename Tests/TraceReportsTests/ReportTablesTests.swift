import DispatchAnalysis
import DispatchModel
import Foundation
import Testing
import TraceBuilder

@testable import ReportText
@testable import TraceReports

/// The time tables of the report, for a trace in which two writers alternate on a queue and a lock.
@Suite("Tables of the text report")
struct ReportTablesTests {
    // thread 2   ├──── save holds app.state ────┤
    // thread 3        sync app.state (load) ····├─ load ─┤
    private func trace() -> TraceBuilder {
        var trace = TraceBuilder()
        let state = trace.serialQueue("app.state")
        trace.async(on: state, at: 0, begin: 10, end: 1010, thread: 2, code: "App/Store.swift:7")
        trace.sync(on: state, at: 110, begin: 1030, end: 1040, thread: 3, from: 2, code: "App/Store.swift:9")
        let lock = trace.lock("app.lock", fair: false)
        trace.hold(lock, thread: 2, granted: 1100, released: 1200, code: "App/Lock.swift:1")
        trace.hold(lock, thread: 3, requested: 1150, granted: 1205, released: 1210, code: "App/Lock.swift:2")
        trace.add(.codeSymbol(.init(code: 999, address: 0, symbol: "load", file: "", line: 0)), at: 0)
        trace.add(.signpostBegin(.init(signpost: 1, log: 1, code: 999, message: "")), at: 1000, thread: 3)
        trace.add(.signpostEnd(.init(signpost: 1, log: 1, code: 999, message: "")), at: 1035, thread: 3)
        return trace
    }

    private func analysis(_ target: CriticalPath.Target? = .wholeRun) -> Analysis {
        AnalysisSession(options: AnalysisOptions(model: ModelOptions(criticalPath: target))).analyze(
            events: trace().events)
    }

    private func section(_ name: String, width: Int = 100, detail: TextStyle.Detail = .standard) -> [String] {
        let lines = TextReport(analysis(), style: TextStyle(width: width, detail: detail)).render().split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        guard let begin = lines.firstIndex(where: { $0.hasPrefix("\(name) ─") }) else { return [] }
        return Array(lines[(begin + 1)...].prefix { !$0.isEmpty })
    }

    /// The words of the first line that begins with `first`, after the branches of the tree.
    private func words(_ lines: [String], _ first: String) -> [String] {
        let line = lines.first { $0.drop(while: { " ├└│".contains($0) }).hasPrefix(first) } ?? ""
        return line.split(separator: " ").map(String.init)
    }

    @Test("Waits are split by cause for the run and for each queue; causes without waits have no column")
    func waits() {
        let lines = section("WAITS")
        #expect(words(lines, "queue") == ["queue", "lost", "backlog", "start", "scheduler"])
        #expect(words(lines, "all queues") == ["all", "queues", "930µs", "900µs", "10µs", "20µs"])
        #expect(words(lines, "their share") == ["their", "share", "100%", "97%", "1%", "2%"])
        #expect(words(lines, "app.state") == ["app.state", "930µs", "900µs", "10µs", "20µs"])
        #expect(lines.joined(separator: " ").contains("own backlog: an earlier item of the same queue ran"))
    }

    @Test("The legend explains the columns that are shown", arguments: [80, 100])
    func legend(width: Int) {
        let lines = section("QUEUES", width: width)
        let isShown = words(lines, "queue").contains("handed")
        #expect(isShown == (width == 100))
        #expect(lines.contains { $0.contains("handed:") } == isShown)
    }

    @Test("Code is sorted by the time lost before it began")
    func code() {
        let lines = section("CODE")
        #expect(words(lines, "Store.swift:9").prefix(4) == ["Store.swift:9", "1", "10µs", "920µs"])
        #expect(words(lines, "Store.swift:7").prefix(4) == ["Store.swift:7", "1", "1.0ms", "10µs"])
    }

    @Test("Places with the same name are distinguished by their offset")
    func codeOfOneName() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        for (code, symbol) in [(UInt32(901), "save()"), (902, "save()"), (903, "load()")] {
            trace.add(
                .codeSymbol(.init(code: code, address: UInt64(code) << 4, symbol: symbol, file: "", line: 0)), at: 0)
            let item = trace.item()
            trace.add(.itemEnqueue(.init(item: item, queue: queue, code: code, kind: .async, qos: .default)), at: 0)
            trace.run(item, on: queue, begin: Double(code), end: Double(code), thread: 2)
        }
        let analysis = AnalysisSession().analyze(events: trace.events)
        let text = TextReport(analysis, style: TextStyle(width: 100)).render()
        for name in ["save() +0x3850 ", "save() +0x3860 ", "load() "] { #expect(text.contains(name), "\(text)") }
    }

    @Test("The code that waited is followed by the code that it waited for, with the cause")
    func blame() {
        let lines = section("WHO WAITED FOR WHOM")
        #expect(words(lines, "Store.swift:9") == ["Store.swift:9", "900µs"])
        #expect(words(lines, "Store.swift:7") == ["└", "Store.swift:7", "900µs", "1", "queue", "app.state"])
        #expect(words(lines, "Lock.swift:1") == ["└", "Lock.swift:1", "55µs", "1", "lock"])
    }

    @Test("Locks that threads waited for have a row with the waits and the holds")
    func locks() {
        #expect(
            words(section("LOCKS"), "app.lock") == ["app.lock", "2", "1", "55µs", "55µs", "105µs", "100µs"])
    }

    @Test("The critical path of the run has a row per kind of step, whose shares make the whole")
    func criticalPath() {
        let lines = section("CRITICAL PATH")
        #expect(words(lines, "running Store.swift:7").contains("1.0ms"))
        #expect(words(lines, "outside of items").contains("195µs"))
    }

    @Test("The critical path of a program that did nothing at the end has a note about its end")
    func pathOfHang() {
        var hung = trace()
        hung.end(at: 3_000_000)
        let analysis = AnalysisSession(options: AnalysisOptions(model: ModelOptions(criticalPath: .wholeRun))).analyze(
            events: hung.events)
        let report = TextReport(analysis).render().split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(report.contains("from 0.001210 s on, no item or thread began or ended anything."), "\(report)")
        #expect(report.contains("the trace has no cause."))
        #expect(!TextReport(self.analysis()).render().contains("no item or thread began"))
    }

    //   █████████████                                      200 items at once, then nothing
    @Test("A queue that had one burst is not called full", arguments: [(10_100, false), (100_000, true)])
    func burst(end: Double, isBurst: Bool) {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.burst")
        for number in 0..<200 {
            let begin = Double(number) * 50 + 1
            trace.async(on: queue, at: Double(number) / 10, begin: begin, end: begin + 49, thread: 2)
        }
        trace.end(at: end)
        let text = TextReport(AnalysisSession().analyze(events: trace.events)).render()
        #expect(text.contains("items came in one burst") == isBurst)
        #expect(text.contains("nearly full") == !isBurst)
    }

    @Test("A number that is wider than its column is not cut")
    func wideNumber() {
        var table = TextTable(firstTitle: "function", columns: [.init(title: "hops", width: 3)])
        table.rows.append(TextTable.Row(first: "main", cells: ["57,538"]))
        var page = TextPage(TextStyle(width: 80))
        table.draw(on: &page)
        #expect(page.string().contains(" 57,538"))
    }

    @Test("A queue with few items has no load", arguments: [(1, false), (99, false), (100, true)])
    func load(items: Int, isTold: Bool) {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.busy")
        for item in 0..<items {
            let begin = Double(item) * 100
            trace.async(on: queue, at: begin, begin: begin, end: begin + 100, thread: 2)
        }
        let report = TextReport(AnalysisSession().analyze(events: trace.events)).render()
        #expect(report.contains("overload: arrivals exceed capacity") == isTold, "\(report)")
    }

    @Test("A step with unknown code is named by its queue")
    func stepWithoutCode() {
        var trace = TraceBuilder()
        let state = trace.serialQueue("app.state")
        trace.async(on: state, at: 0, begin: 10, end: 1010, thread: 2)
        let options = AnalysisOptions(model: ModelOptions(criticalPath: .slowestItem))
        let analysis = AnalysisSession(options: options).analyze(events: trace.events)
        let report = TextReport(analysis, style: TextStyle(detail: .everything)).render()
        #expect(report.contains("running work of app.state"), "\(report)")
    }

    @Test("No line is wider than the page", arguments: [60, 80, 100, 160])
    func width(width: Int) {
        for detail in [TextStyle.Detail.standard, .everything] {
            let report = TextReport(analysis(), style: TextStyle(width: width, detail: detail)).render()
            #expect(report.split(separator: "\n").allSatisfy { DisplayText.width(String($0)) <= width })
        }
    }

    @Test("The JSON report has the same data, and satisfies the schema")
    func json() throws {
        let text = try JSONReport(analysis()).render()
        let report = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let schema = try #require(
            try JSONSerialization.jsonObject(with: Data(JSONReport.schema.utf8)) as? [String: Any])
        #expect(JSONSchema(schema).violations(report) == ["$.trace.path: minLength"], "it was never on a disk")
        for member in ["codes", "blame", "locks", "critical_paths"] {
            #expect((report[member] as? [Any])?.isEmpty == false, "\(member)")
        }
        let path = try #require((report["critical_paths"] as? [[String: Any]])?.first)
        let totals = try #require(path["totals"] as? [[String: Any]])
        let begin = try #require(path["begin_ns"] as? Int)
        let end = try #require(path["end_ns"] as? Int)
        #expect(totals.reduce(0) { $0 + ($1["time_ns"] as? Int ?? 0) } == end - begin)
    }

    @Test("The story of an item has its submission, its wait and its critical path")
    func itemStory() throws {
        let story = ItemStory(
            .running(tid: 3, from: Timestamp(nanoseconds: 1_030_000), to: Timestamp(nanoseconds: 1_030_999)))
        _ = AnalysisSession(options: AnalysisOptions(detectors: [])).analyze(events: trace().events, observers: [story])
        let item = try #require(story.item)
        let text = StoryReport(.item(item), in: analysis(.item(item.number))).render()
        #expect(text.contains("waited      920 µs: own backlog 900 µs, scheduler 20.0 µs"))
        #expect(text.contains("running Store.swift:7"))
        #expect(text.contains("hand-off to Store.swift:9"))
        #expect(text.contains("sum to 930 µs."))
    }

    @Test("The story of a signpost counts its intervals, and follows the longest")
    func signpostStory() throws {
        let story = SignpostStory(name: "load")
        _ = AnalysisSession(options: AnalysisOptions(detectors: [])).analyze(events: trace().events, observers: [story])
        #expect(story.count == 1)
        let text = StoryReport(.signpost(story), in: analysis(.signpost(name: "load"))).render()
        #expect(text.contains("1 interval."))
        #expect(text.contains("sum to 35.0 µs."))
    }

    @Test("The steps of a task cover its life, with the wait to begin, as text and as JSON")
    func taskStory() throws {
        var trace = TraceBuilder()
        trace.add(
            .taskCreate(.init(task: 5, kind: .unstructured, qos: .default, parent: 0, group: 0, code: 0)), at: 10,
            thread: 1)
        trace.add(.taskEnqueue(.init(task: 5, executor: 0, code: 0)), at: 10, thread: 1)
        trace.add(.taskBegin(.init(task: 5, executor: 0)), at: 40, thread: 2)
        trace.add(.taskSuspend(.init(task: 5, wait: .continuation, object: 0, code: 0, stack: 0)), at: 50, thread: 2)
        trace.add(.taskEnqueue(.init(task: 5, executor: 0, code: 0)), at: 70, thread: 1)
        trace.add(.taskBegin(.init(task: 5, executor: 0)), at: 75, thread: 2)
        trace.add(.taskFinish(.init(task: 5)), at: 80, thread: 2)
        let story = TaskStory(.number(5))
        let analysis = AnalysisSession().analyze(events: trace.events, observers: [story])
        #expect(StoryReport(.task(story), in: analysis).render().contains("waited to begin"))

        let text = try JSONReport(analysis, subject: .task(story)).render()
        let report = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let task = try #require((report["tasks"] as? [[String: Any]])?.first)
        let steps = try #require(task["steps"] as? [[String: Any]])
        #expect(steps.map { $0["kind"] as? String } == ["wait_to_begin", "run", "await_continuation", "run"])
        var end = task["created_ns"] as? Int
        for step in steps {
            #expect(step["begin_ns"] as? Int == end)
            end = step["end_ns"] as? Int
        }
        #expect(task["ended_ns"] as? Int == end)
    }

    @Test("The rows of created tasks have the names that the program gave them")
    func namedChildren() {
        var trace = TraceBuilder()
        let parent = trace.task(at: 0)
        trace.begin(parent, thread: 2, at: 1)
        let child = trace.task(at: 2, from: 2, parent: parent)
        trace.add(.taskName(.init(task: child, name: "interest")), at: 2, thread: 2)
        trace.begin(child, thread: 3, at: 3)
        trace.finish(child, thread: 3, at: 8)
        trace.finish(parent, thread: 2, at: 10)
        let story = TaskStory(.number(parent))
        let analysis = AnalysisSession().analyze(events: trace.events, observers: [story])
        #expect(StoryReport(.task(story), in: analysis).render().contains("task \(child) interest"))
    }

    @Test("A step that waited for a task has the name that the program gave that task")
    func namedSteps() {
        var trace = TraceBuilder()
        let (waiter, other) = (trace.task(at: 0), trace.task(at: 0))
        trace.add(.taskName(.init(task: other, name: "interest")), at: 0, thread: 1)
        trace.begin(waiter, thread: 2, at: 1)
        trace.begin(other, thread: 3, at: 2)
        trace.add(.taskSuspend(.init(task: waiter, wait: .task, object: other, code: 0, stack: 0)), at: 3, thread: 2)
        trace.finish(other, thread: 3, at: 8)
        trace.add(.taskEnqueue(.init(task: waiter, executor: 0, code: 0)), at: 8, thread: 3)
        trace.begin(waiter, thread: 2, at: 9)
        trace.finish(waiter, thread: 2, at: 10)
        let story = TaskStory(.number(waiter))
        let analysis = AnalysisSession().analyze(events: trace.events, observers: [story])
        #expect(StoryReport(.task(story), in: analysis).render().contains("awaited task \(other) interest"))
    }

    @Test("The row of a custom executor has the function that it ran most often, and its only thread")
    func customExecutor() throws {
        var trace = TraceBuilder()
        let (type, save) = (trace.function("App.Loop"), trace.function("save()"))
        trace.add(.executorState(.init(executor: 0x5000, actorType: type, kind: .serialExecutor)), at: 0)
        let task = trace.task(at: 1)
        trace.begin(task, thread: 7, at: 2)
        trace.add(.taskSwitch(.init(executor: 0x5000, code: save)), at: 3, thread: 7)
        trace.finish(task, thread: 7, at: 9)
        let analysis = AnalysisSession().analyze(events: trace.events)
        let report = TextReport(analysis, style: TextStyle(width: 160)).render()
        #expect(report.contains("App.Loop (save() on thread 7)"), "\(report)")

        let text = try JSONReport(analysis).render()
        let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let actor = try #require((document["actors"] as? [[String: Any]])?.first)
        #expect(actor["thread"] as? Int == 7)
        #expect((actor["code"] as? [String: Any])?["symbol"] as? String == "save()")
    }

    /// Three workers and an indexer run one function, and an unnamed task another one.
    private func namedTasks() -> Analysis {
        var trace = TraceBuilder()
        let names = ["worker 1", "worker 2", "indexer", "worker 3", ""]
        for (order, name) in names.enumerated() {
            let begin = Double(order * 10)
            let task = trace.task(at: begin, code: name.isEmpty ? "App/Main.swift:9" : "App/Work.swift:5")
            if !name.isEmpty { trace.add(.taskName(.init(task: task, name: name)), at: begin, thread: 1) }
            trace.begin(task, thread: 2, at: begin + 1)
            trace.finish(task, thread: 2, at: begin + 9)
        }
        return AnalysisSession().analyze(events: trace.events)
    }

    @Test("The table of tasks has the names that the program gave them, the most frequent first")
    func namesOfTasks() throws {
        let lines = TextReport(namedTasks(), style: TextStyle(width: 120)).render().split(separator: "\n")
        let named = try #require(lines.first { $0.contains("worker *, indexer") })
        #expect(named.contains("Work.swift:5"))

        let text = try JSONReport(namedTasks()).render()
        let report = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let functions = try #require(report["task_functions"] as? [[String: Any]])
        #expect(functions.map { $0["names"] as? [String] } == [["worker *", "indexer"], []])
    }

    @Test("The table of tasks has no column for names when the program names no task")
    func unnamedTasks() {
        var trace = TraceBuilder()
        let task = trace.task(at: 0, code: "App/Work.swift:5")
        trace.begin(task, thread: 2, at: 1)
        trace.finish(task, thread: 2, at: 9)
        let analysis = AnalysisSession().analyze(events: trace.events)
        let lines = TextReport(analysis, style: TextStyle(width: 120)).render().split(separator: "\n")
        let titles = lines.first { $0.hasPrefix(" function") }
        #expect(titles?.contains("tasks") == true)
        #expect(titles?.contains("name") == false)
    }
}
