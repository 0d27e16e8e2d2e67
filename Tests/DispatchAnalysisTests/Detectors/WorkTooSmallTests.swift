import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct WorkTooSmallTests {
    /// Asyncs that find their queue free, wait 15 µs for a thread and run for `work` µs.
    private func items(_ count: Int, work: Double, apart: Double = 30) -> TraceBuilder {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.counter")
        for turn in 0..<count {
            let time = Double(turn) * (apart + work)
            trace.async(
                on: queue, at: time, begin: time + 15, end: time + 15 + work, thread: 2, code: "App/Count.swift:3")
        }
        return trace
    }

    private func findings(_ trace: TraceBuilder) throws -> [Finding] {
        try DetectorRun.findings(of: WorkTooSmall.self, in: trace)
    }

    @Test(
        "A thousand items with more than half of overhead are reported",
        // The overhead is 15.5 µs each.
        arguments: [(1000, 15.4, 1), (999, 15.4, 0), (1000, 15.6, 0)])
    func threshold(count: Int, work: Double, found: Int) throws {
        #expect(try findings(items(count, work: work)).count == found)
    }

    @Test("Items that others kept off the processor are as small as they were", arguments: [(true, 1), (false, 0)])
    func preempted(isPreempted: Bool, found: Int) throws {
        var trace = items(1100, work: 14, apart: 20)
        // One of 14 µs, for 15 ms of which others have the processor, or it waits for something itself.
        trace.async(
            on: trace.serialQueue("app.counter"), at: 40_000, begin: 40_015, end: 55_029, thread: 2,
            code: "App/Count.swift:3")
        trace.off(2, from: 40_020, until: 55_020, preempted: isPreempted)
        #expect(try findings(trace).count == found)
    }

    @Test("Items that come seldom cost nothing", arguments: [(47.0, 1), (51.0, 0)])
    func rate(apart: Double, found: Int) throws {
        #expect(try findings(items(2000, work: 1, apart: apart)).count == found)
    }

    @Test("The advice is the batch that brings the overhead under a tenth")
    func content() throws {
        let finding = try #require(try findings(items(2000, work: 3.1)).first)
        #expect(
            finding.summary
                == "2,000 items at App/Count.swift:3 on app.counter run for 3.10 µs each: 83 % of their cost is getting them there, 31.0 ms."
        )
        #expect(finding.cost == .microseconds(31_000))
        #expect(finding.advice.hasPrefix("Collect 45 of the items at App/Count.swift:3"))
    }
}
