import DispatchAnalysis
import Foundation
import Scenarios
import Symbolication
import Synchronization

/// One run of the evaluation: records and judges the scenarios one after the other.
struct Evaluation {
    /// The verdicts of one scenario.
    struct Judged {
        let scenario: any Scenario.Type
        /// The verdicts of every variant under every condition.
        let verdicts: [Verdict]

        /// Number of recordings with the expected findings and no others.
        var right: Int { verdicts.count { $0.isRight } }
    }

    let options: EvaluatorOptions
    /// The directory for temporary traces.
    let directory: URL

    /// Records and judges all scenarios.
    ///
    /// - Parameter report: called after each scenario, in the order of the scenarios.
    /// - Throws: the first error of a recording or an analysis, which ends the evaluation.
    func run(report: (Judged) -> Void) throws {
        for runs in options.plan {
            let next = Atomic(0)
            let results = Mutex<[Result<[Verdict], any Error>?]>(Array(repeating: nil, count: runs.count))
            DispatchQueue.concurrentPerform(iterations: min(options.jobs, runs.count)) { _ in
                while true {
                    let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard place < runs.count else { return }
                    let result = Result { try judge(runs[place]) }
                    results.withLock { $0[place] = result }
                    if case .failure = result { next.store(runs.count, ordering: .relaxed) }
                }
            }
            let verdicts = try results.withLock { try $0.flatMap { try $0?.get() ?? [] } }
            report(Judged(scenario: type(of: runs[0].scenario), verdicts: verdicts))
        }
    }

    /// Judges a variant under all conditions, in the order of the conditions.
    private func judge(_ run: ScenarioRun) throws -> [Verdict] {
        var verdicts: [FieldCondition: Verdict] = [:]
        if options.conditions.contains(where: { $0 == .quiet || $0.isDerived }) {
            let recording = try VariantRecording.undisturbed(run, in: directory)
            defer { try? FileManager.default.removeItem(at: recording.trace) }
            verdicts[.quiet] = try keep(recording.trace, of: Verdict(of: recording))
            let derived = options.conditions.filter(\.isDerived)
            let trace = derived.isEmpty ? nil : try RecordedTrace(recording.trace)
            for condition in derived {
                verdicts[condition] = try trace.map { try judge(condition, $0, recording) }
            }
        }
        for condition in options.conditions where condition != .quiet && !condition.isDerived {
            let recording = try VariantRecording.undisturbed(
                condition.variant(of: run), in: directory, under: condition)
            defer { try? FileManager.default.removeItem(at: recording.trace) }
            verdicts[condition] = try keep(recording.trace, of: Verdict(of: recording, under: condition))
        }
        return options.conditions.compactMap { verdicts[$0] }
    }

    /// Judges the trace that a condition derives from a recording.
    private func judge(
        _ condition: FieldCondition, _ trace: RecordedTrace, _ recording: VariantRecording
    ) throws -> Verdict {
        let place = recording.trace.deletingPathExtension().appendingPathExtension("\(condition.rawValue).ctf")
        defer { try? FileManager.default.removeItem(at: place) }
        let run = recording.run
        let derived = try DerivedTrace(
            condition, of: trace, ending: run.ending, seed: run.variation.seed, directory: place)
        let analysis = try AnalysisSession(options: .judging(run.scenario), naming: Symbolizer()).analyze(
            path: place.path)
        let verdict = Verdict(of: derived, from: recording, recorded: trace, analysis, under: condition)
        return try keep(place, of: verdict)
    }

    /// Copies the trace of a wrong verdict into the directory for kept traces.
    private func keep(_ trace: URL, of verdict: Verdict) throws -> Verdict {
        guard let kept = options.kept, !verdict.isRight else { return verdict }
        let place = kept.appendingPathComponent(verdict.condition.rawValue + "-" + trace.lastPathComponent)
        try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
        try? FileManager.default.removeItem(at: place)
        try FileManager.default.copyItem(at: trace, to: place)
        return verdict
    }
}
