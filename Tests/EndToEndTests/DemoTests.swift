import Foundation
import TestSupport
import Testing

@Suite("queuescope demo")
struct DemoTests {
    static let detectors = [
        "staircase-contention", "overlapping-handlers", "mutation-after-activation", "retarget-after-activation",
    ]

    @Test("records both variants, prints both reports and the difference, and writes both timelines")
    func runs() throws {
        let run = try #require(Demo.run)
        #expect(run.result.status == 0, "\(run.result.errors)")
        for detector in Self.detectors { #expect(run.result.output.contains(detector)) }
        let verdicts = run.result.output.split(separator: "\n").filter { $0.hasPrefix(" time ") }
        #expect(verdicts.count == 2, "each report begins with where the time went")
        for variant in ["before", "after"] {
            let page = try #require(FileManager.default.contents(atPath: run.timeline(variant)))
            #expect(page.count > 50_000 && page.starts(with: Data("<!DOCTYPE html>".utf8)))
        }
    }

    @Test("finds the four problems before the fix", arguments: detectors)
    func before(detector: String) throws {
        let findings = try Demo.report("before").findings(of: detector)
        #expect(!findings.isEmpty)
        for finding in findings {
            #expect(!finding.queues.isEmpty, "names its queues")
            #expect(finding.code.contains { $0.file.hasPrefix("NewsService/") && $0.line > 0 }, "names file and line")
        }
    }

    @Test("finds them on the right queues, in the right code")
    func rightPlaces() throws {
        let report = try Demo.report("before")
        let staircase = try #require(report.findings(of: "staircase-contention").first)
        #expect(staircase.queues.first == "news.state")
        #expect(staircase.code.contains { $0.file == "NewsService/StateStore.swift" })
        let overlap = try #require(report.findings(of: "overlapping-handlers").first)
        #expect(overlap.queues.count >= 2 && overlap.queues.allSatisfy { $0.hasPrefix("news.connection.") })
        for detector in ["mutation-after-activation", "retarget-after-activation"] {
            let misuse = try #require(report.findings(of: detector).first)
            #expect(misuse.queues.contains { $0.hasPrefix("news.connection.") }, "\(misuse.queues)")
            #expect(misuse.code.first?.file == "NewsService/ScatteredConnection.swift")
            #expect(misuse.stacks.count >= 2, "the stack of the call and of the activation")
            #expect(misuse.stacks.allSatisfy { !$0.frames.isEmpty })
        }
    }

    @Test("finds none of them after the fix", arguments: detectors)
    func after(detector: String) throws {
        let findings = try Demo.report("after").findings(of: detector)
        #expect(findings.isEmpty, "\(findings.map(\.summary))")
    }

    @Test("loses no event", arguments: ["before", "after"])
    func complete(variant: String) throws {
        let trace = try Demo.report(variant).trace
        #expect(trace.discarded == 0)
        #expect(trace.events > 10_000)
    }

    @Test(
        "lists the events as babeltrace2 does: same count, order, names and values",
        .enabled(if: Program.canRun("babeltrace2")), arguments: ["before", "after"])
    func events(variant: String) throws {
        let trace = try #require(Demo.run).trace(variant)
        let theirs = try #require(Program.babeltrace2).run([trace])
        let ours = try Program.queuescope.run(["events", trace])
        #expect(theirs.errors.isEmpty && ours.errors.isEmpty, "\(theirs.errors) \(ours.errors)")
        #expect(theirs.lines.count == (try Demo.report(variant).trace.events))
        #expect(ours.lines.count == theirs.lines.count)
        let firstDifference = zip(ours.lines, theirs.lines).first { !Self.isSameRecord($0, as: $1) }
        #expect(firstDifference == nil)
    }

    /// Whether two lines are equal, apart from a defect of babeltrace2 2.0.4: in place of an empty string it prints the
    /// string that the same field had in an earlier record.
    private static func isSameRecord(_ ours: Substring, as theirs: Substring) -> Bool {
        if ours == theirs { return true }
        let pieces = ours.split(separator: "\"\"", omittingEmptySubsequences: false)
        guard pieces.count > 1, theirs.hasPrefix(pieces[0]), theirs.hasSuffix(pieces[pieces.count - 1]) else {
            return false
        }
        var rest = theirs.dropFirst(pieces[0].count)
        for piece in pieces.dropFirst() {
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return false }
            rest = rest[rest.index(after: end)...]
            guard rest.hasPrefix(piece) else { return false }
            rest = rest.dropFirst(piece.count)
        }
        return rest.isEmpty
    }

    @Test(
        "reports in JSON that the published schema accepts", .enabled(if: Program.canRun("python3")),
        arguments: ["before", "after"])
    func schema(variant: String) throws {
        let run = try #require(Demo.run)
        let directory = TemporaryDirectory()
        let (schema, report) = (directory.appending("schema.json"), directory.appending("report.json"))
        #expect(try Program.queuescope.run(["report", "--schema", "-o", schema]).status == 0)
        #expect(
            try Program.queuescope.run(["report", run.trace(variant), "--format", "json", "-o", report]).status == 0)
        #expect(try Program.schemaErrors(of: report, schema: schema) == "")
    }

    @Test(
        "draws a timeline that a person can use in Chromium", .enabled(if: Program.canRun("chromium", "chromedriver")),
        arguments: ["before", "after"])
    func timeline(variant: String) throws {
        let run = try #require(Demo.run)
        let result = try #require(Program.installed("python3")).run([
            Package.root + "/Tools/browser-tests/drive.py", run.timeline(variant), "--screenshots", run.directory.path,
        ])
        #expect(result.status == 0, "\(result.output) \(result.errors)")
    }
}
