import DispatchModel

/// Collects latencies and returns their percentiles, to three significant digits or better.
///
/// Most queues of a large program run few items, so the first values are stored exactly, in four bytes each. When there
/// are more values than an HdrHistogram over one second has counters, they move to such counters. Ten thousand queues
/// then cost as much as their items, and the cost of a busy queue is constant.
struct LatencyRecorder {
    /// The number of counters of an HdrHistogram over one second.
    private static let exactValues = 16_384

    private var exact: [UInt32] = []
    private var buckets = LatencyBuckets()
    private(set) var count = 0
    private(set) var maximum: Int64 = 0

    /// Adds a latency; a negative one counts as zero.
    @inline(__always)
    mutating func record(_ latency: Nanoseconds) {
        let value = max(0, latency.count)
        count += 1
        if value > maximum { maximum = value }
        if !buckets.isEmpty {
            buckets.record(UInt64(value))
        } else if exact.count < Self.exactValues, value <= Int64(UInt32.max) {
            exact.append(UInt32(truncatingIfNeeded: value))
        } else {
            recordInBuckets(UInt64(value))
        }
    }

    /// Adds a latency several times; a negative one counts as zero.
    mutating func record(_ latency: Nanoseconds, times number: Int) {
        guard number > 1, !buckets.isEmpty else {
            for _ in 0..<number { record(latency) }
            return
        }
        let value = max(0, latency.count)
        count += number
        maximum = max(maximum, value)
        buckets.record(UInt64(value), times: UInt64(number))
    }

    /// Adds latencies in nanoseconds; negative ones count as zero.
    mutating func record(_ latencies: UnsafeBufferPointer<Int64>) {
        guard !buckets.isEmpty else {
            for latency in latencies { record(Nanoseconds(latency)) }
            return
        }
        count += latencies.count
        for latency in latencies { maximum = max(maximum, latency) }
        buckets.record(latencies, upTo: UInt64(maximum))
    }

    /// Adds latencies of zero.
    mutating func record(zeros number: Int) {
        guard !buckets.isEmpty else {
            for _ in 0..<number { record(.zero) }
            return
        }
        count += number
        buckets.record(zeros: number)
    }

    /// Adds the latencies of another recorder.
    mutating func merge(_ other: Self) {
        for value in other.exact { record(Nanoseconds(Int64(value))) }
        guard !other.buckets.isEmpty else { return }
        moveToBuckets()
        buckets.merge(other.buckets)
        count += other.count
        maximum = max(maximum, other.maximum)
    }

    @inline(never)
    private mutating func recordInBuckets(_ value: UInt64) {
        if !exact.isEmpty { moveToBuckets() }
        buckets.record(value)
    }

    private mutating func moveToBuckets() {
        for earlier in exact { buckets.record(UInt64(earlier)) }
        exact = []
    }

    /// The percentiles so far; zero when nothing was recorded.
    var percentiles: LatencyPercentiles {
        let values = values(atPercentiles: [50, 90, 99, 99.9])
        var result = LatencyPercentiles()
        result.p50 = values[0]
        result.p90 = values[1]
        result.p99 = values[2]
        result.p999 = values[3]
        result.max = Nanoseconds(maximum)
        return result
    }

    /// The median; zero when nothing was recorded.
    var median: Nanoseconds { value(atPercentile: 50) }

    /// The percentile of the latencies; zero when nothing was recorded.
    func value(atPercentile percentile: Double) -> Nanoseconds { values(atPercentiles: [percentile])[0] }

    /// The percentiles of the latencies, in ascending order of `percentiles`.
    func values(atPercentiles percentiles: [Double]) -> [Nanoseconds] {
        guard count > 0 else { return percentiles.map { _ in .zero } }
        guard buckets.isEmpty else {
            return buckets.values(atPercentiles: percentiles, of: count).map {
                Nanoseconds(min(Int64(clamping: $0), maximum))
            }
        }
        var values = exact
        return values.withUnsafeMutableBufferPointer { values in
            var first = 0
            return percentiles.map { Self.value(atPercentile: $0, from: &first, in: values) }
        }
    }

    /// The percentiles of an array of values, which is reordered; zero for none.
    static func percentiles(of values: UnsafeMutableBufferPointer<UInt32>) -> LatencyPercentiles {
        var result = LatencyPercentiles()
        guard !values.isEmpty else { return result }
        var first = 0
        result.p50 = value(atPercentile: 50, from: &first, in: values)
        result.p90 = value(atPercentile: 90, from: &first, in: values)
        result.p99 = value(atPercentile: 99, from: &first, in: values)
        result.p999 = value(atPercentile: 99.9, from: &first, in: values)
        result.max = value(atPercentile: 100, from: &first, in: values)
        return result
    }

    /// The percentile by nearest rank: the smallest value such that at least this share of the values is not larger, as
    /// in HdrHistogram. `first` is the rank of a smaller percentile, and becomes the rank of this one. All smaller
    /// values are in front of it.
    private static func value(
        atPercentile percentile: Double, from first: inout Int, in values: UnsafeMutableBufferPointer<UInt32>
    ) -> Nanoseconds {
        let rank = min(max(Int((percentile / 100 * Double(values.count)).rounded(.up)), 1), values.count) - 1
        select(rank, from: first, in: values)
        first = rank
        return Nanoseconds(Int64(values[rank]))
    }

    /// Moves the value of a rank to its sorted position, with smaller values before and larger values after it.
    ///
    /// - Parameters:
    ///   - rank: a position, not before `first`.
    ///   - first: no value before this position is larger than a value from it on.
    ///   - values: all values.
    private static func select(_ rank: Int, from first: Int, in values: UnsafeMutableBufferPointer<UInt32>) {
        var (low, high) = (first, values.count - 1)
        var rounds = 0
        while low < high {
            // Some orders give bad pivots, and a trace may contain them on purpose.
            rounds += 1
            if rounds > 16 {
                var rest = UnsafeMutableBufferPointer(rebasing: values[low...high])
                return rest.sort()
            }
            let pivot = max(
                min(values[low], values[high]), min(max(values[low], values[high]), values[(low + high) / 2]))
            var (left, right) = (low, high)
            while left <= right {
                while values[left] < pivot { left += 1 }
                while values[right] > pivot { right -= 1 }
                guard left <= right else { break }
                values.swapAt(left, right)
                left += 1
                right -= 1
            }
            // The values from `low` to `right` are at most the pivot, the values from `left` on are at least the pivot,
            // and a value between equals it.
            if rank <= right {
                high = right
            } else if rank >= left {
                low = left
            } else {
                return
            }
        }
    }
}
