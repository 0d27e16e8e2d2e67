import DispatchModel

/// The recent waits of each thread: for locks, groups, semaphores and work items, or in system calls.
///
/// A wait is observed when it ends, which is before the end of the item that contains it. So a few waits per thread are
/// enough.
struct RecentWaits {
    /// Most waits kept per thread. When a thread has more, the oldest wait is merged into the next one.
    private static let limit = 64

    struct Place {
        let kind: BlockedTask.Place
        let code: CodeIndex

        /// `the system call read at App/File.swift:3`.
        func name(in model: DispatchModel) -> String { kind.name(in: model) + model.place(of: code) }
    }

    private struct Wait {
        var begin: Timestamp
        var end: Timestamp
        var length: Nanoseconds
        let place: Place
    }

    /// By position of the thread, in the order of the ends.
    private var waits: [[Wait]] = []

    mutating func add(_ thread: ThreadIndex, from begin: Timestamp, to end: Timestamp, in place: Place) {
        guard end > begin else { return }
        waits.reach(thread.position, [])
        waits[thread.position].append(Wait(begin: begin, end: end, length: end - begin, place: place))
        guard waits[thread.position].count > Self.limit else { return }
        let oldest = waits[thread.position].removeFirst()
        waits[thread.position][0].begin = min(oldest.begin, waits[thread.position][0].begin)
        waits[thread.position][0].length += oldest.length
    }

    /// The time for which a thread waited between two instants.
    func total(of thread: ThreadIndex, from begin: Timestamp, to end: Timestamp) -> Nanoseconds {
        lengths(of: thread, from: begin, to: end).reduce(.zero) { $0 + $1.length }
    }

    /// The place where a thread waited longest between two instants, and its total wait there; nil without waits.
    func longest(
        of thread: ThreadIndex, from begin: Timestamp, to end: Timestamp
    ) -> (place: Place, length: Nanoseconds)? {
        let all = lengths(of: thread, from: begin, to: end)
        let totals = Dictionary(all.map { ($0.place.code, $0.length) }, uniquingKeysWith: +)
        guard let most = totals.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return nil }
        return all.filter { $0.place.code == most.key }.max { $0.length < $1.length }.map { ($0.place, most.value) }
    }

    private func lengths(
        of thread: ThreadIndex, from begin: Timestamp, to end: Timestamp
    ) -> [(place: Place, length: Nanoseconds)] {
        guard thread.position < waits.count else { return [] }
        return waits[thread.position].filter { $0.begin < end && $0.end > begin }
            .map { ($0.place, min($0.length, min($0.end, end) - max($0.begin, begin))) }
    }
}
