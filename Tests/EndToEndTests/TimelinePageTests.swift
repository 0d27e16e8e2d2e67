import Foundation
import TestSupport
import Testing

/// The timeline page of recorded traces in a real browser. See `Tools/browser-tests` for the requirements.
@Suite(
    "The timeline in Chromium",
    .enabled(if: Program.canRun("chromium", "chromedriver") && Program.canImport("selenium")))
struct TimelinePageTests {
    /// Writes the timeline of a corpus trace and runs a browser script on the page.
    private static func drive(_ script: String, _ trace: String, _ arguments: [String] = []) throws -> Program.Result {
        try drive(script, at: "\(Package.root)/traces/\(trace)/trace", arguments)
    }

    private static func drive(
        _ script: String, at trace: String, drawn options: [String] = [], _ arguments: [String]
    ) throws -> Program.Result {
        let directory = TemporaryDirectory()
        let page = directory.appending("timeline.html")
        let drawn = try Program.queuescope.run(["timeline", trace, "-o", page] + options)
        #expect(drawn.status == 0, "\(drawn.errors)")
        return try #require(Program.installed("python3")).run(
            ["\(Package.root)/Tools/browser-tests/\(script)", page] + arguments)
    }

    @Test(
        "every control works, in both themes",
        arguments: [("1.1/news-service-before", []), ("1.1/readers-writer", ["--dark"])])
    func controls(trace: String, arguments: [String]) throws {
        let result = try Self.drive("drive.py", trace, arguments)
        #expect(result.status == 0, "\(result.output) \(result.errors)")
    }

    @Test(
        "every control works for new recordings: with processors and workers, items that never began, and tasks",
        arguments: [("connection-handlers", []), ("suspended-decoder", ["--stuck"]), ("price-board", ["--tasks"])])
    func recorded(scenario: String, arguments: [String]) throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let program = Program.built("ScenarioProgram").path
        // A watchdog ends the hung program, so the exit status of the recording is not checked.
        _ = try Program.queuescope.run(["record", "--limit", "64M", "-o", trace, "--", program, scenario])
        let result = try Self.drive("drive.py", at: trace, arguments)
        #expect(result.status == 0, "\(result.output) \(result.errors)")
    }

    @Test("shows the queues of a finding that has thousands of them")
    func manyQueues() throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace")
        let program = Program.built("ManyQueues").path
        let recorded = try Program.queuescope.run(["record", "-o", trace, "--", program, "2", "2000", "20000"])
        #expect(recorded.status == 0, "\(recorded.errors)")
        let result = try Self.drive("drive.py", at: trace, ["--many"])
        #expect(result.status == 0, "\(result.output) \(result.errors)")
    }

    @Test("compares two traces, and marks findings as new, gone or changed")
    func comparison() throws {
        let result = try Self.drive(
            "drive.py", at: "\(Package.root)/traces/1.1/news-service-before/trace",
            drawn: ["--compare", "\(Package.root)/traces/1.1/news-service-after/trace"], ["--compared"])
        #expect(result.status == 0, "\(result.output) \(result.errors)")
    }

    @Test("shows a time range of a trace")
    func part() throws {
        let result = try Self.drive(
            "drive.py", at: "\(Package.root)/traces/1.1/news-service-before/trace",
            drawn: ["--from", "100ms", "--to", "150ms"], ["--part"])
        #expect(result.status == 0, "\(result.output) \(result.errors)")
    }

    @Test("has links from code to its source")
    func links() throws {
        let result = try Self.drive(
            "drive.py", at: "\(Package.root)/traces/1.6/news-service-before/trace",
            drawn: ["--links", "vscode", "--source-root", Package.root], ["--linked"])
        #expect(result.status == 0, "\(result.output) \(result.errors)")
    }

    @Test("lists the items that the budget left out")
    func budget() throws {
        let result = try Self.drive(
            "drive.py", at: "\(Package.root)/traces/1.1/news-service-before/trace", drawn: ["--budget", "600K"],
            ["--summed"])
        #expect(result.status == 0, "\(result.output) \(result.errors)")
    }

    @Test("matches the reference pictures")
    func pictures() throws {
        let result = try Self.drive("pictures.py", "1.1/news-service-before")
        #expect(result.status == 0, "\(result.output) \(result.errors)")
    }

    @Test("shows hostile texts as plain text, and blocks and reports every violation of its security policy")
    func security() throws {
        let result = try Self.drive("security.py", "1.1/plain-news-service-before")
        #expect(result.status == 0, "\(result.output) \(result.errors)")
    }
}
