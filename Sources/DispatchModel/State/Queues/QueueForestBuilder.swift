/// Tracks the queues: their definitions, their target hierarchy, and their suspensions.
struct QueueForestBuilder: ~Copyable {
    private let model: DispatchModel
    private var serials = IdentifierTable()
    private var last = (serial: UInt64(0), position: -1)
    /// Parallel to ``DispatchModel/queues``.
    private var activity = RowTable<QueueActivity>()
    /// The worker pools of the root queues.
    var pools = RowTable<RootPool>()
    var suspensions = RowTable<Suspension>()

    init(model: DispatchModel) { self.model = model }

    /// The positions of the queues.
    var indices: Range<Int> { activity.indices }

    subscript(queue: Int) -> QueueActivity {
        @inline(__always)
        unsafeAddress { activity.address(of: queue) }
        @inline(__always)
        unsafeMutableAddress { activity.place(of: queue) }
    }

    /// The address of the activity of a queue, for code that accesses many of its fields. Valid until a queue is added.
    @inline(__always)
    func place(of queue: Int) -> UnsafeMutablePointer<QueueActivity> { activity.place(of: queue) }

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
    /// The loads of the queues at the end of the trace. Releases the memory of the queues' state. Call once, after the
    /// last event.
    mutating func finishLoads(at time: Int64) -> [QueueLoad] {
        serials = IdentifierTable()
        let loads = activity.indices.map { queue in
            activity[queue].changeDepth(by: 0, at: time)
            activity[queue].load.busy += Nanoseconds(activity[queue].own.value(at: time))
            return activity[queue].load
        }
        activity = RowTable()
        return loads
    }
}
