import DispatchModel

/// Case statistics by key, in the order of their first case. Keys beyond the limit are ignored.
struct CaseStatisticsTable<Key: Hashable, Case> {
    private static var limit: Int { 4096 }

    private var places: [Key: Int] = [:]
    private(set) var entries: [(key: Key, tally: CaseStatistics<Case>)] = []

    /// Adds a case; see ``CaseStatistics``.
    mutating func add(
        _ key: Key, _ value: @autoclosure () -> Case, cost: Nanoseconds, from begin: Timestamp, to end: Timestamp,
        thread: ThreadIndex
    ) {
        guard let place = place(of: key) else { return }
        entries[place].tally.add(value(), cost: cost, from: begin, to: end, thread: thread)
    }

    private mutating func place(of key: Key) -> Int? {
        if let known = places[key] { return known }
        guard entries.count < Self.limit else { return nil }
        places[key] = entries.count
        entries.append((key, CaseStatistics()))
        return entries.count - 1
    }
}
