import DispatchAnalysis
import DispatchModel
import Foundation
import TestSupport
import Testing
import TraceBuilder

@testable import ReportText
@testable import TraceReports

@Suite("The order in which the streams of a trace are read")
struct StreamOrderTests {
    private static let corpus = URL(filePath: Package.root + "/traces/1.1")

    static var traces: [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: corpus.path)
        return (names ?? []).sorted()
    }

    /// A copy of a trace whose stream files sort in the reverse order.
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

    /// The text report and the JSON report.
    private func reports(_ path: String) throws -> String {
        let analysis = try AnalysisSession().analyze(path: path)
        let style = TextStyle(width: 120, detail: .everything)
        let texts = try TextReport(analysis, style: style).render() + JSONReport(analysis).render()
        return texts.replacingOccurrences(of: path, with: "TRACE")
    }

    @Test("It does not change a byte of the reports", arguments: traces)
    func sameBytes(name: String) throws {
        let directory = TemporaryDirectory()
        let trace = Self.corpus.appending(path: name).appending(path: "trace")
        let first = try reports(trace.path)
        #expect(first.contains("\"TRACE\""))
        #expect(try reports(reversed(trace, in: directory).path) == first)
    }

    /// The events with coarse times, so that records of many threads have equal timestamps.
    private func coarse(_ events: [TimedEvent]) -> [TimedEvent] {
        events.map { event in
            var event = event
            event.time = Timestamp(nanoseconds: event.time.nanoseconds / 4_000 * 4_000)
            return event
        }
    }

    @Test("Many records of every kind with one timestamp do not change the reports either", arguments: 1...12)
    func sameBytesOfRandomProcesses(seed: UInt64) throws {
        let directory = TemporaryDirectory()
        let exact = RandomProcess(seed: seed).trace.events
        let events = seed % 2 == 0 ? exact : coarse(exact)
        var random = SeededGenerator(seed: seed)
        var first: String?
        for attempt in 0..<3 {
            let order = (0..<100).shuffled(using: &random)
            let path = "\(directory.path)/\(attempt)/trace"
            try TraceDirectory.write(events, to: path) { "stream-\(order[$0])" }
            let text = try reports(path)
            #expect(text.contains("\"events\" : \(events.count),"), "every record is read")
            #expect(text == first ?? text, "seed \(seed), attempt \(attempt)")
            first = text
        }
    }
}
