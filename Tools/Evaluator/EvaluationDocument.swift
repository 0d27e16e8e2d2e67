import DispatchAnalysis
import Foundation

/// The results as JSON.
///
/// ```
/// { "format": "queuescope-evaluation", "version": 1, "perfect": true, "variants": 20, "first_seed": 1, "runs": [
///   { "recordings": 1720, "recorded_again": 31, "faults": 0,
///     "detectors": [ { "id": "…", "problems": 40, "found": 40, "true": 40, "false": 0, "recall": 1, "precision": 1 } ],
///     "scenarios": [ { "id": "…", "detector": "…", "recordings": 40, "right": 40 } ],
///     "complaints": [ { "command": "queuescope scenario … --seed 3", "parameters": "…", "kind": "false", "detector": "…",
///                       "sentence": "…" } ] } ] }
/// ```
struct EvaluationDocument: Encodable {
    struct Detector: Encodable {
        let id: String
        let problems, found, `true`, `false`: Int
        /// Nil when there was no problem, or no finding.
        let recall, precision: Double?
    }

    struct Scenario: Encodable {
        let id, detector: String
        let recordings, right: Int
    }

    struct Complaint: Encodable {
        let command, parameters, kind, detector, sentence: String
    }

    struct Run: Encodable {
        let recordings, recordedAgain, faults: Int
        let detectors: [Detector]
        let scenarios: [Scenario]
        let complaints: [Complaint]

        init(_ score: Score, _ judged: [Evaluation.Judged]) {
            recordings = score.recordings
            recordedAgain = score.disturbed
            faults = score.faults
            detectors = DetectorRegistry.all.map { detector in
                let counts = score.counts[detector.id] ?? Score.Counts()
                return Detector(
                    id: detector.id, problems: counts.problems, found: counts.found, true: counts.trueFindings,
                    false: counts.falseFindings, recall: counts.recall, precision: counts.precision)
            }
            scenarios = judged.map {
                Scenario(
                    id: $0.scenario.id, detector: $0.scenario.detector, recordings: $0.verdicts.count, right: $0.right)
            }
            complaints = judged.flatMap(\.verdicts).flatMap { verdict in
                verdict.complaints.map {
                    Complaint(
                        command: verdict.command, parameters: verdict.run.parameters, kind: $0.kind.rawValue,
                        detector: $0.detector, sentence: $0.sentence)
                }
            }
        }
    }

    let format = "queuescope-evaluation"
    let version = 1
    let perfect: Bool
    let variants: Int
    let firstSeed: UInt64
    let runs: [Run]

    /// The text of the file.
    func text() throws -> Data {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}
