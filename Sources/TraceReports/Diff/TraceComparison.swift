import DispatchAnalysis
import DispatchModel

/// Two traces side by side: findings gone and new, and what their queues and code do otherwise.
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

    /// The run that is compared with.
    public let before: Side
    /// The run that may be better or worse.
    public let after: Side
    /// Findings of before that after has not.
    public let gone: [Finding]
    /// Findings of after that before had not.
    public let new: [Finding]
    /// Findings of after that before had, too.
    public let same: [Finding]
    /// Queues and code.
    public let runs: Comparison

    /// How many runs before there were.
    public let runsBefore: Int

    /// Compares two traces.
    ///
    /// - Parameters:
    ///   - before: the trace to compare with.
    ///   - again: further traces of the same program: a finding is new when none of them has it, and gone when all of
    ///     them had it; they tell how much runs differ by themselves.
    ///   - after: the trace that may be better or worse.
    public init(before: Side, again: [Side] = [], after: Side) {
        self.before = before
        self.after = after
        runsBefore = 1 + again.count
        func identified(_ side: Side) -> [(finding: Finding, identity: FindingIdentity)] {
            side.analysis.findings.map { ($0, FindingIdentity($0, in: side.analysis.model)) }
        }
        let (old, now) = (identified(before), identified(after))
        let others = again.map { identified($0).map(\.identity) }
        func has(_ identities: [FindingIdentity], _ identity: FindingIdentity) -> Bool {
            identities.contains { $0.isSame(as: identity) }
        }
        func wasBefore(_ identity: FindingIdentity) -> Bool {
            has(old.map(\.identity), identity) || others.contains { has($0, identity) }
        }
        gone = old.filter { old in
            !has(now.map(\.identity), old.identity) && others.allSatisfy { has($0, old.identity) }
        }.map(\.finding)
        new = now.filter { !wasBefore($0.identity) }.map(\.finding)
        same = now.filter { wasBefore($0.identity) }.map(\.finding)
        runs = Comparison(before: Self.run(before), again: again.map(Self.run), after: Self.run(after))
    }

    private static func run(_ side: Side) -> Comparison.Run {
        Comparison.Run(profile: side.profile, duration: side.analysis.trace.duration) { code in
            code == .unknown ? "" : FindingIdentity.place(side.analysis.model[code])
        }
    }

    /// Neither findings nor queues nor code differ by more than noise.
    public var isSame: Bool { gone.isEmpty && new.isEmpty && !runs.hasChanges }
}
