import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct SerialAwaitsTests {
    enum Ending { case finished, running, sameAwait, otherAwait }

    //   task  ├─░░ 40 ms ░░─░░ 40 ms ░░─░░ 40 ms ░░─┤
    private func trace(
        awaits: Int, length: Double, runs: Double = 10, symbol: String = "balance(of:)",
        kind: AwaitKind = .continuation, ending: Ending = .finished, rest: Double = 20_000
    ) -> TraceBuilder {
        var trace = TraceBuilder()
        trace.taskTrack()
        let code = trace.function(symbol, address: 0x1000)
        let stack = trace.stack([0x1000, 0x2000])
        let task = trace.task(at: 1)
        var time = 2.0
        trace.begin(task, thread: 2, at: time)
        for _ in 0..<awaits {
            time += runs
            trace.suspend(task, for: kind, thread: 2, at: time, code: code, stack: stack)
            time += length
            trace.resume(task, thread: 3, at: time)
            trace.begin(task, thread: 2, at: time + 1)
            time += 1
        }
        switch ending {
        case .finished: trace.finish(task, thread: 2, at: time + runs)
        case .running: break
        case .sameAwait, .otherAwait:
            let next = ending == .sameAwait ? stack : trace.stack([0x2000])
            trace.suspend(task, for: kind, thread: 2, at: time + runs, code: code, stack: next)
        }
        trace.end(at: time + rest)
        return trace
    }

    private func findings(_ trace: TraceBuilder) throws -> [Finding] {
        try DetectorRun.findings(of: SerialAwaits.self, in: trace)
    }

    @Test("Three awaits of 100 ms in total are noted", arguments: [(3, 40_000.0, 1), (2, 60_000, 0), (3, 30_000, 0)])
    func threshold(awaits: Int, length: Double, found: Int) throws {
        let findings = try findings(trace(awaits: awaits, length: length, rest: 1e6))
        #expect(findings.map(\.severity) == Array(repeating: .info, count: found))
    }

    //   task  ├─░░░ 250 ms ░░░─░░░ 250 ms ░░░─┤
    @Test(
        "Two awaits are noted when concurrent ones would save 250 ms, or 10 % of the recording",
        arguments: [
            (2, 250_000.0, 10e6, 1), (2, 249_000, 10e6, 0), (2, 60_000, 479_000, 1), (2, 60_000, 481_000, 0),
            (1, 900_000, 0, 0),
        ])
    func large(awaits: Int, length: Double, rest: Double, found: Int) throws {
        let findings = try findings(trace(awaits: awaits, length: length, rest: rest))
        #expect(findings.count == found)
        #expect(findings.allSatisfy { $0.severity == .info && $0.cost == .microseconds(Int64(length)) })
    }

    @Test("A task that works between its awaits, or that awaits elements or tasks, is not reported")
    func silent() throws {
        #expect(try findings(trace(awaits: 5, length: 40_000, runs: 20_000)).isEmpty)
        #expect(try findings(trace(awaits: 5, length: 40_000, symbol: "next()")).isEmpty)
        #expect(try findings(trace(awaits: 5, length: 40_000, kind: .task)).isEmpty)
    }

    @Test(
        "A task that awaits the next element of a library's sequence is not reported",
        arguments: [("AsyncStream.Iterator.next()", 0), ("Task.value.getter", 1)])
    func sequence(awaited: String, found: Int) throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let library = "/usr/lib/swift/linux/libswift_Concurrency.so"
        trace.add(.image(.init(base: 0, begin: 0x10_0000, end: 0x20_0000, buildId: "", path: library)), at: 0)
        trace.add(.image(.init(base: 0, begin: 0x1000, end: 0x9000, buildId: "", path: "/srv/feed")), at: 0)
        let code = trace.function("withUnsafeContinuation(isolation:_:)", address: 0x10_1000)
        _ = trace.function(awaited, address: 0x10_2000)
        _ = trace.function("Feed.run()", address: 0x2000)
        let stack = trace.stack([0x10_1000, 0x10_2000, 0x2000])
        let task = trace.task(at: 1)
        trace.begin(task, thread: 2, at: 2)
        for turn in 0..<5 {
            let time = 10 + Double(turn) * 40_000
            trace.suspend(task, for: .continuation, thread: 2, at: time, code: code, stack: stack)
            trace.resume(task, thread: 3, at: time + 39_980)
            trace.begin(task, thread: 2, at: time + 39_990)
        }
        trace.finish(task, thread: 2, at: 300_000)
        #expect(try findings(trace).count == found)
    }

    //   task  ├─░░ 40 ms ░░─░░ 40 ms ░░─░░ 40 ms ░░─── exit        or   ─░░ the same, or another await ░
    @Test(
        "The end of the trace ends the row of a running task, but not of a task that awaits the same call",
        arguments: [(Ending.running, 1), (.sameAwait, 0), (.otherAwait, 1)])
    func endless(ending: Ending, found: Int) throws {
        let findings = try findings(trace(awaits: 3, length: 40_000, ending: ending))
        #expect(findings.map(\.evidence.count) == Array(repeating: 1, count: found))
    }

    //   task     ├─░░░░░░░─░░░░░░░─░░░░░░░─┤
    //   created   ├──────┤├──────┤├──────┤       one after the other
    //             ├──────┤├──────┤
    //             ├──────────────┤               the third during the first
    @Test(
        "Tasks that the awaiting task creates after the previous await are a row",
        arguments: [([0, 1, 2], 1), ([0, 1, 0], 0)])
    func createdTasks(creations: [Int], found: Int) throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let library = "/usr/lib/swift/linux/libswift_Concurrency.so"
        trace.add(.image(.init(base: 0, begin: 0x10_0000, end: 0x20_0000, buildId: "", path: library)), at: 0)
        trace.add(.image(.init(base: 0, begin: 0x1000, end: 0x9000, buildId: "", path: "/srv/editor")), at: 0)
        let code = trace.function("Task.value.getter", address: 0x10_1000)
        _ = trace.function("openAll()", address: 0x2000)
        let stack = trace.stack([0x10_1000, 0x2000])
        let task = trace.task(at: 1)
        trace.begin(task, thread: 2, at: 2)
        var created: [UInt64] = []
        for turn in 0..<3 {
            let time = 10 + Double(turn) * 40_000
            for creation in creations where creation == turn {
                created.append(trace.task(at: time + Double(created.count), from: 2, parent: task))
            }
            trace.suspend(
                task, for: .task, object: created[turn], thread: 2, at: time + 10, code: code, stack: stack)
            trace.begin(created[turn], thread: 3, at: time + 20)
            trace.finish(created[turn], thread: 3, at: time + 39_900)
            trace.resume(task, thread: 3, at: time + 39_910)
            trace.begin(task, thread: 2, at: time + 39_920)
        }
        trace.finish(task, thread: 2, at: 130_000)
        #expect(try findings(trace).count == found)
    }

    @Test("The cost is the time that concurrent awaits would save")
    func content() throws {
        let finding = try #require(try findings(trace(awaits: 5, length: 40_000)).first)
        #expect(finding.cost == .milliseconds(160))
        #expect(
            finding.summary
                == "A task awaits 5 times in a row at balance(of:), 200 ms in total. The longest await takes 40.0 ms."
        )
        #expect(finding.evidence.map(\.event) == ["task_suspend", "task_finish"])
        #expect(finding.evidence.last?.detail == "Task 65538 ends: this ends the sequence of awaits.")
    }
}
