/// What a queue does at the moment, and its place in the hierarchy: the part of a queue that every item event touches.
///
/// Small fields fill the gaps behind large ones, as a trace may have a million queues.
struct QueueActivity {
    /// Position of the target queue, -1 for none.
    var target: Int32 = -1
    /// The queues that target it and have not been disposed, in the order in which they came: the ends of the list, and
    /// its own neighbours in that of its target.
    var firstChild: Int32 = -1
    var lastChild: Int32 = -1
    var previousSibling: Int32 = -1
    var nextSibling: Int32 = -1
    /// Position of the exclusion queue of the hierarchy, which may be this queue; -1 for none.
    var exclusion: Int32 = -1
    /// Position of the next concurrent queue among its targets, whose barriers hold up its items; -1 for none.
    var concurrentTarget: Int32 = -1
    var kind = Queue.Kind.unknown
    /// The quality of service that it asks for, and the nearest one that its chain of targets asks for.
    var qos = QoSClass.unspecified
    var rank = QoSClass.unspecified
    var isSerial = false
    /// Items begin in the order they were enqueued: serial queues, but not workloops, which go by priority.
    var isOrdered = false
    /// A barrier keeps readers out: a concurrent queue of the program's own. On a global queue it has no effect.
    var honoursBarriers = false
    /// The main queue, which needs no worker even though it has a root queue.
    var isMain = false
    /// An actor without an executor of its own, whose pool is not known yet: it has no target that would tell.
    var awaitsPool = false
    /// The workers of its root queue, -1 when nothing is known of them, or when the main thread runs its items.
    var pool: Int32 = -1

    /// Items of this queue.
    var own = BusyClock()
    /// Slot of the barrier submitted last that has not begun, -1 for none.
    var lastBarrier: Int32 = -1
    /// For an exclusion queue: items of any queue of its hierarchy.
    var domain = BusyClock()
    /// The thread that last gave the domain of this exclusion queue back, -1 for none.
    var lastHolder: Int32 = -1
    /// Barrier items of this queue.
    var writers = BusyClock()
    /// The place of the domain in the tracker of blame, -1 before anybody waits for it.
    var blame: Int32 = -1
    /// When an item last began in the domain of this exclusion queue, or on this concurrent queue.
    var lastBegin: Int64 = 0
    /// Since when two items seem to hold the domain of this exclusion queue; -1 when not.
    var sharedSince: Int64 = -1

    /// For an exclusion queue, and for a concurrent one outside of any: what the clocks of the workers showed when it
    /// was taken last, and what they showed while it was held, which holds nobody up.
    var poolAtHold = PoolReading()
    var poolHidden = PoolReading()

    /// Suspensions of this queue itself, an inactive state counting as one.
    var suspensions: Int32 = 0
    /// How many queues of the chain, this one included, are suspended.
    var suspendedLevels: Int32 = 0
    /// Position of what its suspensions took; -1 for a queue that was never suspended, as most are.
    var suspension: Int32 = -1
    var isInactive = false
    /// When it was activated, -1 when that was not recorded. A queue that is not created inactive is active at once.
    var activatedAt: Int64 = -1
    /// When the chain was last suspended or set free.
    var suspensionChangedAt: Int64 = 0

    /// Waiting items that must begin in this order.
    var ordered = ItemList()
    /// Waiting items that need not: delayed ones, notifications, those that were overtaken.
    var unordered = ItemList()
    var load = QueueLoad()
    /// What its clock showed when the window began.
    private(set) var busyBefore: Int64 = 0
    private var depth = 0
    private var depthChangedAt: Int64 = 0

    /// Begins to count its load anew.
    mutating func forgetLoad(at time: Int64) {
        load = QueueLoad()
        load.maxDepth = depth
        depthChangedAt = time
        busyBefore = own.value(at: time)
    }

    @inline(__always)
    mutating func changeDepth(by change: Int, at time: Int64) {
        load.depthIntegral += Nanoseconds(Int64(depth) * (time - depthChangedAt))
        depthChangedAt = time
        depth += change
        if depth > load.maxDepth { load.maxDepth = depth }
    }
}

/// What the suspensions of a queue took.
struct Suspension {
    var total: Int64 = 0
    /// Clock time that fell into suspensions, which does not count as backlog.
    var hidden = WaitSnapshot()
    var begin = WaitSnapshot()
}
