import DispatchModel

/// The importance of an element for a reader. Elements with the lowest weight are omitted first.
///
/// The weight is ordered by the rank of the finding whose window the element overlaps, then by time: its own time plus,
/// if it blocked a thread, sixteen times the wait, because findings consist mostly of such waits.
enum TimelineWeight {
    /// The number of bits for the time: more than half a year in nanoseconds.
    private static let timeBits: Int64 = 54

    static func of(_ time: Int64, rank: Int?) -> Int64 {
        let bounded = min(max(0, time), 1 << timeBits - 1)
        guard let rank else { return bounded }
        return bounded + Int64(DetailWindows.mostFindings - rank) << timeBits
    }

    /// The lowest weight of any element in the window of the finding with this rank.
    static func least(ofRank rank: Int) -> Int64 { of(0, rank: rank) }

    static func time(service: Int64, wait: Int64, blocks: Bool) -> Int64 { service &+ (blocks ? wait &* 16 : wait) }

    static func of(_ item: Item, in windows: DetailWindows) -> Int64 {
        of(
            time(service: item.service.count, wait: item.wait.count, blocks: item.isSync),
            rank: windows.rank(from: item.enqueuedAt.nanoseconds, to: item.endedAt.nanoseconds))
    }

    /// The weight at a quantile of a bounded sample; 0.5 is the median.
    ///
    /// - Parameters:
    ///   - share: the quantile, from 0 to 1.
    ///   - count: the number of weights.
    ///   - weight: the weight at a position.
    static func quantile(_ share: Double, ofCount count: Int, weight: (Int) -> Int64) -> Int64 {
        let sample = stride(from: 0, to: count, by: max(1, count / 8_192)).map(weight).sorted()
        guard !sample.isEmpty else { return 0 }
        return sample[min(sample.count - 1, Int(share * Double(sample.count)))]
    }
}
