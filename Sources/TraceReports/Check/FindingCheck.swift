import DispatchAnalysis
import DispatchModel

/// A trace's findings against what is known and what is allowed: what `queuescope check` decides by.
public struct FindingCheck {
    /// One finding of the trace.
    public struct Entry {
        /// The finding.
        public let finding: Finding
        /// What it is about.
        public let identity: FindingIdentity
        /// The baseline has it, as severe as it is or worse.
        public let isKnown: Bool
        /// The severity that the baseline has it with, where it is worse now.
        public let risenFrom: Finding.Severity?
        /// It makes the check fail.
        public let fails: Bool
    }

    /// The trace's findings, the costliest first.
    public let entries: [Entry]
    /// Findings of the baseline that the trace has not.
    public let gone: [FindingIdentity]
    /// What fails.
    public let policy: FailurePolicy
    /// There was a baseline.
    public let hasBaseline: Bool
    /// Where the findings come from.
    public let analysis: Analysis

    /// - Parameters:
    ///   - analysis: the findings.
    ///   - policy: which of them fail.
    ///   - baseline: the findings that are known and do not fail; nil when there is none.
    public init(_ analysis: Analysis, policy: FailurePolicy, baseline: Baseline? = nil) {
        let known = baseline?.findings.map(\.identity) ?? []
        entries = analysis.findings.map { finding in
            let identity = FindingIdentity(finding, in: analysis.model)
            let standing = baseline?.standing(of: identity, severity: finding.severity) ?? .new
            var risenFrom: Finding.Severity?
            if case .risen(let severity) = standing { risenFrom = severity }
            return Entry(
                finding: finding, identity: identity, isKnown: standing == .known, risenFrom: risenFrom,
                fails: standing != .known && policy.fails(finding))
        }
        gone = known.filter { [entries] known in !entries.contains { $0.identity.isSame(as: known) } }
        self.policy = policy
        hasBaseline = baseline != nil
        self.analysis = analysis
    }

    /// At least one finding makes it fail.
    public var hasFailed: Bool { entries.contains { $0.fails } }
}
