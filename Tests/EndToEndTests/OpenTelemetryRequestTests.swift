import Foundation
import TestSupport
import Testing

/// `export --format otlp` of a program with spans of swift-distributed-tracing.
@Suite struct OpenTelemetryRequestTests {
    private struct Message: Decodable {
        struct Resource: Decodable {
            struct Scope: Decodable { let spans: [Span] }
            let scopeSpans: [Scope]
        }
        let resourceSpans: [Resource]
    }

    private struct Span: Decodable {
        struct Attribute: Decodable {
            struct Value: Decodable { let stringValue: String? }
            let key: String
            let value: Value
        }
        let traceId: String
        let spanId: String
        let parentSpanId: String?
        let name: String
        let attributes: [Attribute]?

        var queue: String? { attributes?.first { $0.key == "dispatch.queue.name" }?.value.stringValue }
    }

    private let directory = TemporaryDirectory()

    /// Records the program and exports the trace.
    ///
    /// - Returns: the ids of the requests' traces that the program printed, and all spans.
    private func export(
        _ arguments: [String], recording options: [String] = [], exporting: [String] = []
    ) throws -> (requests: Set<String>, spans: [Span]) {
        // The traces of child processes are next to the trace of the program.
        let (trace, file) = (directory.appending("all"), directory.appending("spans.jsonl"))
        try FileManager.default.createDirectory(atPath: trace, withIntermediateDirectories: false)
        let program = Program.built("TracedRequests").path
        let record = try Program.queuescope.run(
            ["record"] + options + ["-o", trace + "/service", "--", program] + arguments)
        try #require(record.status == 0, "\(record.errors)")
        let result = try Program.queuescope.run(["export", trace, "--format", "otlp", "-o", file] + exporting)
        try #require(result.status == 0, "\(result.errors)")
        let requests = record.lines.filter { $0.hasPrefix("GET ") }.map { String($0.split(separator: " ")[2]) }
        if Program.canImport(OpenTelemetrySchema.modules) {
            let check = try OpenTelemetrySchema.check("traces", file)
            #expect(check.status == 0, "\(check.errors)")
        }
        let spans = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").flatMap { line in
            try JSONDecoder().decode(Message.self, from: Data(line.utf8)).resourceSpans.flatMap(\.scopeSpans)
                .flatMap(\.spans)
        }
        return (Set(requests), spans)
    }

    /// The spans below another one, at any depth.
    private func descendants(of span: Span, in spans: [Span]) -> [Span] {
        let children = Dictionary(grouping: spans) { $0.parentSpanId ?? "" }
        var (found, next) = ([Span](), [span])
        while let span = next.popLast() {
            let below = children[span.spanId] ?? []
            found += below
            next += below
        }
        return found
    }

    @Test("The work of each request is below its spans, on the actor and on the queue")
    func requests() throws {
        let (requests, spans) = try export(["serve"])
        #expect(requests.count == 5)
        #expect(Set(spans.map(\.spanId)).count == spans.count)
        for id in requests {
            let own = spans.filter { $0.traceId == id }
            let root = try #require(own.first { $0.name.hasPrefix("GET ") })
            #expect(root.parentSpanId == nil)
            let below = descendants(of: root, in: own)
            #expect(below.count == own.count - 1, "every span of the trace is below its root")
            #expect(Set(below.map(\.name)).isSuperset(of: ["load", "sum up", "render"]))
            let load = try #require(own.first { $0.name == "load" })
            #expect(descendants(of: load, in: own).contains { $0.queue?.hasSuffix("Database") ?? false })
            let render = try #require(own.first { $0.name == "render" })
            #expect(descendants(of: render, in: own).contains { $0.queue == "org.example.renderer" })
        }
    }

    @Test("A request in two processes is one trace, and with omitted spans its work refers to them")
    func processes() throws {
        let (requests, spans) = try export(
            ["pair"], recording: ["--follow-children"], exporting: ["--omit-recorded-spans"])
        let own = spans.filter { $0.traceId == requests.first }
        #expect(requests.count == 1)
        #expect(!own.contains { ["GET /pair", "ask", "look up"].contains($0.name) })
        #expect(own.contains { $0.queue == "org.example.answers" })
        #expect(own.contains { $0.queue?.hasSuffix("Database") ?? false })
    }
}
