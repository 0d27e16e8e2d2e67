import DispatchModel
import Testing
import TraceBuilder

/// The causes of handler runs on critical paths. Times in µs.
@Suite("The path to the handlers of sources") struct SourcePathTests {
    private func parts(_ trace: TraceBuilder) throws -> [String] {
        let options = ModelOptions(criticalPath: .wholeRun)
        let path = try #require(ObservationLog.read(trace.events, options: options).model.criticalPath)
        return path.segments.map { "\($0.kind) \($0.begin.nanoseconds / 1000)-\($0.end.nanoseconds / 1000)" }
    }

    private func merge(_ source: UInt64, at time: Double, thread: UInt32, in trace: inout TraceBuilder) {
        trace.add(.sourceMerge(.init(source: source, data: 1, code: 0)), at: time, thread: thread)
    }

    // thread 2   ├─ a ── merge, merge ──┤
    // thread 3             start ├─ handler ─┤
    @Test("A handler runs for the first data since it ran last")
    func data() throws {
        var trace = TraceBuilder()
        let global = trace.globalQueue()
        let queue = trace.serialQueue("app.results")
        let source = trace.setUpSource(.dataAdd, on: queue, activated: 0)
        trace.async(on: global, at: 1, begin: 10, end: 90, thread: 2)
        merge(source, at: 20, thread: 2, in: &trace)
        merge(source, at: 25, thread: 2, in: &trace)
        trace.fire(source, on: queue, begin: 30, end: 35, thread: 3)
        merge(source, at: 60, thread: 2, in: &trace)
        trace.fire(source, on: queue, begin: 70, end: 100, thread: 3)
        #expect(
            try parts(trace) == [
                "outside 0-1", "start 1-10", "run 10-20", "run 20-60", "start 60-70", "run 70-100",
            ])
    }

    // thread 2   merge   merge
    // thread 3       ├─ handler ─┤├─ again ─┤
    @Test("Data that comes while the handler runs waits for it")
    func dataWhileItRuns() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.results")
        let source = trace.setUpSource(.dataOr, on: queue, activated: 0)
        merge(source, at: 10, thread: 2, in: &trace)
        trace.fire(source, on: queue, begin: 12, end: 40, thread: 3)
        merge(source, at: 20, thread: 2, in: &trace)
        trace.fire(source, on: queue, begin: 43, end: 50, thread: 3)
        #expect(try parts(trace) == ["before 0-10", "start 10-12", "run 12-40", "queued 40-43", "run 43-50"])
    }

    @Test("Data for a source that is suspended, or not active yet, comes when it is let go", arguments: [false, true])
    func released(isSuspended: Bool) throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.results")
        let source = trace.setUpSource(.dataAdd, on: queue, activated: isSuspended ? 0 : nil)
        let code = trace.code("A.swift:1")
        if isSuspended {
            trace.add(.objectSuspend(.init(object: source, kind: .source, code: code)), at: 1, thread: 1)
        }
        merge(source, at: 5, thread: 2, in: &trace)
        let kind = ObjectKind.source
        if isSuspended {
            trace.add(.objectResume(.init(object: source, kind: kind, code: code)), at: 30, thread: 4)
        } else {
            trace.add(.objectActivate(.init(object: source, kind: kind, code: code, stack: 0)), at: 30, thread: 4)
        }
        trace.fire(source, on: queue, begin: 33, end: 50, thread: 3)
        #expect(try parts(trace) == ["before 0-30", "start 30-33", "run 33-50"])
    }

    // thread 2   ├─ a ── cancel ──┤
    // thread 3        start ├─ cancel handler ─┤
    @Test("A cancel handler runs for the cancellation, also of a source that was released", arguments: [false, true])
    func cancellation(isReleased: Bool) throws {
        var trace = TraceBuilder()
        let global = trace.globalQueue()
        let queue = trace.serialQueue("app.socket")
        let (other, source) = (
            trace.setUpSource(.read, on: queue, activated: 0), trace.setUpSource(.read, on: queue, activated: 0)
        )
        trace.add(.sourceSetHandler(.init(source: source, handler: .cancel, code: 0)), at: 0, thread: 1)
        trace.async(on: global, at: 1, begin: 10, end: 30, thread: 2)
        // The source without a cancel handler is not the cause.
        trace.add(.sourceCancel(.init(source: other, code: 0)), at: 12, thread: 2)
        trace.add(.sourceCancel(.init(source: source, code: 0)), at: 20, thread: 2)
        trace.add(.sourceCancel(.init(source: source, code: 0)), at: 22, thread: 2)
        if isReleased { trace.add(.sourceDispose(.init(source: source)), at: 23, thread: 2) }
        trace.callout(on: queue, at: 40, begin: 40, end: 60, thread: 3, from: 3, kind: .cancelHandler)
        #expect(try parts(trace) == ["outside 0-1", "start 1-10", "run 10-20", "start 20-40", "run 40-60"])
    }

    @Test("A source whose event comes from outside still waited for that")
    func outside() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.socket")
        let source = trace.setUpSource(.read, on: queue, activated: 10)
        trace.fire(source, on: queue, begin: 40, end: 60, thread: 3)
        #expect(try parts(trace) == ["before 0-10", "source 10-40", "run 40-60"])
    }

    // main       async
    // thread 3   ├ handler ┤   start ├─ answer ─┤  waits for the next request  ├─ handler ─┤
    @Test("A source waits for an event from outside since its queue ran last")
    func answer() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.connection")
        let source = trace.setUpSource(.read, on: queue, activated: 0)
        trace.fire(source, on: queue, begin: 5, end: 10, thread: 3)
        trace.async(on: queue, at: 20, begin: 25, end: 40, thread: 3)
        trace.fire(source, on: queue, begin: 60, end: 80, thread: 3)
        #expect(try parts(trace) == ["outside 0-20", "start 20-25", "run 25-40", "source 40-60", "run 60-80"])
    }
}
