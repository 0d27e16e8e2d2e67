import DispatchModel

/// Tallies by key, in the order of their first case. Keys beyond the limit are ignored.
struct Tallies<Key: Hashable, Case> {
    private static var limit: Int { 4096 }

    private var places: [Key: Int] = [:]
    private(set) var entries: [(key: Key, tally: CaseTally<Case>)] = []

    /// Adds a case; see ``CaseTally``.
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
        entries.append((key, CaseTally()))
        return entries.count - 1
    }
}
