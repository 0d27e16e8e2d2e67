import DispatchAnalysis
import Scenarios

/// The quality of each detector, counted over verdicts.
struct Score {
    /// The counts of one detector, or of all.
    struct Counts {
        /// Recordings with the detector's problem, and recordings in which it was found.
        var problems = 0
        var found = 0
        /// Recordings in which the problem was not found and that do not count, because the condition makes it
        /// impossible.
        var exempt = 0
        /// Findings that a scenario declares, and findings that no scenario declares.
        var trueFindings = 0
        var falseFindings = 0
        /// Findings without a caveat that are not in the complete trace.
        var unqualified = 0

        /// The share of problems that were found.
        var recall: Double? { problems == 0 ? nil : Double(found) / Double(problems) }
        /// The share of findings that are true.
        var precision: Double? {
            let all = trueFindings + falseFindings
            return all == 0 ? nil : Double(trueFindings) / Double(all)
        }

        fileprivate static func + (left: Self, right: Self) -> Self {
            Self(
                problems: left.problems + right.problems, found: left.found + right.found,
                exempt: left.exempt + right.exempt, trueFindings: left.trueFindings + right.trueFindings,
                falseFindings: left.falseFindings + right.falseFindings,
                unqualified: left.unqualified + right.unqualified)
        }
    }

    private(set) var counts: [String: Counts] = [:]
    /// The counts of all detectors together, by condition.
    private(set) var conditions: [FieldCondition: Counts] = [:]
    private(set) var recordings = 0
    private(set) var faults = 0
    /// Recordings that were repeated.
    private(set) var disturbed = 0

    /// Whether every detector has recall 1 and no false finding, and every recording could be judged.
    var isPerfect: Bool {
        faults == 0
            && counts.values.allSatisfy { $0.found == $0.problems && $0.falseFindings == 0 && $0.unqualified == 0 }
    }

    /// Counts a verdict.
    mutating func add(_ verdict: Verdict) {
        recordings += 1
        disturbed += verdict.disturbed
        if verdict.fault != nil { faults += 1 }
        for (detector, more) in Self.counts(of: verdict) {
            counts[detector, default: Counts()] = counts[detector, default: Counts()] + more
            conditions[verdict.condition, default: Counts()] = conditions[verdict.condition, default: Counts()] + more
        }
    }

    /// The counts of one verdict, by detector.
    private static func counts(of verdict: Verdict) -> [String: Counts] {
        var counts: [String: Counts] = [:]
        let detector = type(of: verdict.run.scenario).detector
        if verdict.exemption != nil {
            counts[detector, default: Counts()].exempt += 1
        } else if !verdict.run.repaired {
            counts[detector, default: Counts()].problems += 1
            if verdict.miss == nil { counts[detector, default: Counts()].found += 1 }
        }
        for detector in verdict.trueFindings { counts[detector, default: Counts()].trueFindings += 1 }
        for finding in verdict.falseFindings { counts[finding.detector, default: Counts()].falseFindings += 1 }
        for finding in verdict.unqualified { counts[finding.detector, default: Counts()].unqualified += 1 }
        return counts
    }

    private static var limit: String { "\(Int(MachinePause.limit / .milliseconds(1))) ms" }

    /// The totals, which the table does not contain.
    var summary: String {
        let found = counts.values.reduce(0) { $0 + $1.found }
        let problems = counts.values.reduce(0) { $0 + $1.problems }
        let wrong = counts.values.reduce(0) { $0 + $1.falseFindings }
        return "\(recordings) recordings, \(faults) that could not be judged: \(found) of \(problems) problems found, "
            + "\(wrong) false \(wrong == 1 ? "finding" : "findings")."
            + (disturbed == 0
                ? "" : " Recorded again, because the machine stood still for more than \(Self.limit): \(disturbed).")
    }

    /// The table: one line for each detector, in the order of the registry.
    var table: String {
        let order = DetectorRegistry.all.map { $0.id }
        let ids = order + counts.keys.filter { !order.contains($0) }.sorted()
        let width = (ids.map(\.count).max() ?? 0) + 2
        var text = Self.row("detector", ["problems", "found", "recall", "true", "false", "precision"], width)
        for id in ids {
            let counts = counts[id] ?? Counts()
            text += Self.row(
                id,
                [
                    "\(counts.problems)", "\(counts.found)", Self.share(counts.recall), "\(counts.trueFindings)",
                    "\(counts.falseFindings)", Self.share(counts.precision),
                ], width)
        }
        return text
    }

    /// The table of the conditions, in the order of their definition.
    ///
    /// *exempt* is the number of problems that a condition makes impossible to find. *unmarked* is the number of
    /// findings without a caveat that are not in the complete trace. Both are printed only for conditions that can have
    /// them.
    var conditionTable: String {
        let width = (FieldCondition.allCases.map(\.rawValue.count).max() ?? 0) + 2
        let names = ["problems", "exempt", "found", "recall", "true", "false", "precision", "unmarked"]
        var text = Self.row("condition", names, width)
        for condition in FieldCondition.allCases {
            guard let counts = conditions[condition] else { continue }
            text += Self.row(
                condition.rawValue,
                [
                    "\(counts.problems)", "\(counts.exempt)", "\(counts.found)", Self.share(counts.recall),
                    "\(counts.trueFindings)", "\(counts.falseFindings)", Self.share(counts.precision),
                    condition.hasLosses ? "\(counts.unqualified)" : "-",
                ], width)
        }
        return text
    }

    private static func row(_ name: String, _ cells: [String], _ width: Int) -> String {
        let padded = cells.map { String(repeating: " ", count: max(0, 10 - $0.count)) + $0 }
        return name + String(repeating: " ", count: max(0, width - name.count)) + padded.joined() + "\n"
    }

    private static func share(_ value: Double?) -> String {
        guard let value else { return "-" }
        // Truncated instead of rounded, so that 1.000 means all.
        let thousandths = Int(value * 1000)
        let digits = "\(thousandths % 1000)"
        return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - digits.count) + digits
    }
}
