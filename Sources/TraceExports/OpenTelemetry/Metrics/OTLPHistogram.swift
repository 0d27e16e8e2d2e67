import DispatchModel

/// A histogram of durations with fixed bounds.
struct OTLPHistogram {
    /// Upper bounds in seconds, inclusive: decades below 1 ms, and from 5 ms the bounds that the conventions of
    /// OpenTelemetry advise for durations of requests.
    static let bounds: [Double] = [
        0.000_001, 0.000_01, 0.000_1, 0.001, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
    ]
    private static let nanosecondBounds = bounds.map { Int64(($0 * 1e9).rounded()) }

    private(set) var count: Int64 = 0
    private(set) var sum = Nanoseconds.zero
    private(set) var shortest = Nanoseconds.zero
    private(set) var longest = Nanoseconds.zero
    private(set) var buckets = [Int64](repeating: 0, count: bounds.count + 1)

    mutating func record(_ duration: Nanoseconds) {
        shortest = count == 0 ? duration : min(shortest, duration)
        longest = max(longest, duration)
        count += 1
        sum += duration
        let bucket = Self.nanosecondBounds.firstIndex { duration.count <= $0 } ?? Self.bounds.count
        buckets[bucket] += 1
    }
}
