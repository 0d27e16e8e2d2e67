/// Times two operations in alternating rounds, A B A B …, and compares them round by round, so that a drift of the
/// machine's speed affects both.
///
/// A harness that runs one benchmark after the other cannot do this. On a shared machine its ratios vary by a third
/// between runs.
struct PairedRounds {
    /// Nanoseconds per operation, one per round.
    private(set) var first: [Double] = []
    private(set) var second: [Double] = []

    /// - Parameters:
    ///   - rounds: number of measured rounds. A tenth as many warm-up rounds precede them.
    ///   - operations: number of operations of one call of `first` or `second`.
    ///   - first: the lower bound, or the alternative implementation.
    ///   - second: the operation that is compared with `first`.
    init(rounds: Int, operations: Int64, first: (Int64) -> Void, second: (Int64) -> Void) {
        let warmUp = max(1, rounds / 10)
        for round in 0..<(warmUp + rounds) {
            let a = Self.time(operations, first)
            let b = Self.time(operations, second)
            guard round >= warmUp else { continue }
            self.first.append(a)
            self.second.append(b)
        }
    }

    /// The median of `second / first` over the rounds.
    var ratio: Double { Self.median(zip(first, second).map { $1 / $0 }) }
    /// The median of `second - first` over the rounds, in nanoseconds.
    var difference: Double { Self.median(zip(first, second).map { $1 - $0 }) }
    var firstMedian: Double { Self.median(first) }
    var secondMedian: Double { Self.median(second) }

    private static func time(_ operations: Int64, _ work: (Int64) -> Void) -> Double {
        let clock = ContinuousClock()
        let (seconds, attoseconds) = clock.measure { work(operations) }.components
        return (Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(operations)
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }
}
