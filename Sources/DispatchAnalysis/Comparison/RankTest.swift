import Glibc

/// The Mann–Whitney test, which tests whether the values of one sample tend to be larger than the values of another.
///
/// It compares ranks only, so it needs no assumption about the distribution, and an extreme value has no special
/// weight. The normal approximation, with corrections for ties and continuity, is valid from eight values per sample.
///
/// Source: Mann and Whitney, "On a Test of Whether one of Two Random Variables is Stochastically Larger than the
/// Other", 1947; Cliff, "Dominance Statistics", 1993, for `delta`.
struct RankTest {
    /// The fewest values per sample for which the approximation is valid.
    static let leastValues = 8

    /// The probability of ranks at least this unequal if both samples come from one distribution.
    let probability: Double
    /// Cliff's delta, from -1 to 1: the share of pairs in which the second value is larger, minus the share in which
    /// the first is.
    let delta: Double

    /// - Complexity: O(n log n).
    init(_ first: [Double], _ second: [Double]) {
        let all = (first.map { ($0, false) } + second.map { ($0, true) }).sorted { $0.0 < $1.0 }
        var rankSum = 0.0
        var ties = 0.0
        var begin = 0
        while begin < all.count {
            var end = begin
            while end < all.count, all[end].0 == all[begin].0 { end += 1 }
            let size = Double(end - begin)
            let rank = Double(begin + end + 1) / 2
            rankSum += rank * Double(all[begin..<end].count { $0.1 })
            ties += size * size * size - size
            begin = end
        }
        let (n, m) = (Double(first.count), Double(second.count))
        guard n > 0, m > 0 else {
            (probability, delta) = (1, 0)
            return
        }
        let u = rankSum - m * (m + 1) / 2
        delta = 2 * u / (n * m) - 1
        let total = n + m
        let variance = n * m / 12 * (total + 1 - ties / (total * max(1, total - 1)))
        guard variance > 0 else {
            probability = 1
            return
        }
        let distance = max(0, abs(u - n * m / 2) - 0.5)
        probability = erfc(distance / variance.squareRoot() / 2.0.squareRoot())
    }

    /// Returns the probabilities with Holm's correction for the number of tests.
    ///
    /// Source: Holm, "A Simple Sequentially Rejective Multiple Test Procedure", 1979.
    static func corrected(_ probabilities: [Double]) -> [Double] {
        var corrected = probabilities
        var largest = 0.0
        for (order, position) in probabilities.indices.sorted(by: { probabilities[$0] < probabilities[$1] })
            .enumerated()
        {
            largest = max(largest, min(1, probabilities[position] * Double(probabilities.count - order)))
            corrected[position] = largest
        }
        return corrected
    }
}
