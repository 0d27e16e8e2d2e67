import DispatchModel

/// Random tasks on random actors. They have their own threads. A task runs, moves to a free actor, awaits, is resumed
/// by another thread, and finishes.
struct RandomTasks {
    struct Task {
        let number: UInt64
        var isReady = false
        var thread: Int?
        /// The actor that the task holds or waits for.
        var actor: Int?
    }

    private static let threads: [UInt32] = [20, 21, 22]
    private var tasks: [Task] = []
    /// The task on each actor.
    private var holders: [UInt64?] = []
    private var lastNumber: UInt64 = 0

    private static func executor(_ actor: Int?) -> UInt64 { actor.map { 0x7000_0000 + UInt64($0) * 0x100 } ?? 0 }

    /// Performs one random step.
    mutating func step(_ trace: inout TraceBuilder, at now: Double, _ random: inout SeededGenerator) {
        let thread = Int.random(in: Self.threads.indices, using: &random)
        let choice = Int.random(in: 0..<10, using: &random)
        func record(_ event: DispatchEvent) { trace.add(event, at: now, thread: Self.threads[thread]) }
        if holders.isEmpty { return define(&trace, at: now) }
        guard let running = tasks.firstIndex(where: { $0.thread == thread }) else {
            if choice < 3 || tasks.isEmpty { return create(&trace, at: now, thread, &random) }
            if choice < 6 { return wake(&trace, at: now, thread, &random) }
            guard let next = tasks.firstIndex(where: { $0.isReady && isFree($0.actor, for: $0.number) }) else { return }
            tasks[next].isReady = false
            tasks[next].thread = thread
            if let actor = tasks[next].actor { holders[actor] = tasks[next].number }
            return record(.taskBegin(.init(task: tasks[next].number, executor: Self.executor(tasks[next].actor))))
        }
        let number = tasks[running].number
        let actor = chance(2, &random) ? Int.random(in: holders.indices, using: &random) : nil
        switch choice {
        case 0..<3 where actor != tasks[running].actor && isFree(actor, for: number):
            leaveActor(running)
            tasks[running].actor = actor
            if let actor { holders[actor] = number }
            record(.taskSwitch(.init(executor: Self.executor(actor), code: trace.code("App/Task.swift:1"))))
        case 0..<3:
            suspend(running, as: .executor, object: Self.executor(actor), &trace, at: now)
            tasks[running].actor = actor
            tasks[running].isReady = true
            record(.taskEnqueue(.init(task: number, executor: Self.executor(actor), code: 0)))
        case 3..<5:
            let kinds: [AwaitKind] = [.task, .continuation, .group, .unknown]
            suspend(running, as: kinds.randomElement(using: &random)!, object: 1, &trace, at: now)
            tasks[running].actor = nil
        case 5: wake(&trace, at: now, thread, &random)
        case 6: create(&trace, at: now, thread, &random)
        case 7:
            record(.taskCancel(.init(task: number)))
            record(.taskCollect(.init(child: number, group: 1)))
        case 8:
            record(.taskEscalate(.init(task: number, qos: .userInitiated)))
            record(.runLoopTimer(.init(runLoop: 1, timer: number, due: 1_000_000, code: 0, stack: 0)))
            record(chance(2, &random) ? .runLoopRun(.init(runLoop: 1)) : .runLoopTimerEnd(.init(timer: number)))
        default:
            leaveActor(running)
            record(.taskFinish(.init(task: number)))
            tasks.remove(at: running)
        }
    }

    private func isFree(_ actor: Int?, for task: UInt64) -> Bool {
        actor.map { holders[$0] == nil || holders[$0] == task } ?? true
    }

    private func chance(_ one: Int, _ random: inout SeededGenerator) -> Bool {
        Int.random(in: 0..<one, using: &random) == 0
    }

    private mutating func leaveActor(_ task: Int) {
        if let actor = tasks[task].actor, holders[actor] == tasks[task].number { holders[actor] = nil }
    }

    private mutating func define(_ trace: inout TraceBuilder, at now: Double) {
        holders = [nil, nil, nil]
        let type = trace.code("App/Actor.swift:1")
        trace.add(.taskTrack(.init(taskDetail: .full, reason: "")), at: now)
        trace.add(.actorCreate(.init(executor: Self.executor(0), actorType: type)), at: now, thread: 1)
        trace.add(.executorState(.init(executor: Self.executor(1), actorType: type, kind: .actor)), at: now)
        trace.add(.actorCreate(.init(executor: 0x7fff_0000, actorType: type)), at: now, thread: 1)
        trace.add(.actorDestroy(.init(executor: 0x7fff_0000)), at: now, thread: 1)
    }

    private mutating func create(
        _ trace: inout TraceBuilder, at now: Double, _ thread: Int, _ random: inout SeededGenerator
    ) {
        lastNumber += 1
        let parent = tasks.first { $0.thread == thread }?.number ?? 0
        let code = trace.code("App/Task.swift:\(Int.random(in: 2...4, using: &random))")
        let tid = Self.threads[thread]
        trace.add(
            .taskCreate(
                .init(task: lastNumber, kind: .unstructured, qos: .default, parent: parent, group: 0, code: code)),
            at: now, thread: tid)
        if chance(3, &random) {
            trace.add(.taskName(.init(task: lastNumber, name: "task \(lastNumber)")), at: now, thread: tid)
        }
        trace.add(.taskEnqueue(.init(task: lastNumber, executor: 0, code: 0)), at: now, thread: tid)
        tasks.append(Task(number: lastNumber, isReady: true))
    }

    /// Resumes a waiting task from a thread.
    private mutating func wake(
        _ trace: inout TraceBuilder, at now: Double, _ thread: Int, _ random: inout SeededGenerator
    ) {
        guard let task = tasks.firstIndex(where: { !$0.isReady && $0.thread == nil }) else { return }
        let actor = chance(2, &random) ? Int.random(in: holders.indices, using: &random) : nil
        tasks[task].isReady = true
        tasks[task].actor = actor
        trace.add(
            .taskEnqueue(.init(task: tasks[task].number, executor: Self.executor(actor), code: 0)), at: now,
            thread: Self.threads[thread])
    }

    private mutating func suspend(
        _ task: Int, as kind: AwaitKind, object: UInt64, _ trace: inout TraceBuilder, at now: Double
    ) {
        leaveActor(task)
        trace.add(
            .taskSuspend(
                .init(
                    task: tasks[task].number, wait: kind, object: object, code: trace.code("App/Task.swift:9"), stack: 0
                )), at: now, thread: Self.threads[tasks[task].thread!])
        tasks[task].thread = nil
    }
}
