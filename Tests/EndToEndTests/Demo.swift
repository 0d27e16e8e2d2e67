import Foundation
import TestSupport
import Testing

/// One run of `queuescope demo`, shared by all tests of the demo. Two of its findings depend on timing, so the demo
/// runs up to three times until the findings are the expected ones.
enum Demo {
    struct Run {
        let directory: TemporaryDirectory
        let result: Program.Result

        func trace(_ variant: String) -> String { directory.appending("demo/\(variant).ctf") }
        func timeline(_ variant: String) -> String { directory.appending("demo/\(variant).html") }

        func report(_ variant: String) throws -> Report {
            let json = try Program.queuescope.run(["report", trace(variant), "--format", "json"])
            try #require(json.status == 0, "\(json.errors)")
            return try JSONDecoder().decode(Report.self, from: Data(json.output.utf8))
        }

        /// Whether the four problems are found before the fix, and none of them after it.
        var hasExpectedFindings: Bool {
            guard let before = try? report("before"), let after = try? report("after") else { return false }
            return DemoTests.detectors.allSatisfy {
                !before.findings(of: $0).isEmpty && after.findings(of: $0).isEmpty
            }
        }
    }

    nonisolated(unsafe) static let run: Run? = try? repeatedRecording {
        let directory = TemporaryDirectory()
        let result = try Program.queuescope.run(["demo", "--output", directory.appending("demo")])
        return Run(directory: directory, result: result)
    } until: {
        $0.hasExpectedFindings
    }

    /// The fields of a JSON report that the tests read.
    struct Report: Decodable {
        struct Finding: Decodable {
            struct Code: Decodable {
                let symbol: String
                let file: String
                let line: Int
            }
            struct Stack: Decodable {
                struct Frame: Decodable { let symbol: String }
                let title: String
                let frames: [Frame]
            }
            let detector: String
            let queues: [String]
            let summary: String
            let code: [Code]
            let stacks: [Stack]
        }
        struct Trace: Decodable {
            let events: Int
            let discarded: Int
        }
        let trace: Trace
        let findings: [Finding]

        func findings(of detector: String) -> [Finding] { findings.filter { $0.detector == detector } }
    }

    static func report(_ variant: String) throws -> Report { try #require(run).report(variant) }
}
