import DispatchAnalysis
import Foundation

/// The results as JSON.
///
/// ```
/// { "format": "queuescope-evaluation", "version": 1, "perfect": true, "variants": 20, "first_seed": 1, "runs": [
///   { "recordings": 1720, "recorded_again": 31, "faults": 0,
///     "detectors": [ { "id": "…", "problems": 40, "found": 40, "true": 40, "false": 0, "recall": 1,
///                      "precision": 1 } ],
///     "scenarios": [ { "id": "…", "detector": "…", "recordings": 40, "right": 40 } ],
///     "conditions": [ { "id": "quiet", "problems": 86, "exempt": 0, "found": 86, "recall": 1, "true": 98, "false": 0,
///                       "precision": 1, "unmarked": 0 } ],
///     "gains": [ { "scenario": "…", "detector": "…", "measure": "duration", "problem": 81700000, "repaired": 250000,
///                  "better": true } ],
///     "paths": [ { "scenario": "…", "least": 0.97, "median": 0.99, "explained": true } ],
///     "exemptions": [ { "condition": "middle", "scenario": "…", "seed": 3, "reason": "…" } ],
///     "complaints": [ { "command": "queuescope scenario … --seed 3", "parameters": "…", "condition": "quiet",
///                       "kind": "false", "detector": "…", "sentence": "…" } ] } ] }
/// ```
///
/// The values of `gains` are medians, in nanoseconds for a time. The values of `paths` are shares of the critical path
/// with a named cause, from 0 to 1. Except for `conditions`, `gains` and `paths`, all members count the recordings
/// under all conditions.
struct EvaluationDocument: Encodable {
    struct Detector: Encodable {
        let id: String
        let problems, found, `true`, `false`: Int
        /// Nil if there was no problem, or no finding.
        let recall, precision: Double?
    }

    struct Scenario: Encodable {
        let id, detector: String
        let recordings, right: Int
    }

    struct Condition: Encodable {
        let id: String
        let problems, exempt, found, `true`, `false`: Int
        /// Findings without a caveat that are not in the complete trace, under conditions with missing events.
        let unmarked: Int
        let recall, precision: Double?
    }

    struct Gain: Encodable {
        let scenario, detector, measure: String
        let problem, repaired: Double
        let better: Bool
    }

    struct Path: Encodable {
        let scenario: String
        let least, median: Double
        let explained: Bool
    }

    struct Exemption: Encodable {
        let condition, scenario: String
        let seed: UInt64
        let reason: String
    }

    struct Complaint: Encodable {
        let command, parameters, condition, kind, detector, sentence: String
    }

    struct Run: Encodable {
        let recordings, recordedAgain, faults: Int
        let detectors: [Detector]
        let scenarios: [Scenario]
        let conditions: [Condition]
        let gains: [Gain]
        let paths: [Path]
        let exemptions: [Exemption]
        let complaints: [Complaint]

        init(_ score: Score, _ judged: [Evaluation.Judged], _ gains: GainTable, _ paths: PathTable) {
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
            conditions = score.conditions.sorted { $0.key < $1.key }.map { condition, counts in
                Condition(
                    id: condition.rawValue, problems: counts.problems, exempt: counts.exempt, found: counts.found,
                    true: counts.trueFindings, false: counts.falseFindings, unmarked: counts.unqualified,
                    recall: counts.recall, precision: counts.precision)
            }
            self.gains = gains.rows.map {
                Gain(
                    scenario: $0.scenario.id, detector: $0.scenario.detector, measure: $0.scenario.gain.rawValue,
                    problem: $0.problem, repaired: $0.repaired, better: $0.isBetter)
            }
            self.paths = paths.rows.map {
                Path(scenario: $0.scenario.id, least: $0.least, median: $0.median, explained: $0.isExplained)
            }
            exemptions = judged.flatMap(\.verdicts).compactMap { verdict in
                verdict.exemption.map {
                    Exemption(
                        condition: verdict.condition.rawValue, scenario: type(of: verdict.run.scenario).id,
                        seed: verdict.run.seed, reason: $0)
                }
            }
            complaints = judged.flatMap(\.verdicts).flatMap { verdict in
                verdict.complaints.map {
                    Complaint(
                        command: verdict.command, parameters: verdict.run.parameters,
                        condition: verdict.condition.rawValue, kind: $0.kind.rawValue,
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

    /// The contents of the file.
    func text() throws -> Data {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}
