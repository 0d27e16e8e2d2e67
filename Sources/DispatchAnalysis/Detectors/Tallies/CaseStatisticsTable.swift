import DispatchModel

/// Case statistics by key, in the order of their first case. Keys beyond the limit are ignored.
struct CaseStatisticsTable<Key: Hashable, Case> {
    private static var limit: Int { 4096 }

    private var groups = FindingGroups<Key, (key: Key, tally: CaseStatistics<Case>)>()

    var entries: [(key: Key, tally: CaseStatistics<Case>)] { groups.groups }

    /// Adds a case; see ``CaseStatistics``.
    mutating func add(
        _ key: Key, _ value: @autoclosure () -> Case, cost: Nanoseconds, from begin: Timestamp, to end: Timestamp,
        thread: ThreadIndex
    ) {
        guard groups.groups.count < Self.limit || groups.contains(key) else { return }
        groups[key, default: (key, CaseStatistics())].tally.add(
            value(), cost: cost, from: begin, to: end, thread: thread)
    }
}
