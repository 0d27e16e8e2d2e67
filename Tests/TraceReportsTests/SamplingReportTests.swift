import DispatchAnalysis
import DispatchModel
import Foundation
import Testing
import TraceBuilder

@testable import ReportText
@testable import TraceReports

/// Reports of a program whose items the recorder sampled.
@Suite struct SamplingReportTests {
    private func analysis(
        oneOf strides: [UInt32], budget: UInt32 = 10_000, cost: UInt32 = 9_300, tasks: [UInt64] = []
    ) -> Analysis {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        for (position, stride) in strides.enumerated() {
            let reason: SamplingCause = position == 0 ? .started : .overBudget
            trace.add(
                .samplingRate(.init(oneOf: stride, cause: reason, budget: budget, cost: 0)),
                at: Double(position) * 5_000)
        }
        for item in 0..<1_000 {
            let time = Double(item) * 10
            trace.callout(on: queue, at: time + 1, begin: time + 2, end: time + 4, thread: 2)
        }
        for task in tasks {
            trace.begin(task, thread: 3, at: 10_000)
            trace.finish(task, thread: 3, at: 10_000.5)
        }
        let last = strides.last ?? 1
        trace.add(.samplingRate(.init(oneOf: last, cause: .stopped, budget: budget, cost: cost)), at: 10_001)
        return AnalysisSession().analyze(events: trace.events)
    }

    private func words(_ analysis: Analysis) -> String {
        TextReport(analysis, style: TextStyle(width: 100)).render()
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private func document(_ analysis: Analysis) throws -> [String: Any] {
        let text = try JSONReport(analysis).render()
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("The head states the rate, the confidence, the cost and the budget")
    func head() {
        let report = words(analysis(oneOf: [16]))
        #expect(
            report.contains(
                "sampled one of 16 items: 1,000 recorded for about 16,000. Counts are estimates, within ±6.0% for all "
                    + "items; waits of threads are complete. The recorder used 0.93% of the processor time; its budget "
                    + "is 1.0%"), "\(report)")
        #expect(report.contains("limit items-complete:"), "\(report)")
        let changed = words(analysis(oneOf: [1, 4]))
        #expect(changed.contains("one of 1 to 4 items: 1,000 recorded for about 2,500."), "\(changed)")
    }

    @Test("The head and JSON state the number of recorded tasks, and of the tasks that they represent")
    func tasks() throws {
        // The hashes of these tasks are 0 below 8.
        let analysis = analysis(oneOf: [8], tasks: [17, 19])
        let report = words(analysis)
        #expect(
            report.contains(
                "sampled one of 8 items and tasks: 1,000 items recorded for about 8,000, and 2 tasks for about 16. "),
            "\(report)")
        let sampling = try #require((try document(analysis)["sampling"] as? [[String: Any]])?.first)
        #expect(sampling["recorded_tasks"] as? Int == 2)
        #expect(sampling["tasks"] as? Int == 16)
    }

    @Test("A fixed rate has no budget, and a trace with all items has no such line")
    func others() {
        let fixed = words(analysis(oneOf: [2], budget: 0, cost: 0))
        #expect(fixed.contains("sampled one of 2 items"))
        #expect(!fixed.contains("of the processor time"))
        #expect(!words(analysis(oneOf: [1])).contains("sampled one of"))
    }

    @Test("JSON has the rates and the errors, and neither in a trace with all items")
    func json() throws {
        let sampled = try document(analysis(oneOf: [1, 4]))
        let sampling = try #require((sampled["sampling"] as? [[String: Any]])?.first)
        #expect(sampling["least_one_of"] as? Int == 1)
        #expect(sampling["most_one_of"] as? Int == 4)
        #expect(sampling["recorded_items"] as? Int == 1_000)
        #expect(sampling["items"] as? Int == 2_500)
        #expect(sampling["budget"] as? Double == 0.01)
        #expect(sampling["cost"] as? Double == 0.0093)
        let queue = try #require((sampled["queues"] as? [[String: Any]])?.first)
        #expect(queue["items"] as? Int == 2_500)
        #expect(queue["items_error"] as? Double == sampling["items_error"] as? Double)
        let complete = try document(analysis(oneOf: [1]))
        #expect(complete["sampling"] == nil)
        #expect((complete["queues"] as? [[String: Any]])?.first?["items_error"] == nil)
    }
}
