/// The worker threads of one root queue, and two clocks: of the time in which all of them were busy, and of the time in
/// which one was on its way.
///
/// ```
///   worker 1   create ··· start ─looks─ ├─item─┤├─item─┤ ─looks─ park ········ unpark ─looks─ ├─item─┤
///   starting   ├─────────┤                                            ├───────┤
///   saturated                           ├──────────────────────┤                              ├──────┤
///                                                                  request
/// ```
///
/// A worker is busy from the first item that it runs until it parks: what it does between two items nobody records.
struct RootPool {
    /// What a worker does.
    enum Activity: UInt8 {
        /// It is none, or has gone.
        case none
        /// It is awake and has not run an item since.
        case looking
        case busy
        case parked
    }

    /// Position of the root queue.
    let root: Int
    private(set) var alive = 0
    private var looking = 0
    private var parked = 0
    /// Made and not yet running.
    private var starting = 0
    /// Parked and asked to wake.
    private var waking = 0
    private(set) var made = 0
    /// The most that were alive at once.
    private(set) var most = 0
    private var saturated = BusyClock()
    private var onTheWay = BusyClock()

    init(root: Int) { self.root = root }

    /// Workers that were asked for, or made, and do not run yet.
    var workersOnTheWay: Int { starting + waking }

    /// Both clocks.
    @inline(__always)
    func reading(at time: Int64) -> PoolReading {
        PoolReading(saturated: saturated.value(at: time), starting: onTheWay.value(at: time))
    }

    /// libdispatch asks for workers. It wakes those that are parked, and makes others only after that.
    mutating func request(_ count: Int, at time: Int64) {
        waking = min(waking + count, parked)
        updateClocks(at: time)
    }

    /// Begins to count its workers anew.
    mutating func forgetCounts() {
        made = 0
        most = alive
    }

    mutating func create(at time: Int64) {
        starting += 1
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

    /// Its state at the end of the trace.
    var atEnd: WaitForGraph.Pool {
        WaitForGraph.Pool(root: QueueIndex(root), alive: alive, free: looking + parked, starting: starting)
    }

    private mutating func updateClocks(at time: Int64) {
        let isOnTheWay = starting + waking > 0
        let isSaturated = !isOnTheWay && alive > 0 && looking == 0 && parked == 0
        onTheWay.set(isOnTheWay, at: time)
        saturated.set(isSaturated, at: time)
    }
}

/// What the clocks of a root queue's workers show at an instant.
struct PoolReading {
    /// Time in which workers existed and none was free.
    var saturated: Int64 = 0
    /// Time in which a worker was asked for, or made, and did not run yet.
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
