import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct UselessWakeupsTests {
    /// One worker that wakes `useless` times without an item and `useful` times for an item, 1 ms apart.
    private func worker(
        useless: Int, useful: Int, apart: Double = 1, kind: ItemKind = .async
    ) -> TraceBuilder {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        trace.worker(10, of: root, made: 1, started: 5)
        for turn in 0..<(useless + useful) {
            let time = 100 + Double(turn) * apart * 1000
            trace.park(10, of: root, at: time, asked: time + 100, until: time + 200)
            guard turn >= useless else { continue }
            trace.async(on: root, at: time + 150, begin: time + 210, end: time + 220, thread: 10, kind: kind)
        }
        let end = 100 + Double(useless + useful) * apart * 1000
        trace.park(10, of: root, at: end)
        return trace
    }

    @Test(
        "A hundred useless wake-ups, half of all wake-ups, are reported",
        arguments: [(100, 100, 1), (99, 0, 0), (100, 101, 0)])
    func threshold(useless: Int, useful: Int, count: Int) throws {
        let trace = worker(useless: useless, useful: useful)
        #expect(try DetectorRun.findings(of: UselessWakeups.self, in: trace).count == count)
    }

    @Test("Workers that run only tasks are not reported, whatever the tasks call", arguments: [false, true])
    func tasks(callsSync: Bool) throws {
        var trace = worker(useless: 150, useful: 50, kind: .swiftJob)
        let queue = trace.serialQueue("app.cache")
        for turn in 150..<200 where callsSync {
            let time = 100 + Double(turn) * 1000
            trace.uncontendedSync(on: queue, begin: time + 212, end: time + 214, thread: 10)
        }
        #expect(try DetectorRun.findings(of: UselessWakeups.self, in: trace).isEmpty)
    }

    @Test("Fewer than ten useless wake-ups per second are not reported")
    func rate() throws {
        #expect(
            try DetectorRun.findings(of: UselessWakeups.self, in: worker(useless: 100, useful: 0, apart: 120)).isEmpty)
        #expect(
            try DetectorRun.findings(of: UselessWakeups.self, in: worker(useless: 120, useful: 0, apart: 95)).count == 1
        )
    }

    @Test("A bad second in a quiet hour is reported")
    func window() throws {
        var trace = worker(useless: 200, useful: 0)
        trace.async(on: trace.serialQueue("app.end"), at: 3.6e9, begin: 3.6e9 + 1, end: 3.6e9 + 2, thread: 4)
        #expect(try DetectorRun.findings(of: UselessWakeups.self, in: trace).count == 1)
    }

    @Test("The finding has the number of useless wake-ups and their cost")
    func content() throws {
        let finding = try #require(
            try DetectorRun.findings(of: UselessWakeups.self, in: worker(useless: 150, useful: 50)).first)
        #expect(
            finding.summary.hasPrefix(
                "150 of 200 wake-ups of the workers of com.apple.root.default-qos were useless"))
        #expect(finding.occurrences == 150)
        #expect(finding.measures.contains(.count("wake-ups", 200)))
    }

    @Test(
        "A cost of less than a hundredth of a processor is a note; a short trace counts as one second",
        arguments: [(600, 5000.0), (150, 1000)])
    func cheap(turns: Int, period: Double) throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        trace.worker(10, of: root, made: 1, started: 5)
        for turn in 0..<turns {
            let time = 100 + Double(turn) * period
            trace.park(10, of: root, at: time, asked: time + 100, until: time + period - 10)
        }
        trace.park(10, of: root, at: 100 + Double(turns) * period)
        let finding = try #require(try DetectorRun.findings(of: UselessWakeups.self, in: trace).first)
        #expect(finding.severity == .info)
    }
}
