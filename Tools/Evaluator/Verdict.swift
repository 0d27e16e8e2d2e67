import DispatchAnalysis
import DispatchModel
import Scenarios

/// What a recording of a variant says about the detectors.
struct Verdict {
    /// A finding that the scenario does not declare.
    struct FalseFinding {
        let detector: String
        let summary: String
    }

    let run: ScenarioRun
    /// Under what the recording was made, or what was made of it.
    let condition: FieldCondition
    /// How many recordings were thrown away before, because the machine stood still.
    let disturbed: Int
    /// Why the recording cannot be judged, such as an unexpected end of the program; nil when it can.
    private(set) var fault: String?
    /// Why the problem counts as missed; nil in a repaired twin and when it was found.
    private(set) var miss: String?
    /// Findings that the scenario does not declare.
    private(set) var falseFindings: [FalseFinding] = []
    /// Detectors whose findings the scenario declares, once for each finding.
    private(set) var trueFindings: [String] = []
    /// Why a problem that was not found is no miss: the condition makes it impossible to find; nil otherwise.
    private(set) var exemption: String?
    /// Findings without a caveat that the complete trace does not have, where event records are missing.
    private(set) var unqualified: [FalseFinding] = []

    /// Judges a recording.
    ///
    /// - Parameters:
    ///   - recording: the program's.
    ///   - condition: under what it was recorded.
    init(of recording: VariantRecording, under condition: FieldCondition = .quiet) {
        self.init(recording, recording.analysis, condition, disturbed: recording.disturbed)
        if recording.analysis.trace.discarded > 0, fault == nil {
            fault = "the recorder discarded \(recording.analysis.trace.discarded) events"
        }
    }

    /// Judges a trace that was derived from a recording.
    ///
    /// - Parameters:
    ///   - trace: what was derived.
    ///   - recording: from what.
    ///   - recorded: the records of that.
    ///   - analysis: of the derived trace.
    ///   - condition: what was made of it.
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
            // What was merged into a finding was found as well, and is as true as the finding.
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

    /// Nothing is missed, nothing is wrong.
    var isRight: Bool { fault == nil && miss == nil && falseFindings.isEmpty && unqualified.isEmpty }

    /// One thing that is wrong.
    struct Complaint {
        enum Kind: String {
            case fault, missed, `false`, unqualified
        }

        let kind: Kind
        let detector: String
        let sentence: String
    }

    /// Everything that is wrong.
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

    /// What runs the same variant again.
    var command: String { "queuescope scenario \(run.arguments.joined(separator: " "))" }

    /// What a person reads of it: nothing when nothing is wrong.
    var text: String {
        let place = condition == .quiet ? "" : " [\(condition.rawValue)]"
        return complaints.map { "\(command)\(place)\n    (\(run.parameters))\n    \($0.kind): \($0.sentence)\n" }
            .joined()
    }

    /// Whether two findings of two traces mean the same.
    private static func agree(_ one: Finding, _ its: Analysis, _ other: Finding, _ others: Analysis) -> Bool {
        guard one.detector == other.detector || one.symptoms.contains(where: { $0.detector == other.detector }) else {
            return false
        }
        let labels = Set(one.queues.map { its.model[$0].label })
        return labels.isEmpty || other.queues.isEmpty
            || other.queues.contains { labels.contains(others.model[$0].label) }
    }

    /// Why a finding does not mean the scenario's problem; nil when it does.
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
    /// The exit status of `queuescope record` for a program that ends so.
    var status: Int32 {
        switch self {
        case .success: 0
        case .gaveUp: Watchdog.status
        case .crash: 128 + 4
        }
    }
}
