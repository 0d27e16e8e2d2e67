import DispatchModel

/// The times in which something was so, in bounded memory: what overlaps is one.
struct TimeUnion {
    private static let limit = 16_384

    private var times: [(begin: Timestamp, end: Timestamp)] = []
    /// In order of time, and none overlap.
    private var isSettled = true

    /// Takes in a time; what comes after the limit is left out, so that less is told rather than more.
    mutating func add(_ begin: Timestamp, _ end: Timestamp) {
        guard end > begin else { return }
        // Most come in order and overlap the last one.
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

    /// How much of a time it covers.
    mutating func overlap(_ begin: Timestamp, _ end: Timestamp) -> Nanoseconds {
        settle()
        return times.reduce(.zero) { sum, time in
            let common = min(time.end, end) - max(time.begin, begin)
            return common > .zero ? sum + common : sum
        }
    }
}
