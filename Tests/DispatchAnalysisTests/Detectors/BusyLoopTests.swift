import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

/// Cancelled tasks that poll. `SourceSetUpTests` tests the read sources.
@Suite struct BusyLoopTests {
    @Test(
        "A cancelled task that goes on is a warning; a task that was not cancelled is none", arguments: [true, false])
    func task(isCancelled: Bool) throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let actor = trace.actor("Store")
        let task = trace.task(at: 1, code: "App/Poll.swift:9")
        trace.begin(task, thread: 2, at: 2)
        if isCancelled { trace.add(.taskCancel(.init(task: task)), at: 50, thread: 3) }
        for turn in 0..<3_000 {
            let time = 100 + Double(turn) * 100
            trace.hop(task, to: actor, from: 2, at: time, begin: time + 1, thread: 2)
            trace.hop(task, to: 0, from: 2, at: time + 2, begin: time + 3, thread: 2)
        }
        trace.finish(task, thread: 2, at: 301_000)
        let findings = try DetectorRun.findings(of: BusyLoop.self, in: trace)
        #expect(findings.count == (isCancelled ? 1 : 0))
        #expect(
            findings.first?.summary.hasPrefix(
                "A cancelled task at App/Poll.swift:9 continues, and suspends or switches "
                    + "executors 6,000 times in 30") ?? true)
    }

    //   cancel   ▼
    //   task      ├┤├┤├┤├┤├┤├┤ …    2,000 steps a second for 240 or 260 ms
    @Test("A cancelled task that goes on for 250 ms needs no 1,000 steps", arguments: [(260, 1), (240, 0)])
    func large(turns: Int, count: Int) throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let actor = trace.actor("Store")
        let task = trace.task(at: 1, code: "App/Poll.swift:9")
        trace.begin(task, thread: 2, at: 2)
        trace.add(.taskCancel(.init(task: task)), at: 50, thread: 3)
        for turn in 0..<turns {
            let time = 100 + Double(turn) * 1_000
            trace.hop(task, to: actor, from: 2, at: time, begin: time + 1, thread: 2)
            trace.hop(task, to: 0, from: 2, at: time + 2, begin: time + 3, thread: 2)
        }
        trace.finish(task, thread: 2, at: 100 + Double(turns) * 1_000)
        #expect(try DetectorRun.findings(of: BusyLoop.self, in: trace).count == count)
    }

    @Test(
        "A task that runs for 250 ms after its cancellation without a suspension is a note",
        arguments: [(250_050.0, true, 1), (250_049, true, 0), (900_000, false, 0)])
    func runs(end: Double, isCancelled: Bool, count: Int) throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let task = trace.task(at: 1, code: "App/Poll.swift:9")
        trace.begin(task, thread: 2, at: 2)
        if isCancelled { trace.add(.taskCancel(.init(task: task)), at: 50, thread: 3) }
        trace.finish(task, thread: 2, at: end)
        let findings = try DetectorRun.findings(of: BusyLoop.self, in: trace)
        #expect(findings.count == count)
        #expect(
            findings.allSatisfy {
                $0.severity == .info && $0.summary == "A cancelled task at App/Poll.swift:9 runs for 250 ms after its "
                    + "cancellation without a suspension."
            }, "\(findings.map(\.summary))")
    }

    //   task   ├┤├┤├┤├┤├┤├┤ …    awaits Task.yield() again and again
    @Test(
        "A task that yields thousands of times and does nothing in between polls; one that works does not",
        arguments: [("static Task<>.yield()", 2.0, 1), ("static Task<>.yield()", 50, 0), ("fetch()", 2, 0)])
    func yields(function: String, work: Double, count: Int) throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let code = trace.function(function, address: 0x1000)
        let stack = trace.stack([0x1000, 0x2000])
        let task = trace.task(at: 1, code: "App/Poll.swift:9")
        trace.begin(task, thread: 2, at: 2)
        var time = 2.0
        for _ in 0..<20_000 {
            trace.suspend(task, for: .continuation, thread: 2, at: time + work, code: code, stack: stack)
            trace.resume(task, thread: 2, at: time + work + 1)
            trace.begin(task, thread: 2, at: time + work + 12)
            time += work + 12
        }
        trace.finish(task, thread: 2, at: time + 10)
        let findings = try DetectorRun.findings(of: BusyLoop.self, in: trace)
        #expect(findings.count == count)
        #expect(
            findings.allSatisfy { $0.summary.contains("polls: it awaits Task.yield() 19,999 times in 280 ms") },
            "\(findings.map(\.summary))")
    }

    @Test("A cancelled task that ends soon is not reported")
    func soon() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let task = trace.task(at: 1, code: "App/Poll.swift:9")
        trace.begin(task, thread: 2, at: 2)
        for turn in 0..<3_000 {
            let time = 100 + Double(turn) * 100
            trace.suspend(task, for: .continuation, thread: 2, at: time)
            trace.resume(task, thread: 3, at: time + 1)
            trace.begin(task, thread: 2, at: time + 2)
        }
        trace.add(.taskCancel(.init(task: task)), at: 300_200, thread: 3)
        trace.finish(task, thread: 2, at: 300_400)
        #expect(try DetectorRun.findings(of: BusyLoop.self, in: trace).isEmpty)
    }
}
