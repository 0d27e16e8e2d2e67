import DispatchModel

/// How many items wait in a queue over time, exact at evenly spaced instants, in bounded memory.
///
/// Waits become known when they are over, thus not in the order of their begin: what is kept is by how much the depth
/// changed in each of at most ``limit`` intervals. When the trace outgrows them, each becomes twice as long.
struct DepthSamples {
    static let limit = 4096

    private var changes: [Int32] = []
    /// The length of an interval is two to this power, in nanoseconds.
    private var shift: Int64 = 10

    /// Takes in a wait.
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
