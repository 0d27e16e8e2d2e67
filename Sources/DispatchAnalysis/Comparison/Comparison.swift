import DispatchModel

/// Compares two runs by queue and by code, and finds differences that exceed noise.
///
/// A run is divided into 32 to 64 blocks of time. Each measure has one value per block and group of items. A difference
/// counts when all of these hold:
///
/// 1. A Mann–Whitney test of the blocks' values gives a probability below 1 %, after Holm's correction for all tests.
///    2. The effect is large: Cliff's delta is at least 0.5, so three of four pairs of blocks differ in the same
///    direction. 3. It exceeds the usual difference between runs of one program, which the blocks of one run do not
///    show. With further runs of the program before, the typical value afterwards must lie outside the range of their
///    values by at least the width of the range (as a ratio), and by at least a fifth. Without them, it must be at
///    least double or at most half (``leastRatio``).
///
/// The item rate and the number of lost processors depend on the load of the machine. A difference only in these
/// measures is shown, but it is not a difference of the program.
public struct Comparison {
    /// A measure of the comparison.
    public enum Measure: String, CaseIterable, Sendable {
        /// Items per second.
        case rate
        /// From enqueue to begin.
        case wait
        /// From begin to end.
        case service
        /// Syncs that had to wait and got the queue by a hand-off from another thread, per item.
        case handoffs
        /// Number of times that the thread lost its processor, per item.
        case switches

        /// Whether a smaller value is better. For the rate, neither direction is better.
        var lessIsBetter: Bool { self != .rate }

        /// Whether the value depends on the load of the machine.
        public var followsMachine: Bool { self == .rate || self == .switches }

        /// Smaller absolute differences of the typical values do not count, whatever their ratio. Nanoseconds for
        /// times.
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
        /// Syncs that got their queue by a hand-off from another thread.
        public let handoffs: Int
        /// Number of times that threads lost their processor during items; nil if it was not recorded.
        public let switches: Int?
        /// The share of the busy time in which two or more items ran.
        public let overlap: Double
    }

    /// A difference that exceeds noise.
    public struct Change: Sendable {
        /// The measure that differs.
        public let measure: Measure
        /// The ratio of the typical value afterwards to the value before; infinite if it was 0 before.
        public let ratio: Double
        /// The corrected probability that chance causes such a difference.
        public let probability: Double
        /// Cliff's delta, -1 to 1.
        public let delta: Double
        /// Whether the difference is an improvement; nil if neither direction is better.
        public let isBetter: Bool?
    }

    /// A group of queues or of code in both runs.
    public struct Row: Sendable {
        /// The pattern of the labels, or the name of the code.
        public let name: String
        /// The first run; nil if the group had no items there.
        public let before: Side?
        /// The second run; nil if the group had no items there.
        public let after: Side?
        /// The differences, in the order of ``Measure``.
        public internal(set) var changes: [Change] = []
        /// Whether both runs have enough blocks with items to compare waits and services.
        public internal(set) var isTested = false

        /// The larger of the time lost in the two runs.
        public var cost: Nanoseconds { max(before?.waitTotal ?? .zero, after?.waitTotal ?? .zero) }
    }

    /// Differences count if their corrected probability is below this.
    public static let significance = 0.01
    /// Differences count if Cliff's delta is at least this.
    public static let leastDelta = 0.5
    /// The smallest ratio of typical values that counts if there is only one run before.
    public static let leastRatio = 2.0
    /// The smallest ratio of a typical value to the range of several runs that counts.
    public static let leastExcess = 1.2

    /// The groups of queues, by pattern of the label, in descending order of the time lost.
    public private(set) var queues: [Row]
    /// The groups of code, by name, in descending order of the time lost.
    public private(set) var code: [Row]

    /// One run.
    public struct Run {
        let profile: RunProfile
        let duration: Nanoseconds
        let codeName: (CodeIndex) -> String

        /// - Parameters:
        ///   - profile: the observer of the run's analysis.
        ///   - duration: the time from the first event of the trace to the last.
        ///   - codeName: returns the name by which code of both runs is matched; empty for code without a name.
        public init(profile: RunProfile, duration: Nanoseconds, codeName: @escaping (CodeIndex) -> String) {
            self.profile = profile
            self.duration = duration
            self.codeName = codeName
        }
    }

    /// Compares two runs.
    ///
    /// - Parameters:
    ///   - before: the first run.
    ///   - again: further runs of the first program, which show the usual difference between its runs.
    ///   - after: the second run.
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

    /// Whether a difference exceeds noise and does not depend on the load of the machine.
    public var hasChanges: Bool {
        (queues + code).contains { $0.changes.contains { !$0.measure.followsMachine } }
    }

    private struct Test {
        let isCode: Bool
        let row: Int
        let measure: Measure
        /// Typical values of the runs before. The test used the first run.
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

        /// Whether the value afterwards lies above all values before by a factor, or below all of them.
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
