import Foundation
import TestSupport
import Testing

@testable import QueuescopeCommand

/// `export --format otlp`: files, and requests to a collector.
@Suite(.enabled(if: Program.canRun("python3"))) struct OpenTelemetryExportTests {
    private static let trace = Package.root + "/traces/1.6/news-service-before/trace"
    private let directory = TemporaryDirectory()

    private func export(_ arguments: [String], of trace: String = Self.trace) throws -> Program.Result {
        try Program.queuescope.run(["export", trace, "--format", "otlp"] + arguments)
    }

    /// Sends to a server that answers. The time limit is for a loaded machine.
    private func send(to server: CollectorServer) throws -> Program.Result {
        try export(["--endpoint", server.endpoint, "--timeout", "5m"])
    }

    /// The number of spans in a file.
    private func spans(in file: String) throws -> Int {
        struct Message: Decodable {
            struct Resource: Decodable {
                struct Scope: Decodable {
                    struct Span: Decodable { let spanId: String }
                    let spans: [Span]
                }
                let scopeSpans: [Scope]
            }
            let resourceSpans: [Resource]
        }
        return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").reduce(0) { count, line in
            let message = try JSONDecoder().decode(Message.self, from: Data(line.utf8))
            return count + message.resourceSpans.flatMap(\.scopeSpans).flatMap(\.spans).count
        }
    }

    @Test(
        "The files of spans and of metrics satisfy the schema of the protocol",
        .enabled(if: Program.canImport(OpenTelemetrySchema.modules)))
    func schema() throws {
        let (spans, metrics) = (directory.appending("spans.jsonl"), directory.appending("metrics.jsonl"))
        let result = try export(["-o", spans, "--metrics", metrics])
        try #require(result.status == 0, "\(result.errors)")
        #expect(result.output.isEmpty)
        for (signal, file) in [("traces", spans), ("metrics", metrics)] {
            let check = try OpenTelemetrySchema.check(signal, file)
            #expect(check.status == 0, "\(signal): \(check.errors)")
            #expect(Int(check.output.dropLast()) ?? 0 > 0)
        }
        // The check is strict: a file of the other kind fails.
        #expect(try OpenTelemetrySchema.check("metrics", spans).status != 0)
    }

    @Test("The printed number of spans is the number in the file, and a part of the trace has fewer")
    func counts() throws {
        let file = directory.appending("spans.jsonl")
        let whole = try export(["-o", file])
        try #require(whole.status == 0, "\(whole.errors)")
        let count = try spans(in: file)
        #expect(count > 100)
        let printed = whole.errors.split(separator: "The export has ").last?.prefix { $0.isNumber || $0 == "," }
        #expect(printed.map { Int($0.filter(\.isNumber)) } == count)
        let part = try export(["--from", "40ms", "--to", "80ms"])
        try #require(part.status == 0, "\(part.errors)")
        let partFile = directory.appending("part.jsonl")
        try part.output.write(toFile: partFile, atomically: false, encoding: .utf8)
        #expect(try (1..<count).contains(spans(in: partFile)))
    }

    @Test("A collector receives the same spans and metrics over one connection")
    func sends() throws {
        let (spansFile, metricsFile) = (directory.appending("spans.jsonl"), directory.appending("metrics.jsonl"))
        try #require(try export(["-o", spansFile, "--metrics", metricsFile]).status == 0)
        let server = try CollectorServer("chunked", "ok")
        let result = try send(to: server)
        try #require(result.status == 0, "\(result.errors)")
        #expect(result.output.isEmpty)
        for (signal, file) in [("traces", spansFile), ("metrics", metricsFile)] {
            #expect(try Data(contentsOf: URL(filePath: server.file(signal))) == Data(contentsOf: URL(filePath: file)))
        }
        let requests = server.requests
        #expect(Set(requests.map { $0[0] }) == ["/v1/traces", "/v1/metrics"])
        #expect(Set(requests.map { $0[1] }) == ["application/json"])
        #expect(Set(requests.map { $0[2] }).count == 1, "the connection is kept")
    }

    @Test(
        "A message is sent again when the collector asks for it or closes the connection",
        arguments: ["429:0", "503:0", "502:0", "504:Wed, 01 Jan 2020 00:00:00 GMT", "close"])
    func sendsAgain(answer: String) throws {
        let server = try CollectorServer(answer, "once", answer, "ok")
        let result = try send(to: server)
        #expect(result.status == 0, "\(result.errors)")
        let spans = try #require(server.requests.first)
        #expect(spans.joined(separator: " ").hasSuffix(answer))
        #expect(try self.spans(in: server.file("traces")) > 100)
    }

    @Test("A message that the collector refuses ends the export with the collector's reason")
    func refused() throws {
        let server = try CollectorServer("400")
        let result = try send(to: server)
        #expect(result.status == 69)
        #expect(
            result.errors.contains(
                "cannot export to \(server.endpoint)/v1/traces: the collector answers 400 Bad Request: not now."),
            "\(result.errors)")
        #expect(server.requests.count == 1)
    }

    @Test("A collector that asks to wait for too long, or again and again, ends the export")
    func patience() throws {
        let server = try CollectorServer("429:3600")
        let result = try send(to: server)
        #expect(result.status == 69)
        #expect(result.errors.contains("429 Too Many Requests: not now. Try again later."), "\(result.errors)")
        #expect(server.requests.count == 1)
        let endless = try CollectorServer("503:0")
        #expect(try send(to: endless).status == 69)
        #expect(endless.requests.count == 6)
    }

    @Test("Rejected parts are counted, and the status says that the export is not complete")
    func partialSuccess() throws {
        let server = try CollectorServer("partial:7", "ok")
        let result = try send(to: server)
        #expect(result.status == 69)
        #expect(result.errors.contains("the collector rejected 7 of "), "\(result.errors)")
        #expect(result.errors.contains("spans: the quota is used up."), "\(result.errors)")
        #expect(server.requests.contains { $0[0] == "/v1/metrics" }, "the export continues")
    }

    @Test("A warning of the collector is printed, and is no failure")
    func warning() throws {
        let server = try CollectorServer("partial:0", "ok")
        let result = try send(to: server)
        #expect(result.status == 0)
        #expect(result.errors.contains("the collector has a message: the quota is used up"), "\(result.errors)")
    }

    @Test("A collector that hangs ends the export after the time limit")
    func hangs() throws {
        let server = try CollectorServer("hang")
        let result = try export(["--endpoint", server.endpoint, "--timeout", "1500ms"])
        #expect(result.status == 69)
        #expect(result.errors.contains("no response within 1500 ms. --timeout changes the limit."), "\(result.errors)")
        #expect(server.requests.count <= 1)
    }

    @Test("A server of another protocol, and an address without a server, get a sentence")
    func noCollector() throws {
        let server = try CollectorServer("garbage")
        let result = try send(to: server)
        #expect(result.status == 69)
        #expect(result.errors.contains("port 4317 is for gRPC"), "\(result.errors)")
        // The discard port of the loopback interface has no server.
        let missing = try export(["--endpoint", "http://127.0.0.1:9"])
        #expect(missing.status == 69)
        #expect(
            missing.errors.contains("cannot export to http://127.0.0.1:9/v1/traces: Connection refused."),
            "\(missing.errors)")
    }

    @Test(
        "Arguments that do not belong together are refused",
        arguments: [
            (["--format", "otlp", "--endpoint", "https://localhost:4318"], "no TLS"),
            (["--format", "otlp", "--endpoint", "localhost:4318"], "http://localhost:4318"),
            (["--format", "otlp", "--endpoint", "http://localhost", "-o", "spans.jsonl"], "Omit --output"),
            (["--format", "otlp", "--metrics", "-"], "different files"),
            (["--format", "otlp", "--timeout", "1s"], "--timeout requires --endpoint"),
            (["--format", "csv", "--endpoint", "http://localhost"], "require --format otlp"),
            (["--format", "otlp", "--table", "items"], "--table requires --format csv"),
        ])
    func refusesArguments(arguments: [String], message: String) throws {
        let result = try Program.queuescope.run(["export", Self.trace] + arguments)
        #expect(result.status == 64)
        #expect(result.errors.contains(message), "\(result.errors)")
    }

    @Test("A failed export leaves no unfinished file behind")
    func leavesNothing() throws {
        let file = directory.appending("spans.jsonl")
        #expect(try export(["-o", file], of: directory.appending("none")).status == 2)
        #expect(try export(["-o", "/dev/full"]).status == 73)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
        let metrics = try export(["-o", file, "--metrics", directory.appending("none/metrics.jsonl")])
        #expect(metrics.status == 73)
        #expect(metrics.errors.contains("Name another file with --metrics"), "\(metrics.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["spans.jsonl"])
    }
}

@Suite struct CollectorEndpointTests {
    @Test(
        "An address has a host, an optional port and an optional path",
        arguments: [
            ("http://localhost:4318", "localhost:4318", "/v1/traces"), ("HTTP://host", "host:4318", "/v1/traces"),
            ("http://host:80/a/b/", "host:80", "/a/b/v1/traces"), ("http://[::1]:9", "[::1]:9", "/v1/traces"),
        ])
    func accepts(text: String, authority: String, path: String) throws {
        let endpoint = try CollectorEndpoint(text)
        #expect(endpoint.authority == authority)
        #expect(endpoint.path(of: .traces) == path)
    }

    @Test(
        "Other addresses are refused",
        arguments: [
            "", "localhost", "ftp://host", "https://host", "http://", "http:///a", "http://host:0", "http://host:a",
            "http://host:65536", "http://user@host", "http://host?a=b", "http://host/a b", "http://host/\r\nX: 1",
            "http://host/v1/traces", "http://::1:4318",
        ])
    func refuses(text: String) { #expect(throws: CollectorEndpoint.Problem.self) { try CollectorEndpoint(text) } }
}

@Suite struct HTTPResponseParserTests {
    /// Parses a response that arrives in pieces of some bytes.
    private func parse(_ text: String, by size: Int, closes: Bool = false) throws -> HTTPResponse? {
        var parser = HTTPResponseParser([])
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            try parser.append(Array(bytes.prefix(size)))
            bytes = bytes.dropFirst(size)
            if let response = try parser.next() { return response }
        }
        return closes ? try parser.end() : nil
    }

    @Test("Bodies end by their length, by the last chunk or with the connection", arguments: [1, 3, 1_000])
    func framings(size: Int) throws {
        let sized = try #require(
            try parse("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nRetry-After:  5 \r\n\r\n{}", by: size))
        #expect(sized.body == Array("{}".utf8))
        #expect(sized.headers["retry-after"] == "5")
        #expect(sized.keepsConnection)
        let chunked = try #require(
            try parse(
                "HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x\r\n0123456789\r\n0\r\n\r\n", by: size
            )
        )
        #expect(String(decoding: chunked.body, as: UTF8.self) == "abc0123456789")
        let closed = try #require(try parse("HTTP/1.0 503 Later\r\n\r\nwait", by: size, closes: true))
        #expect(closed.status == 503 && closed.reason == "Later" && !closed.keepsConnection)
        let interim = try #require(
            try parse("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n", by: size))
        #expect(interim.status == 204 && interim.body.isEmpty && !interim.keepsConnection)
    }

    @Test(
        "Other bytes are no response",
        arguments: [
            "\0\0\u{6}", "SSH-2.0-x\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        ])
    func invalid(text: String) {
        #expect(throws: HTTPConnection.Failure.invalidResponse) { try parse(text, by: 1_000) }
    }

    @Test("A response that ends too early is a closed connection")
    func short() {
        for text in ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{}"] {
            #expect(throws: HTTPConnection.Failure.disconnected) { try parse(text, by: 1_000, closes: true) }
        }
    }
}
