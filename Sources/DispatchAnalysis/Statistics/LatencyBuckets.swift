/// Counters in the layout of an HdrHistogram of three significant digits: linear up to 2048, then 1024 steps per
/// doubling.
///
/// ```
///   value     0 … 2047   2048 … 4095   4096 … 8191   …
///   step      1          2             4
///   counter   0 … 2047   2048 … 3071   3072 … 4095
/// ```
struct LatencyBuckets {
    private static let halfCount = 1024
    /// Significant bits of a value: 2048 steps.
    private static let significantBits = 11

    private var counts: [UInt64] = []

    var isEmpty: Bool { counts.isEmpty }

    @inline(__always)
    mutating func record(_ value: UInt64, times number: UInt64 = 1) {
        let index = Self.index(of: value)
        if index >= counts.count { grow(to: index) }
        counts[index] += number
    }

    /// Adds values; negative ones count as zero.
    ///
    /// - Parameters:
    ///   - values: the values.
    ///   - largest: an upper bound of the values.
    mutating func record(_ values: UnsafeBufferPointer<Int64>, upTo largest: UInt64) {
        let last = Self.index(of: largest)
        if last >= counts.count { grow(to: last) }
        counts.withUnsafeMutableBufferPointer { counts in
            for value in values { counts[Self.index(of: UInt64(max(0, value)))] &+= 1 }
        }
    }

    /// Adds zeros.
    mutating func record(zeros number: Int) {
        if counts.isEmpty { grow(to: 0) }
        counts[0] += UInt64(number)
    }

    /// Adds the counts of other buckets.
    mutating func merge(_ other: Self) {
        if other.counts.count > counts.count { grow(to: other.counts.count - 1) }
        for (index, count) in other.counts.enumerated() { counts[index] += count }
    }

    @inline(never)
    private mutating func grow(to index: Int) {
        let size = (index / Self.halfCount + 1) * Self.halfCount
        counts.append(contentsOf: repeatElement(0, count: size - counts.count))
    }

    /// The counter of a value.
    @inline(__always)
    static func index(of value: UInt64) -> Int {
        let bits = UInt64.bitWidth - value.leadingZeroBitCount
        let shift = max(0, bits - significantBits)
        return shift * halfCount + Int(truncatingIfNeeded: value >> UInt64(shift))
    }

    /// The smallest value of a counter.
    static func value(at index: Int) -> UInt64 {
        guard index >= 2 * halfCount else { return UInt64(index) }
        let shift = index / halfCount - 1
        return UInt64(index - shift * halfCount) << UInt64(shift)
    }

    /// The largest value of a counter.
    private static func largestValue(at index: Int) -> UInt64 { value(at: index + 1) &- 1 }

    /// Returns the percentiles: the largest values of their counters, as in HdrHistogram.
    ///
    /// - Parameters:
    ///   - percentiles: above 0 and below 100, in rising order.
    ///   - total: the number of recorded values.
    func values(atPercentiles percentiles: [Double], of total: Int) -> [UInt64] {
        var values: [UInt64] = []
        var index = 0
        var reached: UInt64 = 0
        for percentile in percentiles {
            // Rounded down by one unit in the last place, so that an exact whole number is not rounded up.
            let rank = UInt64(max(1, (percentile.nextDown * Double(total) / 100).rounded(.up)))
            while index < counts.count, reached &+ counts[index] < rank {
                reached &+= counts[index]
                index += 1
            }
            values.append(Self.largestValue(at: index))
        }
        return values
    }
}
