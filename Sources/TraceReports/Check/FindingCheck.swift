import AnalysisText
import DispatchAnalysis
import DispatchModel

/// The findings of a trace, compared with a baseline and a policy: the decision of `queuescope check`.
public struct FindingCheck {
    /// One finding of the trace.
    public struct Entry {
        /// The finding.
        public let finding: Finding
        /// Identifies the finding from run to run.
        public let identity: FindingIdentity
        /// True when the baseline has the finding with the same or a higher severity.
        public let isKnown: Bool
        /// The severity of the finding in the baseline, when the finding is more severe now; otherwise nil.
        public let risenFrom: Finding.Severity?
        /// True when the finding cannot be compared with the baseline, because the code of only one of them has names.
        /// Such a finding does not fail the check.
        public let isUnmatched: Bool
        /// True when the finding fails the check.
        public let fails: Bool
    }

    /// The findings of the trace, the most important first.
    public let entries: [Entry]
    /// Findings of the baseline that are not in the trace. Findings that cannot be compared are omitted.
    public let gone: [FindingIdentity]
    /// The policy that decides which findings fail.
    public let policy: FailurePolicy
    /// True when the check compares with a baseline.
    public let hasBaseline: Bool
    /// The analysis that has the findings.
    public let analysis: Analysis

    /// - Parameters:
    ///   - analysis: the analysis that has the findings.
    ///   - policy: decides which new findings fail.
    ///   - baseline: the accepted findings, which do not fail; nil without a baseline.
    public init(_ analysis: Analysis, policy: FailurePolicy, baseline: Baseline? = nil) {
        let known = baseline?.findings.map(\.identity) ?? []
        entries = analysis.findings.map { finding in
            let identity = FindingIdentity(finding, in: analysis.model)
            let match = baseline?.match(of: identity, severity: finding.severity) ?? .new
            var risenFrom: Finding.Severity?
            if case .risen(let severity) = match { risenFrom = severity }
            return Entry(
                finding: finding, identity: identity, isKnown: match == .known, risenFrom: risenFrom,
                isUnmatched: match == .unmatched,
                fails: match != .known && match != .unmatched && policy.fails(finding))
        }
        gone = known.filter { [entries] known in
            entries.allSatisfy { $0.identity.match(known) == .different }
        }
        self.policy = policy
        hasBaseline = baseline != nil
        self.analysis = analysis
    }

    /// How the program crashed; nil when it did not. A crash fails the check with every policy and baseline.
    var crash: ProgramEnding? { analysis.trace.ending.flatMap { $0.isCrash ? $0 : nil } }

    /// True when at least one finding fails the check, or when the program crashed.
    public var hasFailed: Bool { crash != nil || entries.contains { $0.fails } }
}
