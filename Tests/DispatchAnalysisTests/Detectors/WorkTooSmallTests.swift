import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct WorkTooSmallTests {
    /// Async items that find their queue free, wait 15 µs for a thread and run for `work` µs.
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
        "A thousand items with more than half overhead are reported",
        // The overhead is 15.5 µs per item.
        arguments: [(1000, 15.4, 1), (999, 15.4, 0), (1000, 15.6, 0)])
    func threshold(count: Int, work: Double, found: Int) throws {
        #expect(try findings(items(count, work: work)).count == found)
    }

    @Test("Preempted time does not make items larger", arguments: [(true, 1), (false, 0)])
    func preempted(isPreempted: Bool, found: Int) throws {
        var trace = items(1100, work: 14, apart: 20)
        // An item with 14 µs of work that is preempted or blocked for 15 ms.
        trace.async(
            on: trace.serialQueue("app.counter"), at: 40_000, begin: 40_015, end: 55_029, thread: 2,
            code: "App/Count.swift:3")
        trace.off(2, from: 40_020, until: 55_020, preempted: isPreempted)
        #expect(try findings(trace).count == found)
    }

    @Test("Items at a low rate are not reported", arguments: [(47.0, 1), (51.0, 0)])
    func rate(apart: Double, found: Int) throws {
        #expect(try findings(items(2000, work: 1, apart: apart)).count == found)
    }

    @Test("The advice is the batch size that brings the overhead under a tenth")
    func content() throws {
        let finding = try #require(try findings(items(2000, work: 3.1)).first)
        #expect(
            finding.summary == """
                2,000 items at App/Count.swift:3 on app.counter run for 3.10 µs each: 83 % of their cost is overhead, \
                31.0 ms.
                """)
        #expect(finding.cost == .microseconds(31_000))
        #expect(finding.advice.text.hasPrefix("Collect 45 of the items at App/Count.swift:3"))
        #expect(
            finding.advice.phrase.template
                == "Collect {number} of the items{place} and submit them as one, or do the work in place: it takes "
                + "{number}.")
    }
}
