import DispatchAnalysis
import DispatchModel
import Foundation
import TestSupport
import Testing
import TraceSchema

@Suite("The corpus")
struct CorpusTests {
    /// A trace of `traces/VERSION/NAME` with its expected findings.
    struct Entry: CustomTestStringConvertible {
        let directory: String
        var testDescription: String { directory.split(separator: "/").suffix(2).joined(separator: "/") }
    }

    struct Expected: Decodable {
        struct Finding: Decodable, Equatable {
            let detector: String
            let queues: [String]
            let code: [String]
        }
        let events: Int
        let items: Int
        let findings: [Finding]
    }

    static let entries: [Entry] = {
        let traces = Package.root + "/traces"
        let files = FileManager.default
        let versions = ((try? files.contentsOfDirectory(atPath: traces)) ?? []).sorted()
        return versions.flatMap { version in
            ((try? files.contentsOfDirectory(atPath: "\(traces)/\(version)")) ?? []).sorted().map {
                Entry(directory: "\(traces)/\(version)/\($0)")
            }
        }
    }()

    @Test("has traces of the current schema version (see Tools/record-corpus)")
    func isThere() {
        let current = "/traces/\(SchemaVersion.current)/"
        #expect(Self.entries.filter { $0.directory.contains(current) }.count >= 4)
    }

    @Test("each trace gives exactly the findings that its expected.json lists", arguments: entries)
    func findings(entry: Entry) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: entry.directory + "/expected.json"))
        let expected = try JSONDecoder().decode(Expected.self, from: data)
        let analysis = try AnalysisSession().analyze(path: entry.directory + "/trace")
        let model = analysis.model
        let found = analysis.findings.map { finding in
            Expected.Finding(
                detector: finding.detector, queues: finding.queues.map { model[$0].label },
                code: finding.code.map { "\(model[$0].file):\(model[$0].line)" })
        }
        #expect(found == expected.findings)
        #expect(analysis.trace.events == expected.events)
        // Counts the same queues as the JSON report, which excludes actors and event loops.
        let queues = analysis.queues.filter { model[$0.queue].isDispatch }
        #expect(queues.reduce(0) { $0 + $1.items } == expected.items)
        #expect(analysis.quality.score == 1)
        #expect(analysis.trace.discarded == 0 && analysis.trace.unknown == 0)
    }

    @Test("named causes explain at least 90 % of each critical path", arguments: entries)
    func criticalPath(entry: Entry) throws {
        let options = AnalysisOptions(model: ModelOptions(criticalPath: .wholeRun))
        let analysis = try AnalysisSession(options: options).analyze(path: entry.directory + "/trace")
        let account = try #require(analysis.account)
        #expect(account.explainedShare >= 0.9, "\(account.path.totals.filter { !$0.kind.isNamed })")
    }
}
