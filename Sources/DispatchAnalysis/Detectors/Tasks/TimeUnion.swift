import DispatchModel

/// Union of time intervals, in bounded memory. Overlapping intervals are merged.
struct TimeUnion {
    private static let limit = 16_384

    private var times: [(begin: Timestamp, end: Timestamp)] = []
    /// Whether the intervals are sorted and do not overlap.
    private var isSettled = true

    /// Adds an interval. Intervals beyond the limit are ignored, so that the union is too small rather than too large.
    mutating func add(_ begin: Timestamp, _ end: Timestamp) {
        guard end > begin else { return }
        // Fast path: most intervals arrive in order and overlap the last one.
        if let last = times.last, begin >= last.begin, begin <= last.end {
            times[times.count - 1].end = max(last.end, end)
            return
        }
        if times.count == Self.limit { settle() }
        guard times.count < Self.limit else { return }
        if let last = times.last, begin < last.begin { isSettled = false }
        times.append((begin, end))
    }

    private mutating func settle() {
        guard !isSettled else { return }
        isSettled = true
        times.sort { $0.begin < $1.begin }
        var merged: [(begin: Timestamp, end: Timestamp)] = []
        for time in times {
            if let last = merged.last, time.begin <= last.end {
                merged[merged.count - 1].end = max(last.end, time.end)
            } else {
                merged.append(time)
            }
        }
        times = merged
    }

    /// Returns how much of an interval the union covers.
    mutating func overlap(_ begin: Timestamp, _ end: Timestamp) -> Nanoseconds {
        settle()
        return times.reduce(.zero) { sum, time in
            let common = min(time.end, end) - max(time.begin, begin)
            return common > .zero ? sum + common : sum
        }
    }
}
