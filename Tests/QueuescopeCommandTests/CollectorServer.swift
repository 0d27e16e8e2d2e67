import Foundation
import TestSupport
import Testing

/// An HTTP server that receives OTLP and answers as a test requires. Needs Python.
final class CollectorServer {
    /// The folder of the received messages.
    private let directory = TemporaryDirectory()
    private let process: Process
    /// The port on the loopback interface.
    let port: Int

    /// The answers come in the order of the arguments, and the last one is repeated.
    private static let script = #"""
        import http.server, json, socket, sys, threading

        directory, answers = sys.argv[1], sys.argv[2:]
        lock = threading.Lock()
        count = 0

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self):
                super().setup()
                self.connection.settimeout(600)

            def do_POST(self):
                global count
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with lock:
                    answer = answers[min(count, len(answers) - 1)]
                    count += 1
                kind, _, detail = answer.partition(":")
                with lock, open(directory + "/requests", "a") as log:
                    log.write(f"{self.path} {self.headers['Content-Type']} {self.client_address[1]} {answer}\n")
                if kind == "hang":
                    threading.Event().wait()
                if kind == "close":
                    self.close_connection = True
                    return
                if kind == "garbage":
                    self.wfile.write(b"\x00\x00\x06\x04\x00\x00\x00\x00\x00")
                    self.close_connection = True
                    return
                if kind in ("ok", "partial", "chunked", "once"):
                    with lock, open(directory + "/" + self.path.rsplit("/", 1)[1], "ab") as received:
                        received.write(body + b"\n")
                if kind == "partial":
                    rejected = "rejectedSpans" if self.path.endswith("traces") else "rejectedDataPoints"
                    self.answer(200, {"partialSuccess": {rejected: detail, "errorMessage": "the quota is used up"}})
                elif kind == "chunked":
                    self.send_response(200)
                    self.send_header("Transfer-Encoding", "chunked")
                    self.end_headers()
                    self.wfile.write(b"1;a=b\r\n{\r\n1\r\n}\r\n0\r\nTrailer: 1\r\n\r\n")
                elif kind == "once":
                    self.close_connection = True
                    self.answer(200, {}, close=True)
                elif kind == "ok":
                    self.answer(200, {})
                else:
                    self.answer(int(kind), {"message": "not now"}, retry=detail)

            def answer(self, status, message, retry="", close=False):
                text = json.dumps(message).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                if retry:
                    self.send_header("Retry-After", retry)
                if close:
                    self.send_header("Connection", "close")
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *arguments):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """#

    /// Starts a server.
    ///
    /// - Parameter answers: `ok`, `chunked`, `once` (closes the connection), `partial:N` (N rejected), a status with
    ///   `:` and the seconds to wait, `hang`, `close` and `garbage`.
    init(_ answers: String...) throws {
        let python = try #require(Program.installed("python3"))
        let output = directory.appending("out")
        process = try python.start(
            ["-c", Self.script, directory.path] + answers, output: output, errors: directory.appending("err"))
        var line = ""
        // A minute for the start of Python on a loaded machine.
        for _ in 0..<6_000 where !line.hasSuffix("\n") && process.isRunning {
            Thread.sleep(forTimeInterval: 0.01)
            line = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        }
        let found = Int(line.dropLast())
        if found == nil { process.terminate() }
        port = try #require(found, "the server did not start")
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    /// The address for `--endpoint`.
    var endpoint: String { "http://127.0.0.1:\(port)" }

    /// The requests as words: path, content type, port of the client, answer.
    var requests: [[Substring]] {
        let text = (try? String(contentsOfFile: directory.appending("requests"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map { $0.split(separator: " ") }
    }

    /// The file with the accepted messages of a kind of telemetry, one per line.
    func file(_ signal: String) -> String { directory.appending(signal) }
}
