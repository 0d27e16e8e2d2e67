import DispatchModel

/// Measures how much of the connections' handler time overlapped with another connection's.
///
/// ```
///   connection.1  ████████
///   connection.2      ████████
///   overlap           ████        4 of 12: two ran at once
/// ```
final class OverlapMeter: ModelObserver {
    private var edges: [(time: Int64, change: Int)] = []

    func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .item(let item) = observation, item.kind == .sourceHandler, item.endedAt > item.beganAt else {
            return
        }
        edges.append((item.beganAt.nanoseconds, 1))
        edges.append((item.endedAt.nanoseconds, -1))
    }

    /// Time in which two or more handlers of sources ran, over the time in which any did; 0 to 1.
    ///
    /// - Complexity: O(n log n) in the number of handlers that ran: meant for the demo's short traces.
    var share: Double {
        var running = 0
        var any: Int64 = 0
        var several: Int64 = 0
        var last: Int64 = 0
        // At the same instant the end comes first: handlers that only touch do not overlap.
        for edge in edges.sorted(by: { ($0.time, $0.change) < ($1.time, $1.change) }) {
            if running > 0 { any += edge.time - last }
            if running > 1 { several += edge.time - last }
            running += edge.change
            last = edge.time
        }
        return any > 0 ? Double(several) / Double(any) : 0
    }
}
