import DispatchModel
import Testing
import TraceBuilder

@testable import DispatchAnalysis

/// Waits that are open at the end of the trace. Times are µs.
@Suite struct OpenWaitTests {
    private func waiting(_ trace: TraceBuilder, detectors: Set<String> = []) -> (StillWaiting, DispatchModel) {
        let analysis = AnalysisSession(options: AnalysisOptions(detectors: detectors)).analyze(
            events: trace.events, processors: 2)
        return (analysis.stillWaiting, analysis.model)
    }

    //   main      waits for a semaphore ░░░░░░░░░░░░ end
    //   thread 2  ├ signals it once ┤
    @Test(
        "A wait is in the verdict from 250 ms on, or from 10 % of a short recording",
        arguments: [(250_000.0, 10e6, true), (249_999, 10e6, false), (10_000, 100_000, true), (9_999, 100_000, false)])
    func headline(wait: Double, end: Double, isShown: Bool) {
        var trace = TraceBuilder()
        let semaphore = trace.semaphore(value: 0)
        trace.wait(for: semaphore, thread: 1, at: end - wait, code: "App.swift:12")
        trace.end(at: end)
        let (waiting, model) = waiting(trace)
        #expect(waiting.waits.count == 1)
        #expect((waiting.headline != nil) == isShown)
        #expect(waiting.waits.allSatisfy { model[$0.code].description == "App.swift:12" })
        #expect(waiting.notable.isEmpty == !isShown)
    }

    @Test("A short wait for a lock is notable, because it may be part of a cycle")
    func lock() {
        var trace = TraceBuilder()
        let lock = trace.lock("app.lock", fair: false)
        trace.hold(lock, thread: 2, granted: 100, released: nil)
        trace.add(.lockWait(.init(lock: lock, code: 0, holderTid: 2)), at: 9e6, thread: 3)
        let semaphore = trace.semaphore(value: 0)
        trace.wait(for: semaphore, thread: 2, at: 8e6, code: "App.swift:9")
        trace.end(at: 9e6 + 10)
        let (waiting, model) = waiting(trace)
        #expect(
            waiting.waits.map(\.waiter) == [
                .thread(ThreadIndex(position(of: 2, model))), .thread(ThreadIndex(position(of: 3, model))),
            ])
        let owner = waiting.waits[1].releaser
        #expect(owner?.kind == .owner && owner?.thread == waiting.waits[0].thread)
        // The code in which the owner waits itself.
        #expect(owner.map { model[$0.code].description } == "App.swift:9")
        #expect(waiting.notable.count == 2)
    }

    private func position(of tid: UInt32, _ model: DispatchModel) -> Int {
        model.threads.firstIndex { $0.tid == tid } ?? -1
    }

    //   task 1  ├ awaits its task group ░░░░░░░░░░ end
    //   task 2    ├ awaits a continuation ░░░░░░░░ end     the cause
    //   task 3    ├ awaits the next element ░░░░░░ end     may be idle
    @Test("The verdict names the task that others wait for, and no task that waits for the next element")
    func tasks() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        _ = trace.function("ask(_:)", address: 0x1000)
        _ = trace.function("next()", address: 0x2000)
        let (ask, next) = (trace.stack([0x1000]), trace.stack([0x2000]))
        let (parent, child, idle) = (trace.task(at: 1), trace.object(), trace.task(at: 1))
        trace.begin(parent, thread: 2, at: 2)
        trace.add(
            .taskCreate(.init(task: child, kind: .groupChild, qos: .default, parent: parent, group: 7, code: 0)), at: 3,
            thread: 2)
        trace.suspend(parent, for: .group, object: 7, thread: 2, at: 4)
        trace.begin(child, thread: 2, at: 5)
        trace.suspend(child, for: .continuation, thread: 2, at: 6, stack: ask)
        trace.begin(idle, thread: 3, at: 2)
        trace.suspend(idle, for: .continuation, thread: 3, at: 3, stack: next)
        trace.end(at: 5e6)
        let (waiting, _) = waiting(trace)
        #expect(waiting.waits.map(\.waiter) == [.task(idle), .task(parent), .task(child)])
        #expect(waiting.waits.map(\.mayBeIdle) == [true, false, false])
        #expect(waiting.waits[1].releaser?.task == child)
        #expect(waiting.headline?.waiter == .task(child))
        #expect(waiting.headline?.cause == .continuation)
    }

    @Test("Items on a suspended queue wait for its resume, items behind a running one for its thread")
    func items() throws {
        var trace = TraceBuilder()
        let (paused, busy) = (trace.serialQueue("app.paused"), trace.serialQueue("app.busy"))
        trace.suspend(paused, at: 5)
        for _ in 0..<3 { trace.async(on: paused, at: 10, thread: 2, code: "App.swift:3") }
        trace.async(on: busy, at: 20, begin: 30, thread: 2, code: "App.swift:4")
        trace.async(on: busy, at: 40, thread: 2, code: "App.swift:5")
        trace.end(at: 5e6)
        let (waiting, model) = waiting(trace)
        let first = try #require(waiting.waits.first)
        let second = try #require(waiting.waits.last)
        #expect(waiting.waits.count == 2)
        guard case .items(_, let count) = first.waiter, case .suspendedQueue = first.cause else {
            return #expect(Bool(false), "\(first)")
        }
        #expect(count == 3 && first.releaser == nil)
        guard case .heldQueue = second.cause else { return #expect(Bool(false), "\(second)") }
        #expect(second.releaser.map { model[$0.code].description } == "App.swift:4")
    }

    @Test("A wait that a finding reports is not repeated in the verdict")
    func reported() {
        var trace = TraceBuilder()
        let semaphore = trace.semaphore(value: 0)
        trace.wait(for: semaphore, thread: 1, at: 10, code: "App.swift:12")
        trace.end(at: 5e6)
        #expect(waiting(trace).0.headline != nil)
        #expect(waiting(trace, detectors: [SemaphoreNeverSignalled.id]).0.headline == nil)
    }

    @Test("The largest wait is the largest of queues, locks and calls")
    func largest() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.work")
        trace.async(on: queue, at: 0, begin: 100, end: 101, thread: 2)
        func subject() throws -> LargestWait {
            try #require(AnalysisSession().analyze(events: trace.events).largestWait)
        }
        guard case .queue = try subject().subject else { return #expect(Bool(false)) }
        let semaphore = trace.semaphore(value: 0)
        trace.wait(for: semaphore, thread: 3, at: 1000, until: 1200, code: "App.swift:5")
        trace.signal(semaphore, thread: 2, at: 1199)
        guard case .calls(.semaphore, _) = try subject().subject else { return #expect(Bool(false)) }
        #expect(try subject().total == .microseconds(200))
        let lock = trace.lock("app.lock", fair: false)
        trace.hold(lock, thread: 2, granted: 2000, released: 2400)
        trace.hold(lock, thread: 3, requested: 2001, granted: 2401, released: 2410)
        guard case .lock(let statistics) = try subject().subject else { return #expect(Bool(false)) }
        #expect(statistics.contended == 1)
        #expect(try subject().total == .microseconds(400))
    }

    @Test("Tasks that wait for a thread are the largest wait when nothing else waits as long")
    func largestTasks() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let task = trace.task(at: 0, code: "App.swift:7")
        trace.begin(task, thread: 2, at: 500)
        trace.finish(task, thread: 2, at: 510)
        let largest = try #require(AnalysisSession().analyze(events: trace.events).largestWait)
        guard case .tasks(let function) = largest.subject else { return #expect(Bool(false)) }
        #expect(function.parts.thread == .microseconds(500) && largest.total == .microseconds(500))
    }

    //   thread 2   waits for a semaphore in NIOThreadPool ░░░░░░░░░ end
    @Test("A thread of NIOThreadPool that waits for work is idle, and its waits are not the largest of the program")
    func threadPool() {
        var trace = TraceBuilder()
        let semaphore = trace.semaphore(value: 0)
        trace.signal(semaphore, thread: 1, at: 5)
        let process = trace.function("NIOThreadPool.process(identifier:)", address: 0x1000)
        for (begin, end) in [(10.0, 11.0), (12, 4e6)] {
            trace.add(.semaphoreWaitBegin(.init(semaphore: semaphore, code: process)), at: begin, thread: 2)
            if end < 4e6 {
                trace.add(.semaphoreWaitEnd(.init(semaphore: semaphore, timedOut: 0)), at: end, thread: 2)
            }
        }
        trace.end(at: 4e6)
        let (waiting, _) = waiting(trace)
        #expect(waiting.waits.map(\.mayBeIdle) == [true] && waiting.headline == nil)
        #expect(AnalysisSession().analyze(events: trace.events).largestWait == nil)
    }

    //   worker 10   ├ item ── blocked in a futex wait of libFoundation ░░░░ end
    //   main          blocked in read ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ end     may be idle
    @Test("A thread that is blocked in a system call outside of recorded waits still waits")
    func calls() throws {
        var trace = TraceBuilder()
        trace.mapImages()
        _ = trace.function("NSCondition.wait()", address: 0x3100)
        let queue = trace.serialQueue("app.work")
        trace.async(on: queue, at: 5, begin: 10, thread: 10)
        trace.off(10, from: 20)
        trace.ask(10, at: 10_000, call: "futex", frames: [0x7100, 0x3100, 0x1100])
        trace.off(1, from: 30)
        trace.ask(1, at: 10_000, call: "read", on: .terminal, frames: [0x7100, 0x1200])
        trace.end(at: 5e6)
        let (waiting, model) = waiting(trace)
        #expect(waiting.waits.map(\.mayBeIdle) == [false, true])
        #expect(waiting.waits.map(\.descriptor) == [.unknown, .terminal])
        guard case .call("futex", let called)? = waiting.waits.first?.cause else {
            return #expect(Bool(false), "\(waiting.waits)")
        }
        #expect(model[called].symbol == "NSCondition.wait()")
        #expect(waiting.waits.first.map { model[$0.code].address } == 0x1100)
        #expect(waiting.headline?.waiter == waiting.waits.first?.waiter)
    }

    //   thread 2   ├ holds a ── waits for b ░░░░░░░ end  ┐ cycle
    //   thread 3     ├ holds b ── waits for a ░░░░░ end  ┘
    //   thread 4  ├ waits for a ░░░░░░░░░░░░░░░░░░░ end     waits longest, but is a consequence
    @Test("The waits of a cycle come first, in the order in which they wait for each other")
    func cycle() {
        var trace = TraceBuilder()
        let (first, second) = (trace.lock("app.a", fair: false), trace.lock("app.b", fair: false))
        trace.hold(first, thread: 2, granted: 10, released: nil)
        trace.hold(second, thread: 3, granted: 20, released: nil)
        for (lock, time, thread, holder) in [(first, 30.0, 4, 2), (second, 40, 2, 3), (first, 50, 3, 2)] {
            trace.add(
                .lockWait(.init(lock: lock, code: 0, holderTid: UInt32(holder))), at: time, thread: UInt32(thread))
        }
        trace.end(at: 5e6)
        let (waiting, model) = waiting(trace)
        let waiters = [2, 3, 4].map { OpenWait.Waiter.thread(ThreadIndex(position(of: $0, model))) }
        #expect(waiting.waits.map(\.waiter) == waiters)
        #expect(waiting.waits.map(\.cycle) == [1, 1, nil])
    }

    //   thread 2    ├ sync: waits, owner 3 ░░░░░░░░░░░░░░░░░░ end   owns the queue, and has no processor yet
    //   thread 3   ├ owns the queue ┤ ├ sync: waits, owner 2 ░ end
    @Test("A thread that was handed a serial queue and has not run yet is in no cycle")
    func handedOver() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        trace.sync(on: queue, at: 10, begin: 11, end: 100, thread: 3)
        trace.sync(on: queue, at: 20, thread: 2, from: 3)
        trace.sync(on: queue, at: 110, thread: 3, from: 2)
        trace.end(at: 5e6)
        let (waiting, model) = waiting(trace)
        let threads = [2, 3].map { OpenWait.Waiter.thread(ThreadIndex(position(of: $0, model))) }
        #expect(waiting.waits.filter { threads.contains($0.waiter) }.map(\.blocker) == threads.reversed())
        #expect(waiting.waits.allSatisfy { $0.cycle == nil })
    }

    //   threads 2, 3   ├ items of a global queue run ── blocked ░░░░ end
    //   item           ├ enqueued ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ end
    @Test("Items on a global queue wait for a thread, not for an item of the queue")
    func globalQueue() throws {
        var trace = TraceBuilder()
        let queue = trace.globalQueue()
        let semaphore = trace.semaphore(value: 0)
        for thread in [UInt32(2), 3] {
            trace.async(on: queue, at: 5, begin: 10, thread: thread)
            trace.wait(for: semaphore, thread: thread, at: 20, code: "App.swift:12")
        }
        trace.async(on: queue, at: 30, thread: 2, code: "App.swift:5")
        trace.end(at: 5e6)
        let wait = try #require(
            waiting(trace).0.waits.first { if case .items = $0.waiter { true } else { false } })
        #expect(wait.cause == .thread && wait.releaser == nil)
    }
}
