import DispatchAnalysis
import Scenarios

/// What a recording of a variant says about the detectors.
struct Verdict {
    /// A finding that the scenario does not declare.
    struct FalseFinding {
        let detector: String
        let summary: String
    }

    let run: ScenarioRun
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

    /// Judges a recording.
    init(of recording: VariantRecording) {
        run = recording.run
        disturbed = recording.disturbed
        let type = type(of: run.scenario)
        if recording.status != run.ending.status {
            fault = "the program ended with status \(recording.status) instead of \(run.ending.status)"
        } else if recording.analysis.trace.discarded > 0 {
            fault = "the recorder discarded \(recording.analysis.trace.discarded) events"
        }
        var elsewhere: [String] = []
        for finding in recording.analysis.findings {
            // What was merged into a finding was found as well, and is as true as the finding.
            let isMeant = finding.detector == type.detector
            if !run.repaired, isMeant || finding.symptoms.contains(where: { $0.detector == type.detector }) {
                if let reason = Self.misplacement(of: finding, run.scenario, recording.analysis) {
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
            miss = elsewhere.first ?? "\(type.detector) reports nothing"
        }
    }

    /// Nothing is missed, nothing is wrong.
    var isRight: Bool { fault == nil && miss == nil && falseFindings.isEmpty }

    /// One thing that is wrong.
    struct Complaint {
        enum Kind: String {
            case fault, missed, `false`
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
    }

    /// What runs the same variant again.
    var command: String { "queuescope scenario \(run.arguments.joined(separator: " "))" }

    /// What a person reads of it: nothing when nothing is wrong.
    var text: String {
        complaints.map { "\(command)\n    (\(run.parameters))\n    \($0.kind): \($0.sentence)\n" }.joined()
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
