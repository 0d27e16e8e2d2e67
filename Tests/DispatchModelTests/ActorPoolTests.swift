import DispatchModel
import Testing
import TraceBuilder

/// Waits for a free actor while all workers of Swift Concurrency are busy. Times in µs.
@Suite struct ActorPoolTests {
    /// A process with two workers for tasks, 7 and 8.
    private struct Process {
        var trace = TraceBuilder()
        let root: TraceBuilder.QueueID
        let executor: TraceBuilder.QueueID

        init() {
            trace.taskTrack()
            root = trace.globalQueue()
            executor = trace.concurrentQueue("Swift global concurrent queue", target: root)
            for worker in [7, 8] as [UInt32] { trace.worker(worker, of: root, made: 0, started: 1) }
        }

        /// A job of the global executor without an actor, such as a task that blocks its thread.
        mutating func job(begin: Double, end: Double? = nil, thread: UInt32) {
            trace.callout(on: executor, at: begin, begin: begin, end: end, thread: thread, kind: .swiftJob)
        }

        /// A job that runs a task on an actor for its whole duration.
        mutating func run(_ task: UInt64, on actor: UInt64, begin: Double, end: Double, thread: UInt32) {
            let job = trace.item()
            trace.add(
                .itemEnqueue(.init(item: job, queue: executor, code: 0, kind: .swiftJob, qos: .default)), at: begin,
                thread: TraceBuilder.main)
            trace.add(.calloutBegin(.init(item: job)), at: begin, thread: thread)
            trace.begin(task, on: actor, thread: thread, at: begin)
            trace.finish(task, thread: thread, at: end)
            trace.add(.calloutEnd(.init()), at: end, thread: thread)
        }

        /// The waits of the jobs on actors, in the order of their begins.
        func waits() -> [WaitParts] {
            let (model, log) = ObservationLog.read(trace.events)
            let jobs = log.items.filter { model[$0.queue].kind == .actor }.sorted { $0.beganAt < $1.beganAt }
            for job in jobs { #expect(job.waitParts.total == job.wait) }
            return jobs.map(\.waitParts)
        }
    }

    //   worker 7   ├ job ──┤   ├──── blocked ────────┤parks  wakes├ job ──┤
    //   worker 8                  ├──── blocked ───────────────┤
    //   actor      ├ held ─┤            ▲ queued ·pool·┊ start ┊ sched.
    //              2       4   10 12    30             60 61   65   68
    @Test("While every worker is busy, a task waits for the pool and not for an actor that is free")
    func pool() {
        var process = Process()
        let actor = process.trace.actor("App.Store")
        let task = process.trace.task(at: 0)
        process.run(task, on: actor, begin: 2, end: 4, thread: 7)
        process.job(begin: 10, end: 60, thread: 7)
        process.job(begin: 12, end: 90, thread: 8)
        let waiting = process.trace.task(at: 20)
        process.trace.resume(waiting, on: actor, thread: 1, at: 20)
        process.trace.begin(waiting, thread: 9, at: 25)
        process.trace.suspend(waiting, for: .executor, object: actor, thread: 9, at: 30)
        process.trace.resume(waiting, on: actor, thread: 9, at: 30)
        process.trace.park(7, of: process.root, at: 60, asked: 61, until: 65)
        process.run(waiting, on: actor, begin: 68, end: 70, thread: 7)
        let parts = process.waits()
        #expect(parts.count == 2)
        #expect(parts.last?.pool == .microseconds(30))
        #expect(parts.last?.threadStart == .microseconds(4))
        #expect(parts.last?.scheduler == .microseconds(4))
    }

    //   worker 7   ├──── blocked ────────┤├ first job ──┤├── blocked ──┤├ second job
    //   worker 8   ├──── blocked ──────────────────────────────────────────
    //   second        ▲ queued ···········┊··· held ····┊··· pool ·····┤
    //              2  12                  30            35             50
    @Test("An actor's pool counts from when a worker first runs the actor")
    func firstRun() {
        var process = Process()
        let actor = process.trace.actor("App.Store")
        process.job(begin: 2, end: 30, thread: 7)
        process.job(begin: 2, end: 90, thread: 8)
        for task in [1, 2] as [UInt64] { process.trace.resume(task, on: actor, thread: 1, at: 8 + 2 * Double(task)) }
        process.run(1, on: actor, begin: 30, end: 35, thread: 7)
        process.job(begin: 35, end: 50, thread: 7)
        process.run(2, on: actor, begin: 50, end: 51, thread: 7)
        let parts = process.waits()
        #expect(parts.map(\.pool) == [.zero, .microseconds(15)])
        #expect(parts.map(\.ownBacklog) == [.zero, .microseconds(5)])
        #expect(parts.map(\.scheduler) == [.microseconds(20), .microseconds(18)])
    }

    @Test("A task that leaves a worker for a new actor tells the pool of the actor")
    func firstHop() {
        var process = Process()
        let actor = process.trace.actor("App.Store")
        process.job(begin: 2, end: 40, thread: 7)
        process.job(begin: 2, end: 90, thread: 8)
        process.trace.begin(1, thread: 7, at: 3)
        process.trace.suspend(1, for: .executor, object: actor, thread: 7, at: 10)
        process.trace.resume(1, on: actor, thread: 7, at: 10)
        process.run(1, on: actor, begin: 40, end: 41, thread: 7)
        #expect(process.waits().map(\.pool) == [.microseconds(30)])
    }

    @Test("A definition that comes late still tells that an executor is an actor")
    func lateDefinition() {
        var process = Process()
        let actor: UInt64 = 0x7000
        process.run(1, on: actor, begin: 2, end: 4, thread: 7)
        let type = process.trace.function("App.Store")
        process.trace.add(.executorState(.init(executor: actor, actorType: type, kind: .actor)), at: 5)
        process.run(2, on: actor, begin: 6, end: 8, thread: 7)
        process.job(begin: 10, end: 60, thread: 7)
        process.job(begin: 12, end: 90, thread: 8)
        process.trace.resume(3, on: actor, thread: 1, at: 20)
        process.run(3, on: actor, begin: 60, end: 61, thread: 7)
        #expect(process.waits().map(\.pool) == [.zero, .zero, .microseconds(40)])
    }

    @Test(
        "What runs on an executor of its own, or on the main actor, does not wait for the pool",
        arguments: [ExecutorKind.serialExecutor, .mainActor])
    func otherExecutors(kind: ExecutorKind) {
        var process = Process()
        let executor: UInt64 = 0x7000
        let type = process.trace.function("App.Loop")
        process.trace.add(.executorState(.init(executor: executor, actorType: type, kind: kind)), at: 0)
        process.run(1, on: executor, begin: 2, end: 4, thread: 7)
        process.job(begin: 10, end: 60, thread: 7)
        process.job(begin: 12, end: 90, thread: 8)
        process.trace.resume(2, on: executor, thread: 1, at: 30)
        process.run(2, on: executor, begin: 60, end: 61, thread: 7)
        #expect(process.waits().map(\.pool) == [.zero, .zero])
        #expect(process.waits().map(\.scheduler) == [.zero, .microseconds(30)])
    }

    @Test("A worker of a queue that is an executor of its own tells no pool", arguments: [ItemKind.async, .swiftJob])
    func otherWorkers(kind: ItemKind) {
        var process = Process()
        let actor = process.trace.actor("App.Store")
        let queue = process.trace.serialQueue("app.executor", target: process.root)
        process.trace.callout(on: queue, at: 2, begin: 2, end: 5, thread: 7, kind: kind)
        process.trace.begin(1, on: actor, thread: 7, at: 3)
        process.trace.finish(1, thread: 7, at: 4)
        process.job(begin: 10, end: 60, thread: 7)
        process.job(begin: 12, end: 90, thread: 8)
        process.trace.resume(2, on: actor, thread: 1, at: 30)
        process.run(2, on: actor, begin: 60, end: 61, thread: 7)
        #expect(process.waits().map(\.pool) == [.zero, .zero])
    }

    /// A random process that advances in steps of 1 µs and adds each µs of a wait to a part separately.
    private struct Steps {
        var process = Process()
        let actors: [UInt64]
        /// By worker: the task and the actor of its job; nil for a job without a task.
        var runs: [(task: UInt64, actor: Int)?] = [nil, nil]
        /// By worker: whether it runs a job.
        var isOpen = [false, false]
        var isParked = [false, false]
        /// By worker: whether it has run a job since it last parked.
        var isBusy = [false, false]
        var waiting: [(task: UInt64, actor: Int, held: Int, pool: Int, rest: Int)] = []
        /// The `held`, `pool` and remaining parts of each wait, in the order of the begins.
        var expected: [[Int]] = []
        var isKnown: [Bool]
        private var last: UInt64 = 0

        init() {
            actors = (0..<3).map { 0x7000 + UInt64($0) * 0x100 }
            isKnown = actors.map { _ in false }
            for actor in actors {
                process.trace.add(.executorState(.init(executor: actor, actorType: 0, kind: .actor)), at: 0)
            }
        }

        /// Advances by 1 µs, and then performs one operation.
        mutating func step(_ now: Double, _ random: inout SeededGenerator) {
            let held = runs.compactMap { $0?.actor }
            let isSaturated = !isParked.contains(true) && isBusy == [true, true]
            for place in waiting.indices {
                if held.contains(waiting[place].actor) {
                    waiting[place].held += 1
                } else if isSaturated, isKnown[waiting[place].actor] {
                    waiting[place].pool += 1
                } else {
                    waiting[place].rest += 1
                }
            }
            let worker = Int.random(in: 0...1, using: &random)
            let thread = UInt32(7 + worker)
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                last += 1
                let actor = Int.random(in: actors.indices, using: &random)
                process.trace.resume(last, on: actors[actor], thread: 1, at: now)
                waiting.append((last, actor, 0, 0, 0))
            case 2 where !isParked[worker] && runs[worker] == nil && !isOpen[worker]:
                process.trace.add(.workerPark(.init(root: process.root)), at: now, thread: thread)
                isParked[worker] = true
                isBusy[worker] = false
            case 2 where isParked[worker]:
                process.trace.add(.workerUnpark(.init(root: process.root)), at: now, thread: thread)
                isParked[worker] = false
            case 3 where isOpen[worker]:
                if let run = runs[worker] { process.trace.finish(run.task, thread: thread, at: now) }
                runs[worker] = nil
                isOpen[worker] = false
                process.trace.add(.calloutEnd(.init()), at: now, thread: thread)
            case 4 where !isOpen[worker] && !isParked[worker]:
                process.job(begin: now, thread: thread)
                isOpen[worker] = true
                isBusy[worker] = true
            case 5 where !isOpen[worker] && !isParked[worker]:
                guard let next = waiting.firstIndex(where: { !held.contains($0.actor) }) else { return }
                let wait = waiting.remove(at: next)
                process.job(begin: now, thread: thread)
                process.trace.begin(wait.task, on: actors[wait.actor], thread: thread, at: now)
                expected.append([wait.held, wait.pool, wait.rest])
                (isOpen[worker], isBusy[worker], isKnown[wait.actor]) = (true, true, true)
                runs[worker] = (wait.task, wait.actor)
            default: break
            }
        }
    }

    @Test("Each µs of random waits goes to the actor's holder, to the pool or to the scheduler", arguments: 1...40)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var steps = Steps()
        for step in 2...400 { steps.step(Double(step), &random) }
        steps.process.trace.add(.workerExit(.init(root: steps.process.root)), at: 401, thread: 30)
        let parts = steps.process.waits()
        #expect(parts.map(\.ownBacklog) == steps.expected.map { .microseconds(Int64($0[0])) })
        #expect(parts.map(\.pool) == steps.expected.map { .microseconds(Int64($0[1])) })
        #expect(parts.map(\.scheduler) == steps.expected.map { .microseconds(Int64($0[2])) })
    }
}
