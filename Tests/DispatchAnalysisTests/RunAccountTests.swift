import DispatchModel
import Testing
import TraceBuilder

@testable import DispatchAnalysis

/// The account of the time up to the end of a trace. Times are µs.
@Suite struct RunAccountTests {
    private func account(_ trace: TraceBuilder) throws -> (RunAccount, DispatchModel) {
        let analysis = AnalysisSession(
            options: AnalysisOptions(model: ModelOptions(criticalPath: .wholeRun), detectors: [])
        ).analyze(events: trace.events, processors: 2)
        let account = try #require(analysis.account)
        #expect(account.path.end == analysis.model.end && account.path.begin == analysis.model.begin)
        #expect(account.path.totals.reduce(.zero) { $0 + $1.time } == account.path.duration)
        #expect(analysis.criticalPath?.segments == account.path.segments)
        return (account, analysis.model)
    }

    private func last(_ account: RunAccount) -> String {
        guard let last = account.path.segments.last else { return "" }
        return "\(last.kind) \(last.begin.nanoseconds / 1000)-\(last.end.nanoseconds / 1000)"
    }

    //   main      waits for a lock ░░░░░░░░░░░░░░░░░ end
    //   thread 2  ├─ item ── in wait4 ░░░░░░░░░░░░░░ end     owns the lock
    @Test("A wait for a lock leads to its owner and the call in which it is blocked")
    func lockOwner() throws {
        var trace = TraceBuilder()
        trace.mapImages()
        trace.add(.processorTrack(.init(origin: .perfEvents, detail: "")), at: 0)
        let lock = trace.lock("app.lock", fair: false)
        trace.async(on: trace.globalQueue(), at: 10, begin: 20, end: nil, thread: 2)
        trace.hold(lock, thread: 2, granted: 30, released: nil)
        trace.off(2, from: 50)
        trace.ask(2, at: 5000, call: "wait4", frames: [0x7010, 0x1010])
        trace.add(.lockWait(.init(lock: lock, code: trace.code("App.swift:12"), holderTid: 2)), at: 100, thread: 1)
        trace.off(1, from: 101)
        trace.end(at: 1e6)
        let (account, model) = try account(trace)
        #expect(account.waits.count == 2)
        #expect(account.waits.first?.waiter == .thread(ThreadIndex(0)))
        #expect(account.waits.last.map { model[$0.thread ?? ThreadIndex(0)].tid } == 2)
        #expect(last(account) == "childProcess 50-1000000")
        #expect(account.explainedShare > 0.99)
    }

    //   main task  ├ awaits its group ░░░░░░░░░░░░ end
    //   child        ├ awaits a continuation ░░░░░ end
    @Test("The await of the main task leads to the await of its child")
    func tasks() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        _ = trace.function("ask(_:)", address: 0x1000)
        let ask = trace.stack([0x1000])
        let (main, child) = (trace.task(.main, at: 1), trace.object())
        trace.begin(main, thread: 1, at: 2)
        trace.add(
            .taskCreate(.init(task: child, kind: .groupChild, qos: .default, parent: main, group: 7, code: 0)), at: 3,
            thread: 1)
        trace.suspend(main, for: .group, object: 7, thread: 1, at: 4)
        trace.begin(child, thread: 2, at: 5)
        trace.suspend(child, for: .continuation, thread: 2, at: 60, stack: ask)
        trace.end(at: 5e6)
        let (account, _) = try account(trace)
        #expect(account.mainTask == main)
        #expect(account.waits.map(\.waiter) == [.task(main), .task(child)])
        #expect(last(account) == "continuation 60-5000000")
        #expect(account.explainedShare > 0.99)
    }

    //   thread 2   ├ holds A ├ waits for B ░░░░ end
    //   thread 3     ├ holds B ├ waits for A ░░ end     closes the cycle
    @Test("A cycle of waits counts from its last wait")
    func cycle() throws {
        var trace = TraceBuilder()
        let (first, second) = (trace.lock("first", fair: false), trace.lock("second", fair: false))
        trace.hold(first, thread: 2, granted: 10, released: nil)
        trace.hold(second, thread: 3, granted: 20, released: nil)
        trace.add(.lockWait(.init(lock: second, code: 0, holderTid: 3)), at: 30, thread: 2)
        trace.add(.lockWait(.init(lock: first, code: 0, holderTid: 2)), at: 40, thread: 3)
        trace.end(at: 2e6)
        let (account, _) = try account(trace)
        #expect(account.waits.count == 2 && account.waits.allSatisfy { $0.cycle == 1 })
        #expect(last(account) == "lock 40-2000000")
    }

    @Test(
        "An open wait without a known end is the last segment",
        arguments: [CriticalPath.Kind.semaphore, .group, .workItem, .sync, .continuation, .task])
    func kinds(kind: CriticalPath.Kind) throws {
        var trace = TraceBuilder()
        trace.add(.threadStart(.init(tid: 1, name: "app")), at: 0, thread: 1)
        switch kind {
        case .semaphore: trace.wait(for: trace.semaphore(value: 0), thread: 1, at: 100)
        case .group:
            let group = trace.group()
            trace.enter(group, at: 1)
            trace.wait(forGroup: group, thread: 1, at: 100)
        case .workItem: trace.add(.itemWaitBegin(.init(item: 77, code: 0)), at: 100, thread: 1)
        case .sync:
            let queue = trace.serialQueue("app.state")
            trace.suspend(queue, at: 5)
            trace.sync(on: queue, at: 100, begin: nil, end: nil, thread: 1)
        case .continuation, .task:
            trace.taskTrack()
            _ = trace.function("ask(_:)", address: 0x1000)
            let ask = trace.stack([0x1000])
            let task = trace.task(.main, at: 1)
            trace.begin(task, thread: 1, at: 2)
            trace.suspend(
                task, for: kind == .task ? .task : .continuation, object: kind == .task ? 99 : 0, thread: 1, at: 100,
                stack: ask)
        default: Issue.record("no trace for \(kind)")
        }
        trace.end(at: 4e6)
        let (account, _) = try account(trace)
        #expect(last(account) == "\(kind) 100-4000000")
        #expect(account.explainedShare == 1 && account.waits.count == 1)
    }

    //   main   ─ polls ░░░░░░░░░░░░░░░ end
    @Test("A program whose loop polls waits for events")
    func idleLoop() throws {
        var trace = TraceBuilder()
        let loop = trace.loop("server", at: 0, thread: 1)
        trace.iterate(loop, begin: 30, end: 40, thread: 1)
        trace.end(at: 3e6)
        let (account, model) = try account(trace)
        #expect(last(account) == "poll 40-3000000")
        #expect(account.path.segments.last?.queue.map { model[$0].label } == "server")
        #expect(account.waits.isEmpty)
        #expect(account.idle > .milliseconds(2_990))
    }

    //   source    ├ activated      ├ handler          ├ handler
    //   path      ├──── source ────┤ ├──── source ────┤
    @Test("A program whose source has no event waits for events from outside")
    func idleSource() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("signals")
        let source = trace.source(.signal, on: queue, at: 1, activated: 2)
        trace.fire(source, on: queue, begin: 1e6, end: 1e6 + 10, thread: 2)
        trace.fire(source, on: queue, begin: 3e6, end: 3e6 + 10, thread: 2)
        trace.end(at: 3e6 + 20)
        let (account, _) = try account(trace)
        #expect(account.idle > .milliseconds(2_990))
        #expect(account.idleWait == nil && account.explainedShare > 0.99)
    }

    //   source    ├ activated                   ├ handler
    //   thread 3    ├───────── item ──────────┤
    @Test("A program whose queue works while its source waits is not idle")
    func busyWhileSourceWaits() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("signals")
        let source = trace.source(.signal, on: queue, at: 1, activated: 2)
        trace.async(on: trace.serialQueue("work"), at: 3, begin: 10, end: 2e6, thread: 3)
        trace.fire(source, on: queue, begin: 3e6, end: 3e6 + 10, thread: 2)
        trace.end(at: 3e6 + 20)
        #expect(try account(trace).0.idle == .zero)
    }

    //   main      waits for the queue ░░░░░░░░░░░ end
    //   thread 2  ├─ item ── in poll ░░░░░░░░░░░░ end
    @Test("A program whose item is blocked in poll is not idle")
    func pollInItem() throws {
        var trace = TraceBuilder()
        trace.mapImages()
        trace.add(.processorTrack(.init(origin: .perfEvents, detail: "")), at: 0)
        let queue = trace.serialQueue("app.state")
        trace.async(on: queue, at: 10, begin: 20, end: nil, thread: 2)
        trace.sync(on: queue, at: 30, begin: nil, end: nil, thread: 1)
        trace.off(1, from: 31)
        trace.off(2, from: 50)
        trace.ask(2, at: 5000, call: "poll", frames: [0x7010, 0x1010])
        trace.end(at: 1e6)
        let (account, _) = try account(trace)
        #expect(last(account) == "poll 50-1000000")
        #expect(account.idle == .zero)
    }

    //   main      waits for a group ░░░░░░░░░░░░ end
    //   thread 2  ├── item of the group ──────── end     runs
    @Test("A wait for an item that runs leads to the item")
    func runningItem() throws {
        var trace = TraceBuilder()
        trace.add(.processorTrack(.init(origin: .perfEvents, detail: "")), at: 0)
        let group = trace.group()
        trace.enter(group, at: 1)
        trace.async(on: trace.globalQueue(), at: 1, begin: 20, end: nil, thread: 2)
        trace.wait(forGroup: group, thread: 1, at: 30)
        trace.off(1, from: 31)
        trace.add(.switchIn(.init(tid: 2)), at: 32)
        trace.end(at: 1e6)
        let (account, _) = try account(trace)
        #expect(account.waits.count == 1)
        #expect(last(account).hasPrefix("run") && last(account).hasSuffix("-1000000"), "\(last(account))")
        #expect(account.path.segments.last?.item != nil)
    }

    @Test("A thread of which the trace contains nothing at the end has no cause")
    func unknownEnd() throws {
        var trace = TraceBuilder()
        trace.async(on: trace.globalQueue(), at: 0, begin: 10, end: 20, thread: 2)
        trace.end(at: 100)
        let (account, _) = try account(trace)
        #expect(last(account) == "blocked 20-100")
        #expect(account.path.explained == .microseconds(20))
    }
}
