import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

/// Detectors for very many tasks: `tasks-too-small` and `task-explosion`.
@Suite struct SmallTasksTests {
    //   made    ▲▲▲▲▲▲▲▲
    //   thread  ├┤├┤├┤├┤├┤├┤├┤
    /// Tasks that are created every `every` µs and run one after the other.
    private func trace(_ count: Int, every: Double, run: Double, awaits: Bool = false) -> TraceBuilder {
        var trace = TraceBuilder()
        trace.taskTrack()
        var free = 0.0
        for number in 0..<count {
            let at = 10 + Double(number) * every
            let task = trace.task(.groupChild, at: at, code: "App/Picture.swift:3")
            var begin = max(free, at + 0.1)
            trace.begin(task, thread: 2, at: begin)
            if awaits {
                trace.suspend(task, for: .continuation, thread: 2, at: begin + 0.1)
                begin += 5_000_000
                trace.resume(task, thread: 3, at: begin)
                trace.begin(task, thread: 4, at: begin + 0.1)
                trace.finish(task, thread: 4, at: begin + 0.2)
            } else {
                trace.finish(task, thread: 2, at: begin + run)
                free = begin + run + 0.1
            }
        }
        return trace
    }

    @Test(
        "The cost of the creation is a warning from a tenth of a processor on, and otherwise a note",
        arguments: [(10.0, Finding.Severity.warning), (20, .info)])
    func severity(every: Double, severity: Finding.Severity) throws {
        let findings = try DetectorRun.findings(of: TasksTooSmall.self, in: trace(7_000, every: every, run: 0.5))
        #expect(findings.map(\.severity) == [severity])
    }

    @Test(
        "Tasks that run for less than their creation costs are too small, from 10 ms on",
        arguments: [(6_700, 1), (6_600, 0)])
    func small(count: Int, found: Int) throws {
        let findings = try DetectorRun.findings(of: TasksTooSmall.self, in: trace(count, every: 1, run: 0.5))
        #expect(findings.count == found)
        #expect(findings.first?.summary.contains("tasks at App/Picture.swift:3 run for 500 ns each: 75 %") ?? true)
    }

    @Test("Isolated deinitializers do not count as tasks")
    func deinitializers() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let actor = trace.actor("App.Cache")
        for number in 0..<7_000 {
            let at = 10 + Double(number)
            trace.deinitialize(on: actor, at: at, begin: at + 0.1, end: at + 0.6, thread: 2, code: "App/Cache.swift:3")
        }
        #expect(try DetectorRun.findings(of: TasksTooSmall.self, in: trace).isEmpty)
    }

    @Test("A few runs in which the thread had no processor do not make the tasks large", arguments: [(7, 1), (8, 0)])
    func preempted(long: Int, found: Int) throws {
        var trace = trace(7_000, every: 1, run: 0.5)
        for number in 0..<long {
            let at = 20_000 + Double(number) * 20_000
            let task = trace.task(.groupChild, at: at, code: "App/Picture.swift:3")
            trace.begin(task, thread: 2, at: at + 1)
            trace.finish(task, thread: 2, at: at + 10_001)
        }
        #expect(try DetectorRun.findings(of: TasksTooSmall.self, in: trace).count == found)
    }

    @Test("Tasks that take longer, that are created rarely, or that wait for something are not reported")
    func worthIt() throws {
        for trace in [
            trace(20_000, every: 3, run: 2), trace(20_000, every: 100, run: 0.5),
            trace(20_000, every: 1, run: 0.5, awaits: true),
        ] {
            #expect(try DetectorRun.findings(of: TasksTooSmall.self, in: trace).isEmpty)
        }
    }

    @Test("A thousand tasks alive that wait for a thread are an explosion", arguments: [(1_200, 1), (990, 0)])
    func explosion(count: Int, found: Int) throws {
        let findings = try DetectorRun.findings(of: TaskExplosion.self, in: trace(count, every: 0.01, run: 100))
        #expect(findings.count == found)
        #expect(findings.first?.advice.text.hasPrefix("Create the tasks at App/Picture.swift:3 when others") ?? true)
    }

    @Test("Tasks that are created when others end, and connections that wait, are no explosion")
    func noExplosion() throws {
        #expect(try DetectorRun.findings(of: TaskExplosion.self, in: trace(5_000, every: 100.2, run: 100)).isEmpty)
        #expect(
            try DetectorRun.findings(of: TaskExplosion.self, in: trace(5_000, every: 1, run: 1, awaits: true)).isEmpty)
    }
}
