/// An interval in which an item may or may not have run, because its begin or its end is missing from the trace.
///
/// ```
///   item a   ├──────────? ········ its end was lost
///   item b                         ├───┤  on the same serial queue: item a ended earlier
///   unknown  ├────────────────────┤
/// ```
public struct UnknownInterval: Sendable, Hashable {
    /// The item's queue.
    public let queue: QueueIndex
    /// The thread that ran the item, or the thread that submitted it if its begin is missing.
    public let thread: ThreadIndex
    /// When the item began, or when it was submitted if its begin is missing.
    public let begin: Timestamp
    /// When its queue or its thread was certainly free again.
    public internal(set) var end: Timestamp
}

/// Collects unknown intervals. After the first 4,096, an interval extends the last one of its queue instead.
struct UnknownIntervals {
    private static let limit = 4096

    private(set) var all: [UnknownInterval] = []
    private var last: [QueueIndex: Int] = [:]

    mutating func add(_ interval: UnknownInterval) {
        if all.count >= Self.limit, let known = last[interval.queue] {
            all[known].end = max(all[known].end, interval.end)
            return
        }
        last[interval.queue] = all.count
        all.append(interval)
    }
}
