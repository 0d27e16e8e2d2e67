import Foundation
import TestSupport
import Testing

/// `queuescope check` on recorded traces: its output and its exit codes.
@Suite struct CheckCommandTests {
    private let queuescope = Program.queuescope
    private static let traces = Package.root + "/traces/1.1"
    private let before = traces + "/news-service-before/trace"
    private let after = traces + "/news-service-after/trace"

    @Test("A trace with warnings fails with 1, one without passes with 0")
    func decides() throws {
        let failed = try queuescope.run(["check", before])
        #expect(failed.status == 1)
        #expect(failed.output.hasPrefix("FAILED: "))
        #expect(failed.output.contains("staircase-contention"))
        #expect(failed.errors.isEmpty)
        let passed = try queuescope.run(["check", after])
        #expect(passed.status == 0)
        #expect(passed.output.hasPrefix("passed: "))
    }

    @Test("A trace without a readable event cannot be judged", arguments: ["random", "empty", "none"])
    func refusesUnreadableStreams(content: String) throws {
        let directory = TemporaryDirectory()
        let trace = directory.appending("trace.ctf")
        try FileManager.default.copyItem(atPath: after, toPath: trace)
        for name in try FileManager.default.contentsOfDirectory(atPath: trace) where name != "metadata" {
            let file = trace + "/" + name
            try FileManager.default.removeItem(atPath: file)
            guard content != "none" else { continue }
            try Data(repeating: 0x5A, count: content == "empty" ? 0 : 4_096).write(to: URL(fileURLWithPath: file))
        }
        let result = try queuescope.run(["check", trace])
        #expect(result.status == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasPrefix("queuescope: cannot judge \(trace): no event of it could be read."))
        #expect(result.errors.contains("Expected a packet") == (content == "random"), "\(result.errors)")
        for traces in [[trace, after], [after, trace]] {
            let diff = try queuescope.run(["diff"] + traces)
            #expect((diff.status, diff.output, diff.errors) == (2, "", result.errors))
        }
        let report = try queuescope.run(["report", trace]).output
        #expect(report.contains("Nothing to judge") && !report.contains("No problem found") && !report.contains("100%"))
    }

    @Test("A trace of a program that crashed fails with 1, with every policy and baseline, and names the signal")
    func failsOnACrash() throws {
        let directory = TemporaryDirectory()
        let (trace, baseline) = (directory.appending("trace"), directory.appending("baseline.json"))
        try FileManager.default.copyItem(atPath: after, toPath: trace)
        func end(_ text: String) throws {
            try text.write(toFile: trace + "/.ending", atomically: false, encoding: .utf8)
        }
        try end("killed 11\n")
        #expect(try queuescope.run(["check", trace, "--write-baseline", baseline]).status == 0)
        for options in [[], ["--fail-on", "error"], ["--baseline", baseline], ["--to", "100ms"]] {
            let failed = try queuescope.run(["check", trace] + options)
            #expect(failed.status == 1)
            let sentence = "FAILED: the program crashed: it ended by signal 11 (Segmentation fault).\n"
            #expect(failed.output.hasPrefix(sentence) && !failed.output.contains("passed"), "\(failed.output)")
        }
        let markdown = try queuescope.run(["check", trace, "--format", "markdown"])
        let headline = "### Queuescope: check failed, the program crashed\n"
        #expect(markdown.status == 1 && markdown.output.hasPrefix(headline))
        let json = try queuescope.run(["check", trace, "--format", "json"])
        let check = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(json.status == 1 && check?["passed"] as? Bool == false && check?["crashed"] as? Bool == true)
        let sarif = try queuescope.run(["check", trace, "--format", "sarif"])
        #expect(sarif.status == 1 && sarif.output.contains("The program crashed: it ended by signal 11"))
        // diff: only the run to judge crashed, both crashed, only the run before.
        let diff = try queuescope.run(["diff", before, trace])
        #expect(diff.status == 1)
        let words = diff.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("Worse: the program crashed (it ended by signal 11 (Segmentation fault)), "), "\(words)")
        #expect(try queuescope.run(["diff", trace, trace]).status == 0)
        #expect(try queuescope.run(["diff", trace, after]).status == 0)
        // SIGTERM and SIGKILL come from outside.
        for text in ["killed 15", "killed 9", "exited 3"] {
            try end(text)
            #expect(try queuescope.run(["check", trace]).status == 0)
        }
    }

    @Test("Only the severities and detectors of --fail-on fail the check")
    func obeysFailOn() throws {
        #expect(try queuescope.run(["check", before, "--fail-on", "error"]).status == 0)
        #expect(try queuescope.run(["check", before, "--fail-on", "error", "staircase-contention"]).status == 1)
    }

    @Test("With a window only findings of that part count")
    func readsAPart() throws {
        #expect(try queuescope.run(["check", before, "--to", "100ms"]).status == 1)
        let result = try queuescope.run(["check", before, "--from", "-1us"])
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains("Read: "))
    }

    @Test("With a baseline known findings pass and new ones fail")
    func comparesWithABaseline() throws {
        let directory = TemporaryDirectory()
        let (known, none) = (directory.appending("known.json"), directory.appending("none.json"))
        #expect(try queuescope.run(["check", before, "--write-baseline", known]).status == 0)
        #expect(try queuescope.run(["check", after, "--write-baseline", none]).status == 0)
        #expect(try queuescope.run(["check", before, "--baseline", known]).status == 0)
        let failed = try queuescope.run(["check", before, "--baseline", none])
        #expect(failed.status == 1)
        #expect(failed.output.contains(" new "))
        let better = try queuescope.run(["check", after, "--baseline", known])
        #expect(better.status == 0)
        #expect(better.output.contains(" gone "))
    }

    @Test("The number of entries in a new baseline is printed")
    func countsEntries() throws {
        let directory = TemporaryDirectory()
        for trace in try FileManager.default.contentsOfDirectory(atPath: Self.traces) {
            let file = directory.appending(trace)
            let result = try queuescope.run(["check", "\(Self.traces)/\(trace)/trace", "--write-baseline", file])
            let baseline = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: file)))
            let count = ((baseline as? [String: Any])?["findings"] as? [Any])?.count ?? -1
            #expect(result.errors.hasPrefix("queuescope: wrote \(count) finding"))
        }
    }

    @Test("An error about an unwritable baseline names its option, and --write-baseline excludes other outputs")
    func namesTheOption() throws {
        let failed = try queuescope.run(["check", after, "--write-baseline", "/nonexistent/x"])
        #expect(failed.status == 73)
        #expect(failed.errors.contains("Name another file with --write-baseline"))
        for option in [["--format", "text"], ["--output", "x"]] {
            let refused = try queuescope.run(["check", after, "--write-baseline", "/nonexistent/x"] + option)
            #expect(refused.status == 64)
        }
    }

    @Test("A baseline is either read or written")
    func readsOrWrites() throws {
        #expect(try queuescope.run(["check", before, "--baseline", "a", "--write-baseline", "b"]).status == 64)
    }

    @Test("A baseline matches the same problem in another recording of the same program")
    func recognisesOtherRecordings() throws {
        let directory = TemporaryDirectory()
        let known = directory.appending("known.json")
        let earlier = Self.traces + "/../1.0/news-service-before/trace"
        #expect(try queuescope.run(["check", earlier, "--write-baseline", known]).status == 0)
        #expect(try queuescope.run(["check", before, "--baseline", known]).status == 0)
    }

    @Test("An unusable baseline is reported in one sentence with status 64")
    func refusesOtherBaselines() throws {
        let directory = TemporaryDirectory()
        let file = directory.appending("baseline.json")
        let missing = try queuescope.run(["check", before, "--baseline", file])
        #expect(missing.status == 64)
        #expect(missing.errors.hasPrefix("queuescope: cannot read the baseline \(file): "))
        try Data("{}".utf8).write(to: URL(fileURLWithPath: file))
        let broken = try queuescope.run(["check", before, "--baseline", file])
        #expect(broken.status == 64)
        #expect(broken.errors.hasPrefix("queuescope: cannot use \(file) as a baseline: "))
        #expect(try queuescope.run(["check", before, "--fail-on", "fatal"]).status == 64)
    }

    @Test(
        "SARIF of a report and of a check satisfies the published schema",
        .enabled(if: Program.canImport("jsonschema", "schemastore")))
    func writesSARIF() throws {
        let directory = TemporaryDirectory()
        let (report, check) = (directory.appending("report.sarif"), directory.appending("check.sarif"))
        let root = Self.traces + "/../.."
        #expect(
            try queuescope.run(["report", before, "--format", "sarif", "--source-root", root, "-o", report]).status == 0
        )
        #expect(try queuescope.run(["check", before, "--format", "sarif", "-o", check]).status == 1)
        #expect(
            try String(contentsOfFile: report, encoding: .utf8).contains("\"Sources/NewsService/StateStore.swift\""))
        let mistyped = try queuescope.run(["report", before, "--format", "sarif", "--source-root", root + "/nowhere"])
        #expect(mistyped.status == 64 && mistyped.errors.contains("there is no such folder"))
        let result = try #require(Program.installed("python3")).run([root + "/Tools/validate-sarif", report, check])
        #expect(result.status == 0, "\(result.output) \(result.errors)")
    }

    @Test("The JSON outcome satisfies the schema that it prints", .enabled(if: Program.canImport("jsonschema")))
    func satisfiesItsSchema() throws {
        let directory = TemporaryDirectory()
        let (schema, outcome) = (directory.appending("schema.json"), directory.appending("check.json"))
        #expect(try queuescope.run(["check", "--schema", "-o", schema]).status == 0)
        #expect(try queuescope.run(["check", before, "--format", "json", "-o", outcome]).status == 1)
        #expect(try Program.schemaErrors(of: outcome, schema: schema) == "")
    }
}
