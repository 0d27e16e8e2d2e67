/// The current state of a queue and its place in the hierarchy. Every item event reads it.
///
/// The order of the fields minimises padding, because a trace can have a million queues.
struct QueueActivity {
    /// The target queue.
    var target = QueueIndex.none
    /// A linked list of the queues that target this one and have not been disposed, in the order of their creation:
    /// both ends of the list, and this queue's neighbours in the list of its own target.
    var firstChild = QueueIndex.none
    var lastChild = QueueIndex.none
    var previousSibling = QueueIndex.none
    var nextSibling = QueueIndex.none
    /// The exclusion queue of the hierarchy, which may be this queue.
    var exclusion = QueueIndex.none
    /// The next concurrent queue in the target chain, whose barriers block the items of this queue.
    var concurrentTarget = QueueIndex.none
    var kind = Queue.Kind.unknown
    /// The requested quality of service, and the effective one: the first that is requested along the target chain.
    var qos = QoSClass.unspecified
    var effectiveQoS = QoSClass.unspecified
    var isSerial = false
    /// Items begin in the order of their submission. True for serial queues, but not for workloops, which order by
    /// priority.
    var isOrdered = false
    /// Whether barriers exclude readers. True for the program's concurrent queues. Barriers have no effect on global
    /// queues.
    var honoursBarriers = false
    /// The main queue while the main thread runs its items. It needs no worker, although it targets a root queue.
    var isMain = false
    /// An actor of the default executor whose pool is not known yet. It has no target queue that determines the pool.
    var needsPool = false
    /// The worker pool of its root queue; -1 when no workers were recorded, or when the main thread runs the items.
    var pool: Int32 = -1

    /// Time during which items of this queue run.
    var own = BusyClock()
    /// The last submitted barrier that has not begun.
    var lastBarrier = Slot.none
    /// For an exclusion queue: time during which items of any queue of its hierarchy run.
    var domain = BusyClock()
    /// The thread that last released the domain of this exclusion queue.
    var lastHolder = ThreadIndex.none
    /// Time during which barriers of this queue run.
    var writers = BusyClock()
    /// Position of the domain in ``BlameTracker``; -1 until an item waits for it.
    var blame: Int32 = -1
    /// When an item last began in the domain of this exclusion queue, or on this concurrent queue.
    var lastBegin: Int64 = 0
    /// Since when two items seem to hold the domain of this exclusion queue at once; -1 when at most one does.
    var sharedSince: Int64 = -1

    /// For an exclusion queue, and for a concurrent queue without one: the pool's clocks when the queue was last taken,
    /// and the sum of their progress while the queue was held. That progress is excluded, because no item waits for a
    /// worker while the queue is held.
    var poolAtHold = PoolReading()
    var poolExcluded = PoolReading()

    /// Number of suspensions of this queue itself. The inactive state counts as one.
    var suspensions: Int32 = 0
    /// Number of suspended queues in the target chain, including this one.
    var suspendedLevels: Int32 = 0
    /// Position of the queue's ``Suspension``; -1 for a queue that was never suspended.
    var suspension: Int32 = -1
    var isInactive = false
    /// The main queue after `dispatch_main`, as soon as a worker has run an item. It needs workers like other queues.
    var ranOnWorker = false
    /// For Swift's global executor: the most jobs that run at once, which is less than the number of workers that its
    /// root queue can have. -1 for an actor that this executor runs, 0 for other queues.
    var limit: Int16 = 0
    /// When it was activated; -1 when that was not recorded. A queue that is not created inactive is active from its
    /// creation.
    var activatedAt: Int64 = -1
    /// When the target chain last became suspended or free of suspensions.
    var suspensionChangedAt: Int64 = 0

    /// Waiting items that must begin in the order of their submission.
    var ordered = ItemList()
    /// Other waiting items: delayed items, notifications, and syncs that were recorded late.
    var unordered = ItemList()
    var load = QueueLoad()
    private var depth = 0
    private var depthChangedAt: Int64 = 0

    /// Restarts the measurement of its load.
    mutating func forgetLoad(at time: Int64) {
        load = QueueLoad()
        load.maxDepth = depth
        depthChangedAt = time
        // `finishLoad` adds the value of `own` at the end.
        load.busy = Nanoseconds(-own.value(at: time))
    }

    @inline(__always)
    mutating func changeDepth(by change: Int, at time: Int64) {
        load.depthIntegral += Nanoseconds(Int64(depth) * (time - depthChangedAt))
        depthChangedAt = time
        depth += change
        if depth > load.maxDepth { load.maxDepth = depth }
    }
}

/// The accumulated effect of the suspensions of a queue.
struct Suspension {
    var total: Int64 = 0
    /// Progress of the queue's clocks during suspensions. It does not count as backlog.
    var hidden = WaitSnapshot()
    var begin = WaitSnapshot()
}
