import DispatchAnalysis
import Foundation
import TestSupport
import Testing

@testable import AnalysisText
@testable import ReportText
@testable import TraceReports

@Suite struct SARIFReportTests {
    private func run(_ report: SARIFReport) throws -> [String: Any] {
        let log = try JSONSerialization.jsonObject(with: Data(try report.render().utf8)) as? [String: Any]
        #expect(log?["version"] as? String == "2.1.0")
        return try #require((log?["runs"] as? [[String: Any]])?.first)
    }

    private func results(_ report: SARIFReport) throws -> [[String: Any]] {
        try #require(try run(report)["results"] as? [[String: Any]])
    }

    private func physical(_ result: [String: Any]) throws -> [String: Any] {
        let location = try #require((result["locations"] as? [[String: Any]])?.first)
        return try #require(location["physicalLocation"] as? [String: Any])
    }

    @Test("Each finding is a result on its line, with its detector as rule")
    func placesFindings() throws {
        let run = try run(SARIFReport(SampleAnalysis.troubled(), version: "1.2.3"))
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(results.map { $0["level"] as? String } == ["warning", "warning", "error"])
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        let rules = try #require(driver["rules"] as? [[String: Any]])
        #expect(rules.count == DetectorRegistry.all.count)
        for result in results {
            let index = try #require(result["ruleIndex"] as? Int)
            #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
        }
        let place = try physical(results[0])
        #expect((place["region"] as? [String: Any])?["startLine"] as? Int == 42)
        #expect(
            place["artifactLocation"] as? [String: String]
                == ["uri": "NewsService/StateStore.swift", "uriBaseId": "SRCROOT"])
        #expect((results[2]["stacks"] as? [Any])?.count == 2)
    }

    @Test("With the project folder, files have their paths in it")
    func findsSources() throws {
        let project = TemporaryDirectory()
        for file in [
            "Sources/NewsService/StateStore.swift", "Sources/Other/StateStore.swift", ".build/NewsService/x.swift",
            "Sources/Connection/Connection.swift",
        ] {
            let url = URL(fileURLWithPath: project.appending(file))
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: url)
        }
        let tree = SourceTree(root: project.path)
        #expect(tree.path(of: "NewsService/StateStore.swift") == "Sources/NewsService/StateStore.swift")
        #expect(tree.path(of: "NewsService/Connection.swift") == "Sources/Connection/Connection.swift")
        #expect(tree.path(of: "Missing/StateStore.swift") == nil, "two files have this name")
        #expect(tree.path(of: "NewsService/x.swift") == nil, "hidden folders are not the project's")
        #expect(tree.path(of: project.path + "/Sources/A.swift") == "Sources/A.swift")
        #expect(tree.path(of: "/elsewhere/Sources/Other/StateStore.swift") == "Sources/Other/StateStore.swift")
        let results = try results(SARIFReport(SampleAnalysis.troubled(), sources: tree, version: "1"))
        let artifact = try physical(results[0])["artifactLocation"] as? [String: String]
        #expect(artifact?["uri"] == "Sources/NewsService/StateStore.swift")
    }

    @Test("A result has the kind of its fix")
    func namesTheFix() throws {
        let results = try results(SARIFReport(SampleAnalysis.troubled(), version: "1"))
        let fixes = results.map { ($0["properties"] as? [String: Any])?["fix"] as? String }
        #expect(fixes == ["use-lock", "share-target-queue", "set-up-first"])
    }

    @Test("Two findings with the same fingerprint get different fingerprints")
    func numbersFingerprints() throws {
        let once = SampleAnalysis.troubled()
        let twice = Analysis(
            trace: once.trace, quality: once.quality, queues: once.queues, threads: once.threads,
            findings: once.findings + once.findings.suffix(1), model: once.model)
        let results = try results(SARIFReport(twice, version: "1"))
        let prints = results.compactMap { ($0["partialFingerprints"] as? [String: String])?["queuescope/v1"] }
        #expect(Set(prints).count == results.count)
        #expect(prints.last == "\(prints[prints.count - 2]):2")
    }

    @Test("In a check, results are new, unchanged, updated (worse) or absent")
    func tellsTheBaselineState() throws {
        let analysis = SampleAnalysis.troubled()
        let known = FindingIdentity(analysis.findings[0], in: analysis.model)
        let old = FindingIdentity(detector: "overlapping-handlers", objects: ["news.old"], code: ["x"])
        let check = FindingCheck(
            analysis, policy: try FailurePolicy(words: []), baseline: Baseline(findings: [.init(known), .init(old)]))
        let results = try results(SARIFReport(analysis, version: "1", check: check))
        #expect(results.map { $0["baselineState"] as? String } == ["unchanged", "new", "new", "absent"])
        #expect(
            (results[0]["partialFingerprints"] as? [String: String])?["queuescope/v1"] == known.fingerprint)
        let milder = Baseline(findings: [.init(known, severity: .info)])
        let risen = FindingCheck(analysis, policy: try FailurePolicy(words: []), baseline: milder)
        let updated = try self.results(SARIFReport(analysis, version: "1", check: risen))
        #expect(updated[0]["baselineState"] as? String == "updated")
        #expect(try self.results(SARIFReport(analysis, version: "1")).allSatisfy { $0["baselineState"] == nil })
    }

    @Test(
        "The published schema of SARIF 2.1.0 accepts every log",
        .enabled(if: Program.canImport("jsonschema", "schemastore")))
    func satisfiesThePublishedSchema() throws {
        let directory = TemporaryDirectory()
        let troubled = SampleAnalysis.troubled(label: "\u{202E}\"a b\\")
        let check = FindingCheck(
            troubled, policy: try FailurePolicy(words: []),
            baseline: Baseline(findings: [
                .init(FindingIdentity(detector: "overlapping-handlers", objects: [], code: []))
            ]))
        var files: [String] = []
        for report in [
            SARIFReport(troubled, version: "1.0.0"), SARIFReport(SampleAnalysis.clean(), version: "1.0.0"),
            SARIFReport(troubled, version: "1.0.0", check: check),
        ] {
            files.append(directory.appending("\(files.count).sarif"))
            try Data(report.render().utf8).write(to: URL(fileURLWithPath: files.last ?? ""))
        }
        let tool = Package.root + "/Tools/validate-sarif"
        let python = try #require(Program.installed("python3"))
        let result = try python.run([tool] + files)
        #expect(result.status == 0, "\(result.output) \(result.errors)")
        // The validator rejects an invalid log.
        let broken = directory.appending("broken.sarif")
        try Data("{\"version\": \"2.1.0\", \"runs\": [{\"tool\": {}}]}".utf8).write(to: URL(fileURLWithPath: broken))
        #expect(try python.run([tool, broken]).status == 1)
    }
}
