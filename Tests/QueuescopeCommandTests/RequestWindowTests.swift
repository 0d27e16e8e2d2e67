import Foundation
import TestSupport
import Testing
import TraceBuilder

/// `report --request` for a part of a trace of several processes.
@Suite struct RequestWindowTests {
    private let directory = TemporaryDirectory()

    /// A process with one span on a task. The length is in µs.
    private func write(process: UInt8, span: Int, begin: Double, length: Double) throws {
        var trace = TraceBuilder()
        let message = "00-4bf92f3577b34da6a3ce929d0e0e473\(process)-000000000000000\(span)-01"
        trace.add(.taskEnqueue(.init(task: 1, executor: 0, code: 0)), at: begin - 10, thread: 1)
        trace.add(.taskBegin(.init(task: 1, executor: 0)), at: begin - 5, thread: 2)
        trace.add(.signpostBegin(.init(signpost: 1, log: 1, code: 0, message: message)), at: begin, thread: 2)
        trace.add(.signpostEnd(.init(signpost: 1, log: 1, code: 0, message: "")), at: begin + length, thread: 2)
        trace.add(.taskFinish(.init(task: 1)), at: begin + length + 5, thread: 2)
        try TraceDirectory.write(trace.events, to: directory.appending("all/\(process)"), process: process) { "s\($0)" }
    }

    @Test("A process that ended before the window is not confused with one in the window", arguments: [false, true])
    func endedProcess(isWindow: Bool) throws {
        try write(process: 0, span: 1, begin: 100, length: 1_000)
        try write(process: 1, span: 2, begin: 10_000, length: 500)
        let window = isWindow ? ["--from", "5ms"] : []
        let result = try Program.queuescope.run(
            ["report", directory.appending("all"), "--request", "slowest", "--format", "json"] + window)
        #expect(result.status == 0, "\(result.errors)")
        let report = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        let request = try #require((report?["requests"] as? [[String: Any]])?.first)
        #expect(request["span_id"] as? String == "000000000000000\(isWindow ? 2 : 1)")
        let spans = try #require(request["spans"] as? [[String: Any]])
        #expect(spans.map { $0["pid"] as? Int } == [isWindow ? 78 : 77])
    }
}
