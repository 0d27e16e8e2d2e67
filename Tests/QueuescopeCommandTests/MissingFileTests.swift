import Foundation
import TestSupport
import Testing

/// Reports of traces with a removed or copied file: every command reports it and reads the rest.
@Suite struct MissingFileTests {
    private let queuescope = Program.queuescope
    private let directory = TemporaryDirectory()

    /// A copy of a recorded trace.
    private func copy(_ name: String = "1.6/news-service-before") throws -> String {
        let trace = directory.appending("trace")
        try? FileManager.default.removeItem(atPath: trace)
        try FileManager.default.copyItem(atPath: "\(Package.root)/traces/\(name)/trace", toPath: trace)
        return trace
    }

    /// Every command prints the sentence about the damaged trace.
    ///
    /// - Parameter canJudge: whether `check` gives a verdict, which has findings; otherwise it refuses the trace.
    private func expect(
        _ sentence: String, of trace: String, canJudge: Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        func words(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        let text = try queuescope.run(["report", trace])
        #expect(text.status == 0, sourceLocation: sourceLocation)
        #expect(words(text.output).contains(sentence), "\(text.output)", sourceLocation: sourceLocation)
        let json = try queuescope.run(["report", "--format", "json", trace])
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any], sourceLocation: sourceLocation
        )
        let notes = try #require((report["trace"] as? [String: Any])?["notes"] as? [String])
        #expect(notes.contains { $0.contains(sentence) }, "\(notes)", sourceLocation: sourceLocation)
        let events = try queuescope.run(["events", trace])
        #expect(
            events.status == 0 && events.errors.contains(sentence), "\(events.errors)", sourceLocation: sourceLocation)
        let check = try queuescope.run(["check", trace, "--fail-on", "info"])
        #expect(check.status == (canJudge ? 1 : 2), "\(check.output)", sourceLocation: sourceLocation)
        let verdict = canJudge ? check.output : check.errors
        #expect(words(verdict).contains(sentence), "\(verdict)", sourceLocation: sourceLocation)
        if canJudge { return }
        #expect(check.output.isEmpty, sourceLocation: sourceLocation)
        #expect(verdict.contains("cannot judge \(trace): a part of the recording is missing."), "\(verdict)")
        let diff = try queuescope.run(["diff", trace, trace])
        #expect(diff.status == 2 && diff.output.isEmpty, "\(diff.output)", sourceLocation: sourceLocation)
        let baseline = directory.appending("baseline.json")
        #expect(try queuescope.run(["check", trace, "--write-baseline", baseline]).status == 2)
        #expect(!FileManager.default.fileExists(atPath: baseline), sourceLocation: sourceLocation)
    }

    @Test("A missing stream file")
    func stream() throws {
        let trace = try copy()
        try FileManager.default.removeItem(atPath: trace + "/thread-0007")
        try expect("lacks 1 of 38 stream files (thread-0007)", of: trace, canJudge: false)
        let report = try queuescope.run(["report", trace]).output
        #expect(report.contains("files-whole"))
        #expect(report.contains("1 file with events at unknown times; every finding may be affected"))
    }

    @Test("A missing stream file of a trace that was killed on another machine")
    func lostMemory() throws {
        let trace = try copy()
        try FileManager.default.removeItem(atPath: trace + "/thread-0007")
        let origin = "shm 4711\nboot 5f0c\nipc 4026531839\n"
        try origin.write(toFile: trace + "/.arena", atomically: false, encoding: .utf8)
        try expect("lacks 1 of 38 stream files (thread-0007)", of: trace, canJudge: false)
    }

    @Test("Missing definitions")
    func definitions() throws {
        let trace = try copy()
        try FileManager.default.removeItem(atPath: trace + "/definitions")
        try expect("/definitions is missing: ", of: trace, canJudge: false)
    }

    @Test("A missing file of a trace without findings: the verdict names it")
    func cleanVerdict() throws {
        let trace = try copy("1.6/news-service-after")
        try FileManager.default.removeItem(atPath: trace + "/thread-0002")
        let report = try queuescope.run(["report", trace]).output
        let verdict = try #require(report.components(separatedBy: "VERDICT").dropFirst().first)
        #expect(
            verdict.contains("\n No detector found a problem.\n but         The trace lacks 1 file "),
            "\(verdict.prefix(500))")
    }

    @Test("A stream file that is cut off: events lists the rest and exits with 2, or with 0 if it is to keep going")
    func cutOff() throws {
        let trace = try copy()
        let file = trace + "/thread-0007"
        let bytes = try #require(FileManager.default.contents(atPath: file))
        try bytes.dropLast(100).write(to: URL(fileURLWithPath: file))
        let events = try queuescope.run(["events", trace])
        #expect(events.status == 2)
        #expect(events.lines.count > 1000)
        #expect(events.errors.contains("bytes, but the file has only "), "\(events.errors)")
        #expect(events.errors.contains("--keep-going"))
        let rest = try queuescope.run(["events", "--keep-going", trace])
        #expect(rest.status == 0)
        #expect(rest.output == events.output)
        let report = try queuescope.run(["report", trace])
        #expect(report.status == 0)
        #expect(report.output.contains("files-whole"))
    }

    @Test("A copied stream file: the report equals the report of the original trace, with a note")
    func copied() throws {
        let trace = try copy()
        let whole = try queuescope.run(["report", "--format", "json", trace])
        try FileManager.default.copyItem(atPath: trace + "/thread-0007", toPath: trace + "/thread-0007-copy")
        try expect("The file has the same packets as thread-0007", of: trace, canJudge: true)
        let copied = try queuescope.run(["report", "--format", "json", trace])
        func withoutNotes(_ text: String) throws -> NSDictionary {
            var report = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            var trace = try #require(report["trace"] as? [String: Any])
            trace["notes"] = nil
            report["trace"] = trace
            return report as NSDictionary
        }
        #expect(try withoutNotes(whole.output) == withoutNotes(copied.output))
    }
}
