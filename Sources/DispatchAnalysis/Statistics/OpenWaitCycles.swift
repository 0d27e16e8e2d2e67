/// Finds the cycles among the waits that were open when the trace ended.
///
/// Each wait leads to the waiter that would have to end it, if that one waits itself:
///
/// ```
///   thread 4 ──► thread 7 ──► thread 9 ──► thread 7        7 and 9 are a cycle, 4 is a consequence
/// ```
///
/// The owner of an object is recorded when a wait for it begins. If the owner waits for the same object later, it has
/// handed the object over, and the new owner has no processor yet: no cycle.
enum OpenWaitCycles {
    /// - Parameters:
    ///   - waits: the waits, the longest first.
    ///   - hasOneOwner: whether an object has one owner at a time.
    /// - Returns: the waits with the numbers of their cycles: the waits of each cycle in the order in which they wait
    ///   for each other, then the others in their order.
    static func first(_ waits: [OpenWait], where hasOneOwner: (OpenWait.Cause) -> Bool) -> [OpenWait] {
        var places: [OpenWait.Waiter: Int] = [:]
        for (place, wait) in waits.enumerated() where places[wait.waiter] == nil { places[wait.waiter] = place }
        let next = waits.indices.map { place -> Int? in
            guard let blocker = waits[place].blocker.flatMap({ places[$0] }) else { return nil }
            let wasOwner = waits[blocker].cause == waits[place].cause && hasOneOwner(waits[place].cause)
            return wasOwner && blocker != place ? nil : blocker
        }
        var visited = [Int?](repeating: nil, count: waits.count)
        var isInCycle = [Bool](repeating: false, count: waits.count)
        var result: [OpenWait] = []
        var cycles = 0
        for start in waits.indices {
            var place: Int? = start
            while let current = place, visited[current] == nil {
                visited[current] = start
                place = next[current]
            }
            guard let first = place, visited[first] == start else { continue }
            cycles += 1
            var member = first
            repeat {
                var wait = waits[member]
                wait.cycle = cycles
                isInCycle[member] = true
                result.append(wait)
                member = next[member] ?? first
            } while member != first
        }
        return result + waits.indices.lazy.filter { !isInCycle[$0] }.map { waits[$0] }
    }
}
