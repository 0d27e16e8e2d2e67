import DispatchAnalysis
import DispatchModel
import Scenarios

/// The judgement of the detectors' results for a recording of a variant.
struct Verdict {
    /// A finding that the scenario does not declare.
    struct FalseFinding {
        let detector: String
        let summary: String
    }

    let run: ScenarioRun
    /// The condition under which the recording was made, or with which it was derived.
    let condition: FieldCondition
    /// Number of earlier recordings that were discarded because the machine paused.
    let disturbed: Int
    /// The reason why the recording cannot be judged, for example an unexpected end of the program; nil if it can.
    private(set) var fault: String?
    /// The reason why the problem counts as missed; nil in a fixed version and if it was found.
    private(set) var miss: String?
    /// Findings that the scenario does not declare.
    private(set) var falseFindings: [FalseFinding] = []
    /// Detectors whose findings the scenario declares, once for each finding.
    private(set) var trueFindings: [String] = []
    /// The reason why a problem that was not found does not count as missed: the condition makes it impossible to find.
    private(set) var exemption: String?
    /// The value of the scenario's gain in a recording of the quiet machine, in nanoseconds for a time; nil in another
    /// recording, or when it cannot be judged.
    private(set) var gain: Double?
    /// The share of the critical path with a named cause, from 0 to 1, under the same conditions as ``gain``.
    private(set) var explained: Double?
    /// Findings without a caveat that are not in the complete trace, under conditions with missing event records.
    private(set) var unqualified: [FalseFinding] = []

    /// Judges a recording.
    ///
    /// - Parameters:
    ///   - recording: the recording of the program.
    ///   - condition: the condition under which it was made.
    init(of recording: VariantRecording, under condition: FieldCondition = .quiet) {
        self.init(recording, recording.analysis, condition, disturbed: recording.disturbed)
        if recording.analysis.trace.discarded > 0, fault == nil {
            fault = "the recorder discarded \(recording.analysis.trace.discarded) events"
        }
        if condition == .quiet, fault == nil {
            gain = recording.gain
            explained = recording.analysis.account?.explainedShare
        }
    }

    /// Judges a trace that was derived from a recording.
    ///
    /// - Parameters:
    ///   - trace: the derived trace.
    ///   - recording: the recording.
    ///   - recorded: the records of the recording.
    ///   - analysis: the analysis of the derived trace.
    ///   - condition: the condition with which it was derived.
    init(
        of trace: DerivedTrace, from recording: VariantRecording, recorded: RecordedTrace, _ analysis: Analysis,
        under condition: FieldCondition
    ) {
        self.init(recording, analysis, condition, disturbed: 0)
        let complete = recording.analysis
        if miss != nil {
            let losses = LostEvidence(in: recording, recorded, trace)
            exemption = losses.sentence(for: type(of: run.scenario).detector)
            if exemption != nil { miss = nil }
        }
        guard condition.hasLosses else { return }
        for finding in analysis.findings where finding.caveat == nil {
            let isKnown = complete.findings.contains { Self.agree($0, complete, finding, analysis) }
            if !isKnown { unqualified.append(FalseFinding(detector: finding.detector, summary: finding.summary)) }
        }
    }

    private init(_ recording: VariantRecording, _ analysis: Analysis, _ condition: FieldCondition, disturbed: Int) {
        run = recording.run
        self.condition = condition
        self.disturbed = disturbed
        let type = type(of: run.scenario)
        if recording.status != run.ending.status {
            fault = "the program ended with status \(recording.status) instead of \(run.ending.status)"
        }
        var elsewhere: [String] = []
        for finding in analysis.findings {
            // Findings that were merged into this one as symptoms count as found, and are true if this one is.
            let isMeant = finding.detector == type.detector
            if !run.repaired, isMeant || finding.symptoms.contains(where: { $0.detector == type.detector }) {
                if let reason = Self.misplacement(of: finding, run.scenario, analysis) {
                    elsewhere.append(reason)
                } else {
                    trueFindings.append(type.detector)
                    if isMeant { continue }
                }
            }
            if type.tolerated.contains(where: {
                $0.detector == finding.detector && $0.covers(repaired: run.repaired)
            }) {
                trueFindings.append(finding.detector)
                continue
            }
            falseFindings.append(FalseFinding(detector: finding.detector, summary: finding.summary))
        }
        if !run.repaired, !trueFindings.contains(type.detector) {
            exemption = type.exemptions.first { $0.condition == condition }?.reason
            if exemption == nil { miss = elsewhere.first ?? "\(type.detector) reports nothing" }
        }
    }

    /// Whether nothing was missed and nothing is wrong.
    var isRight: Bool { fault == nil && miss == nil && falseFindings.isEmpty && unqualified.isEmpty }

    /// One error of the detectors or of the recording.
    struct Complaint {
        enum Kind: String {
            case fault, missed, `false`, unqualified
        }

        let kind: Kind
        let detector: String
        let sentence: String
    }

    /// All errors.
    var complaints: [Complaint] {
        let judged = type(of: run.scenario).detector
        return [
            fault.map { Complaint(kind: .fault, detector: judged, sentence: $0) },
            miss.map { Complaint(kind: .missed, detector: judged, sentence: $0) },
        ].compactMap { $0 }
            + falseFindings.map {
                Complaint(kind: .false, detector: $0.detector, sentence: "\($0.detector): \($0.summary)")
            }
            + unqualified.map {
                Complaint(
                    kind: .unqualified, detector: $0.detector,
                    sentence: "no caveat, and not in the complete trace: \($0.detector): \($0.summary)")
            }
    }

    /// The command line that runs the same variant again.
    var command: String { "queuescope scenario \(run.arguments.joined(separator: " "))" }

    /// The errors as text; empty if there are none.
    var text: String {
        let place = condition == .quiet ? "" : " [\(condition.rawValue)]"
        return complaints.map { "\(command)\(place)\n    (\(run.parameters))\n    \($0.kind): \($0.sentence)\n" }
            .joined()
    }

    /// Whether two findings of two traces are about the same problem.
    private static func agree(_ one: Finding, _ its: Analysis, _ other: Finding, _ others: Analysis) -> Bool {
        guard one.detector == other.detector || one.symptoms.contains(where: { $0.detector == other.detector }) else {
            return false
        }
        let labels = Set(one.queues.map { its.model[$0].label })
        return labels.isEmpty || other.queues.isEmpty
            || other.queues.contains { labels.contains(others.model[$0].label) }
    }

    /// The reason why a finding is not about the scenario's problem; nil if it is.
    private static func misplacement(
        of finding: Finding, _ scenario: any Scenario, _ analysis: Analysis
    ) -> String? {
        let labels = finding.queues.map { analysis.model[$0].label }
        if !scenario.culprits.isEmpty, !labels.contains(where: scenario.culprits.contains) {
            return "\(finding.detector) names \(labels) instead of one of \(scenario.culprits)"
        }
        return nil
    }
}

extension Ending {
    /// The exit status of `queuescope record` for this ending of the program.
    var status: Int32 {
        switch self {
        case .success: 0
        case .gaveUp: Watchdog.status
        case .crash: 128 + 4
        }
    }
}
