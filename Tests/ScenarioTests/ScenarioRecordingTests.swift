import DispatchAnalysis
import Foundation
import Scenarios
import Testing

@testable import Evaluator

/// Records one variant of each scenario. `Tools/evaluate` records many.
// The tests run one after the other, because the scenarios depend on timing.
@Suite("A recorded scenario", .serialized)
struct ScenarioRecordingTests {
    /// The scenarios whose detector exists.
    static let judged = ScenarioCatalogue.all.filter { DetectorRegistry.detector(id: $0.detector) != nil }.map { $0.id }

    @Test("has its problem and no other finding", arguments: judged)
    func problem(id: String) throws { try judge(id, repaired: false) }

    @Test("has no finding in the repaired version", arguments: judged)
    func repaired(id: String) throws { try judge(id, repaired: true) }

    /// Records up to three variants, because other load on the machine can disturb a recording. Records each variant at
    /// most four times: on a busy machine nearly every recording has a pause, and the tests must end in time.
    private func judge(_ id: String, repaired: Bool) throws {
        let scenario = try #require(ScenarioCatalogue.scenario(id: id))
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("queuescope-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        var complaints: [String] = []
        for seed in UInt64(1)...3 {
            let run = ScenarioRun(scenario, seed: seed, repaired: repaired)
            let verdict = Verdict(of: try VariantRecording.undisturbed(run, in: directory, repetitions: 3))
            if verdict.isRight { return }
            complaints.append(verdict.text)
        }
        Issue.record("\(complaints.joined(separator: "\n"))")
    }
}
