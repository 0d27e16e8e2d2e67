/// Tracks the queues: their definitions, their target hierarchy, and their suspensions.
struct QueueForestBuilder: ~Copyable {
    private let model: DispatchModel
    private var serials = IdentifierTable()
    private var last = (serial: UInt64(0), position: -1)
    /// Parallel to ``DispatchModel/queues``.
    var activity = RowTable<QueueActivity>()
    /// The worker pools of the root queues.
    var pools = RowTable<RootPool>()
    private var suspensions = RowTable<Suspension>()

    init(model: DispatchModel) { self.model = model }

    /// The queue with this serial number. Creates a queue of kind `unknown` when no definition was recorded yet.
    @inline(__always)
    mutating func queue(serial: UInt64) -> Int {
        if serial == last.serial, last.position >= 0 { return last.position }
        last = (serial, serials[serial] ?? addUnknown(serial: serial))
        return last.position
    }

    /// Creates a serial queue for an actor or an event loop.
    mutating func makeForeign(_ kind: Queue.Kind, label: String, createdAt time: Int64?, at now: Int64) -> Int {
        let position = activity.count
        make(serial: Queue.firstForeignSerial + UInt64(position), at: now) { queue in
            queue.kind = kind
            queue.width = 1
            queue.label = label
            queue.createdAt = time.map { Timestamp(nanoseconds: $0) }
        }
        return position
    }

    /// The queue with this serial number; nil when there is none.
    func existing(serial: UInt64) -> Int? { serials[serial] }

    @inline(never)
    private mutating func addUnknown(serial: UInt64) -> Int {
        let position = activity.count
        serials.insert(serial, position)
        activity.append(QueueActivity())
        model.queues.append(Queue(index: QueueIndex(position), serialNumber: serial))
        return position
    }

    /// The placeholder queue for work that has no queue. Creates it at first use.
    mutating func placeholder(_ work: Queue.Placeholder) -> Int {
        if let known = existing(serial: work.rawValue) { return known }
        let queue = addUnknown(serial: work.rawValue)
        define(queue, kind: .global, width: 0xfff, qos: .unspecified)
        model.queues[queue].kind = .global
        model.queues[queue].width = 0xfff
        model.queues[queue].label = work.label
        return queue
    }

    /// Creates a queue. Its target, if any, must exist.
    mutating func make(serial: UInt64, at time: Int64, _ define: (inout Queue) -> Void) {
        let position = activity.count
        var queue = Queue(index: QueueIndex(position), serialNumber: serial)
        define(&queue)
        queue.activatedAt = Timestamp(nanoseconds: time)
        serials.insert(serial, position)
        activity.append(QueueActivity())
        self.define(position, kind: queue.kind, width: queue.width, qos: queue.qos)
        activity[position].activatedAt = time
        if let target = queue.target?.position {
            activity[position].target = Int32(target)
            join(position, target: target)
        }
        rebuild(position, at: time)
        queue.exclusion = activity[position].exclusion
        model.change(.madeQueue(queue))
    }

    /// The exclusion queue of a queue's hierarchy, -1 for none.
    @inline(__always)
    func exclusion(of queue: Int) -> Int { Int(activity[queue].exclusion) }

    /// Reads the clocks of the queue.
    @inline(__always)
    func snapshot(of queue: Int, at time: Int64) -> WaitSnapshot {
        let shown = clocks(of: queue, at: time)
        guard activity.place(of: queue).pointee.suspension >= 0 else { return shown }
        return snapshot(ofSuspended: queue, shown, at: time)
    }

    private func snapshot(ofSuspended queue: Int, _ shown: WaitSnapshot, at time: Int64) -> WaitSnapshot {
        let isSuspended = activity[queue].suspendedLevels > 0
        let suspension = suspensions[Int(activity[queue].suspension)]
        var snapshot = (isSuspended ? suspension.begin : shown) - suspension.hidden
        snapshot.suspended = suspension.total + (isSuspended ? time - activity[queue].suspensionChangedAt : 0)
        return snapshot
    }

    /// Stops the clocks during a suspension. Call before `suspendedLevels` rises from 0.
    private mutating func pauseClocks(of queue: Int, _ shown: WaitSnapshot, at time: Int64) {
        activity[queue].suspensionChangedAt = time
        if activity[queue].suspension < 0 {
            activity[queue].suspension = Int32(suspensions.count)
            suspensions.append(Suspension())
        }
        suspensions[Int(activity[queue].suspension)].begin = shown
    }

    /// Restarts the clocks after a suspension. Call before `suspendedLevels` falls to 0, and before the domain of a
    /// suspended queue changes.
    private mutating func resumeClocks(of queue: Int, _ shown: WaitSnapshot, at time: Int64) {
        if case let position = Int(activity[queue].suspension), position >= 0 {
            suspensions[position].total += time - activity[queue].suspensionChangedAt
            suspensions[position].hidden += shown - suspensions[position].begin
            suspensions[position].begin = shown
        }
        activity[queue].suspensionChangedAt = time
    }

    /// Reads the queue's own and shared clocks, ignoring suspensions.
    @inline(__always)
    private func clocks(of queue: Int, at time: Int64) -> WaitSnapshot {
        let own = activity.place(of: queue)
        let exclusion = Int(own.pointee.exclusion)
        var clocks = WaitSnapshot(own: own.pointee.own.value(at: time), writers: own.pointee.writers.value(at: time))
        let gate = exclusion < 0 ? own : activity.place(of: exclusion)
        if exclusion >= 0 { clocks.domain = gate.pointee.domain.value(at: time) }
        let pool = Int(own.pointee.pool)
        if pool >= 0 {
            let isHeld = exclusion < 0 ? gate.pointee.writers.isBusy : gate.pointee.domain.isBusy
            let shown = isHeld ? gate.pointee.poolAtHold : pools.place(of: pool).pointee.reading(at: time)
            clocks.pool = shown - gate.pointee.poolExcluded
        }
        var target = Int(own.pointee.concurrentTarget)
        while target >= 0 {
            addBarriers(of: target, to: &clocks, isServed: pool >= 0, at: time)
            if exclusion < 0 { clocks.domain += activity[target].writers.value(at: time) }
            target = Int(activity[target].concurrentTarget)
        }
        return clocks
    }

    /// Barriers of a concurrent queue block the queues that target it, as they block its readers. A barrier and an item
    /// of such a queue never run at the same time, so the pool time that each of them excludes can be added.
    private func addBarriers(of target: Int, to clocks: inout WaitSnapshot, isServed: Bool, at time: Int64) {
        clocks.writers += activity[target].writers.value(at: time)
        guard isServed, activity[target].pool >= 0 else { return }
        let hidden = activity[target].poolExcluded
        let pending =
            activity[target].writers.isBusy
            ? pools[Int(activity[target].pool)].reading(at: time) - activity[target].poolAtHold : PoolReading()
        clocks.pool = clocks.pool - hidden - pending
    }

    // MARK: Workers

    /// The worker pool of the root queue with this serial number. Creates the pool at first use.
    mutating func pool(ofRoot serial: UInt64) -> Int {
        let root = queue(serial: serial)
        if case let known = Int(activity[root].pool), known >= 0, pools[known].root == root { return known }
        if case let known = Int(ownPool(of: root)), known >= 0 { return known }
        pools.append(RootPool(root: root))
        // The clocks of a queue without a pool read zero, so waits in progress on these queues stay exact.
        for queue in subtree(of: root) {
            let target = Int(activity[queue].target)
            let isServed = queue == root || (target >= 0 && activity[target].pool >= 0)
            activity[queue].pool = isServed && !activity[queue].isMain ? Int32(pools.count - 1) : -1
        }
        return pools.count - 1
    }

    /// Sets the pool of an actor. The actor's view of the pool's clocks starts at zero, so for a wait in progress no
    /// earlier pool time is counted.
    mutating func join(_ actor: Int, pool: Int, at time: Int64) {
        let reading = pools[pool].reading(at: time)
        activity[actor].pool = Int32(pool)
        activity[actor].poolAtHold = reading
        activity[actor].poolExcluded = reading
        activity[actor].needsPool = false
    }

    /// Number of workers of all root queues that were requested or created and do not run yet.
    var workersOnTheWay: Int { pools.indices.reduce(0) { $0 + pools[$1].workersOnTheWay } }

    /// The time during which such workers existed, summed over the root queues.
    func timeOnTheWay(at time: Int64) -> Int64 { pools.indices.reduce(0) { $0 + pools[$1].reading(at: time).starting } }

    /// The queue is taken. From now on its items do not wait for workers.
    @inline(__always)
    mutating func pausePoolClocks(of gate: Int, at time: Int64) {
        let queue = activity.place(of: gate)
        let pool = Int(queue.pointee.pool)
        if pool >= 0 { queue.pointee.poolAtHold = pools.place(of: pool).pointee.reading(at: time) }
    }

    /// The queue is released. Excludes the pool time since it was taken.
    @inline(__always)
    mutating func resumePoolClocks(of gate: Int, at time: Int64) {
        let queue = activity.place(of: gate)
        let pool = Int(queue.pointee.pool)
        guard pool >= 0 else { return }
        let reading = pools.place(of: pool).pointee.reading(at: time)
        queue.pointee.poolExcluded = queue.pointee.poolExcluded + (reading - queue.pointee.poolAtHold)
    }

    /// A queue and every queue that directly or indirectly targets it. Targets precede the queues that target them.
    func subtree(of queue: Int) -> [Int] {
        var found = [queue]
        var position = 0
        while position < found.count {
            var child = activity[found[position]].firstChild
            while child >= 0 {
                found.append(Int(child))
                child = activity[Int(child)].nextSibling
            }
            position += 1
        }
        return found
    }

    // MARK: Structure

    /// Copies the properties of a definition. Call `rebuild` for the subtree afterwards.
    mutating func define(_ queue: Int, kind: Queue.Kind, width: Int, qos: QoSClass) {
        activity[queue].kind = kind
        activity[queue].qos = qos
        activity[queue].isMain = kind == .main && !activity[queue].ranOnWorker
        activity[queue].isSerial = width == 1
        activity[queue].isOrdered = width == 1 && kind != .workloop
        activity[queue].honoursBarriers = kind == .concurrent
    }

    /// Changes a queue's target. Ignores a target that would close a cycle: libdispatch permits none, so the record is
    /// damaged. Call `rebuild` for the subtree afterwards.
    mutating func setTarget(of queue: Int, to target: Int?) {
        let old = Int(activity[queue].target)
        guard old != target ?? -1 else { return }
        var ancestor = target ?? -1
        while ancestor >= 0 {
            if ancestor == queue { return }
            ancestor = Int(activity[ancestor].target)
        }
        let index = QueueIndex(queue)
        if old >= 0 { model.queues[old].children.removeAll { $0 == index } }
        if let target { model.queues[target].children.append(index) }
        leaveTarget(queue)
        activity[queue].target = Int32(target ?? -1)
        if let target { join(queue, target: target) }
        model.queues[queue].target = target.map { QueueIndex($0) }
    }

    private mutating func join(_ queue: Int, target: Int) {
        let last = activity[target].lastChild
        activity[queue].previousSibling = last
        activity[queue].nextSibling = -1
        if last >= 0 {
            activity[Int(last)].nextSibling = Int32(queue)
        } else {
            activity[target].firstChild = Int32(queue)
        }
        activity[target].lastChild = Int32(queue)
    }

    /// Removes a queue from its target's list.
    mutating func leaveTarget(_ queue: Int) {
        let target = Int(activity[queue].target)
        let (previous, next) = (activity[queue].previousSibling, activity[queue].nextSibling)
        activity[queue].previousSibling = -1
        activity[queue].nextSibling = -1
        guard target >= 0, activity[target].firstChild == queue || previous >= 0 else { return }
        if previous >= 0 { activity[Int(previous)].nextSibling = next } else { activity[target].firstChild = next }
        if next >= 0 { activity[Int(next)].previousSibling = previous } else { activity[target].lastChild = previous }
    }

    /// The last reference to the queue was released.
    mutating func dispose(_ queue: Int, at time: Int64) {
        model.change(.disposedQueue(queue, at: Timestamp(nanoseconds: time)))
        leaveTarget(queue)
    }

    /// Accumulates the clocks of suspended queues before the structure of their hierarchy changes.
    mutating func prepareRebuild(_ queues: [Int], at time: Int64) {
        for queue in queues where activity[queue].suspendedLevels > 0 {
            resumeClocks(of: queue, clocks(of: queue, at: time), at: time)
        }
    }

    /// Recomputes exclusion queues and suspensions after a change of the structure. Targets come first in `queues`.
    mutating func rebuild(_ queues: [Int], at time: Int64) {
        for queue in queues {
            let before = activity[queue].exclusion
            rebuild(queue, at: time)
            if activity[queue].exclusion != before { model.queues[queue].exclusion = activity[queue].exclusion }
        }
    }

    private mutating func rebuild(_ queue: Int, at time: Int64) {
        let target = Int(activity[queue].target)
        let below = target < 0 ? -1 : activity[target].exclusion
        activity[queue].exclusion = below >= 0 ? below : activity[queue].isSerial ? Int32(queue) : -1
        let isConcurrent = target >= 0 && activity[target].honoursBarriers && below < 0
        activity[queue].concurrentTarget =
            isConcurrent ? Int32(target) : target < 0 ? -1 : activity[target].concurrentTarget
        let qos = activity[queue].qos
        activity[queue].effectiveQoS = qos != .unspecified || target < 0 ? qos : activity[target].effectiveQoS
        let pool = activity[queue].isMain ? -1 : target < 0 ? ownPool(of: queue) : activity[target].pool
        if activity[queue].pool != pool {
            activity[queue].pool = pool
            pausePoolClocks(of: queue, at: time)
        }
        let levels = (target < 0 ? 0 : activity[target].suspendedLevels) + (activity[queue].suspensions > 0 ? 1 : 0)
        if activity[queue].suspendedLevels == 0, levels == 0 { return }
        pauseClocks(of: queue, clocks(of: queue, at: time), at: time)
        activity[queue].suspendedLevels = levels
    }

    private func ownPool(of root: Int) -> Int32 { Int32(pools.indices.first { pools[$0].root == root } ?? -1) }

    // MARK: Suspension

    mutating func suspend(_ queue: Int, at time: Int64) {
        activity[queue].suspensions += 1
        model.queues[queue].suspensions = Int(activity[queue].suspensions) - (activity[queue].isInactive ? 1 : 0)
        if activity[queue].suspensions == 1 { changeSuspendedLevels(below: queue, by: 1, at: time) }
    }

    mutating func resume(_ queue: Int, at time: Int64) {
        // The matching suspension precedes the recording.
        guard activity[queue].suspensions > 0 else { return }
        activity[queue].suspensions -= 1
        model.queues[queue].suspensions = Int(activity[queue].suspensions) - (activity[queue].isInactive ? 1 : 0)
        if activity[queue].suspensions == 0 { changeSuspendedLevels(below: queue, by: -1, at: time) }
    }

    /// The queue was created inactive. Its items wait until it is activated.
    mutating func markInactive(_ queue: Int, at time: Int64) {
        guard !activity[queue].isInactive else { return }
        activity[queue].isInactive = true
        model.queues[queue].isCreatedInactive = true
        suspend(queue, at: time)
    }

    mutating func activate(_ queue: Int, at time: Int64) {
        guard activity[queue].isInactive else { return }
        activity[queue].isInactive = false
        markActive(queue, at: time)
        resume(queue, at: time)
    }

    mutating func markActive(_ queue: Int, at time: Int64) {
        activity[queue].activatedAt = time
        model.queues[queue].activatedAt = Timestamp(nanoseconds: time)
    }

    private mutating func changeSuspendedLevels(below queue: Int, by change: Int32, at time: Int64) {
        for member in subtree(of: queue) {
            if activity[member].suspendedLevels == 0 {
                pauseClocks(of: member, clocks(of: member, at: time), at: time)
            } else if activity[member].suspendedLevels + change == 0 {
                resumeClocks(of: member, clocks(of: member, at: time), at: time)
            }
            activity[member].suspendedLevels += change
        }
    }
}

extension QueueForestBuilder {
    /// Releases the memory of the serial numbers, after the last event.
    mutating func forgetSerials() { serials = IdentifierTable() }

    /// The load of the queue at the end of the trace. Call once per queue.
    mutating func finishLoad(of queue: Int, at time: Int64) -> QueueLoad {
        activity[queue].changeDepth(by: 0, at: time)
        activity[queue].load.busy += Nanoseconds(activity[queue].own.value(at: time))
        return activity[queue].load
    }
}
