import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@testable import TimelinePage

/// Tasks in the timeline data.
@Suite("Tasks of a timeline")
struct TimelineTaskTests {
    /// ```
    ///   task 1  ├ run ┤ awaits its group, task 2 is the child ┤ wants the actor ├ run ┤
    ///   task 2           ├ run ┤
    ///   µs      10   20  25   40                              41                60   70
    /// ```
    private static func family() -> TraceBuilder {
        var trace = TraceBuilder()
        trace.taskTrack()
        let actor = trace.actor("App.Cache")
        let code = trace.code("App/Feed.swift:7")
        func create(_ task: UInt64, _ kind: TaskKind, parent: UInt64, group: UInt64, at time: Double, thread: UInt32) {
            trace.add(
                .taskCreate(.init(task: task, kind: kind, qos: .default, parent: parent, group: group, code: code)),
                at: time, thread: thread)
            trace.add(.taskEnqueue(.init(task: task, executor: 0, code: 0)), at: time, thread: thread)
        }
        create(1, .unstructured, parent: 0, group: 0, at: 5, thread: 1)
        trace.add(.taskName(.init(task: 1, name: "feed")), at: 5, thread: 1)
        trace.begin(1, thread: 2, at: 10)
        create(2, .groupChild, parent: 1, group: 9, at: 15, thread: 2)
        trace.suspend(1, for: .group, object: 9, thread: 2, at: 20)
        trace.begin(2, thread: 3, at: 25)
        trace.finish(2, thread: 3, at: 40)
        trace.resume(1, on: actor, thread: 3, at: 41)
        trace.begin(1, on: actor, thread: 2, at: 60)
        trace.finish(1, thread: 2, at: 70)
        return trace
    }

    private static func data(_ trace: TraceBuilder, marks: Int = 100_000) throws -> TimelineData {
        let collector = TimelineCollector(options: .init(maximumMarks: marks))
        let analysis = AnalysisSession().analyze(events: trace.events, observers: [collector])
        return try #require(
            TimelineData(page: HTMLTimeline.render(TimelineSide(analysis, collector: collector), title: "test")))
    }

    @Test("The decoded data has each task with its steps, in the order of creation")
    func steps() throws {
        let tasks = try Self.data(Self.family()).tasks
        #expect(tasks.map(\.number) == [1, 2])
        #expect(tasks.map(\.parent) == [0, 1])
        #expect(tasks.map(\.group) == [0, 9])
        #expect(tasks.map(\.flags) == [1, 1])
        #expect(tasks.map(\.created) == [5_000, 15_000])
        #expect(tasks.map(\.life) == [65_000, 25_000])
        #expect(tasks.allSatisfy { $0.parts.reduce(0, +) == $0.life })
        #expect(tasks[0].steps.map(\.kind) == [0, 1 + Int64(AwaitKind.group.rawValue), 0])
        #expect(tasks[0].steps.map(\.begin) == [10_000, 20_000, 60_000])
        #expect(tasks[0].steps.map(\.end) == [20_000, 60_000, 70_000])
        // Flags, group, time of resumption, resuming thread, resuming task, code, actor, task that held the actor.
        let wait = tasks[0].steps[1].fields
        #expect(wait.prefix(3) == [1, 9, 21_001])
        #expect(wait[3] > 0 && wait[4] == 0 && wait[6] > 0 && wait[7] == 0)
        #expect(tasks[0].steps[2].fields[1] == wait[6], "it then runs on that actor")
    }

    @Test("The names of tasks are among the page's texts")
    func names() throws {
        let data = try Self.data(Self.family())
        let strings = try #require(data.document["strings"] as? [String])
        #expect(strings[Int(data.tasks[0].name)] == "feed")
        #expect(data.tasks[1].name == 0)
    }

    @Test("The longest tasks are kept when there is no room for all, and the page counts the others")
    func bound() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        for number in 0..<200 {
            let (begin, life) = (Double(number * 100), number % 50 == 0 ? 80.0 : 2.0)
            let task = trace.task(at: begin)
            trace.begin(task, thread: 2, at: begin + 1)
            trace.finish(task, thread: 2, at: begin + life)
        }
        let data = try Self.data(trace, marks: 16)
        let facts = try #require(data.document["trace"] as? [String: Any])
        #expect(data.tasks.count < 33)
        #expect(data.tasks.count + (facts["omittedTasks"] as? Int ?? 0) == 200)
        #expect(data.tasks.count { $0.life == 80_000 } == 4)
    }

    @Test("The first steps of a task with too many steps are kept, and the others are counted")
    func manySteps() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let task = trace.task(at: 0)
        for number in 0..<100 {
            trace.begin(task, thread: 2, at: Double(number * 10 + 1))
            trace.suspend(task, for: .continuation, thread: 2, at: Double(number * 10 + 5))
            trace.resume(task, thread: 1, at: Double(number * 10 + 8))
        }
        let tasks = try Self.data(trace, marks: 16).tasks
        #expect(tasks.count == 1)
        #expect(tasks[0].steps.count <= 32)
        #expect(tasks[0].steps.first?.begin == 1_000)
        #expect(tasks[0].omitted + Int64(tasks[0].steps.count) == 200)
    }

    /// ```
    ///   tasks 1 … 100  ├ run ┤ all await a continuation ┤ run ┤
    ///   task 101                                                 ├ run ┤ awaits a continuation ┤ run ┤
    /// ```
    @Test("After very many open tasks, a later task has all of its steps")
    func burst() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        func visit(_ tasks: [UInt64], from begin: Double, until end: Double) {
            for (offset, task) in tasks.enumerated() {
                let at = begin + Double(offset) * 10
                trace.begin(task, thread: 2, at: at)
                trace.suspend(task, for: .continuation, thread: 2, at: at + 5)
                trace.resume(task, thread: 1, at: end + Double(offset) * 10)
                trace.begin(task, thread: 3, at: end + Double(offset) * 10 + 2)
                trace.finish(task, thread: 3, at: end + Double(offset) * 10 + 5)
            }
        }
        let many = (0..<100).map { trace.task(at: Double($0)) }
        visit(many, from: 200, until: 2_000)
        let later = trace.task(at: 5_000)
        visit([later], from: 5_001, until: 20_000)
        let tasks = try Self.data(trace, marks: 16).tasks
        #expect(tasks.reduce(0) { $0 + $1.steps.count } <= 32)
        let last = try #require(tasks.first { $0.number == later })
        #expect(last.omitted == 0)
        #expect(last.steps.map(\.begin) == [5_001_000, 5_006_000, 20_002_000])
    }
}
