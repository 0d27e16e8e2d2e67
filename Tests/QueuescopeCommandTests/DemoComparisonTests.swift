import DispatchAnalysis
import DispatchModel
import Foundation
import Testing

@testable import QueuescopeCommand

@Suite struct DemoComparisonTests {
    private func side(findings: Int, seconds: Double, switches: Int, overlap: Double) throws -> DemoComparison.Side {
        let finding = Finding(
            detector: "staircase-contention", severity: .warning, summary: "s", queues: [], begin: .zero, end: .zero,
            cost: .zero, occurrences: 1, measures: [], evidence: [], code: [], advice: "a")
        let analysis = Analysis(
            trace: TraceSummary(
                path: "t", schema: "1.0", backend: "ring", host: "", processes: [], events: 0, discarded: 0, unknown: 0,
                duration: .zero, beginUnixNanoseconds: 0, processors: 0, notes: []),
            quality: Quality(checks: []), queues: [], threads: [],
            findings: Array(repeating: finding, count: findings), model: DispatchModel())
        let line = """
            {"variant":"x","seconds":\(seconds),"requests":1,"voluntary_switches":\(switches),"involuntary_switches":0}
            """
        return DemoComparison.Side(run: DemoRun(output: Data(line.utf8)), analysis: analysis, overlap: overlap)
    }

    @Test("The table has a line per detector and measure, with the ratio where there is something to compare")
    func compares() throws {
        let comparison = try DemoComparison(
            before: side(findings: 2, seconds: 1.2, switches: 70_603, overlap: 0.04),
            after: side(findings: 0, seconds: 0.6, switches: 11_284, overlap: 0))
        let expected = """
                                                   before         after  after/before
             ────────────────────────────────────────────────────────────────────────
             findings                                   2          none
               staircase-contention                     2          none
             handlers overlapping                      4%            0%         ×0.00
             sync hand-offs                             0             0             –
             context switches                      70,603        11,284         ×0.16
             waited in queues                        0 ns          0 ns             –
             wall time                             1.20 s        600 ms         ×0.50

            """
        #expect(comparison.text == expected)
    }
}
