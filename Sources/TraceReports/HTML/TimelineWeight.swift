import DispatchModel

/// How much something matters to a reader: what is lighter is left out first when not everything fits.
///
/// First by the finding whose window it touches, then by time: its own, and sixteen times that of a thread that was
/// blocked by it, because that is what findings are made of.
enum TimelineWeight {
    /// More than any time that a trace tells of: half a year in nanoseconds.
    private static let timeBits: Int64 = 54

    static func of(_ time: Int64, rank: Int?) -> Int64 {
        let bounded = min(max(0, time), 1 << timeBits - 1)
        guard let rank else { return bounded }
        return bounded + Int64(DetailWindows.mostFindings - rank) << timeBits
    }

    /// Nothing in the window of the finding with this rank is lighter.
    static func least(ofRank rank: Int) -> Int64 { of(0, rank: rank) }

    static func time(service: Int64, wait: Int64, blocks: Bool) -> Int64 { service &+ (blocks ? wait &* 16 : wait) }

    static func of(_ item: Item, in windows: DetailWindows) -> Int64 {
        of(
            time(service: item.service.count, wait: item.wait.count, blocks: item.isSync),
            rank: windows.rank(from: item.enqueuedAt.nanoseconds, to: item.endedAt.nanoseconds))
    }

    /// The weight at a share of a bounded sample: with 0.5 the median.
    static func quantile(_ share: Double, of weights: [Int64]) -> Int64 {
        let step = max(1, weights.count / 8_192)
        let sample = stride(from: 0, to: weights.count, by: step).map { weights[$0] }.sorted()
        guard !sample.isEmpty else { return 0 }
        return sample[min(sample.count - 1, Int(share * Double(sample.count)))]
    }
}
