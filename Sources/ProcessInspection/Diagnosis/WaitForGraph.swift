/// The threads and tasks of a process, and which of them each waits for.
///
/// An edge exists only where the memory of the process names the party that has to act: the owner of a lock or of a
/// queue, the thread that is joined, the awaited task. Each party waits for at most one other.
///
/// ```text
/// thread 11 ──queue a──▶ thread 12 ──mutex──▶ thread 13 ──queue b──▶ thread 12     a cycle of 12 and 13
/// ```
struct WaitForGraph {
    /// A thread by its id in the namespace of the command, or a task by its address.
    enum Party: Hashable, Comparable {
        case thread(Int32)
        case task(UInt64)
    }

    private var next: [Party: Party] = [:]

    mutating func add(_ waiter: Party, waitsFor other: Party) { next[waiter] = other }

    /// The party for which a party waits; nil when it is unknown.
    func successor(of party: Party) -> Party? { next[party] }

    /// All cycles. Each begins with its smallest party and follows the edges.
    var cycles: [[Party]] {
        var visited: Set<Party> = []
        var cycles: [[Party]] = []
        for start in next.keys.sorted() where !visited.contains(start) {
            var path: [Party] = []
            var places: [Party: Int] = [:]
            var party: Party? = start
            while let current = party, !visited.contains(current) {
                visited.insert(current)
                places[current] = path.count
                path.append(current)
                party = next[current]
            }
            guard let end = party, let first = places[end] else { continue }
            let cycle = Array(path[first...])
            let smallest = cycle.indices.min { cycle[$0] < cycle[$1] } ?? 0
            cycles.append(Array(cycle[smallest...] + cycle[..<smallest]))
        }
        return cycles
    }
}
