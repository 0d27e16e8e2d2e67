/// The locks, and the semaphores used as locks, that each thread has.
struct HeldTable {
    /// Deeper nesting than this is not followed: it is rather a release that was lost.
    private static let limit = 32

    /// By position of the thread, what it took last comes last; may be shorter than the list of threads.
    private var threads: [[HeldDomain]] = []

    @inline(__always)
    func holdsAny(_ thread: Int) -> Bool { thread < threads.count && !threads[thread].isEmpty }

    func held(by thread: Int) -> [HeldDomain] { thread < threads.count ? threads[thread] : [] }

    mutating func take(_ domain: HeldDomain, by thread: Int) {
        threads.reach(thread, [])
        if threads[thread].count < Self.limit { threads[thread].append(domain) }
    }

    /// Whether the thread had it.
    @discardableResult
    mutating func giveBack(_ domain: HeldDomain.Domain, by thread: Int) -> Bool {
        guard thread < threads.count, let place = threads[thread].lastIndex(where: { $0.domain == domain }) else {
            return false
        }
        threads[thread].remove(at: place)
        return true
    }

    /// It turned out to be no lock. Complexity: O(threads), once per semaphore.
    mutating func forget(_ domain: HeldDomain.Domain) {
        for thread in threads.indices { threads[thread].removeAll { $0.domain == domain } }
    }

    /// The thread ended, and whatever it had is nobody's.
    mutating func exit(_ thread: Int) {
        if thread < threads.count { threads[thread] = [] }
    }

    /// Everything that is held, by thread.
    var all: [WaitForGraph.Holding] {
        threads.indices.flatMap { thread in
            threads[thread].map { WaitForGraph.Holding(thread: ThreadIndex(thread), held: $0) }
        }
    }
}
