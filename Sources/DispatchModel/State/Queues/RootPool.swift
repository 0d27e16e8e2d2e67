/// The worker threads of one root queue, with two clocks: time during which all workers were busy, and time during
/// which a worker was requested or created and did not run yet.
///
/// ```
///   worker 1   create ··· start ─looks─ ├─item─┤├─item─┤ ─looks─ park ········ unpark ─looks─ ├─item─┤
///   starting   ├─────────┤                                            ├───────┤
///   saturated                           ├──────────────────────┤                              ├──────┤
///                                                                  request
/// ```
///
/// A worker counts as busy from its first item until it parks. Its work between two items is not recorded.
///
/// Swift's global executor runs as many jobs at once as there are processors. While it runs that many, its other jobs
/// wait for the pool, although a worker of the root queue may be free.
///
/// ```
///   worker 1   ├─ job ──────────────┤
///   worker 2        ├─ job ──┤
///   worker 3   parked
///   full            ├────────┤          on 2 processors
/// ```
struct RootPool {
    /// The state of a worker.
    enum Activity: UInt8 {
        /// The thread is not a worker, or has exited.
        case none
        /// The worker is awake and has not run an item since it woke.
        case looking
        case busy
        case parked
    }

    /// Position of the root queue.
    let root: QueueIndex
    private(set) var alive = 0
    private var looking = 0
    private var parked = 0
    /// Workers that were created and do not run yet.
    private var starting = 0
    /// Parked workers that were asked to wake.
    private var waking = 0
    /// When a worker was last requested or created.
    private(set) var askedAt = Int64.min
    private(set) var made = 0
    /// The largest number of workers alive at once.
    private(set) var most = 0
    private var saturated = BusyClock()
    private var onTheWay = BusyClock()
    /// Whether Swift's global executor runs as many jobs as it may.
    private var isFull = false
    /// The clocks for the jobs of the executor.
    private var saturatedForJobs = BusyClock()
    private var onTheWayForJobs = BusyClock()

    init(root: QueueIndex) { self.root = root }

    /// Number of workers that were requested or created and do not run yet.
    var workersOnTheWay: Int { starting + waking }

    /// Reads both clocks.
    ///
    /// - Parameters:
    ///   - time: the current time.
    ///   - forJobs: whether the reading is for jobs of Swift's global executor.
    @inline(__always)
    func reading(at time: Int64, forJobs: Bool = false) -> PoolReading {
        forJobs
            ? PoolReading(saturated: saturatedForJobs.value(at: time), starting: onTheWayForJobs.value(at: time))
            : PoolReading(saturated: saturated.value(at: time), starting: onTheWay.value(at: time))
    }

    /// Swift's global executor reaches or leaves its limit.
    mutating func setFull(_ isFull: Bool, at time: Int64) {
        guard isFull != self.isFull else { return }
        self.isFull = isFull
        updateClocks(at: time)
    }

    /// libdispatch requests workers. It wakes parked workers first, and creates new ones only when none is parked.
    mutating func request(_ count: Int, at time: Int64) {
        waking = min(waking + count, parked)
        askedAt = time
        updateClocks(at: time)
    }

    /// Restarts the counts of workers at the begin of a window.
    mutating func forgetCounts() {
        made = 0
        most = alive
    }

    mutating func create(at time: Int64) {
        starting += 1
        askedAt = time
        updateClocks(at: time)
    }

    mutating func start(at time: Int64) {
        starting = max(0, starting - 1)
        made += 1
        change(from: .none, to: .looking, at: time)
    }

    mutating func change(from old: Activity, to new: Activity, at time: Int64) {
        if old == .none, new != .none { alive += 1 }
        if old != .none, new == .none { alive -= 1 }
        if old == .looking { looking -= 1 }
        if new == .looking { looking += 1 }
        if old == .parked { parked -= 1 }
        if new == .parked { parked += 1 }
        if old == .parked, new == .looking { waking = max(0, waking - 1) }
        waking = min(waking, parked)
        most = max(most, alive)
        updateClocks(at: time)
    }

    /// The state at the end of the trace.
    var atEnd: WaitForGraph.Pool {
        WaitForGraph.Pool(root: root, alive: alive, free: looking + parked, starting: starting)
    }

    private mutating func updateClocks(at time: Int64) {
        let isOnTheWay = starting + waking > 0
        let isSaturated = !isOnTheWay && alive > 0 && looking == 0 && parked == 0
        onTheWay.set(isOnTheWay, at: time)
        saturated.set(isSaturated, at: time)
        onTheWayForJobs.set(isOnTheWay && !isFull, at: time)
        saturatedForJobs.set(isSaturated || isFull, at: time)
    }
}

/// The clocks of a root queue's workers at one instant.
struct PoolReading {
    /// Time during which workers existed and none was free.
    var saturated: Int64 = 0
    /// Time during which a worker was requested or created and did not run yet.
    var starting: Int64 = 0

    @inline(__always)
    static func - (left: Self, right: Self) -> Self {
        Self(saturated: left.saturated - right.saturated, starting: left.starting - right.starting)
    }

    @inline(__always)
    static func + (left: Self, right: Self) -> Self {
        Self(saturated: left.saturated + right.saturated, starting: left.starting + right.starting)
    }
}
