import DispatchModel

/// What threads waited for lately, in locks, groups, semaphores and for work items.
///
/// A wait is observed when it ends, before the item that it is in: a few per thread are enough.
struct RecentWaits {
    /// Waits kept per thread: what is in an item with more of them is added up in the oldest.
    private static let limit = 64

    private struct Wait {
        var begin: Timestamp
        var end: Timestamp
        var length: Nanoseconds
    }

    /// By position of the thread, in the order of their ends.
    private var waits: [[Wait]] = []

    mutating func add(_ thread: ThreadIndex, from begin: Timestamp, to end: Timestamp) {
        guard end > begin else { return }
        waits.reach(thread.position, [])
        waits[thread.position].append(Wait(begin: begin, end: end, length: end - begin))
        guard waits[thread.position].count > Self.limit else { return }
        let oldest = waits[thread.position].removeFirst()
        waits[thread.position][0].begin = min(oldest.begin, waits[thread.position][0].begin)
        waits[thread.position][0].length += oldest.length
    }

    /// The time for which a thread waited between two instants.
    func total(of thread: ThreadIndex, from begin: Timestamp, to end: Timestamp) -> Nanoseconds {
        guard thread.position < waits.count else { return .zero }
        return waits[thread.position].reduce(.zero) { sum, wait in
            guard wait.begin < end, wait.end > begin else { return sum }
            return sum + min(wait.length, min(wait.end, end) - max(wait.begin, begin))
        }
    }
}
