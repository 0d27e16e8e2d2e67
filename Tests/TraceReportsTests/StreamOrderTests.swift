import DispatchAnalysis
import Foundation
import TestSupport
import Testing

@testable import TraceReports

@Suite("The order in which the streams of a trace are read")
struct StreamOrderTests {
    private static let corpus = URL(filePath: #filePath).appending(path: "../../../traces/1.1").standardizedFileURL

    static var traces: [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: corpus.path)
        return (names ?? []).sorted()
    }

    /// A copy of a trace whose streams sort the other way round.
    private func reversed(_ trace: URL, in directory: TemporaryDirectory) throws -> URL {
        let copy = URL(filePath: directory.path).appending(path: "reversed")
        let files = FileManager.default
        try files.createDirectory(at: copy, withIntermediateDirectories: true)
        let names = try files.contentsOfDirectory(atPath: trace.path).sorted()
        for (number, name) in names.reversed().enumerated() {
            let other = name == "metadata" ? name : "stream-\(number + 1000)"
            try files.copyItem(at: trace.appending(path: name), to: copy.appending(path: other))
        }
        return copy
    }

    private func report(_ trace: URL) throws -> String {
        let text = try JSONReport(Analyzer.analyze(path: trace.path)).render()
        return text.replacingOccurrences(of: trace.path, with: "TRACE")
    }

    @Test("It does not change a byte of the report", arguments: traces)
    func sameBytes(name: String) throws {
        let directory = TemporaryDirectory()
        let trace = Self.corpus.appending(path: name).appending(path: "trace")
        let first = try report(trace)
        #expect(first.contains("\"TRACE\""))
        #expect(try report(reversed(trace, in: directory)) == first)
    }
}
