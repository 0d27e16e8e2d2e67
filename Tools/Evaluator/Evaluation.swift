import Foundation
import Scenarios
import Synchronization

/// One run over everything: records and judges it, one scenario after the other.
struct Evaluation {
    /// What was judged of one scenario.
    struct Judged {
        let scenario: any Scenario.Type
        let verdicts: [Verdict]

        /// How many recordings showed what they should and nothing else.
        var right: Int { verdicts.count { $0.isRight } }
    }

    let options: EvaluatorOptions
    /// Where traces go while they are needed.
    let directory: URL

    /// Records and judges.
    ///
    /// - Parameter report: called with each scenario when all its variants are judged, in their order.
    /// - Throws: what the first recording or analysis threw that failed; what comes after it is not recorded.
    func run(report: (Judged) -> Void) throws {
        for runs in options.plan {
            let next = Atomic(0)
            let results = Mutex<[Result<Verdict, any Error>?]>(Array(repeating: nil, count: runs.count))
            DispatchQueue.concurrentPerform(iterations: min(options.jobs, runs.count)) { _ in
                while true {
                    let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard place < runs.count else { return }
                    let result = Result { try judge(runs[place]) }
                    results.withLock { $0[place] = result }
                    if case .failure = result { next.store(runs.count, ordering: .relaxed) }
                }
            }
            let verdicts = try results.withLock { try $0.compactMap { try $0?.get() } }
            report(Judged(scenario: type(of: runs[0].scenario), verdicts: verdicts))
        }
    }

    private func judge(_ run: ScenarioRun) throws -> Verdict {
        let recording = try VariantRecording.undisturbed(run, in: directory)
        defer { try? FileManager.default.removeItem(at: recording.trace) }
        let verdict = Verdict(of: recording)
        if let kept = options.kept, !verdict.isRight {
            let place = kept.appendingPathComponent(recording.trace.lastPathComponent)
            try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
            try? FileManager.default.removeItem(at: place)
            try FileManager.default.copyItem(at: recording.trace, to: place)
        }
        return verdict
    }
}
