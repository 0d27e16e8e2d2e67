import DispatchModel

/// The active runs of a ``HandlerGroup``, with the run that ends next and the number of processors that they use. Only
/// the removal of a run needs a search.
struct RunningHandlers {
    /// The fields of a run that are needed while it is active.
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
    /// The sum of the active shares of all runs.
    private(set) var activeShare = 0.0

    var count: Int { rows.count }

    /// The only active run; nil when there are several, or none.
    @inline(__always)
    var single: Run? { rows.count == 1 ? rows[0] : nil }

    /// The run that ends next; nil when no run is active.
    @inline(__always)
    var next: Run? { rows.count > 0 ? rows[placeOfNext] : nil }

    /// Whether an active run has the same thread or the same domain as `run`.
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

    /// Removes the run that ends next.
    mutating func removeNext() {
        rows.remove(at: placeOfNext)
        placeOfNext = 0
        // Computed from the remaining runs: a difference of floating-point numbers would depend on the removed ones.
        activeShare = 0
        for place in 0..<rows.count {
            activeShare += rows[place].activeShare
            if rows[place].end < rows[placeOfNext].end { placeOfNext = place }
        }
    }

    /// Replaces the only active run, which ended before the new run began.
    @inline(__always)
    mutating func replaceSingle(with run: HandlerRun) {
        rows[0] = Run(run)
        activeShare = rows[0].activeShare
    }
}
