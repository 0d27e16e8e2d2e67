import CTFReader
import Foundation
import TestSupport
import Testing

/// A trace that the probe recorded, with its events as lines.
struct RecordedTrace {
    /// One event record, with its payload as the probe prints it.
    struct Line: Equatable {
        let name: String
        let values: [String]
        let tid: UInt32
        /// Nanoseconds from the clock's origin.
        let time: Int64
    }

    let lines: [Line]
    let summary: ReadSummary
    /// The number of streams with a file, without the definitions: in the metadata, and in the directory.
    let streamCounts: (declared: Int64?, found: Int64)
    /// The size of these files and the definitions: in the metadata, and in the directory.
    let streamBytes: (declared: Int64?, found: Int64)

    /// Reads every event record of the directory.
    init(_ path: String) throws {
        let trace = try CTFTrace(path: path)
        streamCounts = (
            trace.environment["streams"]?.integerValue,
            Int64(trace.streamFiles.count { $0.name != "definitions" && !$0.isEmpty })
        )
        streamBytes = (trace.environment["stream_bytes"]?.integerValue, Int64(trace.totalBytes))
        var lines: [Line] = []
        summary = try trace.forEachEvent { record in
            let eventClass = trace.eventClasses[record.classIndex]
            let values = eventClass.fields.indices.map { record.value($0).recordedText }
            let name = eventClass.name.split(separator: ":").last.map(String.init) ?? ""
            lines.append(Line(name: name, values: values, tid: record.packetTID, time: record.nanoseconds))
        }
        self.lines = lines
    }

    func lines(named names: Set<String>) -> [Line] { lines.filter { names.contains($0.name) } }
}

extension Program {
    /// The scenarios of the recorder. Each runs in a separate process.
    static let probe = Program.built("RecorderProbe")

    /// Runs a scenario and expects it to succeed.
    func scenario(_ arguments: String...) throws -> Result {
        let result = try run(arguments)
        try #require(result.status == 0, "RecorderProbe \(arguments): \(result.status) \(result.errors)")
        return result
    }
}

/// The numbers in `attempted 10 discarded 2`, by name.
func counts(in output: String) -> [String: Int] {
    let words = output.split(whereSeparator: \.isWhitespace)
    var counts: [String: Int] = [:]
    for index in stride(from: 0, to: words.count - 1, by: 2) { counts[String(words[index])] = Int(words[index + 1]) }
    return counts
}
