/// The locks, and the semaphores used as locks, that each thread holds.
struct HeldTable {
    /// Limit of the nesting depth. Deeper nesting usually indicates lost releases.
    private static let limit = 32

    /// By position of the thread, in the order of acquisition. Can be shorter than the list of threads.
    private var threads: [[HeldDomain]] = []

    @inline(__always)
    func holdsAny(_ thread: ThreadIndex) -> Bool { threads.reaches(thread) && !threads[thread].isEmpty }

    func held(by thread: ThreadIndex) -> [HeldDomain] { threads.reaches(thread) ? threads[thread] : [] }

    mutating func take(_ domain: HeldDomain, by thread: ThreadIndex) {
        threads.reach(thread.position, [])
        if threads[thread].count < Self.limit { threads[thread].append(domain) }
    }

    /// Removes a domain that the thread releases. Returns whether the thread held it.
    @discardableResult
    mutating func release(_ domain: HeldDomain.Domain, by thread: ThreadIndex) -> Bool {
        guard threads.reaches(thread), let place = threads[thread].lastIndex(where: { $0.domain == domain }) else {
            return false
        }
        threads[thread].remove(at: place)
        return true
    }

    /// Removes a semaphore that turned out not to be used as a lock. Complexity: O(threads), once per semaphore.
    mutating func forget(_ domain: HeldDomain.Domain) {
        for thread in threads.indices { threads[thread].removeAll { $0.domain == domain } }
    }

    /// The thread ended. Removes the domains that it held.
    mutating func exit(_ thread: ThreadIndex) {
        if threads.reaches(thread) { threads[thread] = [] }
    }

    /// All held domains, in the order of the threads.
    var all: [WaitForGraph.Holding] {
        threads.indices.flatMap { thread in
            threads[thread].map { WaitForGraph.Holding(thread: ThreadIndex(thread), held: $0) }
        }
    }
}
