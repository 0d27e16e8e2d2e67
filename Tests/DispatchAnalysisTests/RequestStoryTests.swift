import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

/// Which intervals a request has, and where its time went.
@Suite struct RequestStoryTests {
    private static let traces = ["4bf92f3577b34da6a3ce929d0e0e4736", "4bf9aaaaaaaaaaaaaaaaaaaaaaaaaaaa"]

    private static func header(_ trace: Int, span: Int) -> String {
        "00-\(traces[trace])-000000000000000\(span)-01"
    }

    /// Task 1 serves a request; task 2 does a part of it, and a thread of no task another one. Task 3 serves another
    /// request.
    ///
    /// ```
    ///   time      10    20    40    60        90   100     120
    ///   task 1     ├ span 1 ───────────────────────────────┤
    ///              ├ ran ┤ awaits task 2       ├ ran ┤ran ──┤
    ///   task 2           ├ ran ┤ thread ┤ ran ─┤
    ///                          ├ span 2 ───────┤
    ///   thread 4                                ├ 3 ┤          span 3, on no task
    ///   task 3     ├ 4 ┤                                       another trace
    /// ```
    private func service() -> TraceBuilder {
        var trace = TraceBuilder()
        let names = ["GET", "load", "send"]
        for (position, name) in names.enumerated() {
            trace.add(
                .codeSymbol(
                    .init(code: UInt32(position + 1), address: 0, symbol: name, file: "Service.swift", line: 1)),
                at: 0)
        }
        func begin(_ id: UInt64, _ name: String, _ message: String, at time: Double, thread: UInt32) {
            let code = UInt32(names.firstIndex(of: name)! + 1)
            trace.add(
                .signpostBegin(.init(signpost: id, log: 1, code: code, message: message)), at: time,
                thread: thread)
        }
        func end(_ id: UInt64, _ message: String = "", at time: Double, thread: UInt32) {
            trace.add(.signpostEnd(.init(signpost: id, log: 1, code: 0, message: message)), at: time, thread: thread)
        }
        trace.add(.taskEnqueue(.init(task: 1, executor: 0, code: 0)), at: 0, thread: 1)
        trace.add(.taskEnqueue(.init(task: 3, executor: 0, code: 0)), at: 0, thread: 1)
        trace.add(.taskBegin(.init(task: 1, executor: 0)), at: 5, thread: 2)
        trace.add(.taskBegin(.init(task: 3, executor: 0)), at: 5, thread: 3)
        begin(1, "GET", Self.header(0, span: 1), at: 10, thread: 2)
        begin(4, "GET", Self.header(1, span: 4), at: 10, thread: 3)
        end(4, at: 12, thread: 3)
        trace.add(.taskFinish(.init(task: 3)), at: 15, thread: 3)
        trace.add(
            .taskCreate(.init(task: 2, kind: .asyncLet, qos: .default, parent: 1, group: 0, code: 0)), at: 20,
            thread: 2)
        trace.add(.taskEnqueue(.init(task: 2, executor: 0, code: 0)), at: 20, thread: 2)
        trace.add(.taskSuspend(.init(task: 1, wait: .task, object: 2, code: 0, stack: 0)), at: 20, thread: 2)
        trace.add(.taskBegin(.init(task: 2, executor: 0)), at: 20, thread: 3)
        begin(2, "load", "\(Self.header(0, span: 2)) parent=0000000000000001", at: 40, thread: 3)
        trace.add(.taskSuspend(.init(task: 2, wait: .executor, object: 0, code: 0, stack: 0)), at: 40, thread: 3)
        trace.add(.taskEnqueue(.init(task: 2, executor: 0, code: 0)), at: 40, thread: 3)
        trace.add(.taskBegin(.init(task: 2, executor: 0)), at: 60, thread: 3)
        end(2, "error=Timeout", at: 90, thread: 3)
        trace.add(.taskFinish(.init(task: 2)), at: 90, thread: 3)
        trace.add(.taskEnqueue(.init(task: 1, executor: 0, code: 0)), at: 90, thread: 3)
        trace.add(.taskBegin(.init(task: 1, executor: 0)), at: 90, thread: 2)
        begin(3, "send", "\(Self.header(0, span: 3)) parent=0000000000000001", at: 95, thread: 4)
        end(3, at: 110, thread: 4)
        end(1, "name=\"GET /a\" http.route=/a", at: 120, thread: 2)
        trace.add(.taskFinish(.init(task: 1)), at: 130, thread: 2)
        return trace
    }

    private func find(_ text: String) -> RequestFinder {
        let finder = RequestFinder(RequestFinder.Wanted(text))
        _ = Analyzer.analyze(events: service().events, observers: [finder])
        return finder
    }

    private func story(_ text: String) throws -> RequestStory {
        let finder = find(text)
        let interval = try #require(finder.interval)
        let scope = RequestScope(request: nil, traceID: interval.span?.traceID)
        _ = Analyzer.analyze(events: service().events, observers: [scope])
        let recording = RequestRecording(request: nil, traceID: interval.span?.traceID, tasks: scope.tasks)
        let analysis = Analyzer.analyze(events: service().events, observers: [recording])
        return try #require(
            RequestStory(
                [RequestStory.Process(analysis, recording)], request: (interval, 0),
                wholeTrace: finder.wholeTrace != nil))
    }

    @Test("The time of a request is what its tasks did that it awaited; its parts and its spans sum to it")
    func parts() throws {
        let story = try story(Self.traces[0])
        #expect(story.spans.map(\.name) == ["GET /a", "load", "send"])
        #expect(story.spans.map(\.parent) == [nil, 0, 0])
        #expect(story.request.duration == .microseconds(110))
        #expect(story.totals.map(\.kind) == ["running", "thread"])
        #expect(story.totals.map(\.time) == [.microseconds(90), .microseconds(20)])
        #expect(story.spans.map(\.share) == [.microseconds(60), .microseconds(50), .zero])
        for (step, next) in zip(story.steps, story.steps.dropFirst()) { #expect(step.end == next.begin) }
        #expect(story.spans[1].context?.attributes == ["error=Timeout"])
    }

    @Test("A span alone is told of without what is around it")
    func inner() throws {
        let story = try story("0000000000000002")
        #expect(story.spans.map(\.name) == ["load"])
        #expect(story.totals.map(\.time) == [.microseconds(30), .microseconds(20)])
    }

    @Test("A span on no task takes its time as a whole")
    func offTask() throws {
        let story = try story("send")
        #expect(story.totals.map(\.kind) == ["off_task"])
        #expect(story.totals.map(\.time) == [.microseconds(15)])
    }

    @Test("An id of several traces is told with all of them; one of a span or a whole header is of one")
    func ids() {
        #expect(find("4bf9").traces == Set(Self.traces))
        #expect(find("4BF92").traces == [Self.traces[0]])
        #expect(find("4bf92").wholeTrace == Self.traces[0])
        #expect(find("0000000000000004").wholeTrace == nil)
        #expect(find(Self.header(0, span: 2)).interval?.name == "load")
        #expect(find("slowest").interval?.message.hasPrefix(Self.header(0, span: 1)) == true)
        #expect(find("GET /a").interval?.name == "GET")
        #expect(find("dead").interval == nil && find("dead").candidates == 4)
    }
}
