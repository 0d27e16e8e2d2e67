import DispatchAnalysis
import Foundation
import Scenarios
import Testing

@testable import Evaluator

/// One variant of each; `Tools/evaluate` judges many.
// One after the other: their timing is what they are about.
@Suite("A recorded scenario", .serialized)
struct ScenarioRecordingTests {
    /// Those whose detector is there.
    static let judged = ScenarioCatalogue.all.filter { DetectorRegistry.detector(id: $0.detector) != nil }.map { $0.id }

    @Test("shows its problem and nothing else", arguments: judged)
    func problem(id: String) throws { try judge(id, repaired: false) }

    @Test("shows nothing when it is repaired", arguments: judged)
    func repaired(id: String) throws { try judge(id, repaired: true) }

    /// Records up to three variants: on a machine that is busy with other things, some may be disturbed.
    private func judge(_ id: String, repaired: Bool) throws {
        let scenario = try #require(ScenarioCatalogue.scenario(id: id))
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("queuescope-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        var complaints: [String] = []
        for seed in UInt64(1)...3 {
            let run = ScenarioRun(scenario, seed: seed, repaired: repaired)
            let verdict = Verdict(of: try VariantRecording.undisturbed(run, in: directory))
            if verdict.isRight { return }
            complaints.append(verdict.text)
        }
        Issue.record("\(complaints.joined(separator: "\n"))")
    }
}
