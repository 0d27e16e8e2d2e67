/// A stretch of time in which nobody can tell whether an item ran, because its begin or its end is missing from the
/// trace.
///
/// ```
///   item a   ├──────────? ········ its end was lost
///   item b                         ├───┤  on the same serial queue: a must have ended before
///   unknown  ├────────────────────┤
/// ```
public struct UnknownStretch: Sendable, Hashable {
    /// The item's queue.
    public let queue: QueueIndex
    /// The thread that ran the item; the one that submitted it where its begin is missing.
    public let thread: ThreadIndex
    /// When the item began, or was submitted.
    public let begin: Timestamp
    /// When its queue or its thread was certainly free again.
    public internal(set) var end: Timestamp
}

/// Collects stretches. Those of one queue that follow each other closely become one when there are very many.
struct UnknownStretches {
    private static let limit = 4096

    private(set) var all: [UnknownStretch] = []
    private var last: [QueueIndex: Int] = [:]

    mutating func add(_ stretch: UnknownStretch) {
        if all.count >= Self.limit, let known = last[stretch.queue] {
            all[known].end = max(all[known].end, stretch.end)
            return
        }
        last[stretch.queue] = all.count
        all.append(stretch)
    }
}
