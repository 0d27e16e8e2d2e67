import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

/// The story of one task, and of one request.
@Suite struct TaskStoryTests {
    /// Task 1 serves two requests, one after the other, and creates task 2 for the second.
    ///
    /// ```
    ///   task 1  ├ request a ┤   ├ request b ── awaits task 2 ──┤
    ///   task 2                        ├──────┤
    /// ```
    private func service() -> TraceBuilder {
        var trace = TraceBuilder()
        let name = trace.code("request")
        func interval(_ id: UInt64, _ message: String, from begin: Double, to end: Double) {
            trace.add(
                .signpostBegin(.init(signpost: id, log: 1, code: name, message: message)), at: begin, thread: 2)
            trace.add(.signpostEnd(.init(signpost: id, log: 1, code: name, message: "")), at: end, thread: 2)
        }
        trace.add(.taskEnqueue(.init(task: 1, executor: 0, code: 0)), at: 0, thread: 1)
        trace.add(.taskName(.init(task: 1, name: "connection")), at: 0, thread: 1)
        trace.add(.taskBegin(.init(task: 1, executor: 0)), at: 10, thread: 2)
        interval(1, "trace-a", from: 20, to: 30)
        interval(2, "trace-b", from: 40, to: 100)
        trace.add(
            .taskCreate(.init(task: 2, kind: .asyncLet, qos: .default, parent: 1, group: 0, code: 0)), at: 50,
            thread: 2)
        trace.add(.taskEnqueue(.init(task: 2, executor: 0, code: 0)), at: 50, thread: 2)
        trace.add(.taskSuspend(.init(task: 1, wait: .task, object: 2, code: 0, stack: 0)), at: 60, thread: 2)
        trace.add(.taskBegin(.init(task: 2, executor: 0)), at: 61, thread: 3)
        trace.add(.taskFinish(.init(task: 2)), at: 80, thread: 3)
        trace.add(.taskEnqueue(.init(task: 1, executor: 0, code: 0)), at: 80, thread: 3)
        trace.add(.taskBegin(.init(task: 1, executor: 0)), at: 90, thread: 2)
        trace.add(.taskFinish(.init(task: 1)), at: 200, thread: 2)
        return trace
    }

    private func story(_ wanted: TaskStory.Wanted, of trace: TraceBuilder? = nil) -> TaskStory {
        let story = TaskStory(wanted)
        _ = AnalysisSession().analyze(events: (trace ?? service()).events, observers: [story])
        return story
    }

    @Test("A sleep of the runtime is the slowest task only if there is no other task")
    func sleep() {
        func add(to trace: inout TraceBuilder) {
            let create = DispatchEvent.TaskCreate(task: 9, kind: .sleep, qos: .default, parent: 1, group: 0, code: 0)
            trace.add(.taskCreate(create), at: 201, thread: 2)
            trace.add(.taskEnqueue(.init(task: 9, executor: 0, code: 0)), at: 201, thread: 2)
            trace.add(.taskBegin(.init(task: 9, executor: 0)), at: 900, thread: 2)
            trace.add(.taskFinish(.init(task: 9)), at: 901, thread: 2)
        }
        var (trace, sleep) = (service(), TraceBuilder())
        add(to: &trace)
        add(to: &sleep)
        #expect(story(.slowest, of: trace).task?.number == 1)
        #expect(story(.slowest, of: sleep).task?.number == 9)
        #expect(story(.number(9), of: trace).task?.kind == .sleep)
    }

    //   task 1   ├──────── ▲ cancelled ─────┤
    //   task 2     ├──────────────┤                a child: cancelled too
    //   task 3     ├─────────────────── end        unstructured: not cancelled
    @Test("A child is cancelled with its parent, another created task is not")
    func cancelledChildren() {
        var trace = TraceBuilder()
        let parent = trace.task(at: 0)
        trace.begin(parent, thread: 2, at: 1)
        func create(_ kind: TaskKind, parent: UInt64, group: UInt64 = 0) -> UInt64 {
            let task = trace.object()
            trace.add(
                .taskCreate(.init(task: task, kind: kind, qos: .default, parent: parent, group: group, code: 0)),
                at: 2, thread: 2)
            trace.add(.taskEnqueue(.init(task: task, executor: 0, code: 0)), at: 2, thread: 2)
            return task
        }
        let (child, binding) = (create(.groupChild, parent: parent, group: 7), create(.asyncLet, parent: parent))
        let (grandchild, other) = (create(.groupChild, parent: child, group: 8), create(.unstructured, parent: parent))
        let early = create(.groupChild, parent: parent, group: 7)
        trace.begin(early, thread: 3, at: 3)
        trace.finish(early, thread: 3, at: 4)
        trace.add(.taskCancel(.init(task: parent)), at: 10, thread: 9)
        for (position, task) in [grandchild, child].enumerated() {
            trace.begin(task, thread: 3, at: 11 + Double(position) * 2)
            trace.finish(task, thread: 3, at: 12 + Double(position) * 2)
        }
        trace.finish(parent, thread: 2, at: 20)
        trace.end(at: 30)
        let isCancelled = [child, grandchild, binding, early, other].map {
            story(.number($0), of: trace).task?.isCancelled
        }
        // The binding of an async let is still open at the end, after its parent.
        #expect(isCancelled == [true, true, false, false, false])
        #expect(story(.number(child), of: trace).task?.cancelledAt == Timestamp(nanoseconds: 10_000))
    }

    @Test("A child that is open at the end of the trace is cancelled with its open parent")
    func openCancelledChild() {
        var trace = TraceBuilder()
        let (parent, child) = (trace.task(at: 0), trace.object())
        trace.begin(parent, thread: 2, at: 1)
        trace.add(
            .taskCreate(.init(task: child, kind: .groupChild, qos: .default, parent: parent, group: 7, code: 0)), at: 2,
            thread: 2)
        trace.begin(child, thread: 3, at: 3)
        trace.add(.taskCancel(.init(task: parent)), at: 10, thread: 9)
        trace.end(at: 30)
        #expect(story(.number(child), of: trace).task?.isCancelled == true)
    }

    //   thread 2   ├─ 1 ─┤├─ 2, a child that begins at once ─┤├─ 1 ─┤
    @Test("A parent runs while a child of its task group begins at once on its thread")
    func immediateChild() throws {
        var trace = TraceBuilder()
        let (parent, child) = (trace.task(at: 0), trace.object())
        trace.begin(parent, thread: 2, at: 1)
        trace.add(
            .taskCreate(.init(task: child, kind: .groupChild, qos: .default, parent: parent, group: 7, code: 0)), at: 2,
            thread: 2)
        trace.begin(child, thread: 2, at: 3)
        trace.finish(child, thread: 2, at: 8)
        trace.finish(parent, thread: 2, at: 10)
        let parts = try #require(story(.number(parent), of: trace).task).parts
        #expect(parts.running == .microseconds(9) && parts.unknown == .zero)
    }

    //   task 1   ├ ran ┤
    //   task 2   ├┤ awaits a continuation ░░░░░░░░░░░ end
    @Test("The slowest task is the one that hangs, if there is one", arguments: [(true, 2), (false, 1)])
    func hung(hangs: Bool, number: UInt64) throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        _ = trace.function("ask(_:)", address: 0x1000)
        let stack = trace.stack([0x1000])
        let (ended, hung) = (trace.task(at: 0), trace.task(at: 0))
        trace.begin(ended, thread: 2, at: 1)
        trace.finish(ended, thread: 2, at: 900_000)
        trace.begin(hung, thread: 3, at: 1)
        trace.suspend(hung, for: .continuation, thread: 3, at: hangs ? 2 : 999_000, stack: stack)
        trace.end(at: 1_000_000)
        let story = TaskStory(.slowest)
        let analysis = AnalysisSession().analyze(events: trace.events, observers: [story])
        #expect(story.task?.number == ended)
        story.prefer(hungOf: analysis)
        #expect(story.task?.number == (number == 2 ? hung : ended))
        #expect(story.steps.count == (number == 2 ? 2 : 1))
    }

    @Test("The story keeps the created tasks with the longest lives")
    func longestChildren() {
        var trace = TraceBuilder()
        let parent = trace.task(at: 0)
        trace.begin(parent, thread: 2, at: 1)
        let children = (0..<150).map { child in
            let at = 10 + Double(child)
            let number = trace.task(at: at, from: 2, parent: parent)
            trace.begin(number, thread: 3, at: 1000 + Double(child) * 100)
            trace.finish(number, thread: 3, at: 1000 + Double(child) * 100 + 50)
            return number
        }
        trace.finish(parent, thread: 2, at: 1e6)
        #expect(Set(story(.number(parent), of: trace).children.map(\.number)) == Set(children.suffix(100)))
    }

    @Test("A task is found by its number, by its name, or by the longest life")
    func found() {
        #expect(story(.number(2)).task?.number == 2)
        #expect(story(.name("connection")).task?.number == 1)
        #expect(story(.slowest).task?.number == 1)
        let none = story(.name("nobody"))
        #expect(none.task == nil)
        #expect(none.otherNames == ["connection"])
    }

    @Test("Its steps have no gaps, and the story lists the tasks that it created")
    func steps() {
        let story = story(.slowest)
        var end = Timestamp(nanoseconds: 10_000)
        for step in story.steps {
            switch step {
            case .run(let run):
                #expect(run.begin == end)
                end = run.end
            case .wait(let wait):
                #expect(wait.began == end)
                #expect(wait.kind == .task && wait.object == 2)
                end = wait.ended
            }
        }
        #expect(story.steps.count == 3)
        #expect(story.children.map(\.number) == [2])
    }

    @Test("A request is an interval that began on a task: the longest, or the one with the id")
    func requests() throws {
        for (wanted, message) in [(RequestFinder.Wanted.slowest, "trace-b"), (.matching("trace-a"), "trace-a")] {
            let finder = RequestFinder(wanted)
            _ = AnalysisSession().analyze(events: service().events, observers: [finder])
            #expect(finder.interval?.message == message)
            #expect(finder.interval?.task == 1)
        }
        let finder = RequestFinder(.matching("trace-c"))
        _ = AnalysisSession().analyze(events: service().events, observers: [finder])
        #expect(finder.interval == nil)
        #expect(finder.candidates == 2)
    }

    @Test("A step is cut to the interval of a request")
    func cut() throws {
        let parts = story(.slowest).steps.compactMap {
            $0.cut(from: Timestamp(nanoseconds: 40_000), to: Timestamp(nanoseconds: 100_000))
        }
        let lengths = parts.map { step in
            switch step {
            case .run(let run): run.end - run.begin
            case .wait(let wait): wait.duration
            }
        }
        #expect(lengths == [.microseconds(20), .microseconds(30), .microseconds(10)])
    }

    @Test("Functions are summed up over all their tasks")
    func summary() throws {
        let tasks = try #require(AnalysisSession().analyze(events: service().events).tasks)
        #expect(tasks.count == 2)
        #expect(tasks.functions.reduce(0) { $0 + $1.tasks } == 2)
        #expect(tasks.longest.map(\.number) == [1, 2])
        #expect(tasks.parts.total == tasks.longest.reduce(.zero) { $0 + $1.life })
    }
}
