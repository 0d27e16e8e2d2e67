import DispatchAnalysis
import DispatchModel
import Foundation
import TestSupport
import Testing

@Suite("The demo service without Queuescope")
struct PlainServiceTests {
    static let detectors = [
        "staircase-contention", "overlapping-handlers", "mutation-after-activation", "retarget-after-activation",
    ]

    struct Recording {
        // Keeps the trace until the tests have ended.
        let directory: TemporaryDirectory
        let run: ProgramRun
        let analysis: Analysis
    }

    /// Records a variant up to three times until the detectors with findings are the expected ones. Two findings depend
    /// on timing.
    static func record(_ variant: String, until isExpected: (Set<String>) -> Bool) throws -> Recording {
        try repeatedRecording {
            let directory = TemporaryDirectory()
            let trace = directory.appending("trace")
            let run = try ProgramRun.recorded(
                Program.built("PlainNewsService").path, ["--variant", variant], trace: trace)
            return Recording(directory: directory, run: run, analysis: try AnalysisSession().analyze(path: trace))
        } until: {
            isExpected(Set($0.analysis.findings.map(\.detector)))
        }
    }

    nonisolated(unsafe) static let before = Result { try record("before") { $0.isSuperset(of: detectors) } }
    nonisolated(unsafe) static let after = Result { try record("after") { $0.isDisjoint(with: detectors) } }

    @Test("has nothing of Queuescope in it")
    func isPlain() throws {
        let executable = try #require(FileManager.default.contents(atPath: Program.built("PlainNewsService").path))
        #expect(executable.range(of: Data("QUEUESCOPE_TRACE".utf8)) == nil)
    }

    @Test("answers as it does unrecorded, and as the traced one does")
    func sameAnswers() throws {
        struct Outcome: Decodable {
            let checksum: String
            let requests: Int
        }
        let outcome = { try JSONDecoder().decode(Outcome.self, from: Data(($0 as String).utf8)) }
        let plain = try outcome(Program.built("PlainNewsService").run(["--variant", "before"]).output)
        let traced = try outcome(Program.built("NewsService").run(["--variant", "before"]).output)
        let recorded = try outcome(Self.before.get().run.output)
        #expect(recorded.checksum == plain.checksum && recorded.checksum == traced.checksum)
        #expect(recorded.requests == plain.requests)
    }

    @Test("gives the four findings before the fix", arguments: detectors)
    func fourFindings(detector: String) throws {
        let analysis = try Self.before.get().analysis
        let findings = analysis.findings.filter { $0.detector == detector }
        #expect(!findings.isEmpty)
        for finding in findings { #expect(!finding.queues.isEmpty, "names its queues") }
    }

    @Test("gives them on the right queues")
    func rightQueues() throws {
        let analysis = try Self.before.get().analysis
        let labels = { (detector: String) in
            analysis.findings.filter { $0.detector == detector }.flatMap(\.queues).map { analysis.model[$0].label }
        }
        #expect(labels("staircase-contention").first == "news.state")
        for detector in Self.detectors.dropFirst() {
            let found = labels(detector)
            #expect(found.contains { $0.hasPrefix("news.connection.") }, "\(detector): \(found)")
        }
    }

    @Test("gives none of them after the fix", arguments: detectors)
    func noFindings(detector: String) throws {
        let findings = try Self.after.get().analysis.findings.filter { $0.detector == detector }
        #expect(findings.isEmpty, "\(findings.map(\.summary))")
    }

    @Test("loses no event and breaks no invariant", arguments: ["before", "after"])
    func complete(variant: String) throws {
        let analysis = try (variant == "before" ? Self.before : Self.after).get().analysis
        #expect(analysis.trace.discarded == 0)
        for check in analysis.quality.checks {
            #expect(check.passed, "\(check.id): \(check.violations) of \(check.checked)")
        }
    }
}
