import DispatchModel

/// The runs of a ``HandlerGroup`` that go on: which of them ends next, and how many processors they use. Both are known
/// without a search until a run has ended.
struct RunningHandlers {
    /// What of a run matters while it goes on.
    struct Run {
        let end: Timestamp
        let begin: Timestamp
        let activeShare: Double
        let queue: QueueIndex
        let domain: QueueIndex
        let thread: ThreadIndex

        init(_ run: HandlerRun) {
            end = run.end
            begin = run.begin
            activeShare = run.activeShare
            queue = run.queue
            domain = run.domain
            thread = run.thread
        }
    }

    private let rows = PlainRows<Run>(minimumCapacity: 4)
    private var placeOfNext = 0
    /// The active shares of all of them.
    private(set) var activeShare = 0.0

    var count: Int { rows.count }

    /// The only one that goes on; nil when there are others, or none.
    @inline(__always)
    var single: Run? { rows.count == 1 ? rows[0] : nil }

    /// The one that ends next; nil when none goes on.
    @inline(__always)
    var next: Run? { rows.count > 0 ? rows[placeOfNext] : nil }

    /// One of them runs on the thread or in the domain of a run.
    func contains(threadOrDomainOf run: HandlerRun) -> Bool {
        for place in 0..<rows.count where rows[place].thread == run.thread || rows[place].domain == run.domain {
            return true
        }
        return false
    }

    mutating func append(_ run: HandlerRun) {
        if rows.count == 0 || run.end < rows[placeOfNext].end { placeOfNext = rows.count }
        rows.append(Run(run))
        activeShare += rows[rows.count - 1].activeShare
    }

    /// Removes the one that ends next.
    mutating func removeNext() {
        rows.remove(at: placeOfNext)
        placeOfNext = 0
        // Summed up anew: a difference of floating-point numbers would depend on what had been there before.
        activeShare = 0
        for place in 0..<rows.count {
            activeShare += rows[place].activeShare
            if rows[place].end < rows[placeOfNext].end { placeOfNext = place }
        }
    }

    /// Puts a run into the place of the only one, which ended before it began.
    @inline(__always)
    mutating func replaceSingle(with run: HandlerRun) {
        rows[0] = Run(run)
        activeShare = rows[0].activeShare
    }
}
