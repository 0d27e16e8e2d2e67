import DispatchAnalysis
import DispatchModel
import Foundation
import Symbolication
import Testing
import TraceBuilder

@testable import TraceReports

/// The report of a request, as text and as JSON.
@Suite struct RequestReportTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    /// Task 1 serves a request. During a part of it, it awaits a continuation that a thread without a task resumes.
    ///
    /// ```
    ///   task 1    ├ span 1 ─────────────────────┤
    ///             ├ ran ┤ continuation ┤ ran ───┤
    ///   thread 3                  ├ 2 ┤
    /// ```
    private func story() throws -> (RequestStory, Analysis) {
        var trace = TraceBuilder()
        for (number, name) in [(UInt32(1), "GET /articles"), (2, "send")] {
            trace.add(
                .codeSymbol(.init(code: number, address: 0, symbol: name, file: "Service.swift", line: 1)), at: 0)
        }
        func begin(_ id: UInt64, parent: String, at time: Double, thread: UInt32) {
            let message = "00-\(Self.trace)-000000000000000\(id)-01\(parent)"
            trace.add(
                .signpostBegin(.init(signpost: id, log: 1, code: UInt32(id), message: message)), at: time,
                thread: thread)
        }
        func end(_ id: UInt64, _ message: String, at time: Double, thread: UInt32) {
            trace.add(
                .signpostEnd(.init(signpost: id, log: 1, code: UInt32(id), message: message)), at: time,
                thread: thread)
        }
        trace.add(.taskEnqueue(.init(task: 1, executor: 0, code: 0)), at: 0, thread: 1)
        trace.add(.taskBegin(.init(task: 1, executor: 0)), at: 5, thread: 2)
        begin(1, parent: "", at: 10, thread: 2)
        trace.add(.taskSuspend(.init(task: 1, wait: .continuation, object: 0, code: 0, stack: 0)), at: 20, thread: 2)
        begin(2, parent: " parent=0000000000000001", at: 40, thread: 3)
        end(2, "name=deliver error=Timeout", at: 50, thread: 3)
        trace.add(.taskEnqueue(.init(task: 1, executor: 0, code: 0)), at: 60, thread: 3)
        trace.add(.taskBegin(.init(task: 1, executor: 0)), at: 65, thread: 2)
        end(1, "http.route=/articles", at: 110, thread: 2)
        trace.add(.taskFinish(.init(task: 1)), at: 120, thread: 2)
        let finder = RequestFinder(.slowest)
        let scope = RequestScope(request: nil, traceID: Self.trace)
        _ = AnalysisSession().analyze(events: trace.events, observers: [finder, scope])
        let recording = RequestRecording(request: nil, traceID: Self.trace, tasks: scope.tasks)
        let analysis = AnalysisSession().analyze(events: trace.events, observers: [recording])
        let interval = try #require(finder.interval)
        let story = RequestStory(
            [RequestStory.Process(analysis, recording)], request: (interval, 0), wholeTrace: true)
        return (try #require(story), analysis)
    }

    @Test("The text names the trace, where the time went, and its spans as a tree")
    func text() throws {
        let (story, analysis) = try story()
        let subject = StoryReport.Subject.request(story, symbols: [SymbolTable(images: [])])
        let lines = StoryReport(subject, in: analysis).render().split(separator: "\n").map(String.init)
        #expect(lines.contains { $0.hasPrefix("REQUEST GET /articles ") })
        #expect(lines.contains { $0.hasPrefix(" trace ") && $0.hasSuffix("\(Self.trace), 2 spans here") })
        #expect(lines.contains { $0.hasPrefix(" attributes ") && $0.hasSuffix("http.route=/articles") })
        #expect(lines.contains { $0.hasPrefix(" took ") && $0.contains("100 µs, from 0.000010 s") })
        let parts =
            "running 55.0 µs, awaiting a continuation 30.0 µs, outside of tasks 10.0 µs, waiting for a thread 5.00 µs"
        let words = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(words.contains(parts), "\(lines)")
        #expect(lines.contains { $0.hasPrefix(" └ deliver") && $0.contains("error=Timeout") })
        // The last name of the span.
        #expect(lines.contains { $0.hasPrefix(" in deliver ") } && !lines.contains { $0.hasPrefix(" in send ") })
    }

    @Test("The JSON satisfies the committed schema, and its sums are the request's time")
    func json() throws {
        let (story, analysis) = try story()
        let subject = StoryReport.Subject.request(story, symbols: [SymbolTable(images: [])])
        func object(_ text: String) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }
        let report = try object(JSONReport(analysis, subject: subject).render())
        let schema = JSONSchema(try object(JSONReport.schema))
        // Events in memory have no path.
        #expect(schema.violations(report) == ["$.trace.path: minLength"])
        let request = try #require((report["requests"] as? [[String: Any]])?.first)
        #expect(request["trace_id"] as? String == Self.trace)
        let totals = try #require(request["totals"] as? [[String: Any]])
        #expect(totals.reduce(0) { $0 + ($1["time_ns"] as? Int ?? 0) } == 100_000)
        var broken = report
        broken["requests"] = [["name": "GET"]]
        #expect(schema.violations(broken).count > 1)
    }
}
