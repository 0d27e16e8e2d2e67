import DispatchAnalysis
import DispatchModel
import Foundation
import Scenarios
import Testing

@testable import Evaluator

/// The decision that a problem cannot be found. The tests remove records from recordings, selected by time.
@Suite("Evidence that a trace lacks", .serialized)
final class LostEvidenceTests {
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("queuescope-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    private func record(_ scenario: String) throws -> (recording: VariantRecording, recorded: RecordedTrace) {
        let scenario = try #require(ScenarioCatalogue.scenario(id: scenario))
        let run = ScenarioRun(scenario, seed: 1, repaired: false)
        let recording = try VariantRecording.undisturbed(run, in: directory)
        return (recording, try RecordedTrace(recording.trace))
    }

    /// The reason why the problem cannot be found when the records at some times, or all records of some threads, are
    /// missing.
    private func exemption(
        from source: (recording: VariantRecording, recorded: RecordedTrace), without times: [Timestamp] = [],
        threads: Set<UInt32> = []
    ) -> String? {
        let trace = DerivedTrace(
            directory: directory,
            lacks: { time, tid in
                // The times of records are rounded in two ways.
                threads.contains(tid) || times.contains { abs($0.nanoseconds - time) <= 1 }
            }, lostThreads: threads)
        let detector = type(of: source.recording.run.scenario).detector
        return LostEvidence(in: source.recording, source.recorded, trace).sentence(for: detector)
    }

    @Test("The balance of a group depends on its creation, its enters and its leaves")
    func group() throws {
        let source = try record("upload-group")
        let model = source.recording.analysis.model
        let group = try #require(model.groups.first { $0.outstanding > 0 })
        let times = [group.createdAt, try #require(group.lastEnter), try #require(group.lastLeave)]
        #expect(exemption(from: source) == nil)
        for time in times { #expect(exemption(from: source, without: [time]) != nil) }
        #expect(exemption(from: source, without: [model.end]) == nil)
    }

    @Test("The wait of a thread in an item depends on the submission of the item")
    func enclosingItem() throws {
        let source = try record("payment-answer")
        // The main thread submits the payments.
        let tid = try #require(source.recording.analysis.model.threads.map(\.tid).min())
        #expect(exemption(from: source) == nil)
        #expect(exemption(from: source, threads: [tid]) != nil)
    }

    @Test("A pattern cannot be found when fewer cases remain than the detector requires")
    func tooFew() throws {
        let source = try record("sensor-polling")
        let finding = try #require(source.recording.analysis.findings.first { $0.detector == "late-timer" })
        let times = finding.evidence.map(\.time)
        try #require(times.count >= 3 && finding.occurrences == times.count)
        #expect(exemption(from: source, without: Array(times.dropFirst(3))) == nil)
        #expect(exemption(from: source, without: Array(times.dropFirst(2))) != nil)
    }

    @Test("A problem between two threads cannot be found with the events of one thread")
    func oneSide() throws {
        let source = try record("accounts-and-ledger")
        let model = source.recording.analysis.model
        let finding = try #require(source.recording.analysis.findings.first { $0.detector == "lock-order-inversion" })
        let threads = finding.evidence.map { model[$0.thread].tid }
        #expect(exemption(from: source, threads: [threads[0]]) != nil)
        #expect(exemption(from: source, without: [finding.evidence[0].time]) == nil)
    }
}
