import DispatchModel

/// The number of waiting items of a queue over time, exact at evenly spaced times, in bounded memory.
///
/// A wait is added at its end, so waits do not arrive in the order of their begins. Therefore the change of the depth
/// is stored for each of at most ``limit`` intervals. When the trace is longer than all intervals, the length of each
/// interval is doubled.
struct DepthSamples {
    static let limit = 4096

    private var changes: [Int32] = []
    /// The binary logarithm of the length of an interval in nanoseconds.
    private var shift: Int64 = 10

    /// Adds a wait.
    mutating func add(from begin: Timestamp, to end: Timestamp) {
        guard begin < end else { return }
        change(by: 1, at: begin)
        change(by: -1, at: end)
    }

    private mutating func change(by amount: Int32, at time: Timestamp) {
        while max(0, time.nanoseconds) >> shift >= Int64(Self.limit) { widen() }
        let position = Int(max(0, time.nanoseconds) >> shift)
        while changes.count <= position { changes.append(0) }
        changes[position] += amount
    }

    private mutating func widen() {
        shift += 1
        for position in 0..<(changes.count + 1) / 2 {
            let second = 2 * position + 1
            changes[position] = changes[2 * position] + (second < changes.count ? changes[second] : 0)
        }
        changes.removeLast(changes.count / 2)
    }

    /// The depth after each interval in which it changed, and 0 at the begin.
    var samples: [(time: Timestamp, depth: Int)] {
        var depth = 0
        var result: [(time: Timestamp, depth: Int)] = []
        for (position, change) in changes.enumerated() where change != 0 {
            if result.isEmpty { result.append((.zero, 0)) }
            depth += Int(change)
            result.append((Timestamp(nanoseconds: Int64(position + 1) << shift), depth))
        }
        return result
    }
}
