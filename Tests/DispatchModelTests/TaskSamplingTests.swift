import DispatchModel
import Testing
import TraceBuilder

//   rate      │ 1 of 1             │ 1 of 8                      │ 1 of 1
//   task 17   ├ runs ┤ awaits ·········· ├ runs ┤                            its hash is 0 below 8
//   task 2    ├ runs ┤ awaits ······ (left out) ··················· ├ runs ┤
@Suite("Tasks of a sampled trace")
struct TaskSamplingTests {
    private let kept: UInt64 = 17
    private let other: UInt64 = 2

    /// Both tasks run from 10 to 20 µs, and await a continuation. The rate changes at 50 µs.
    private func suspended() -> TraceBuilder {
        var trace = TraceBuilder()
        trace.taskTrack()
        trace.rate(1, at: 0)
        for (task, thread) in [(kept, UInt32(2)), (other, 3)] {
            trace.create(task, at: 5)
            trace.begin(task, thread: thread, at: 10)
            trace.suspend(task, for: .continuation, thread: thread, at: 20)
        }
        trace.rate(8, at: 50)
        return trace
    }

    private func read(_ trace: TraceBuilder) -> (tasks: [UInt64: SwiftTask], log: ObservationLog) {
        let log = ObservationLog.read(trace.events).log
        return (Dictionary(log.tasks.map { ($0.number, $0) }) { _, last in last }, log)
    }

    @Test("The model repeats the decisions of the recorder, and ignores tasks that it leaves out")
    func decisions() {
        var trace = TraceBuilder()
        trace.rate(8, at: 0)
        for task in UInt64(1)...100 { trace.create(task, at: Double(task)) }
        let tasks = ObservationLog.read(trace.events).log.tasks
        // The test of qs_task_is_skipped has the same numbers.
        let expected: [UInt64] = [1, 17, 19, 23, 24, 25, 36, 39, 41, 46, 50, 52, 56, 72, 81, 94]
        #expect(tasks.map(\.number).sorted() == expected)
        #expect(tasks.map(\.weight).sorted() == [1] + Array(repeating: 8, count: 15))
    }

    @Test("A task that the new rate leaves out has no open wait, and later events of it are ignored")
    func leftOut() throws {
        var trace = suspended()
        // Another thread had not seen the new rate.
        trace.resume(other, thread: 4, at: 51)
        trace.begin(other, thread: 3, at: 52)
        trace.suspend(other, for: .continuation, thread: 3, at: 53)
        trace.resume(kept, thread: 4, at: 60)
        trace.begin(kept, thread: 2, at: 70)
        trace.finish(kept, thread: 2, at: 80)
        let (tasks, log) = read(trace)
        let left = try #require(tasks[other])
        #expect(left.isLeftOut && !left.isFinished && left.openWait == nil)
        #expect(left.endedAt == Timestamp(nanoseconds: 50_000))
        #expect(left.parts.total == left.life)
        #expect(left.sums.parts.running == .microseconds(10))
        #expect(log.taskWaits.map(\.task) == [kept])
        let whole = try #require(tasks[kept])
        #expect(whole.isFinished && !whole.isLeftOut)
        #expect(whole.parts.running == .microseconds(20))
        // 10 µs as one task, and 10 µs as eight tasks.
        #expect(whole.sums.parts.running == .microseconds(90))
        #expect([left.weight, whole.weight] == [1, 1])
        #expect(whole.endWeight == 8)
    }

    @Test("A task that finishes in a run that began while the rate changed has ended")
    func finishes() throws {
        var trace = suspended()
        trace.begin(other, thread: 3, at: 52)
        trace.finish(other, thread: 3, at: 60)
        let task = try #require(read(trace).tasks[other])
        #expect(task.isFinished && !task.isLeftOut)
        #expect(task.endedAt == Timestamp(nanoseconds: 60_000) && task.parts.total == task.life)
        #expect(task.sums.parts.running == .microseconds(10))
    }

    @Test("A task that runs at the change is left out when it suspends")
    func running() throws {
        var trace = suspended()
        trace.create(3, at: 30)
        trace.begin(3, thread: 4, at: 40)
        trace.suspend(3, for: .continuation, thread: 4, at: 70)
        let (tasks, log) = read(trace)
        let task = try #require(tasks[3])
        #expect(task.isLeftOut && task.endedAt == Timestamp(nanoseconds: 70_000))
        #expect(task.sums.parts.running == .microseconds(30))
        #expect(log.taskWaits.allSatisfy { $0.task != 3 })
    }

    @Test("When the rate increases again, the time in between is unknown and counts for no task")
    func returns() throws {
        var trace = suspended()
        trace.rate(1, at: 100)
        trace.resume(other, thread: 4, at: 110)
        trace.begin(other, thread: 3, at: 120)
        trace.finish(other, thread: 3, at: 130)
        let task = try #require(read(trace).tasks[other])
        #expect(task.isFinished && !task.isLeftOut && task.weight == 1)
        #expect(task.parts.unknown == .microseconds(60))
        #expect(task.parts.total == task.life)
        #expect(task.sums.parts.running == .microseconds(20))
        #expect(task.sums.parts.unknown == .zero)
    }

    @Test("A task that is first seen after an increase of the rate is represented by others")
    func represented() {
        var trace = TraceBuilder()
        trace.rate(8, at: 0)
        trace.create(17, at: 5)
        trace.rate(1, at: 10)
        trace.begin(2, thread: 2, at: 20)
        trace.finish(2, thread: 2, at: 30)
        let tasks = read(trace).tasks
        #expect(tasks[17]?.weight == 8)
        #expect(tasks[2]?.weight == 0)
    }

    //   task 17   ├ wants the actor ·········· ├ runs on it ┤      another task held it, which is not recorded
    @Test("A wait for an actor whose holder is not recorded names no holder, and is no wait for another task")
    func actors() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let cache = trace.actor("Cache")
        trace.rate(8, at: 0)
        for task in [SwiftTask.first, kept] {
            trace.create(task, at: 5)
            trace.begin(task, thread: UInt32(task), at: 10)
            trace.hop(task, to: cache, from: UInt32(task), at: 20, begin: 40 + Double(task), thread: UInt32(task))
            trace.finish(task, thread: UInt32(task), at: 40.5 + Double(task))
        }
        let (_, log) = read(trace)
        let items = log.items.filter { $0.kind == .actorJob }.sorted { $0.beganAt < $1.beganAt }
        #expect(items.map(\.weight) == [1, 8])
        #expect(items.allSatisfy { $0.waitParts.ownBacklog <= .microseconds(1) && $0.waitParts.total == $0.wait })
        #expect(log.taskWaits.allSatisfy { $0.holder == nil })
    }
}

extension TraceBuilder {
    fileprivate mutating func rate(_ oneOf: UInt32, at time: Double) {
        add(.samplingRate(.init(oneOf: oneOf, cause: .overBudget, budget: 10_000, cost: 0)), at: time)
    }

    fileprivate mutating func create(_ task: UInt64, at time: Double) {
        let event = DispatchEvent.TaskCreate(
            task: task, kind: .unstructured, qos: .default, parent: 0, group: 0, code: code("App/Task.swift:1"))
        add(.taskCreate(event), at: time, thread: Self.main)
        add(.taskEnqueue(.init(task: task, executor: 0, code: 0)), at: time, thread: Self.main)
    }
}
