/// Follows the queues: their definitions, the hierarchy of targets, and suspension.
struct QueueForestBuilder: ~Copyable {
    private let model: DispatchModel
    private var serials = IdentifierTable()
    private var last = (serial: UInt32(0), position: -1)
    /// Parallel to ``DispatchModel/queues``.
    var activity = RowTable<QueueActivity>()
    /// The workers of root queues.
    var pools = RowTable<RootPool>()
    private var suspensions = RowTable<Suspension>()

    init(model: DispatchModel) { self.model = model }

    /// The queue with this serial number; one of kind `unknown` is made when no definition came yet.
    @inline(__always)
    mutating func queue(serial: UInt32) -> Int {
        if serial == last.serial, last.position >= 0 { return last.position }
        last = (serial, serials[UInt64(serial)] ?? addUnknown(serial: serial))
        return last.position
    }

    /// A serial queue that libdispatch does not know: an actor or an event loop.
    mutating func makeForeign(_ kind: Queue.Kind, label: String, createdAt time: Int64?, at now: Int64) -> Int {
        let position = activity.count
        make(serial: Queue.firstForeignSerial + UInt32(truncatingIfNeeded: position), at: now) { queue in
            queue.kind = kind
            queue.width = 1
            queue.label = label
            queue.createdAt = time.map { Timestamp(nanoseconds: $0) }
        }
        return position
    }

    /// The queue with this serial number, when there is one.
    func existing(serial: UInt32) -> Int? { serials[UInt64(serial)] }

    @inline(never)
    private mutating func addUnknown(serial: UInt32) -> Int {
        let position = activity.count
        serials.insert(UInt64(serial), position)
        activity.append(QueueActivity())
        model.queues.append(Queue(index: QueueIndex(position), serialNumber: serial))
        return position
    }

    /// The queue that stands for work without one.
    mutating func standIn(_ work: Queue.StandIn) -> Int {
        if let known = existing(serial: work.rawValue) { return known }
        let queue = addUnknown(serial: work.rawValue)
        define(queue, kind: .global, width: 0xfff, qos: .unspecified)
        model.queues[queue].kind = .global
        model.queues[queue].width = 0xfff
        model.queues[queue].label = work.label
        return queue
    }

    /// A queue that is made now, on a target that is known.
    mutating func make(serial: UInt32, at time: Int64, _ define: (inout Queue) -> Void) {
        let position = activity.count
        var queue = Queue(index: QueueIndex(position), serialNumber: serial)
        define(&queue)
        queue.activatedAt = Timestamp(nanoseconds: time)
        serials.insert(UInt64(serial), position)
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

    /// What the queue's clocks show.
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

    /// Stops the clocks that a suspension hides. Call before `suspendedLevels` rises from 0.
    private mutating func hideClocks(of queue: Int, _ shown: WaitSnapshot, at time: Int64) {
        activity[queue].suspensionChangedAt = time
        if activity[queue].suspension < 0 {
            activity[queue].suspension = Int32(suspensions.count)
            suspensions.append(Suspension())
        }
        suspensions[Int(activity[queue].suspension)].begin = shown
    }

    /// Lets the clocks go on. Call before `suspendedLevels` falls to 0, and before the domain changes in a suspension.
    private mutating func showClocks(of queue: Int, _ shown: WaitSnapshot, at time: Int64) {
        if case let position = Int(activity[queue].suspension), position >= 0 {
            suspensions[position].total += time - activity[queue].suspensionChangedAt
            suspensions[position].hidden += shown - suspensions[position].begin
            suspensions[position].begin = shown
        }
        activity[queue].suspensionChangedAt = time
    }

    /// Readings of the queue's clocks, its own and shared ones, as if no queue of its chain were suspended.
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
            clocks.pool = shown - gate.pointee.poolHidden
        }
        var target = Int(own.pointee.concurrentTarget)
        while target >= 0 {
            addBarriers(of: target, to: &clocks, isServed: pool >= 0, at: time)
            if exclusion < 0 { clocks.domain += activity[target].writers.value(at: time) }
            target = Int(activity[target].concurrentTarget)
        }
        return clocks
    }

    /// Barriers of a concurrent queue keep out the queues that target it, as they keep out its readers. A barrier and
    /// an item of such a queue never run at once, so what each hides of the workers' clocks adds up.
    private func addBarriers(of target: Int, to clocks: inout WaitSnapshot, isServed: Bool, at time: Int64) {
        clocks.writers += activity[target].writers.value(at: time)
        guard isServed, activity[target].pool >= 0 else { return }
        let hidden = activity[target].poolHidden
        let pending =
            activity[target].writers.isBusy
            ? pools[Int(activity[target].pool)].reading(at: time) - activity[target].poolAtHold : PoolReading()
        clocks.pool = clocks.pool - hidden - pending
    }

    // MARK: Workers

    /// The workers of a root queue, by its serial number.
    mutating func pool(ofRoot serial: UInt32) -> Int {
        let root = queue(serial: serial)
        if case let known = Int(activity[root].pool), known >= 0, pools[known].root == root { return known }
        if case let known = Int(ownPool(of: root)), known >= 0 { return known }
        pools.append(RootPool(root: root))
        // Zero marks a queue without clocks, so the waits of these queues go on.
        for queue in subtree(of: root) {
            let target = Int(activity[queue].target)
            let isServed = queue == root || (target >= 0 && activity[target].pool >= 0)
            activity[queue].pool = isServed && !activity[queue].isMain ? Int32(pools.count - 1) : -1
        }
        return pools.count - 1
    }

    /// The pool of an actor is known from now on. Its clocks start at zero, so a wait that began earlier stays exact:
    /// the pool gets no part of the time before.
    mutating func join(_ actor: Int, pool: Int, at time: Int64) {
        let reading = pools[pool].reading(at: time)
        activity[actor].pool = Int32(pool)
        activity[actor].poolAtHold = reading
        activity[actor].poolHidden = reading
        activity[actor].awaitsPool = false
    }

    /// Workers of all root queues that were asked for and do not run yet.
    var workersOnTheWay: Int { pools.indices.reduce(0) { $0 + pools[$1].workersOnTheWay } }

    /// For how long there were such workers, added up over the root queues.
    func timeOnTheWay(at time: Int64) -> Int64 { pools.indices.reduce(0) { $0 + pools[$1].reading(at: time).starting } }

    /// The queue is taken: from now on its items do not wait for workers.
    @inline(__always)
    mutating func hidePool(of gate: Int, at time: Int64) {
        let queue = activity.place(of: gate)
        let pool = Int(queue.pointee.pool)
        if pool >= 0 { queue.pointee.poolAtHold = pools.place(of: pool).pointee.reading(at: time) }
    }

    /// The queue is free.
    @inline(__always)
    mutating func showPool(of gate: Int, at time: Int64) {
        let queue = activity.place(of: gate)
        let pool = Int(queue.pointee.pool)
        guard pool >= 0 else { return }
        let reading = pools.place(of: pool).pointee.reading(at: time)
        queue.pointee.poolHidden = queue.pointee.poolHidden + (reading - queue.pointee.poolAtHold)
    }

    /// A queue and every queue that targets it, directly or not; targets come before those that target them.
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

    /// Takes over what a definition says about a queue. Call `rebuild` for its subtree afterwards.
    mutating func define(_ queue: Int, kind: Queue.Kind, width: Int, qos: QoSClass) {
        activity[queue].kind = kind
        activity[queue].qos = qos
        activity[queue].isMain = kind == .main
        activity[queue].isSerial = width == 1
        activity[queue].isOrdered = width == 1 && kind != .workloop
        activity[queue].honoursBarriers = kind == .concurrent
    }

    /// Changes a queue's target. A target that would close a circle is ignored: libdispatch has none, so the record is
    /// damaged. Call `rebuild` for its subtree afterwards.
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

    /// Takes a queue out of its target's list.
    mutating func leaveTarget(_ queue: Int) {
        let target = Int(activity[queue].target)
        let (previous, next) = (activity[queue].previousSibling, activity[queue].nextSibling)
        activity[queue].previousSibling = -1
        activity[queue].nextSibling = -1
        guard target >= 0, activity[target].firstChild == queue || previous >= 0 else { return }
        if previous >= 0 { activity[Int(previous)].nextSibling = next } else { activity[target].firstChild = next }
        if next >= 0 { activity[Int(next)].previousSibling = previous } else { activity[target].lastChild = previous }
    }

    /// The queue's last reference went away: nothing reaches it any more.
    mutating func dispose(_ queue: Int, at time: Int64) {
        model.change(.disposedQueue(queue, at: Timestamp(nanoseconds: time)))
        leaveTarget(queue)
    }

    /// Books what the clocks of suspended queues hide, before the structure of their hierarchy changes.
    mutating func prepareRebuild(_ queues: [Int], at time: Int64) {
        for queue in queues where activity[queue].suspendedLevels > 0 {
            showClocks(of: queue, clocks(of: queue, at: time), at: time)
        }
    }

    /// Works out exclusion queue and suspension again, after the structure changed. Targets come first in `queues`.
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
        activity[queue].rank = qos != .unspecified || target < 0 ? qos : activity[target].rank
        let pool = activity[queue].isMain ? -1 : target < 0 ? ownPool(of: queue) : activity[target].pool
        if activity[queue].pool != pool {
            activity[queue].pool = pool
            hidePool(of: queue, at: time)
        }
        let levels = (target < 0 ? 0 : activity[target].suspendedLevels) + (activity[queue].suspensions > 0 ? 1 : 0)
        if activity[queue].suspendedLevels == 0, levels == 0 { return }
        hideClocks(of: queue, clocks(of: queue, at: time), at: time)
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
        // A resume without a suspension: the suspension came before the recording.
        guard activity[queue].suspensions > 0 else { return }
        activity[queue].suspensions -= 1
        model.queues[queue].suspensions = Int(activity[queue].suspensions) - (activity[queue].isInactive ? 1 : 0)
        if activity[queue].suspensions == 0 { changeSuspendedLevels(below: queue, by: -1, at: time) }
    }

    /// A queue created inactive, which nothing leaves until it is activated.
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
                hideClocks(of: member, clocks(of: member, at: time), at: time)
            } else if activity[member].suspendedLevels + change == 0 {
                showClocks(of: member, clocks(of: member, at: time), at: time)
            }
            activity[member].suspendedLevels += change
        }
    }
}

extension QueueForestBuilder {
    /// How busy the queue was, at the end of the trace.
    mutating func finishLoad(of queue: Int, at time: Int64) -> QueueLoad {
        activity[queue].changeDepth(by: 0, at: time)
        activity[queue].load.busy = Nanoseconds(activity[queue].own.value(at: time) - activity[queue].busyBefore)
        return activity[queue].load
    }
}
