import DispatchModel
import Foundation
import Testing
import TraceBuilder

/// The spans of an export for OpenTelemetry.
@Suite struct OTLPSpanTests {
    private static let traceID = "0af7651916cd43dd8448eb211c80319c"
    private static let requestID = "00f067aa0ba902b7"

    private static func header(_ span: String, parent: String? = nil) -> String {
        "00-\(traceID)-\(span)-01" + (parent.map { " parent=\($0)" } ?? "")
    }

    private static func begin(
        _ id: UInt64, _ name: String, _ message: String, at time: Double, thread: UInt32, in trace: inout TraceBuilder
    ) {
        trace.add(.signpostLog(.init(log: 1, subsystem: "swift-distributed-tracing", category: "server")), at: 0)
        let code = trace.function(name)
        trace.add(.signpostBegin(.init(signpost: id, log: 1, code: code, message: message)), at: time, thread: thread)
    }

    private static func end(
        _ id: UInt64, _ message: String = "", at time: Double, thread: UInt32, in trace: inout TraceBuilder
    ) {
        trace.add(.signpostEnd(.init(signpost: id, log: 1, code: 0, message: message)), at: time, thread: thread)
    }

    /// ```
    ///   task 1, thread 2    ├ GET ────────────────────────────┤
    ///                           submits first
    ///   thread 3                ░░░░░├ first ─────┤               waits 300 µs
    ///                                   submits second
    ///   thread 4                        ├ second ───────────────┤
    ///   thread 5                        submits other, which belongs to no request
    /// ```
    private static func service() -> TraceBuilder {
        var trace = TraceBuilder()
        trace.taskTrack()
        let root = trace.globalQueue()
        let queue = trace.serialQueue("app.store.7", target: root)
        let task = trace.task(at: 0, code: "App/Serve.swift:1")
        trace.begin(task, thread: 2, at: 10)
        begin(1, "GET", header(requestID), at: 100, thread: 2, in: &trace)
        trace.async(on: queue, at: 200, begin: 500, end: 900, thread: 3, from: 2, code: "App/Store.swift:1")
        trace.async(on: root, at: 600, begin: 620, end: 2_000, thread: 4, from: 3, code: "App/Store.swift:2")
        trace.async(on: root, at: 600, begin: 620, end: 700, thread: 6, from: 5, code: "App/Other.swift:3")
        end(1, "http.route=\"/a b\" error=Timeout", at: 1_500, thread: 2, in: &trace)
        trace.finish(task, thread: 2, at: 1_600)
        return trace
    }

    @Test("A recorded span has its own ids, its kind, attributes and error")
    func recordedSpan() throws {
        let span = try #require(try OTLPMessages(Self.service()).spans(named: "GET").first)
        #expect(span.traceId == Self.traceID)
        #expect(span.spanId == Self.requestID)
        #expect(span.parentSpanId == nil)
        #expect(span.kind == 2)
        #expect(span.attribute("http.route") == "/a b")
        #expect(span.attribute("error") == nil)
        #expect(span.status?.code == 2)
        #expect(span.status?.message == "Timeout")
    }

    @Test("An item is below the span in which it was submitted, and an item that it submits is below it")
    func items() throws {
        let messages = try OTLPMessages(Self.service())
        let first = try #require(messages.spans(named: "App/Store.swift:1").first)
        #expect(first.traceId == Self.traceID)
        #expect(first.parentSpanId == Self.requestID)
        #expect(first.attribute("dispatch.queue.name") == "app.store.7")
        #expect(first.attribute("thread.id") == "3")
        let second = try #require(messages.spans(named: "App/Store.swift:2").first)
        #expect(second.traceId == Self.traceID)
        #expect(second.parentSpanId == first.spanId)
        let other = try #require(messages.spans(named: "App/Other.swift:3").first)
        #expect(other.traceId != Self.traceID)
        #expect(other.parentSpanId == nil)
    }

    @Test("A wait of at least 100 µs is a span below its item, and a shorter one is not")
    func waits() throws {
        let messages = try OTLPMessages(Self.service())
        let waits = messages.spans.filter { $0.name.hasPrefix("wait in") }
        #expect(waits.map(\.name) == ["wait in app.store.*"])
        let item = try #require(messages.span(waits.first?.parentSpanId))
        #expect(item.name == "App/Store.swift:1")
        let (wait, whole) = (try #require(waits.first).nanoseconds, item.nanoseconds)
        #expect(wait.lowerBound == whole.lowerBound)
        #expect(wait.upperBound - wait.lowerBound == 300_000)
        #expect(whole.upperBound - whole.lowerBound == 700_000)
    }

    @Test("Two exports of a trace have the same ids, and no id occurs twice")
    func deterministic() throws {
        let (first, second) = (try OTLPMessages(Self.service()), try OTLPMessages(Self.service()))
        #expect(first.batches.map(\.text) == second.batches.map(\.text))
        #expect(Set(first.spans.map(\.spanId)).count == first.spans.count)
        #expect(first.counts.spans == first.spans.count)
        #expect(first.counts.spansOfRequests == first.spans.count { $0.traceId == Self.traceID })
    }

    @Test("Recorded spans can be omitted, and their work still refers to them")
    func omitted() throws {
        let messages = try OTLPMessages(Self.service(), .init(service: "store", omitsRecordedSpans: true))
        #expect(messages.spans(named: "GET").isEmpty)
        #expect(messages.spans(named: "App/Store.swift:1").first?.parentSpanId == Self.requestID)
        #expect(messages.resource["service.name"]?.stringValue == "store")
    }

    /// ```
    ///   task 1    ├ GET ──────────────────────────┤
    ///               creates task 2
    ///   task 2        ├ awaits ──────┤├ queries ┤      an item is submitted after the await
    /// ```
    @Test("A task that a request creates is below its span, with its awaits and items")
    func tasks() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let root = trace.globalQueue()
        let first = trace.task(at: 0)
        trace.begin(first, thread: 2, at: 10)
        Self.begin(1, "GET", Self.header(Self.requestID), at: 20, thread: 2, in: &trace)
        let second = trace.task(.asyncLet, at: 30, from: 2, code: "App/Query.swift:1", parent: first)
        trace.begin(second, thread: 3, at: 40)
        trace.suspend(second, for: .continuation, thread: 3, at: 50)
        trace.resume(second, thread: 4, at: 400)
        trace.begin(second, thread: 3, at: 410)
        trace.async(on: root, at: 420, begin: 430, end: 440, thread: 5, from: 3, code: "App/Query.swift:2")
        trace.finish(second, thread: 3, at: 450)
        Self.end(1, at: 500, thread: 2, in: &trace)
        trace.finish(first, thread: 2, at: 510)
        let messages = try OTLPMessages(trace)
        let task = try #require(messages.spans(named: "task App/Query.swift:1").first)
        #expect(task.traceId == Self.traceID)
        #expect(task.parentSpanId == Self.requestID)
        #expect(task.attribute("swift.task.kind") == "async_let")
        let wait = try #require(messages.spans(named: "await a continuation").first)
        #expect(wait.parentSpanId == task.spanId)
        #expect(wait.nanoseconds.upperBound - wait.nanoseconds.lowerBound == 350_000)
        #expect(messages.spans(named: "App/Query.swift:2").first?.parentSpanId == task.spanId)
    }

    @Test("A task that a thread creates within a span is below the span, and a later one is not")
    func taskOfThread() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        Self.begin(1, "GET", Self.header(Self.requestID), at: 10, thread: 2, in: &trace)
        let tasks = [
            trace.task(at: 20, from: 2, code: "App/First.swift:1"),
            trace.task(at: 40, from: 2, code: "App/Second.swift:1"),
        ]
        Self.end(1, at: 30, thread: 2, in: &trace)
        for (position, task) in tasks.enumerated() {
            trace.begin(task, thread: 3, at: Double(50 + 20 * position))
            trace.finish(task, thread: 3, at: Double(60 + 20 * position))
        }
        let messages = try OTLPMessages(trace)
        #expect(messages.spans(named: "task App/First.swift:1").map(\.parentSpanId) == [Self.requestID])
        #expect(messages.spans(named: "task App/Second.swift:1").map(\.parentSpanId) == [nil])
    }

    /// ```
    ///   task 1   ├ GET ─────────┤
    ///   actors          ├ App.A ──┤├ App.B ┤
    /// ```
    @Test("A job after the end of the request is in another trace, with a link to the job that submitted it")
    func laterJob() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let (first, second) = (trace.actor("App.A"), trace.actor("App.B"))
        let task = trace.task(at: 0)
        trace.begin(task, thread: 2, at: 5)
        Self.begin(1, "GET", Self.header(Self.requestID), at: 10, thread: 2, in: &trace)
        trace.hop(task, to: first, from: 2, at: 20, begin: 30, thread: 2)
        Self.end(1, at: 50, thread: 2, in: &trace)
        trace.hop(task, to: second, from: 2, at: 60, begin: 70, thread: 2)
        trace.finish(task, thread: 2, at: 80)
        let spans = try OTLPMessages(trace).spans
        let jobs = ["App.A", "App.B"].map { name in
            spans.first { $0.attribute("dispatch.queue.name") == name && $0.attribute("queuescope.item.kind") != nil }
        }
        let (own, later) = (try #require(jobs[0]), try #require(jobs[1]))
        #expect(own.traceId == Self.traceID && own.parentSpanId == Self.requestID)
        #expect(later.traceId != Self.traceID && later.parentSpanId == nil)
        #expect(later.links?.map(\.spanId) ?? [own.spanId] == [own.spanId])
    }

    @Test("A signpost interval without ids gets ids of the recording, and its work is below it")
    func signpost() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.store", target: trace.globalQueue())
        Self.begin(1, "import", "file 7", at: 100, thread: 2, in: &trace)
        Self.begin(2, "parse", "", at: 150, thread: 2, in: &trace)
        trace.async(on: queue, at: 200, begin: 210, end: 220, thread: 3, from: 2, code: "App/Store.swift:1")
        let half = trace.function("half")
        trace.add(.signpostEvent(.init(signpost: 2, log: 1, code: half, message: "")), at: 230, thread: 2)
        Self.end(2, at: 300, thread: 2, in: &trace)
        Self.end(1, at: 400, thread: 2, in: &trace)
        let messages = try OTLPMessages(trace)
        let outer = try #require(messages.spans(named: "import").first)
        let inner = try #require(messages.spans(named: "parse").first)
        #expect(outer.parentSpanId == nil)
        #expect(outer.attribute("queuescope.message") == "file 7")
        #expect(inner.parentSpanId == outer.spanId)
        #expect(inner.events?.map(\.name) == ["half"])
        let item = try #require(messages.spans(named: "App/Store.swift:1").first)
        #expect(item.parentSpanId == inner.spanId)
        #expect(item.traceId == outer.traceId)
    }

    /// Each item submits the next one.
    @Test("A long chain is divided into traces, which are linked")
    func chain() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.timer", target: trace.globalQueue())
        trace.async(on: queue, at: 0, begin: 10, end: 30, thread: 2, code: "App/Timer.swift:1")
        for number in 1..<250 {
            let begin = Double(number) * 40
            trace.async(
                on: queue, at: begin - 20, begin: begin, end: begin + 30, thread: 2, from: 2, code: "App/Timer.swift:2")
        }
        let items = try OTLPMessages(trace).spans.filter { $0.name.hasPrefix("App/Timer") }
        #expect(items.count == 250)
        #expect(Dictionary(grouping: items, by: \.traceId).values.map(\.count).sorted() == [50, 100, 100])
        let roots = items.filter { $0.parentSpanId == nil }
        #expect(roots.count == 3)
        #expect(roots.map { $0.links?.count ?? 0 }.sorted() == [0, 1, 1])
        for link in roots.compactMap(\.links?.first) {
            #expect(items.contains { $0.spanId == link.spanId && $0.traceId == link.traceId })
        }
    }

    /// ```
    ///   thread 2    ├ GET ── waits in a sync for 90 ms ──┤
    ///   thread 3    ├ POST ── holds the queue ───────────┤
    /// ```
    @Test("A finding is an event of the spans in which its evidence was recorded, and a span with links to requests")
    func findings() throws {
        let postID = "00f067aa0ba902b8"
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state", target: trace.globalQueue())
        Self.begin(1, "GET", Self.header(Self.requestID), at: 1, thread: 2, in: &trace)
        Self.begin(2, "POST", Self.header(postID), at: 1, thread: 3, in: &trace)
        trace.async(on: queue, at: 5, begin: 10, end: 900_000, thread: 3, from: 4, code: "App/State.swift:1")
        trace.sync(on: queue, at: 100, begin: 900_000, end: 900_010, thread: 2, from: 3, code: "App/State.swift:2")
        Self.end(1, at: 1_000_000, thread: 2, in: &trace)
        Self.end(2, at: 1_000_000, thread: 3, in: &trace)
        let messages = try OTLPMessages(trace)
        let findings = messages.spans.filter { $0.attribute("queuescope.finding.id") != nil }
        let recording = try #require(messages.spans(named: "recording").first)
        #expect(findings.allSatisfy { $0.parentSpanId == recording.spanId && $0.traceId == recording.traceId })
        let links = findings.flatMap { $0.links ?? [] }
        #expect(!links.isEmpty, "\(findings.map { "\($0.name): \($0.attribute("queuescope.finding.summary") ?? "")" })")
        #expect(Set(links.map(\.spanId)).isSubset(of: [Self.requestID, postID]))
        for (name, id) in [("GET", Self.requestID), ("POST", postID)] {
            let request = try #require(messages.spans(named: name).first)
            let events = (request.events ?? []).filter { $0.name == "queuescope.finding" }
            let detectors = events.compactMap { event in
                event.attributes?.first { $0.key == "queuescope.finding.detector" }?.value.stringValue
            }
            let linked = findings.filter { $0.links?.contains { $0.spanId == id } ?? false }.map(\.name)
            #expect(Set(detectors) == Set(linked))
        }
    }

    @Test("Names with quotes, line feeds and NUL are valid JSON")
    func hostileNames() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("a\"b\\c\n\u{1}d\u{2028}é", target: trace.globalQueue())
        trace.async(on: queue, at: 0, begin: 10, end: 20, thread: 2, code: "App/Main.swift:1")
        let messages = try OTLPMessages(trace)
        #expect(messages.spans.first?.attribute("dispatch.queue.name") == "a\"b\\c\n\u{1}d\u{2028}é")
        #expect(messages.batches.allSatisfy { !$0.text.contains(UInt8(ascii: "\n")) })
    }

    @Test("Messages have a limited number of spans")
    func batches() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.queue", target: trace.globalQueue())
        for number in 0..<4_500 {
            let time = Double(number) * 10
            trace.async(on: queue, at: time, begin: time + 1, end: time + 2, thread: 2)
        }
        let batches = try OTLPMessages(trace).batches.filter { $0.signal == .traces }
        #expect(batches.count >= 3)
        #expect(batches.allSatisfy { $0.count <= 2_000 && $0.text.count < 2 << 20 })
    }
}
