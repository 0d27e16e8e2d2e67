import DispatchAnalysis
import Foundation
import ReportText
import Testing
import TraceBuilder
import TraceReports

@Suite("Why a detector reports nothing")
struct WhyReportTests {
    private func lines(_ trace: TraceBuilder, about detector: any Detector.Type) -> [String] {
        let inquiry = DetectorInquiry(detector)
        let analysis = AnalysisSession().analyze(events: trace.events, observers: [inquiry])
        let report = WhyReport(
            inquiry.answer(in: analysis.model), about: detector, in: analysis, style: TextStyle(width: 200))
        return report.render().components(separatedBy: "\n")
    }

    @Test("The report has the outcome, the definition of the detector, and the values at which the case passes")
    func nearest() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        trace.async(on: queue, at: 0, begin: 1, end: 5_000, thread: 2)
        trace.sync(on: queue, at: 10, begin: 5_000, end: 5_010, thread: 3, from: 2)
        let lines = lines(trace, about: LongSyncWait.self)
        let head = try #require(lines.firstIndex { $0.hasPrefix("WHY long-sync-wait ─") })
        #expect(lines[head].hasSuffix(" reports nothing"))
        #expect(lines[head + 1] == "This detector looks for: \(LongSyncWait.title).")
        #expect(lines[head + 2].hasPrefix("The nearest case: "))
        #expect(lines.contains { $0.hasSuffix("set to case passes at") })
    }

    @Test("Without a case, the report has the number of observations")
    func nothing() {
        var trace = TraceBuilder()
        trace.async(on: trace.serialQueue("app.state"), at: 0, begin: 1, end: 2, thread: 2)
        #expect(
            lines(trace, about: LongSyncWait.self).contains(
                "The trace has no such case, even with every threshold off. The detector read 1 observation."))
    }
}
