import Foundation
import TestSupport
import Testing

/// `report --request` of a program with spans of swift-distributed-tracing.
@Suite struct TracedRequestTests {
    private struct Recording {
        let directory = TemporaryDirectory()
        /// Ids of the traces that the program printed, by request name.
        var traces: [String: [String]] = [:]
        var path: String { directory.appending("all") }

        init(_ arguments: [String], options: [String] = []) throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            let program = Program.built("TracedRequests").path
            let result = try Program.queuescope.run(
                ["record"] + options + ["-o", path + "/service", "--", program] + arguments)
            try #require(result.status == 0 && !result.errors.contains("cannot record"), "\(result.errors)")
            for line in result.lines where line.hasPrefix("GET ") {
                let words = line.split(separator: " ").map(String.init)
                traces["GET " + words[1], default: []].append(words[2])
            }
        }

        func report(_ request: String) throws -> Program.Result {
            try Program.queuescope.run(["report", path, "--request", request])
        }

        func json(_ request: String) throws -> Request {
            let result = try Program.queuescope.run(["report", path, "--request", request, "--format", "json"])
            try #require(result.status == 0, "\(result.errors)")
            return try #require(JSONDecoder().decode(Report.self, from: Data(result.output.utf8)).requests.first)
        }
    }

    private struct Report: Decodable { let requests: [Request] }

    private struct Request: Decodable {
        struct Total: Decodable {
            let kind: String
            let time_ns: Int64
        }
        struct Span: Decodable {
            let name: String
            let id: String
            let parent: Int?
            let pid: Int
            let own_ns: Int64
            let attributes: [String]
        }
        struct Step: Decodable {
            let kind: String
            let span: Int
            let begin_ns: Int64
            let end_ns: Int64
            let queue: String?
            let holder: UInt64?
        }
        let name: String
        let trace_id: String
        let begin_ns: Int64
        let end_ns: Int64
        let totals: [Total]
        let spans: [Span]
        let steps: [Step]

        var duration: Int64 { end_ns - begin_ns }

        /// Whether its steps, its totals and the own times of its spans each add up to its duration, without gaps.
        func sums() -> Bool {
            let areGapless = zip(steps, steps.dropFirst()).allSatisfy { $0.end_ns == $1.begin_ns }
            return areGapless && steps.first?.begin_ns == begin_ns && steps.last?.end_ns == end_ns
                && totals.reduce(0) { $0 + $1.time_ns } == duration
                && spans.reduce(0) { $0 + $1.own_ns } == duration
        }
    }

    @Test("A request is found by trace id, by a prefix of that id, by a span's id, by name, and as the slowest")
    func found() throws {
        let recording = try Recording(["serve"])
        let slow = try #require(recording.traces["GET /slow"]?.first)
        let whole = try recording.json(slow)
        #expect(whole.name == "GET /slow" && whole.trace_id == slow && whole.sums())
        #expect(whole.spans.map(\.name).sorted() == ["GET /slow", "load", "render", "sum up"])
        #expect(whole.spans[0].attributes == ["http.route=/slow"])
        #expect(whole.spans.dropFirst().allSatisfy { $0.parent == 0 })
        #expect(try recording.json(String(slow.prefix(12))).trace_id == slow)
        let load = try #require(whole.spans.first { $0.name == "load" })
        let span = try recording.json(load.id)
        #expect(span.name == "load" && span.spans.count == 1 && span.sums())
        #expect(try recording.json("GET /slow").trace_id == slow)
        let slowest = try recording.json("slowest")
        #expect(recording.traces.values.joined().contains(slowest.trace_id) && slowest.sums())
    }

    @Test("A request's time is split into waits for a held actor, waits for a queue, and child tasks")
    func whereTimeWent() throws {
        let recording = try Recording(["serve"])
        let slow = try #require(recording.traces["GET /slow"]?.first)
        let requests = try #require(recording.traces["GET /fast"]).map { try recording.json($0) }
        #expect(requests.count == 4 && requests.allSatisfy { $0.sums() })
        // Four requests wait for the actor that the first one holds for 40 ms.
        let waited = requests.flatMap(\.steps).filter { $0.kind == "actor" && $0.holder != nil }
        #expect(waited.contains { $0.queue == "TracedRequests.Database" })
        let all = try requests + [recording.json(slow)]
        // All requests render on one queue while their other child runs.
        let queued = all.flatMap { request in request.steps.map { (request.spans[$0.span].name, $0) } }.filter {
            ["queue", "item"].contains($1.kind)
        }
        #expect(queued.contains { $0 == "render" && $1.queue == "org.example.renderer" })
        let text = try requests.map { try recording.report($0.trace_id).output }.joined()
        #expect(text.contains("equests.Database "))
        #expect(text.contains("held by task") && text.contains("GET /slow, trace \(slow.prefix(8)))"))
    }

    @Test("A request that continues in another process includes the spans and the time of that process")
    func severalProcesses() throws {
        let recording = try Recording(["pair"], options: ["--follow-children"])
        let trace = try #require(recording.traces["GET /pair"]?.first)
        let request = try recording.json(trace)
        #expect(request.name == "GET /pair" && request.sums())
        #expect(request.spans.map(\.name) == ["GET /pair", "ask", "look up"])
        #expect(request.spans.map(\.parent) == [nil, 0, 1])
        #expect(Set(request.spans.map(\.pid)).count == 2)
        // The other process loads for 20 ms.
        #expect(request.spans[2].own_ns >= 20_000_000)
        #expect(try recording.json("slowest").spans.map(\.id) == request.spans.map(\.id))
        let text = try recording.report(trace).output
        #expect(text.contains("3 spans of 2 processes here"))
    }

    @Test("An unknown request gives an error that explains what the trace contains")
    func missing() throws {
        let missing = try Recording(["serve"]).report("nonsense")
        #expect(missing.status == 64)
        #expect(missing.errors.contains("none of its 20 spans and intervals on tasks has this id"))
    }

    @Test("Without the preloaded library the report has spans with their durations, and no tasks")
    func linkedOnly() throws {
        let recorded = try Recorded("TracedRequests", ["serve"])
        let result = try Program.queuescope.run(["report", recorded.trace, "--request", "GET /slow"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.lines.contains { $0.hasPrefix(" task ") && $0.contains("none: it began on") })
        #expect(result.lines.contains { $0.contains("├ load") })
    }
}
