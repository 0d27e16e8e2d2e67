import DispatchModel

/// Two runs side by side, by queue and by code, and which differences are more than noise.
///
/// A run is cut into 32 to 64 blocks of time. Per block and group of items one value is taken of each measure; a difference
/// counts when
///
/// 1. a Mann–Whitney test of the blocks' values gives a probability below 1 %, after Holm's correction for all tests made;
/// 2. the effect is large: Cliff's delta at least 0.5, so that three of four pairs of blocks go the same way;
/// 3. and it is larger than what whole runs of one program differ by. The blocks of one run do not tell that. Where further
///    runs of the program before are given, the typical value afterwards must lie as far outside of the range of
///    theirs as that is wide, and at least a fifth; where there are none, it must be double or half (``leastRatio``).
///
/// How often and how fast a program does something, and how often its threads lose their processor, follows from how busy
/// the machine is: a difference in these alone is shown, and is no difference of the program.
public struct Comparison {
    /// What is compared.
    public enum Measure: String, CaseIterable, Sendable {
        /// Items per second.
        case rate
        /// From enqueue to begin.
        case wait
        /// From begin to end.
        case service
        /// Syncs that had to wait and got the queue from another thread, per item.
        case handoffs
        /// Times that the thread lost its processor, per item.
        case switches

        /// Less is better; of the rate neither is.
        var lessIsBetter: Bool { self != .rate }

        /// It differs with how busy the machine is, whatever the program does.
        public var followsMachine: Bool { self == .rate || self == .switches }

        /// Smaller differences of the typical values do not matter, however large they are in proportion.
        fileprivate var leastDifference: Double {
            switch self {
            case .wait, .service: 2_000
            case .rate: 1
            case .handoffs, .switches: 0.02
            }
        }
    }

    /// A group of items in one run.
    public struct Side: Sendable {
        /// Items that ran.
        public let items: Int
        /// Items per second of the run.
        public let rate: Double
        /// From enqueue to begin.
        public let wait: LatencyPercentiles
        /// From begin to end.
        public let service: LatencyPercentiles
        /// The sum of the waits.
        public let waitTotal: Nanoseconds
        /// Syncs that got their queue from another thread.
        public let handoffs: Int
        /// Times that threads lost their processor while items ran; nil when that was not recorded.
        public let switches: Int?
        /// Of the time in which any of them ran, the share in which two or more did.
        public let overlap: Double
    }

    /// A difference that is more than noise.
    public struct Change: Sendable {
        /// What differs.
        public let measure: Measure
        /// The typical value afterwards over the one before; infinite when it was 0 before.
        public let ratio: Double
        /// The corrected probability of such a difference by chance.
        public let probability: Double
        /// Cliff's delta, -1 to 1.
        public let delta: Double
        /// Nil where neither more nor less is better.
        public let isBetter: Bool?
    }

    /// A group of queues or of code in both runs.
    public struct Row: Sendable {
        /// The pattern of the labels, or the code's name.
        public let name: String
        /// Nil when it ran nothing before.
        public let before: Side?
        /// Nil when it ran nothing afterwards.
        public let after: Side?
        /// What differs, in the order of ``Measure``.
        public internal(set) var changes: [Change] = []
        /// It ran items in enough blocks of both runs to tell how long they wait and run.
        public internal(set) var isTested = false

        /// The time that it lost in the worse of both runs.
        public var cost: Nanoseconds { max(before?.waitTotal ?? .zero, after?.waitTotal ?? .zero) }
    }

    /// Corrected probabilities below this count.
    public static let significance = 0.01
    /// Cliff's deltas at least this large count.
    public static let leastDelta = 0.5
    /// Typical values that differ by less do not count, where there is one run only.
    public static let leastRatio = 2.0
    /// How far outside of the range of several runs a typical value must lie at least.
    public static let leastExcess = 1.2

    /// By pattern of the label, those that lost most first.
    public private(set) var queues: [Row]
    /// By name of the code, those that lost most first.
    public private(set) var code: [Row]

    /// One run.
    public struct Run {
        let profile: RunProfile
        let duration: Nanoseconds
        let codeName: (CodeIndex) -> String

        /// - Parameters:
        ///   - profile: what followed the run's analysis.
        ///   - duration: from the trace's first event to its last.
        ///   - codeName: the name by which code of both runs is matched; empty for code that has none.
        public init(profile: RunProfile, duration: Nanoseconds, codeName: @escaping (CodeIndex) -> String) {
            self.profile = profile
            self.duration = duration
            self.codeName = codeName
        }
    }

    /// Compares two runs.
    ///
    /// - Parameters:
    ///   - before: the run to compare with.
    ///   - again: further runs of the same program, which tell how much its runs differ by themselves.
    ///   - after: the run that may be better or worse.
    public init(before: Run, again: [Run] = [], after: Run) {
        var tests: [Test] = []
        queues = Self.rows(
            before.profile.queueGroups(duration: before.duration), after.profile.queueGroups(duration: after.duration),
            again: again.map { $0.profile.queueGroups(duration: $0.duration) }, isCode: false, &tests)
        code = Self.rows(
            before.profile.codeGroups(duration: before.duration, name: before.codeName),
            after.profile.codeGroups(duration: after.duration, name: after.codeName),
            again: again.map { $0.profile.codeGroups(duration: $0.duration, name: $0.codeName) }, isCode: true, &tests)
        let probabilities = RankTest.corrected(tests.map(\.result.probability))
        for (test, probability) in zip(tests, probabilities) {
            guard let change = test.change(probability) else { continue }
            if test.isCode {
                code[test.row].changes.append(change)
            } else {
                queues[test.row].changes.append(change)
            }
        }
    }

    /// Something differs by more than noise that does not follow from how busy the machine is.
    public var hasChanges: Bool {
        (queues + code).contains { $0.changes.contains { !$0.measure.followsMachine } }
    }

    private struct Test {
        let isCode: Bool
        let row: Int
        let measure: Measure
        /// Typical values of the runs before, of which the first was tested.
        let before: [Double]
        let after: Double
        let result: RankTest

        func change(_ probability: Double) -> Change? {
            guard probability < Comparison.significance, abs(result.delta) >= Comparison.leastDelta,
                isOutside(before.count > 1 ? max(Comparison.leastExcess, spread) : Comparison.leastRatio)
            else { return nil }
            let ratio = before[0] > 0 ? after / before[0] : .infinity
            return Change(
                measure: measure, ratio: ratio, probability: probability, delta: result.delta,
                isBetter: measure.lessIsBetter ? after < before[0] : nil)
        }

        /// The ratio of the largest value before to the smallest.
        private var spread: Double {
            let (low, high) = (before.min() ?? 0, before.max() ?? 0)
            return low > 0 ? high / low : high > 0 ? .infinity : 1
        }

        /// The value lies so far above all of those before, or below them.
        private func isOutside(_ factor: Double) -> Bool {
            let (low, high) = (before.min() ?? 0, before.max() ?? 0)
            return (after >= high * factor && after - high >= measure.leastDifference)
                || (after <= low / factor && low - after >= measure.leastDifference)
        }
    }

    private static func rows(
        _ before: [ActivityGroup], _ after: [ActivityGroup], again: [[ActivityGroup]], isCode: Bool,
        _ tests: inout [Test]
    ) -> [Row] {
        func byName(_ groups: [ActivityGroup]) -> [String: ActivityGroup] {
            Dictionary(groups.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }
        let (old, new, others) = (byName(before), byName(after), again.map(byName))
        var rows = Set(old.keys).union(new.keys).map { name in
            Row(name: name, before: old[name]?.side, after: new[name]?.side)
        }
        rows.sort { ($1.cost, $0.name) < ($0.cost, $1.name) }
        for position in rows.indices {
            guard let left = old[rows[position].name], let right = new[rows[position].name] else { continue }
            for measure in Measure.allCases {
                let samples = (left.sample(measure), right.sample(measure))
                guard min(samples.0.count, samples.1.count) >= RankTest.leastValues else { continue }
                if measure == .wait || measure == .service { rows[position].isTested = true }
                tests.append(
                    Test(
                        isCode: isCode, row: position, measure: measure,
                        before: [ActivityGroup.typical(measure, of: samples.0)]
                            + others.compactMap { $0[left.name]?.sample(measure) }.filter { !$0.isEmpty }.map {
                                ActivityGroup.typical(measure, of: $0)
                            },
                        after: ActivityGroup.typical(measure, of: samples.1), result: RankTest(samples.0, samples.1)))
            }
        }
        return rows
    }
}
