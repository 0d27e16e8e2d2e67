import DispatchAnalysis
import DispatchModel

/// The problems that a live view has found since its start. Memory is bounded.
struct LiveFindingLog {
    /// A problem, with its last occurrence.
    struct Entry {
        var found: LiveSnapshot.Found
        /// The age of the recording when it was found first.
        let firstSeen: Nanoseconds
        /// Whether the last reading had it.
        var isPresent: Bool
    }

    /// Most problems. The problem that was seen least recently is removed first.
    private static let limit = 50

    /// The newest first.
    private(set) var entries: [Entry] = []

    /// Takes over the findings of a reading.
    mutating func note(_ snapshot: LiveSnapshot) {
        for position in entries.indices { entries[position].isPresent = false }
        for found in snapshot.findings.reversed() {
            if let known = entries.firstIndex(where: { $0.found.identity.isSame(as: found.identity) }) {
                entries[known].found = found
                entries[known].isPresent = true
            } else {
                entries.insert(Entry(found: found, firstSeen: snapshot.age, isPresent: true), at: 0)
            }
        }
        while entries.count > Self.limit {
            entries.remove(at: entries.lastIndex { !$0.isPresent } ?? entries.count - 1)
        }
    }
}
