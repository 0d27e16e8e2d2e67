import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@testable import TimelinePage
@testable import TraceReports

@Suite("Timeline of two traces")
struct TimelineComparisonTests {
    private struct Run {
        let collector = TimelineCollector()
        let profile = RunProfile()
        let analysis: Analysis

        /// Threads that alternate on one queue, or that use it without contention.
        init(isStaircase: Bool) {
            var trace = TraceBuilder()
            let queue = trace.serialQueue("app.state")
            var time = 100.0
            for turn in 0..<60 {
                let asked = isStaircase && turn > 0 ? time - 18 : time
                trace.sync(
                    on: queue, at: asked, begin: time, end: time + 2, thread: UInt32(turn % 4 + 2),
                    from: isStaircase && turn > 0 ? UInt32((turn + 3) % 4 + 2) : nil)
                time += isStaircase ? 12 : 500
            }
            analysis = AnalysisSession().analyze(events: trace.events, observers: [collector, profile])
        }

        var side: TraceComparison.Side { .init(analysis: analysis, profile: profile) }
    }

    private static func page(_ before: Run, _ after: Run) -> [UInt8] {
        let comparison = TraceComparison(before: before.side, after: after.side)
        return HTMLTimeline.render(
            before: TimelineSide(before.analysis, collector: before.collector).compared(gone: comparison.gone),
            after: TimelineSide(after.analysis, collector: after.collector).compared(
                new: comparison.new, worse: comparison.worse.map(\.finding)), title: "test")
    }

    private static func changes(_ page: [UInt8], _ id: String) throws -> [String?] {
        let data = try #require(TimelineData(page: page, id: id))
        let findings = try #require(data.document["findings"] as? [[String: Any]])
        return findings.map { $0["change"] as? String }
    }

    @Test("One page has both traces, and the change of each finding")
    func compares() throws {
        let (before, after) = (Run(isStaircase: true), Run(isStaircase: false))
        #expect(!before.analysis.findings.isEmpty)
        let page = Self.page(before, after)
        #expect(try Self.changes(page, "trace-data").contains("gone"))
        #expect(try Self.changes(page, "trace-data").allSatisfy { $0 != "new" })
        #expect(try #require(TimelineData(page: page, id: "trace-data")).rows.count == 60)
        #expect(try #require(TimelineData(page: page, id: "trace-data-after")).rows.count == 60)
    }

    @Test("Findings in both traces are the same; a single trace has no changes")
    func keepsWhatIsInBoth() throws {
        let (before, after) = (Run(isStaircase: true), Run(isStaircase: true))
        let page = Self.page(before, after)
        #expect(try Self.changes(page, "trace-data-after").allSatisfy { $0 == "same" })
        let alone = HTMLTimeline.render(TimelineSide(before.analysis, collector: before.collector), title: "test")
        #expect(try Self.changes(alone, "trace-data").allSatisfy { $0 == nil })
        #expect(TimelineData(page: alone, id: "trace-data-after") == nil)
    }
}
