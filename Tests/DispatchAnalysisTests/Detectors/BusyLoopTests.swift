import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct BusyLoopTests {
    //   pending bytes   7   0 0 0 0 0 0 0 0
    //   handler         █   ▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪
    /// A source whose handler runs every `period` µs with the same pending data.
    private func source(
        _ type: SourceType, runs: Int, period: Double, data: (Int) -> UInt64
    ) -> TraceBuilder {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("shell.input")
        let source = trace.source(type, on: queue, activated: 1, activationCode: "App/Shell.swift:24")
        for run in 0..<runs {
            let time = 10 + Double(run) * period
            trace.fire(source, on: queue, begin: time, end: time + 2, thread: 4, data: data(run))
        }
        return trace
    }

    @Test(
        "A handler that runs without a pending byte, at least 2,000 times per second for 250 ms, is a warning",
        arguments: [(2_000, 200.0, 1), (1_000, 200, 0), (2_000, 600, 0)])
    func endOfInput(runs: Int, period: Double, count: Int) throws {
        var trace = source(.read, runs: runs, period: period) { _ in 0 }
        trace.async(on: trace.serialQueue("other"), at: 4e6, begin: 4e6 + 1, end: 4e6 + 2, thread: 5)
        let findings = try DetectorRun.findings(of: BusyLoop.self, in: trace)
        #expect(findings.map(\.severity) == Array(repeating: .warning, count: count))
        #expect(findings.first?.summary.contains("at the end of its input") ?? true)
    }

    @Test("A handler that finds other data each time is not reported, at any rate")
    func work() throws {
        let trace = source(.read, runs: 20_000, period: 20) { UInt64($0 % 3 + 1) }
        #expect(try DetectorRun.findings(of: BusyLoop.self, in: trace).isEmpty)
    }

    @Test(
        "The same data is a note, from 10,000 runs per second on",
        arguments: [(SourceType.read, 20.0, 1), (.write, 20, 1), (.read, 150, 0), (.timer, 20, 0)])
    func unchanged(type: SourceType, period: Double, count: Int) throws {
        let trace = source(type, runs: 20_000, period: period) { _ in 64 }
        let findings = try DetectorRun.findings(of: BusyLoop.self, in: trace)
        #expect(findings.map(\.severity) == Array(repeating: .info, count: count))
    }

    @Test("Pauses separate sequences, and only the longest one counts")
    func pauses() throws {
        let trace = source(.read, runs: 2_000, period: 25_000) { _ in 0 }
        #expect(try DetectorRun.findings(of: BusyLoop.self, in: trace).isEmpty)
    }

    @Test("A cancelled task that goes on is a warning; a task that was not cancelled is none", arguments: [true, false])
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
            findings.first?.summary.hasPrefix("A cancelled task at App/Poll.swift:9 continues, and suspends or switches "
                + "executors 6,000 times in 30") ?? true)
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
