import DispatchAnalysis
import DispatchModel
import Foundation
import Testing
import TraceBuilder

@testable import ReportText
@testable import TraceReports

@Suite("Event loops in the reports")
struct LoopReportTests {
    //   loop 7   ─ 10 ├────┤ 30 ─ 50 ├┤ 60 ─ 70 ├──── its last round is open
    //   main      5 wake      40 wake
    private func analysis() -> Analysis {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.work")
        let loop = trace.loop("NIO-ELT-0-#1", thread: 7)
        trace.add(.threadStart(.init(tid: 1, name: "main")), at: 0)
        trace.wake(loop, at: 5)
        trace.add(.loopPollEnd(.init(loop: loop, ready: 1)), at: 10, thread: 7)
        trace.sync(on: queue, at: 11, begin: 11, end: 29, thread: 7, code: "App/Work.swift:1")
        trace.add(.loopPollBegin(.init(loop: loop)), at: 30, thread: 7)
        trace.wake(loop, at: 40)
        trace.iterate(loop, begin: 50, end: 60, thread: 7)
        trace.iterate(loop, begin: 70, end: 75, thread: 7)
        let manager = trace.loop("", kind: .dispatchManager, thread: 9)
        trace.iterate(manager, begin: 90, end: 91, thread: 9)
        return AnalysisSession().analyze(events: trace.events)
    }

    @Test("Statistics: rounds, the longest, and the wake-ups by other threads")
    func statistics() throws {
        let loops = analysis().loops
        #expect(loops.map(\.queue.items) == [3, 1])
        let loop = try #require(loops.first)
        #expect(loop.queue.busy == .microseconds(35) && loop.queue.service.max == .microseconds(20))
        #expect(loop.wakes == 2 && loop.wakeLatency.max == .microseconds(10))
        #expect(loop.wakeLatency.p50 == .microseconds(5))
        #expect(loop.wakers.map(\.wakes) == [2])
    }

    @Test("A loop's thread is busy during rounds, which are not items of code; items inside of rounds count once")
    func threads() throws {
        let analysis = analysis()
        let thread = try #require(analysis.threads.first { analysis.model[$0.thread].tid == 7 })
        #expect(thread.items == 1)
        #expect(analysis.codes.count == 1 && analysis.codes[0].items == 1)
    }

    @Test("The text has a section for loops, and does not list them as queues")
    func text() throws {
        let lines = TextReport(analysis(), style: TextStyle(width: 120)).render().split(separator: "\n").map(
            String.init)
        func section(_ name: String) throws -> ArraySlice<String> {
            let begin = try #require(lines.firstIndex { $0.hasPrefix("\(name) ─") })
            return lines[(begin + 1)...].prefix { !$0.contains(" ───") || $0.hasPrefix(" ") }
        }
        #expect(try !section("QUEUES").contains { $0.contains("NIO-ELT-0-#1") })
        let loops = try section("LOOPS").filter { $0.contains("NIO-ELT-0-#1") }
        #expect(loops.count == 1)
        let words = loops.first?.split(separator: " ").map(String.init) ?? []
        #expect(words.prefix(2) == ["NIO-ELT-0-#1", "3"])
        #expect(words.suffix(2) == ["main", "1"])
        #expect(lines.contains { $0.contains("libdispatch's manager") })
    }

    //   loop   ─ 10 ├────┤ 30 ─ 50 ├┤ 60
    //   main        20 wake
    @Test("An event that is due during a round is listed as a waiting round of the loop")
    func blame() {
        var trace = TraceBuilder()
        let loop = trace.loop("NIO-ELT-0-#1", thread: 7)
        trace.add(.loopPollEnd(.init(loop: loop, ready: 1)), at: 10, thread: 7)
        trace.wake(loop, at: 20)
        trace.add(.loopPollBegin(.init(loop: loop)), at: 30, thread: 7)
        trace.iterate(loop, begin: 50, end: 60, thread: 7)
        let text = TextReport(AnalysisSession().analyze(events: trace.events), style: TextStyle(width: 120)).render()
        #expect(text.contains("rounds of NIO-ELT-"))
        #expect(!text.contains("unknown code"))
    }

    @Test("A program without loops has no such section")
    func none() {
        #expect(!TextReport(SampleAnalysis.clean()).render().contains("LOOPS"))
    }

    @Test("JSON: loops satisfy the schema and are not queues")
    func json() throws {
        func document(_ text: String) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }
        let report = try document(JSONReport(analysis()).render())
        let schema = JSONSchema(try document(JSONReport.schema))
        // Events in memory have no path.
        #expect(schema.violations(report) == ["$.trace.path: minLength"])
        let loops = try #require(report["loops"] as? [[String: Any]])
        #expect(loops.map { $0["name"] as? String } == ["NIO-ELT-0-#1", "libdispatch's manager"])
        #expect(loops.map { $0["type"] as? String } == ["epoll", "dispatch_manager"])
        #expect(loops[0]["items"] as? Int == 3 && loops[0]["wakes"] as? Int == 2)
        #expect((loops[0]["run_ns"] as? [String: Int])?["max"] == 20_000)
        let queues = try #require(report["queues"] as? [[String: Any]])
        #expect(queues.map { $0["label"] as? String } == ["app.work"])
        var broken = report
        broken["loops"] = [["id": 0]]
        #expect(schema.violations(broken).count > 1)
    }
}
