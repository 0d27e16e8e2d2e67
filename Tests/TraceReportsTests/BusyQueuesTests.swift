import DispatchAnalysis
import DispatchModel
import Foundation
import Testing
import TraceBuilder

@testable import TimelinePage
@testable import TraceReports

@Suite("Busy queues")
struct BusyQueuesTests {
    @Test("Text, JSON, page and tables count the same queues: queues with an item that ran or never began")
    func allReportsAgree() throws {
        var trace = TraceBuilder()
        let ran = trace.serialQueue("app.ran")
        let stuck = trace.serialQueue("app.stuck")
        _ = trace.serialQueue("app.idle")
        let actor = trace.actor("Cart")
        trace.async(on: ran, at: 1, begin: 2, end: 3, thread: 2)
        trace.async(on: stuck, at: 4, begin: nil, end: nil, thread: 2)
        let task = trace.task(at: 5)
        trace.begin(task, on: actor, thread: 3, at: 6)
        trace.finish(task, thread: 3, at: 8)
        let collector = TimelineCollector()
        let analysis = AnalysisSession().analyze(events: trace.events, observers: [collector])

        let busy = BusyQueues(in: analysis)
        #expect((busy.queues, busy.actors, busy.loops) == (2, 1, 0))
        #expect(QueueRows(of: analysis, all: true).queues.count == 2)
        let text = TextReport(analysis).render()
        #expect(text.contains("\n 2 busy queues; 1 ran nothing and is not shown.\n"))
        #expect(text.contains(try Regex("app\\.stuck +0\n")))
        let page = HTMLTimeline.render(TimelineSide(analysis, collector: collector), title: "test")
        let facts = try #require(TimelineData(page: page)?.document["trace"] as? [String: Any])
        #expect(facts["busy"] as? [String: Int] == ["queues": 2, "actors": 1, "loops": 0])
    }
}
