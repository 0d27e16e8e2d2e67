import AnalysisText
import DispatchAnalysis
import DispatchModel
import Symbolication

/// Two traces compared: findings that are gone, new or worse, and differences of queues and code.
public struct TraceComparison {
    /// A trace: its analysis and its profile.
    public struct Side {
        /// The analysis, with its findings.
        public let analysis: Analysis
        /// The activity of queues and code over time.
        public let profile: RunProfile
        /// Findings that it has, or misses by less than half of each threshold.
        let near: [Finding]

        /// Creates a side from an analysis and the observers that followed it.
        ///
        /// - Parameters:
        ///   - analysis: the analysis.
        ///   - profile: what the queues and the code did.
        ///   - near: the findings that the run comes near to; nil compares findings without this test.
        public init(analysis: Analysis, profile: RunProfile, near: NearFindings? = nil) {
            self.analysis = analysis
            self.profile = profile
            self.near = near?.findings(in: analysis.model) ?? []
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

    /// A finding that every run before has with a lower severity only.
    public struct WorseFinding {
        /// The finding of the run after.
        public let finding: Finding
        /// The highest severity in the runs before.
        public let severity: Finding.Severity
    }

    /// The run to compare with.
    public let before: Side
    /// The run to judge.
    public let after: Side
    /// Findings of before that after does not have, and does not come near.
    public let gone: [Finding]
    /// Findings of after that no run before has, or comes near.
    public let new: [Finding]
    /// Findings of before that after misses by less than half of each threshold: the difference may be chance.
    public let nearlySame: [Finding]
    /// Findings of after that a run before misses by less than half of each threshold: the difference may be chance.
    public let nearlyNew: [Finding]
    /// Findings of after that before had, too, less severe.
    public let worse: [WorseFinding]
    /// Findings of after that before had, too, as severe or more.
    public let same: [Finding]
    /// Findings of after that cannot be compared with findings of before, because the code of only one run has names.
    /// They are in no other list. The findings of before that they may equal are in no list.
    public let unmatched: [Finding]
    /// The executables and libraries whose code has names in only some of the runs. Their code is not compared.
    public let unmatchedModules: [String]
    /// The detectors whose findings are not compared, because they need every item and the recorder of a run sampled
    /// items. Empty when all runs have all items.
    public let silentDetectors: Set<String>
    /// The differences of queues and code.
    public let runs: Comparison

    /// Number of runs before.
    public let runsBefore: Int

    /// Compares two traces.
    ///
    /// - Parameters:
    ///   - before: the trace to compare with.
    ///   - again: more traces of the same program before the change. They show how much runs differ without a change. A
    ///     finding is new when none of the traces before has it, worse when none has it with that severity, and gone
    ///     when all of them have it.
    ///   - after: the trace to judge.
    public init(before: Side, again: [Side] = [], after: Side) {
        self.before = before
        self.after = after
        runsBefore = 1 + again.count
        let isSampled = ([before, after] + again).contains { $0.analysis.sample != nil }
        let silent = Set(DetectorRegistry.all.lazy.filter { isSampled && $0.needsAllItems }.map { $0.id })
        silentDetectors = silent
        func identified(_ side: Side) -> [(finding: Finding, identity: FindingIdentity)] {
            side.analysis.findings.filter { !silent.contains($0.detector) }
                .map { ($0, FindingIdentity($0, in: side.analysis.model)) }
        }
        let (old, now) = (identified(before), identified(after))
        let others = again.map(identified)
        // A finding that cannot be compared counts as present, because it must not be reported as new or gone.
        func has(_ side: [(finding: Finding, identity: FindingIdentity)], _ identity: FindingIdentity) -> Bool {
            side.contains { $0.identity.match(identity) != .different }
        }
        let known = Baseline(
            findings: (old + others.joined()).map { .init($0.identity, severity: $0.finding.severity) })
        func isNear(_ identity: FindingIdentity, _ side: Side) -> Bool {
            side.near.contains { FindingIdentity($0, in: side.analysis.model).match(identity) != .different }
        }
        let missed = old.filter { old in !has(now, old.identity) && others.allSatisfy { has($0, old.identity) } }
        var unmatched: [Finding] = []
        gone = missed.filter { !isNear($0.identity, after) }.map(\.finding)
        nearlySame = missed.filter { isNear($0.identity, after) }.map(\.finding)
        var (new, worse, same, nearlyNew): ([Finding], [WorseFinding], [Finding], [Finding]) = ([], [], [], [])
        for (finding, identity) in now {
            switch known.match(of: identity, severity: finding.severity) {
            case .new where ([before] + again).contains { isNear(identity, $0) }: nearlyNew.append(finding)
            case .new: new.append(finding)
            case .risen(let severity): worse.append(WorseFinding(finding: finding, severity: severity))
            case .known: same.append(finding)
            case .unmatched: unmatched.append(finding)
            }
        }
        (self.new, self.worse, self.same, self.nearlyNew) = (new, worse, same, nearlyNew)
        self.unmatched = unmatched
        let sides = [before] + again + [after]
        let nameless = sides.map { Set($0.analysis.model.codes.compactMap(FindingIdentity.module(ofNameless:))) }
        let inSome = nameless.reduce(into: Set()) { $0.formUnion($1) }
        let excluded = inSome.filter { module in !nameless.allSatisfy { $0.contains(module) } }
        unmatchedModules = excluded.sorted()
        func run(_ side: Side) -> Comparison.Run { Self.run(side, without: excluded) }
        runs = Comparison(before: run(before), again: again.map(run), after: run(after))
    }

    private static func run(_ side: Side, without modules: Set<String>) -> Comparison.Run {
        let images = SymbolTable(images: side.analysis.model.images)
        return Comparison.Run(profile: side.profile, duration: side.analysis.trace.duration) { index in
            guard index != .unknown else { return "" }
            let code = side.analysis.model[index]
            if !modules.isEmpty, code.address != 0,
                modules.contains(images.unresolvedFrame(at: code.address).imageName)
            {
                return ""
            }
            return FindingIdentity.place(code)
        }
    }

    /// True when no finding, queue or code differs by more than noise.
    public var isSame: Bool { gone.isEmpty && !hasLosses && !runs.hasChanges }

    /// How the program crashed in the run to judge, if it did not crash in the run before; otherwise nil.
    var newCrash: ProgramEnding? {
        guard let ending = after.analysis.trace.ending, ending.isCrash else { return nil }
        return before.analysis.trace.ending?.isCrash == true ? nil : ending
    }

    /// True when at least one finding is new or worse, or when only the run to judge crashed.
    public var hasLosses: Bool { !new.isEmpty || !worse.isEmpty || newCrash != nil }
}
