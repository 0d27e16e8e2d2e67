// The clocks of queues and of their worker pools, by whose differences waits are divided.
extension QueueForestBuilder {
    /// Reads the clocks of the queue.
    @inline(__always)
    func snapshot(of queue: QueueIndex, at time: Int64) -> WaitSnapshot {
        let shown = clocks(of: queue, at: time)
        guard place(of: queue).pointee.suspension >= 0 else { return shown }
        return snapshot(ofSuspended: queue, shown, at: time)
    }

    private func snapshot(ofSuspended queue: QueueIndex, _ shown: WaitSnapshot, at time: Int64) -> WaitSnapshot {
        let isSuspended = self[queue].suspendedLevels > 0
        let suspension = suspensions[Int(self[queue].suspension)]
        var snapshot = (isSuspended ? suspension.begin : shown) - suspension.hidden
        snapshot.suspended = suspension.total + (isSuspended ? time - self[queue].suspensionChangedAt : 0)
        return snapshot
    }

    /// Stops the clocks during a suspension. Call before `suspendedLevels` rises from 0.
    mutating func pauseClocks(of queue: QueueIndex, _ shown: WaitSnapshot, at time: Int64) {
        self[queue].suspensionChangedAt = time
        if self[queue].suspension < 0 {
            self[queue].suspension = Int32(suspensions.count)
            suspensions.append(Suspension())
        }
        suspensions[Int(self[queue].suspension)].begin = shown
    }

    /// Restarts the clocks after a suspension. Call before `suspendedLevels` falls to 0, and before the domain of a
    /// suspended queue changes.
    mutating func resumeClocks(of queue: QueueIndex, _ shown: WaitSnapshot, at time: Int64) {
        if case let position = Int(self[queue].suspension), position >= 0 {
            suspensions[position].total += time - self[queue].suspensionChangedAt
            suspensions[position].hidden += shown - suspensions[position].begin
            suspensions[position].begin = shown
        }
        self[queue].suspensionChangedAt = time
    }

    /// Reads the queue's own and shared clocks, ignoring suspensions.
    @inline(__always)
    func clocks(of queue: QueueIndex, at time: Int64) -> WaitSnapshot {
        if queue == mainExecutor.actor { return clocksOfMainActor(at: time) }
        let own = place(of: queue)
        let exclusion = own.pointee.exclusion
        var clocks = WaitSnapshot(own: own.pointee.own.value(at: time), writers: own.pointee.writers.value(at: time))
        let gate = exclusion.isNone ? own : place(of: exclusion)
        if !exclusion.isNone { clocks.domain = gate.pointee.domain.value(at: time) }
        let pool = own.pointee.pool
        if pool >= 0 {
            let isHeld = exclusion.isNone ? gate.pointee.writers.isBusy : gate.pointee.domain.isBusy
            let shown = isHeld ? gate.pointee.poolAtHold : poolReading(of: own, at: time)
            clocks.pool = shown - gate.pointee.poolExcluded
        }
        var target = own.pointee.concurrentTarget
        while !target.isNone {
            addBarriers(of: target, to: &clocks, isServed: pool >= 0, at: time)
            if exclusion.isNone { clocks.domain += self[target].writers.value(at: time) }
            target = self[target].concurrentTarget
        }
        return clocks
    }

    /// The main actor shares the workers of the main queue, which has some after `dispatch_main`.
    @inline(never)
    private func clocksOfMainActor(at time: Int64) -> WaitSnapshot {
        var clocks = WaitSnapshot(
            own: self[mainExecutor.actor].own.value(at: time), domain: mainExecutor.occupied.value(at: time))
        if !mainExecutor.queue.isNone { clocks.pool = self.clocks(of: mainExecutor.queue, at: time).pool }
        return clocks
    }

    /// Barriers of a concurrent queue block the queues that target it, as they block its readers. A barrier and an item
    /// of such a queue never run at the same time, so the pool time that each of them excludes can be added.
    private func addBarriers(of target: QueueIndex, to clocks: inout WaitSnapshot, isServed: Bool, at time: Int64) {
        clocks.writers += self[target].writers.value(at: time)
        guard isServed, self[target].pool >= 0 else { return }
        let hidden = self[target].poolExcluded
        let pending =
            self[target].writers.isBusy
            ? poolReading(of: place(of: target), at: time) - self[target].poolAtHold : PoolReading()
        clocks.pool = clocks.pool - hidden - pending
    }

    // MARK: Workers

    /// The worker pool of the root queue with this serial number. Creates the pool at first use.
    mutating func pool(ofRoot serial: UInt64) -> Int {
        let root = queue(serial: serial)
        if case let known = Int(self[root].pool), known >= 0, pools[known].root == root { return known }
        if case let known = Int(ownPool(of: root)), known >= 0 { return known }
        pools.append(RootPool(root: root))
        // The clocks of a queue without a pool read zero, so waits in progress on these queues stay exact.
        for queue in subtree(of: root) {
            let target = self[queue].target
            let isServed = queue == root || (!target.isNone && self[target].pool >= 0)
            self[queue].pool = isServed && !self[queue].isMain ? Int32(pools.count - 1) : -1
        }
        return pools.count - 1
    }

    /// The pool whose workers run the items of a queue; -1 when no workers were recorded, or for the main thread.
    @inline(__always)
    func pool(serving queue: QueueIndex) -> Int32 {
        let server = queue == mainExecutor.actor ? mainExecutor.queue : queue
        return server.isNone ? -1 : place(of: server).pointee.pool
    }

    func ownPool(of root: QueueIndex) -> Int32 { Int32(pools.indices.first { pools[$0].root == root } ?? -1) }

    /// The clocks of the pool of a queue, which must have one.
    @inline(__always)
    private func poolReading(of queue: UnsafeMutablePointer<QueueActivity>, at time: Int64) -> PoolReading {
        let pool = pools.place(of: Int(queue.pointee.pool))
        return pool.pointee.reading(at: time, forJobs: queue.pointee.limit != 0)
    }

    /// An item of Swift's global executor began or ended.
    mutating func updateLimit(of executor: QueueIndex, at time: Int64) {
        let queue = place(of: executor)
        guard queue.pointee.limit > 0, queue.pointee.pool >= 0 else { return }
        pools[Int(queue.pointee.pool)].setFull(queue.pointee.own.running >= Int32(queue.pointee.limit), at: time)
    }

    /// Sets the pool of an actor. The actor's view of the pool's clocks starts at zero, so for a wait in progress no
    /// earlier pool time is counted.
    ///
    /// - Parameter isLimited: whether jobs of Swift's global executor run the actor.
    mutating func join(_ actor: QueueIndex, pool: Int, isLimited: Bool, at time: Int64) {
        let reading = pools[pool].reading(at: time, forJobs: isLimited)
        self[actor].pool = Int32(pool)
        self[actor].limit = isLimited ? -1 : 0
        self[actor].poolAtHold = reading
        self[actor].poolExcluded = reading
        self[actor].needsPool = false
    }

    /// Number of workers of all root queues that were requested or created and do not run yet.
    var workersOnTheWay: Int { pools.indices.reduce(0) { $0 + pools[$1].workersOnTheWay } }

    /// The time during which such workers existed, summed over the root queues.
    func timeOnTheWay(at time: Int64) -> Int64 { pools.indices.reduce(0) { $0 + pools[$1].reading(at: time).starting } }

    /// The queue is taken. From now on its items do not wait for workers.
    @inline(__always)
    mutating func pausePoolClocks(of gate: QueueIndex, at time: Int64) {
        let queue = place(of: gate)
        if queue.pointee.pool >= 0 { queue.pointee.poolAtHold = poolReading(of: queue, at: time) }
    }

    /// The queue is released. Excludes the pool time since it was taken.
    @inline(__always)
    mutating func resumePoolClocks(of gate: QueueIndex, at time: Int64) {
        let queue = place(of: gate)
        guard queue.pointee.pool >= 0 else { return }
        let reading = poolReading(of: queue, at: time)
        queue.pointee.poolExcluded = queue.pointee.poolExcluded + (reading - queue.pointee.poolAtHold)
    }
}
