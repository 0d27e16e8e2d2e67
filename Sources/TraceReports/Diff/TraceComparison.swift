import DispatchAnalysis
import DispatchModel

/// Two traces side by side: findings gone, new and worse, and what their queues and code do otherwise.
public struct TraceComparison {
    /// A trace and what followed its analysis.
    public struct Side {
        /// What was found in it.
        public let analysis: Analysis
        /// What it did over time.
        public let profile: RunProfile

        /// Creates a side from an analysis and the profile that followed it as an observer.
        public init(analysis: Analysis, profile: RunProfile) {
            self.analysis = analysis
            self.profile = profile
        }

        var handoffs: Int { analysis.queues.reduce(0) { $0 + $1.handoffs } }
        var items: Int { analysis.queues.reduce(0) { $0 + $1.items } }
        var waited: Nanoseconds { analysis.queues.reduce(.zero) { $0 + $1.waitTotal } }
        /// Nil when context switches were not recorded.
        var switches: Int? {
            let switches = analysis.threads.compactMap(\.switches)
            return switches.isEmpty ? nil : switches.reduce(0, +)
        }
    }

    /// A finding of after that no run before has as severe.
    public struct Risen {
        /// As it is after.
        public let finding: Finding
        /// The worst that it was before.
        public let severity: Finding.Severity
    }

    /// The run that is compared with.
    public let before: Side
    /// The run that may be better or worse.
    public let after: Side
    /// Findings of before that after has not.
    public let gone: [Finding]
    /// Findings of after that before had not.
    public let new: [Finding]
    /// Findings of after that before had, too, less severe.
    public let worse: [Risen]
    /// Findings of after that before had, too, as severe or more.
    public let same: [Finding]
    /// Queues and code.
    public let runs: Comparison

    /// How many runs before there were.
    public let runsBefore: Int

    /// Compares two traces.
    ///
    /// - Parameters:
    ///   - before: the trace to compare with.
    ///   - again: further traces of the same program: a finding is new when none of them has it, worse when none has
    ///     it as severe, and gone when all of them had it; they tell how much runs differ by themselves.
    ///   - after: the trace that may be better or worse.
    public init(before: Side, again: [Side] = [], after: Side) {
        self.before = before
        self.after = after
        runsBefore = 1 + again.count
        func identified(_ side: Side) -> [(finding: Finding, identity: FindingIdentity)] {
            side.analysis.findings.map { ($0, FindingIdentity($0, in: side.analysis.model)) }
        }
        let (old, now) = (identified(before), identified(after))
        let others = again.map(identified)
        func has(_ side: [(finding: Finding, identity: FindingIdentity)], _ identity: FindingIdentity) -> Bool {
            side.contains { $0.identity.isSame(as: identity) }
        }
        let known = Baseline(
            findings: (old + others.joined()).map { .init($0.identity, severity: $0.finding.severity) })
        gone = old.filter { old in
            !has(now, old.identity) && others.allSatisfy { has($0, old.identity) }
        }.map(\.finding)
        var (new, worse, same): ([Finding], [Risen], [Finding]) = ([], [], [])
        for (finding, identity) in now {
            switch known.standing(of: identity, severity: finding.severity) {
            case .new: new.append(finding)
            case .risen(let severity): worse.append(Risen(finding: finding, severity: severity))
            case .known: same.append(finding)
            }
        }
        (self.new, self.worse, self.same) = (new, worse, same)
        runs = Comparison(before: Self.run(before), again: again.map(Self.run), after: Self.run(after))
    }

    private static func run(_ side: Side) -> Comparison.Run {
        Comparison.Run(profile: side.profile, duration: side.analysis.trace.duration) { code in
            code == .unknown ? "" : FindingIdentity.place(side.analysis.model[code])
        }
    }

    /// Neither findings nor queues nor code differ by more than noise.
    public var isSame: Bool { gone.isEmpty && !hasLosses && !runs.hasChanges }

    /// A finding is new or worse.
    public var hasLosses: Bool { !new.isEmpty || !worse.isEmpty }
}
