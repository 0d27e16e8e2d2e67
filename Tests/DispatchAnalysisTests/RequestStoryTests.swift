import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

/// The intervals of a request and the parts of its time.
@Suite struct RequestStoryTests {
    private static let traces = ["4bf92f3577b34da6a3ce929d0e0e4736", "4bf9aaaaaaaaaaaaaaaaaaaaaaaaaaaa"]

    private static func header(_ trace: Int, span: Int) -> String {
        "00-\(traces[trace])-000000000000000\(span)-01"
    }

    /// Task 1 serves a request. Task 2 does a part of it, and a thread without a task another part. Task 3 serves
    /// another request.
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
        _ = AnalysisSession().analyze(events: service().events, observers: [finder])
        return finder
    }

    private func story(_ text: String) throws -> RequestStory {
        let finder = find(text)
        let interval = try #require(finder.interval)
        let scope = RequestScope(request: nil, traceID: interval.span?.traceID)
        _ = AnalysisSession().analyze(events: service().events, observers: [scope])
        let recording = RequestRecording(request: nil, traceID: interval.span?.traceID, tasks: scope.tasks)
        let analysis = AnalysisSession().analyze(events: service().events, observers: [recording])
        return try #require(
            RequestStory(
                [RequestStory.Process(analysis, recording)], request: (interval, 0),
                wholeTrace: finder.wholeTrace != nil))
    }

    @Test("The time of a request includes the awaited tasks, and its parts and its spans sum to it")
    func parts() throws {
        let story = try story(Self.traces[0])
        #expect(story.spans.map(\.name) == ["GET /a", "load", "send"])
        #expect(story.spans.map(\.parent) == [nil, 0, 0])
        #expect(story.request.duration == .microseconds(110))
        #expect(story.totals.map(\.kind) == [.running, .thread])
        #expect(story.totals.map(\.time) == [.microseconds(90), .microseconds(20)])
        #expect(story.spans.map(\.share) == [.microseconds(60), .microseconds(50), .zero])
        for (step, next) in zip(story.steps, story.steps.dropFirst()) { #expect(step.end == next.begin) }
        #expect(story.spans[1].context?.attributes == ["error=Timeout"])
    }

    @Test("The story of a span excludes its ancestors")
    func inner() throws {
        let story = try story("0000000000000002")
        #expect(story.spans.map(\.name) == ["load"])
        #expect(story.totals.map(\.time) == [.microseconds(30), .microseconds(20)])
    }

    @Test("The time of a span without a task is one step")
    func offTask() throws {
        let story = try story("send")
        #expect(story.totals.map(\.kind) == [.offTask])
        #expect(story.totals.map(\.time) == [.microseconds(15)])
    }

    @Test("A prefix of several trace ids lists all of them; the id of a span or a header has one trace")
    func ids() {
        #expect(find("00000000").traces == Set(Self.traces))
        #expect(find("4BF92F35").traces == [Self.traces[0]])
        #expect(find("4bf92f35").wholeTrace == Self.traces[0])
        #expect(find("4bf92").interval == nil)
        #expect(find("0000000000000004").wholeTrace == nil)
        #expect(find(Self.header(0, span: 2)).interval?.name == "load")
        #expect(find("slowest").interval?.message.hasPrefix(Self.header(0, span: 1)) == true)
        #expect(find("GET /a").interval?.name == "GET")
        #expect(find("dead").interval == nil && find("dead").candidates == 4)
    }

    @Test("A name or a message precedes a prefix of an id, and a complete id precedes both")
    func names() {
        var trace = TraceBuilder()
        let id = "00f067aa0ba902b7"
        let code = UInt32(1)
        trace.add(.codeSymbol(.init(code: code, address: 0, symbol: "load", file: "Service.swift", line: 1)), at: 0)
        trace.add(.taskEnqueue(.init(task: 1, executor: 0, code: 0)), at: 0, thread: 1)
        trace.add(.taskBegin(.init(task: 1, executor: 0)), at: 5, thread: 2)
        let messages = ["00-\(Self.traces[0])-\(id)-01", "4bf92f35", "order 4711", id]
        for (number, message) in messages.enumerated() {
            let signpost = UInt64(number + 1)
            trace.add(
                .signpostBegin(.init(signpost: signpost, log: 1, code: code, message: message)),
                at: Double(10 + number * 10), thread: 2)
            trace.add(
                .signpostEnd(.init(signpost: signpost, log: 1, code: code, message: "")),
                at: Double(15 + number * 10), thread: 2)
        }
        func finds(_ text: String, by match: RequestFinder.Match, _ signpost: UInt64) -> Bool {
            let finder = RequestFinder(RequestFinder.Wanted(text))
            _ = AnalysisSession().analyze(events: trace.events, observers: [finder])
            return finder.match == match && finder.interval?.id == signpost
        }
        #expect(finds("4bf92f35", by: .name, 2))
        #expect(finds("4bf92f3577", by: .prefix, 1))
        #expect(finds("4711", by: .name, 3))
        #expect(finds("order 47", by: .text, 3))
        #expect(finds(id, by: .id, 1))
        #expect(finds(Self.traces[0], by: .id, 1))
        #expect(finds("4bf9", by: .text, 2))
    }

    @Test(
        "A request beyond the limit of intervals keeps its own interval, and counts the others",
        arguments: [true, false])
    func manyIntervals(isSpan: Bool) throws {
        let count = 10_010
        var trace = TraceBuilder()
        trace.add(.taskEnqueue(.init(task: 1, executor: 0, code: 0)), at: 0, thread: 1)
        trace.add(.taskBegin(.init(task: 1, executor: 0)), at: 5, thread: 2)
        func begin(_ id: Int, at time: Int) {
            let digits = String(id, radix: 16)
            let spanID = String(repeating: "0", count: 16 - digits.count) + digits
            let parent = id == 1 ? "" : " parent=0000000000000001"
            let message = isSpan ? "00-\(Self.traces[0])-\(spanID)-01\(parent)" : "one"
            trace.add(
                .signpostBegin(.init(signpost: UInt64(id), log: 1, code: 0, message: message)), at: Double(time),
                thread: 2)
        }
        func end(_ id: Int, at time: Int) {
            trace.add(
                .signpostEnd(.init(signpost: UInt64(id), log: 1, code: 0, message: "")), at: Double(time), thread: 2)
        }
        begin(1, at: 10)
        for number in 0..<count {
            begin(number + 2, at: 20 + number * 2)
            end(number + 2, at: 21 + number * 2)
        }
        let last = 30 + count * 2
        end(1, at: last)
        // An interval of no request on the same task.
        if !isSpan {
            begin(count + 2, at: last + 10)
            end(count + 2, at: last + 20)
        }
        trace.add(.taskFinish(.init(task: 1)), at: Double(last + 30), thread: 2)
        let finder = RequestFinder(.slowest)
        _ = AnalysisSession().analyze(events: trace.events, observers: [finder])
        let interval = try #require(finder.interval)
        let traceID = interval.span?.traceID
        let scope = RequestScope(request: interval, traceID: traceID)
        _ = AnalysisSession().analyze(events: trace.events, observers: [scope])
        let recording = RequestRecording(request: interval, traceID: traceID, tasks: scope.tasks)
        let analysis = AnalysisSession().analyze(events: trace.events, observers: [recording])
        let story = try #require(
            RequestStory([RequestStory.Process(analysis, recording)], request: (interval, 0), wholeTrace: isSpan))
        #expect(story.request.signpost.id == 1 && recording.hasRequest)
        #expect(story.spans.count == 10_001 && story.omittedSpans == 10)
        #expect(story.totals.map(\.kind) == [.running])
        #expect(story.request.share + .microseconds(10_000) == story.request.duration)
    }

    @Test("An await of a group is attributed to its own child that ended last", arguments: [7, 8] as [UInt64])
    func groups(group: UInt64) throws {
        // task 1 awaits group 7. Tasks 2 and 3 end before it resumes, and the trace does not show which resumed it.
        var trace = TraceBuilder()
        trace.add(.taskEnqueue(.init(task: 1, executor: 0, code: 0)), at: 0, thread: 1)
        trace.add(.taskBegin(.init(task: 1, executor: 0)), at: 5, thread: 2)
        trace.add(
            .signpostBegin(.init(signpost: 1, log: 1, code: 0, message: Self.header(0, span: 1))), at: 10, thread: 2)
        for (task, of, end) in [(2, 7, 60), (3, group, 80)] as [(UInt64, UInt64, Double)] {
            let thread = UInt32(task + 1)
            trace.add(
                .taskCreate(.init(task: task, kind: .groupChild, qos: .default, parent: 1, group: of, code: 0)), at: 15,
                thread: 2)
            trace.add(.taskEnqueue(.init(task: task, executor: 0, code: 0)), at: 15, thread: 2)
            trace.add(.taskBegin(.init(task: task, executor: 0)), at: 20, thread: thread)
            trace.add(.taskFinish(.init(task: task)), at: end, thread: thread)
        }
        trace.add(.taskSuspend(.init(task: 1, wait: .group, object: 7, code: 0, stack: 0)), at: 20, thread: 2)
        trace.add(.taskEnqueue(.init(task: 1, executor: 0, code: 0)), at: 90, thread: 9)
        trace.add(.taskBegin(.init(task: 1, executor: 0)), at: 90, thread: 2)
        trace.add(.signpostEnd(.init(signpost: 1, log: 1, code: 0, message: "")), at: 100, thread: 2)
        trace.add(.taskFinish(.init(task: 1)), at: 100, thread: 2)
        #expect(try tasksThatRan(in: trace) == [1, group == 7 ? 3 : 2, 1])
    }

    @Test("A task that begins at once is followed while it runs in place of its creator")
    func immediate() throws {
        var trace = TraceBuilder()
        trace.add(.taskEnqueue(.init(task: 1, executor: 0, code: 0)), at: 0, thread: 1)
        trace.add(.taskBegin(.init(task: 1, executor: 0)), at: 5, thread: 2)
        trace.add(
            .signpostBegin(.init(signpost: 1, log: 1, code: 0, message: Self.header(0, span: 1))), at: 10, thread: 2)
        trace.add(
            .taskCreate(.init(task: 2, kind: .immediate, qos: .default, parent: 1, group: 0, code: 0)), at: 20,
            thread: 2)
        trace.add(.taskBegin(.init(task: 2, executor: 0)), at: 20, thread: 2)
        trace.add(.taskFinish(.init(task: 2)), at: 60, thread: 2)
        trace.add(.taskBegin(.init(task: 1, executor: 0)), at: 60, thread: 2)
        trace.add(.signpostEnd(.init(signpost: 1, log: 1, code: 0, message: "")), at: 100, thread: 2)
        trace.add(.taskFinish(.init(task: 1)), at: 100, thread: 2)
        #expect(try tasksThatRan(in: trace) == [1, 2, 1])
    }

    /// The tasks of the runs of the slowest request, in the order of its steps.
    private func tasksThatRan(in trace: TraceBuilder) throws -> [UInt64] {
        let finder = RequestFinder(.slowest)
        let scope = RequestScope(request: nil, traceID: Self.traces[0])
        _ = AnalysisSession().analyze(events: trace.events, observers: [finder, scope])
        let interval = try #require(finder.interval)
        let recording = RequestRecording(request: interval, traceID: Self.traces[0], tasks: scope.tasks)
        let analysis = AnalysisSession().analyze(events: trace.events, observers: [recording])
        let story = try #require(
            RequestStory(
                [RequestStory.Process(analysis, recording)], request: (interval, 0), wholeTrace: true))
        return story.steps.compactMap { step in
            if case .run(let run) = step.what { run.task } else { nil }
        }
    }
}
