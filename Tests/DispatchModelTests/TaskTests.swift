import DispatchModel
import Testing
import TraceBuilder

/// Tasks of Swift Concurrency, and the actors that they run on.
@Suite struct TaskTests {
    /// Two tasks need the same actor: the second waits for the first, as for a serial queue.
    ///
    /// ```
    ///   task 1   create ─ begin ├── on the actor ──┤ finish
    ///   task 2             create ─ begin  enqueue ··· ├── on the actor ──┤ finish
    /// ```
    private func contention() -> TraceBuilder {
        var trace = TraceBuilder()
        let bank: UInt64 = 0x1000
        trace.add(.taskTrack(.init(taskDetail: .full, reason: "")), at: 0)
        trace.add(.actorCreate(.init(executor: bank, actorType: trace.code("Bank"))), at: 0, thread: 1)
        for (task, thread) in [(UInt64(1), UInt32(1)), (2, 1)] {
            trace.add(
                .taskCreate(
                    .init(
                        task: task, kind: .groupChild, qos: .default, parent: 0, group: 7,
                        code: trace.code("App/Main.swift:\(task)"))), at: Double(task), thread: thread)
            trace.add(.taskEnqueue(.init(task: task, executor: 0, code: 0)), at: Double(task), thread: thread)
        }
        let deposit = trace.code("App/Bank.swift:3")
        trace.add(.taskBegin(.init(task: 1, executor: 0)), at: 10, thread: 2)
        trace.add(.taskSwitch(.init(executor: bank, code: deposit)), at: 12, thread: 2)
        trace.add(.taskBegin(.init(task: 2, executor: 0)), at: 20, thread: 3)
        trace.add(
            .taskSuspend(.init(task: 2, wait: .executor, object: bank, code: deposit, stack: 0)), at: 25, thread: 3)
        trace.add(.taskEnqueue(.init(task: 2, executor: bank, code: 0)), at: 25, thread: 3)
        trace.add(.taskSwitch(.init(executor: 0, code: 0)), at: 112, thread: 2)
        trace.add(.taskBegin(.init(task: 2, executor: bank)), at: 120, thread: 3)
        trace.add(.taskFinish(.init(task: 1)), at: 130, thread: 2)
        trace.add(.taskFinish(.init(task: 2)), at: 150, thread: 3)
        return trace
    }

    @Test("A task that wants an actor that another holds waits for it, as for a serial queue")
    func actorWait() throws {
        let (model, log) = ObservationLog.read(contention().events)
        let bank = try #require(model.queues.first { $0.kind == .actor })
        let jobs = log.items.filter { $0.queue == bank.index }
        #expect(jobs.map(\.kind) == [.actorJob, .actorJob])
        #expect(jobs.map(\.service) == [.microseconds(100), .microseconds(30)])
        #expect(jobs.map(\.wait) == [.zero, .microseconds(95)])
        #expect(jobs[1].waitParts.ownBacklog == .microseconds(87))
        #expect(jobs[1].waitParts.scheduler == .microseconds(8))
        let wait = try #require(log.taskWaits.first { $0.actor == bank.index })
        #expect(wait.task == 2)
        #expect(wait.holder == 1)
        #expect(wait.duration == .microseconds(95))
    }

    @Test("A task that is on an actor when the trace ends is inside of what its thread runs")
    func openAtTheEnd() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        trace.add(.actorCreate(.init(executor: 0x1000, actorType: trace.code("Bank"))), at: 0, thread: 1)
        let job = trace.callout(on: root, at: 1, begin: 2, thread: 2)
        trace.add(.taskBegin(.init(task: 1, executor: 0x1000)), at: 3, thread: 2)
        trace.add(.threadStart(.init(tid: 3, name: "")), at: 100, thread: 3)
        let items = ObservationLog.read(trace.events).log.items
        #expect(items.map(\.isNested) == [true, false])
        #expect(items.last?.id == job)
    }

    @Test("The parts of a task's life sum to it")
    func parts() throws {
        let tasks = ObservationLog.read(contention().events).log.tasks
        #expect(tasks.map(\.number) == [1, 2])
        #expect(tasks.map(\.life) == [.microseconds(129), .microseconds(148)])
        #expect(tasks[0].parts.running == .microseconds(120))
        #expect(tasks[0].parts.thread == .microseconds(9))
        #expect(tasks[1].parts.running == .microseconds(35))
        #expect(tasks[1].parts.actor == .microseconds(95))
        #expect(tasks[1].parts.thread == .microseconds(18))
        #expect(tasks.allSatisfy { $0.parts.total == $0.life && $0.isFinished && $0.hops == 1 || $0.number == 1 })
    }

    /// ```
    ///   task 1   begin ├─ on the actor ─┤             ├─ on the actor ─┤ finish
    ///   task 2                    begin ├─ on the actor too ┤ suspend
    /// ```
    @Test("A task that begins at once inside of another one interrupts its run, not its time")
    func interrupted() {
        var trace = TraceBuilder()
        let actor: UInt64 = 0x1000
        trace.add(.actorCreate(.init(executor: actor, actorType: 0)), at: 0, thread: 1)
        trace.add(.taskBegin(.init(task: 1, executor: actor)), at: 0, thread: 1)
        trace.add(
            .taskCreate(.init(task: 2, kind: .immediate, qos: .default, parent: 1, group: 0, code: 0)), at: 10,
            thread: 1)
        trace.add(.taskBegin(.init(task: 2, executor: actor)), at: 10, thread: 1)
        trace.add(
            .taskSuspend(.init(task: 2, wait: .continuation, object: 0, code: 0, stack: 0)), at: 15, thread: 1)
        trace.add(.taskBegin(.init(task: 1, executor: actor)), at: 15, thread: 1)
        trace.add(.taskFinish(.init(task: 1)), at: 40, thread: 1)
        let log = ObservationLog.read(trace.events).log
        let runs = log.taskRuns.filter { $0.inner == nil }
        #expect(runs.map(\.task) == [1, 2, 1])
        #expect(runs.map { $0.end - $0.begin } == [10, 5, 25].map(Nanoseconds.microseconds))
        #expect(log.tasks.first { $0.number == 1 }?.parts.running == .microseconds(40))
    }

    @Test("The task that wakes a sleeping one waits for its time, not for a thread")
    func sleep() {
        var trace = TraceBuilder()
        trace.add(
            .taskCreate(.init(task: 1, kind: .sleep, qos: .unspecified, parent: 0, group: 0, code: 0)), at: 0,
            thread: 1)
        trace.add(.taskBegin(.init(task: 1, executor: 0)), at: 100, thread: 2)
        trace.add(.taskFinish(.init(task: 1)), at: 101, thread: 2)
        let parts = ObservationLog.read(trace.events).log.tasks.map(\.parts)
        #expect(parts.map(\.continuation) == [.microseconds(100)] && parts.map(\.thread) == [.zero])
    }

    @Test("Where executors are not known, nobody says that a ready task waits for a thread")
    func unknownExecutors() {
        var trace = TraceBuilder()
        trace.add(.taskTrack(.init(taskDetail: .noAwaits, reason: "unknown")), at: 0)
        trace.add(.taskEnqueue(.init(task: 1, executor: 0, code: 0)), at: 0, thread: 1)
        trace.add(.taskBegin(.init(task: 1, executor: 0x1000)), at: 30, thread: 2)
        trace.add(.taskFinish(.init(task: 1)), at: 31, thread: 2)
        let parts = ObservationLog.read(trace.events).log.tasks.map(\.parts)
        #expect(parts.map(\.unknown) == [.microseconds(30)] && parts.map(\.thread) == [.zero])
    }

    @Test("An address that belongs to an executor of another type is another executor")
    func reusedAddress() {
        var trace = TraceBuilder()
        for type in [UInt32(1), 2] {
            trace.add(
                .codeSymbol(.init(code: type, address: 0, symbol: "App.Type\(type)", file: "", line: 0, thunk: 0)),
                at: 0)
        }
        for (type, time) in [(UInt32(1), 0.0), (2, 10), (2, 20)] {
            trace.add(
                .executorState(.init(executor: 0x1000, actorType: type, kind: .serialExecutor)), at: time)
            trace.add(.taskBegin(.init(task: 1, executor: 0x1000)), at: time + 1, thread: 1)
        }
        let model = ObservationLog.read(trace.events).model
        #expect(model.queues.filter { $0.kind == .actor }.count == 2)
    }

    //   thread 2   task ├ save ┤  ├ load ┤  ├ load ┤        on the executor
    //   thread 3   other                             ├ load ┤
    @Test(
        "A custom executor has the function that it ran most often, and its thread if it has only one",
        arguments: [1, 2])
    func customExecutor(threads: Int) throws {
        var trace = TraceBuilder()
        let type = trace.function("App.Loop")
        let (load, save) = (trace.function("load()", address: 0x1000), trace.function("save()", address: 0x2000))
        trace.add(.executorState(.init(executor: 0x5000, actorType: type, kind: .serialExecutor)), at: 0)
        func run(_ code: UInt32, _ thread: UInt32, at time: Double) {
            trace.add(.taskSwitch(.init(executor: 0x5000, code: code)), at: time, thread: thread)
            trace.add(.taskSwitch(.init(executor: 0, code: 0)), at: time + 1, thread: thread)
        }
        let (task, other) = (trace.task(at: 1), trace.task(at: 1))
        trace.begin(task, thread: 2, at: 2)
        trace.begin(other, thread: 3, at: 2)
        run(save, 2, at: 3)
        run(load, 2, at: 5)
        run(load, 2, at: 7)
        if threads == 2 { run(load, 3, at: 9) }
        trace.finish(task, thread: 2, at: 12)
        trace.finish(other, thread: 3, at: 12)
        let model = ObservationLog.read(trace.events).model
        let executor = try #require(model.executors.first)
        #expect(model.executors.count == 1 && model[executor.queue].label == "App.Loop")
        #expect(executor.thread.map { model[$0].tid } == (threads == 1 ? 2 : nil))
        #expect(model[executor.code].symbol == "load()")
    }

    @Test("Who makes a task ready again is told: the task that runs on that thread")
    func resumed() throws {
        var trace = TraceBuilder()
        trace.add(.taskEnqueue(.init(task: 1, executor: 0, code: 0)), at: 0, thread: 1)
        trace.add(.taskBegin(.init(task: 1, executor: 0)), at: 1, thread: 2)
        trace.add(
            .taskSuspend(.init(task: 1, wait: .continuation, object: 0, code: 0, stack: 0)), at: 5, thread: 2)
        trace.add(.taskBegin(.init(task: 9, executor: 0)), at: 6, thread: 3)
        trace.add(.taskEnqueue(.init(task: 1, executor: 0, code: trace.code("App/Main.swift:4"))), at: 30, thread: 3)
        trace.add(.taskBegin(.init(task: 1, executor: 0)), at: 40, thread: 2)
        let (model, log) = ObservationLog.read(trace.events)
        let wait = try #require(log.taskWaits.first)
        #expect(wait.kind == .continuation)
        #expect(wait.resumedBy == 9)
        #expect(wait.resumedAt == Timestamp(nanoseconds: 30_000))
        #expect(model[wait.resumeCode].line == 4)
        #expect(log.tasks.map(\.isFinished) == [false, false])
        #expect(log.tasks[0].parts.continuation == .microseconds(25))
    }

    @Test("What a task awaits when the trace ends is told with it")
    func leaked() throws {
        var trace = TraceBuilder()
        trace.add(.taskBegin(.init(task: 1, executor: 0)), at: 1, thread: 2)
        let stack = trace.stack([1, 2, 3])
        trace.add(
            .taskSuspend(.init(task: 1, wait: .continuation, object: 0, code: 0, stack: stack)), at: 5, thread: 2)
        trace.async(on: trace.serialQueue("app.state"), at: 0, begin: 10, end: 30, thread: 3)
        let (model, log) = ObservationLog.read(trace.events)
        let wait = try #require(log.tasks.first?.openWait)
        #expect(wait.resumedAt == nil)
        #expect(model[wait.stack] == [1, 2, 3])
        #expect(wait.duration == .microseconds(25))
    }

    private final class Copied: FunctionKinds {
        let addresses: Set<UInt64>
        let helpers: Set<UInt64>

        init(addresses: Set<UInt64> = [], helpers: Set<UInt64> = []) {
            (self.addresses, self.helpers) = (addresses, helpers)
        }

        func isCopied(_ address: UInt64, in image: Image) -> Bool { addresses.contains(address) }
        func takesLock(_ address: UInt64, in image: Image) -> Bool { false }
        func makesContinuation(_ address: UInt64, in image: Image) -> Bool { helpers.contains(address) }
    }

    @Test(
        "A task awaits in the first function that does more than make a continuation, where there is one",
        arguments: [([0x1100], 0x1200), ([0x1100, 0x1200, 0x1300], 0x1100)] as [(Set<UInt64>, UInt64)])
    func continuationHelpers(helpers: Set<UInt64>, awaiter: UInt64) throws {
        #expect(try awaiterOfThree(Copied(helpers: helpers)) == awaiter)
    }

    @Test(
        "A task awaits in the first function that is not a copy of one of Swift's",
        arguments: zip(
            [[], [0x1100], [0x1100, 0x1200, 0x1300]] as [Set<UInt64>], [0x1100, 0x1200, 0] as [UInt64]))
    func copiedFunctions(copied: Set<UInt64>, awaiter: UInt64) throws {
        #expect(try awaiterOfThree(Copied(addresses: copied)) == awaiter)
    }

    /// The address of the awaiting function in a stack of three async functions.
    private func awaiterOfThree(_ functions: Copied) throws -> UInt64 {
        var trace = TraceBuilder()
        trace.add(.image(.init(base: 0x1000, begin: 0x1000, end: 0x2000, buildId: "", path: "/app/App")), at: 0)
        trace.add(.taskBegin(.init(task: 1, executor: 0)), at: 1, thread: 2)
        let stack = trace.stack([0x1100, 0x1200, 0x1300])
        trace.add(
            .taskSuspend(.init(task: 1, wait: .continuation, object: 0, code: 0, stack: stack)), at: 5, thread: 2)
        let (model, log) = ObservationLog.read(trace.events, options: ModelOptions(functions: functions))
        let wait = try #require(log.tasks.first?.openWait)
        #expect(model.awaitStacks == [wait.stack])
        return model[wait.awaiter].address
    }

    @Test("A task that begins at once inside of another gives the thread back to it")
    func immediate() throws {
        var trace = TraceBuilder()
        trace.add(.taskBegin(.init(task: 1, executor: 0)), at: 0, thread: 2)
        trace.add(
            .taskCreate(.init(task: 2, kind: .immediate, qos: .default, parent: 1, group: 0, code: 0)), at: 1,
            thread: 2)
        trace.add(.taskBegin(.init(task: 2, executor: 0)), at: 2, thread: 2)
        trace.add(.taskFinish(.init(task: 2)), at: 5, thread: 2)
        trace.add(.taskFinish(.init(task: 1)), at: 9, thread: 2)
        let tasks = ObservationLog.read(trace.events).log.tasks
        #expect(tasks.map(\.number) == [2, 1])
        #expect(tasks.map(\.parts.running) == [.microseconds(3), .microseconds(9)])
    }

    // thread 2   ├─ 1 ─┤├─ 2 ─┤├─ 1 ─┤   or the end of the trace while 2 runs
    @Test("Runs of its own, and of the other in its place, follow each other", arguments: [false, true])
    func immediateRuns(isOpen: Bool) {
        var trace = TraceBuilder()
        let outer = trace.task(at: 0)
        trace.begin(outer, thread: 2, at: 1)
        let inner = trace.task(.immediate, at: 3, from: 2)
        trace.begin(inner, thread: 2, at: 3)
        if isOpen {
            trace.end(at: 5)
        } else {
            trace.suspend(inner, for: .continuation, thread: 2, at: 5)
            trace.begin(outer, thread: 2, at: 5)
            trace.finish(outer, thread: 2, at: 9)
        }
        let runs = ObservationLog.read(trace.events).log.taskRuns.filter { $0.task == outer }
        #expect(runs.map(\.inner) == [nil, inner, nil].dropLast(isOpen ? 1 : 0))
        #expect(runs.map(\.begin.nanoseconds) == [1_000, 3_000, 5_000].dropLast(isOpen ? 1 : 0))
        #expect(runs.map(\.end.nanoseconds) == [3_000, 5_000, 9_000].dropLast(isOpen ? 1 : 0))
    }

    //   task     suspends for the actor ░░░├─ on the actor ─┤
    //   deinit   ├──── on the actor ───────┤
    @Test("An isolated deinitializer occupies its actor, and a task waits for it")
    func isolatedDeinit() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let actor = trace.actor("App.Cache")
        let task = trace.task(at: 1)
        trace.begin(task, thread: 2, at: 2)
        let deinitializer = trace.deinitialize(on: actor, at: 3, begin: 5, end: 30, thread: 3, from: 2)
        trace.suspend(task, for: .executor, object: actor, thread: 2, at: 10)
        trace.resume(task, on: actor, thread: 2, at: 10)
        trace.begin(task, on: actor, thread: 3, at: 31)
        trace.finish(task, thread: 3, at: 40)
        let (model, log) = ObservationLog.read(trace.events)
        let jobs = log.items.filter { model[$0.queue].kind == .actor }
        #expect(jobs.map(\.service) == [.microseconds(25), .microseconds(9)])
        #expect(log.taskWaits.first { $0.task == task }?.holder == deinitializer)
        #expect(log.tasks.map(\.isDeinit) == [true, false])
    }

    // thread 2   ├─ task ─┤├─ deinit, on a free actor ─┤├─ task ─┤
    @Test("A deinitializer that runs at once interrupts the run of the task, and not its time")
    func inlineDeinit() {
        var trace = TraceBuilder()
        trace.taskTrack()
        let actor = trace.actor("App.Cache")
        let task = trace.task(at: 1)
        trace.begin(task, thread: 2, at: 2)
        let deinitializer = trace.deinitialize(on: actor, at: 3, begin: 3, end: 8, thread: 2, from: 2)
        trace.begin(task, thread: 2, at: 8)
        trace.finish(task, thread: 2, at: 10)
        let log = ObservationLog.read(trace.events).log
        let runs = log.taskRuns.filter { $0.task == task }
        #expect(runs.map(\.inner) == [nil, deinitializer, nil])
        #expect(log.tasks.first { $0.number == task }?.parts.running == .microseconds(8))
    }

    @Test("Nothing of a random process runs on an actor beside another, and every life is told to the nanosecond")
    func random() {
        for seed in UInt64(1)...30 {
            let (model, log) = ObservationLog.read(RandomProcess(seed: seed).trace.events)
            #expect(!log.tasks.isEmpty)
            for task in log.tasks { #expect(task.parts.total == task.life, "seed \(seed), task \(task.number)") }
            for wait in log.taskWaits { #expect(wait.began <= wait.resumedAt ?? wait.ended, "seed \(seed)") }
            for actor in model.queues where actor.kind == .actor {
                let jobs = log.items.filter { $0.queue == actor.index }.sorted { $0.beganAt < $1.beganAt }
                for (one, next) in zip(jobs, jobs.dropFirst()) {
                    #expect(one.endedAt <= next.beganAt, "seed \(seed)")
                }
            }
        }
    }

    // thread 2   ├─ 1 ─┤├─ 2, immediate ─ …       thread 3   ├─ 1 ─ …
    @Test("A task that an immediate one covers may be seen elsewhere, or end, when events are missing")
    func coveredElsewhere() {
        for ends in [false, true] {
            var trace = TraceBuilder()
            let outer = trace.task(at: 0)
            trace.begin(outer, thread: 2, at: 1)
            let inner = trace.task(.immediate, at: 2, from: 2)
            trace.begin(inner, thread: 2, at: 3)
            if ends { trace.finish(outer, thread: 2, at: 4) } else { trace.begin(outer, thread: 3, at: 4) }
            trace.suspend(inner, for: .continuation, thread: 2, at: 5)
            let other = trace.task(at: 6)
            trace.begin(other, thread: 2, at: 7)
            trace.finish(other, thread: 2, at: 8)
            #expect(ObservationLog.read(trace.events).model.end.nanoseconds == 8_000)
        }
    }

    @Test("Any order of a few tasks' events leaves a model", arguments: 1...200)
    func anyOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var trace = TraceBuilder()
        let actor = trace.actor("App.Store")
        var tasks: [UInt64] = []
        for step in 1...120 {
            let time = Double(step)
            let thread = UInt32.random(in: 2...4, using: &random)
            let executor = Bool.random(using: &random) ? actor : 0
            guard let task = tasks.randomElement(using: &random), Int.random(in: 0..<6, using: &random) > 0 else {
                let kind = [TaskKind.immediate, .immediate, .detached].randomElement(using: &random)!
                tasks.append(trace.task(kind, at: time, from: thread, qos: .background))
                continue
            }
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1: trace.begin(task, on: executor, thread: thread, at: time)
            case 2: trace.suspend(task, for: .executor, object: executor, thread: thread, at: time)
            case 3: trace.resume(task, on: executor, thread: thread, at: time)
            case 4: trace.add(.taskSwitch(.init(executor: executor, code: 0)), at: time, thread: thread)
            default: trace.finish(task, thread: thread, at: time)
            }
        }
        let log = ObservationLog.read(trace.events).log
        for task in log.tasks { #expect(task.parts.total == task.life) }
    }
}
