import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct PriorityInversionTests {
    private func root(_ qos: QoSClass, in trace: inout TraceBuilder, worker thread: UInt32) -> TraceBuilder.QueueID {
        let queue = trace.queue("root.\(qos)", width: 0xfff, target: 0, flags: 2, at: 0, qos: qos)
        trace.worker(thread, of: queue, made: 1, started: 2)
        return queue
    }

    //   10 (background)    ├──── item ────┤
    //   11 (interactive)    ░░░ sync ░░░░░├┤
    private func sync(_ milliseconds: Double, waiter: QoSClass = .userInteractive, owner: QoSClass = .background)
        -> TraceBuilder
    {
        var trace = TraceBuilder()
        let low = root(owner, in: &trace, worker: 10)
        let high = root(waiter, in: &trace, worker: 11)
        let index = trace.serialQueue("app.index", target: low)
        let search = trace.serialQueue("app.search", target: high)
        let end = 20 + milliseconds * 1000
        trace.async(on: index, at: 5, begin: 10, end: end, thread: 10, code: "App/Rebuild.swift:4")
        trace.async(on: search, at: 12, begin: 15, end: end + 50, thread: 11)
        trace.sync(on: index, at: 20, begin: end, end: end + 10, thread: 11, from: 10, code: "App/Search.swift:7")
        return trace
    }

    private func findings(_ trace: TraceBuilder) throws -> [Finding] {
        try DetectorRun.findings(of: PriorityInversion.self, in: trace)
    }

    @Test(
        "A sync that waits 10 ms for a lower class is reported, a shorter one is not", arguments: [(10.0, 1), (9.9, 0)])
    func threshold(milliseconds: Double, count: Int) throws {
        #expect(try findings(sync(milliseconds)).count == count)
    }

    @Test("It names both classes, the queue and both places")
    func content() throws {
        let finding = try #require(try findings(sync(40)).first)
        #expect(
            finding.summary.hasPrefix("user-interactive work waits 40.0 ms in sync to app.index at App/Search.swift:7"))
        #expect(finding.summary.contains("background work"))
        #expect(finding.cost == .milliseconds(40))
    }

    // task 1 (user-initiated)   ├─ awaits ░░░░░░░░├─
    // task 2 (background)           ├─── runs ───┤
    @Test(
        "A task that awaits a task of a low class is reported, by the classes that both were created with or inherited",
        arguments: [(QoSClass.background, true, 1), (.background, false, 1), (.default, true, 0)])
    func tasks(low: QoSClass, hasResume: Bool, count: Int) throws {
        var trace = TraceBuilder()
        let high = trace.task(at: 0, qos: .userInitiated)
        trace.begin(high, thread: 2, at: 1)
        let child = trace.task(.asyncLet, at: 2, from: 2, parent: high)
        trace.begin(child, thread: 4, at: 3)
        let awaited = trace.task(.detached, at: 2, from: 2, qos: low)
        trace.suspend(child, for: .task, object: awaited, thread: 4, at: 5)
        trace.begin(awaited, thread: 3, at: 6)
        trace.finish(awaited, thread: 3, at: 40_006)
        if hasResume { trace.resume(child, thread: 3, at: 40_007) }
        trace.begin(child, thread: 2, at: 40_010)
        let findings = try findings(trace)
        #expect(findings.count == count)
        #expect(findings.allSatisfy { $0.evidence[0].event == "task_suspend" })
        #expect(findings.allSatisfy { $0.summary == "user-initiated work waits 40.0 ms in await for background work." })
    }

    @Test("A task that waits for an actor waits for the task of a low class that holds it")
    func actor() throws {
        var trace = TraceBuilder()
        let store = trace.actor("App.Store")
        let low = trace.task(at: 0, qos: .utility)
        trace.begin(low, on: store, thread: 3, at: 1)
        let high = trace.task(at: 2, qos: .userInitiated)
        trace.begin(high, thread: 2, at: 3)
        trace.hop(high, to: store, from: 2, at: 5, begin: 20_005, thread: 2)
        trace.suspend(low, for: .continuation, thread: 3, at: 20_004)
        let finding = try #require(try findings(trace).first)
        #expect(finding.summary == "user-initiated work waits 20.0 ms in App.Store for utility work.")
        #expect(finding.evidence.first?.detail.contains("for task ") == true)
    }

    @Test("Equal classes, and a lower one that waits, are no inversion")
    func silent() throws {
        #expect(try findings(sync(40, waiter: .utility, owner: .utility)).isEmpty)
        #expect(try findings(sync(40, waiter: .background, owner: .userInteractive)).isEmpty)
    }

    @Test(
        "A semaphore has no owner, so the finding names the thread that signalled, also for the main thread",
        arguments: [11, 1] as [UInt32])
    func signal(waiter: UInt32) throws {
        var trace = TraceBuilder()
        let low = root(.background, in: &trace, worker: 10)
        if waiter == 11 { _ = root(.userInteractive, in: &trace, worker: 11) }
        let semaphore = trace.semaphore(value: 0)
        trace.async(on: low, at: 5, begin: 10, end: 50_000, thread: 10, code: "App/Save.swift:4")
        // The main thread has a class only in an item of its queue.
        trace.async(on: trace.mainQueue(), at: 12, begin: 15, end: 45_000, thread: waiter, from: 9)
        trace.wait(for: semaphore, thread: waiter, at: 20, until: 40_020, code: "App/Panel.swift:2")
        trace.signal(semaphore, thread: 10, at: 40_010)
        let finding = try #require(try findings(trace).first)
        #expect(finding.cost == .milliseconds(40))
        #expect(finding.summary.contains("in a semaphore's wait at App/Panel.swift:2"))
        #expect(finding.evidence.first?.detail.contains("App/Save.swift:4") == true)
    }

    @Test("An urgent item behind lower ones counts their time")
    func queue() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.store")
        trace.async(on: queue, at: 5, begin: 10, end: 30_010, thread: 2, qos: .background)
        trace.async(on: queue, at: 20, begin: 30_020, end: 30_030, thread: 2, qos: .userInteractive)
        let finding = try #require(try findings(trace).first)
        #expect(finding.summary.contains("app.store, behind other items"))
        #expect(finding.cost == .microseconds(29_990))
    }

    @Test("Top-level code that waits for background work is not urgent")
    func topLevel() throws {
        var trace = TraceBuilder()
        let low = root(.background, in: &trace, worker: 10)
        let semaphore = trace.semaphore(value: 0)
        trace.async(on: low, at: 5, begin: 10, end: 50_000, thread: 10)
        trace.wait(for: semaphore, thread: 1, at: 20, until: 40_020)
        trace.signal(semaphore, thread: 10, at: 40_010)
        #expect(try findings(trace).isEmpty)
    }
}
