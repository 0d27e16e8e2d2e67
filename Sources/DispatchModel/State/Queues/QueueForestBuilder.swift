/// Tracks the queues: their definitions, their target hierarchy, and their suspensions.
struct QueueForestBuilder: ~Copyable {
    private let model: DispatchModel
    private var serials = IdentifierTable()
    private var last = (serial: UInt64(0), queue: QueueIndex.none)
    /// Parallel to ``DispatchModel/queues``.
    private var activity = RowTable<QueueActivity>()
    /// The worker pools of the root queues.
    var pools = RowTable<RootPool>()
    var suspensions = RowTable<Suspension>()
    var mainExecutor = MainExecutor()

    init(model: DispatchModel) { self.model = model }

    /// The queues in the order of their first records.
    var indices: some Sequence<QueueIndex> { activity.indices.lazy.map { QueueIndex($0) } }

    subscript(queue: QueueIndex) -> QueueActivity {
        @inline(__always)
        unsafeAddress { activity.address(of: queue.position) }
        @inline(__always)
        unsafeMutableAddress { activity.place(of: queue) }
    }

    /// The address of the activity of a queue, for code that accesses many of its fields. Valid until a queue is added.
    @inline(__always)
    func place(of queue: QueueIndex) -> UnsafeMutablePointer<QueueActivity> { activity.place(of: queue) }

    /// The queue with this serial number. Creates a queue of kind `unknown` when no definition was recorded yet.
    @inline(__always)
    mutating func queue(serial: UInt64) -> QueueIndex {
        if serial == last.serial, !last.queue.isNone { return last.queue }
        last = (serial, existing(serial: serial) ?? addUnknown(serial: serial))
        return last.queue
    }

    /// Creates a serial queue for an actor or an event loop.
    mutating func makeForeign(_ kind: Queue.Kind, label: String, createdAt time: Int64?, at now: Int64) -> QueueIndex {
        let position = activity.count
        make(serial: Queue.firstForeignSerial + UInt64(position), at: now) { queue in
            queue.kind = kind
            queue.width = 1
            queue.label = label
            queue.createdAt = time.map { Timestamp(nanoseconds: $0) }
        }
        return QueueIndex(position)
    }

    /// The queue with this serial number; nil when there is none.
    @inline(__always)
    func existing(serial: UInt64) -> QueueIndex? { serials[serial].map { QueueIndex($0) } }

    @inline(never)
    private mutating func addUnknown(serial: UInt64) -> QueueIndex {
        let queue = QueueIndex(activity.count)
        serials.insert(serial, queue.position)
        activity.append(QueueActivity())
        model.queues.append(Queue(index: queue, serialNumber: serial))
        return queue
    }

    /// The placeholder queue for work that has no queue. Creates it at first use.
    mutating func placeholder(_ work: Queue.Placeholder) -> QueueIndex {
        if let known = existing(serial: work.rawValue) { return known }
        let queue = addUnknown(serial: work.rawValue)
        model.queues[queue].kind = .global
        model.queues[queue].width = 0xfff
        model.queues[queue].label = work.label
        define(queue, as: model.queues[queue])
        return queue
    }

    /// Creates a queue. Its target, if any, must exist.
    mutating func make(serial: UInt64, at time: Int64, _ define: (inout Queue) -> Void) {
        let index = QueueIndex(activity.count)
        var queue = Queue(index: index, serialNumber: serial)
        define(&queue)
        queue.activatedAt = Timestamp(nanoseconds: time)
        serials.insert(serial, index.position)
        activity.append(QueueActivity())
        self.define(index, as: queue)
        activity[index].activatedAt = time
        if let target = queue.target {
            activity[index].target = target
            join(index, target: target)
        }
        rebuild(index, at: time)
        queue.exclusion = activity[index].exclusion.rawValue
        model.change(.madeQueue(queue))
    }

    /// The exclusion queue of a queue's hierarchy; none without one.
    @inline(__always)
    func exclusion(of queue: QueueIndex) -> QueueIndex { activity[queue].exclusion }

    /// A queue and every queue that directly or indirectly targets it. Targets precede the queues that target them.
    func subtree(of queue: QueueIndex) -> [QueueIndex] {
        var found = [queue]
        var position = 0
        while position < found.count {
            var child = activity[found[position]].firstChild
            while !child.isNone {
                found.append(child)
                child = activity[child].nextSibling
            }
            position += 1
        }
        return found
    }

    // MARK: Structure

    /// Copies the properties of a definition. Call `rebuild` for the subtree afterwards.
    mutating func define(_ queue: QueueIndex, as defined: Queue) {
        let (kind, isSerial) = (defined.kind, defined.isSerial)
        if kind == .main { mainExecutor.queue = queue }
        activity[queue].kind = kind
        activity[queue].qos = defined.qos
        activity[queue].isMain = kind == .main && !activity[queue].ranOnWorker
        activity[queue].isSerial = isSerial
        activity[queue].isOrdered = isSerial && kind != .workloop
        activity[queue].honoursBarriers = kind == .concurrent
        activity[queue].limit = kind == .concurrent && defined.isSwiftExecutor ? limit(of: defined) : 0
    }

    /// Swift sets the width of its queues to the number of processors. libdispatch changes the width later when the
    /// queue is in use, so the trace may have only the width before the change.
    private func limit(of executor: Queue) -> Int16 {
        let processors = model.usableProcessors.allowed
        return Int16(clamping: processors > 0 ? min(executor.width, processors) : executor.width)
    }

    /// Changes a queue's target. Ignores a target that would close a cycle: libdispatch permits none, so the record is
    /// damaged. Call `rebuild` for the subtree afterwards.
    mutating func setTarget(of queue: QueueIndex, to target: QueueIndex?) {
        let old = activity[queue].target
        guard old != target ?? QueueIndex.none else { return }
        var ancestor = target ?? QueueIndex.none
        while !ancestor.isNone {
            if ancestor == queue { return }
            ancestor = activity[ancestor].target
        }
        if !old.isNone { model.queues[old].children.removeAll { $0 == queue } }
        if let target { model.queues[target].children.append(queue) }
        leaveTarget(queue)
        activity[queue].target = target ?? QueueIndex.none
        if let target { join(queue, target: target) }
        model.queues[queue].target = target
    }

    private mutating func join(_ queue: QueueIndex, target: QueueIndex) {
        let last = activity[target].lastChild
        activity[queue].previousSibling = last
        activity[queue].nextSibling = .none
        if !last.isNone {
            activity[last].nextSibling = queue
        } else {
            activity[target].firstChild = queue
        }
        activity[target].lastChild = queue
    }

    /// Removes a queue from its target's list.
    mutating func leaveTarget(_ queue: QueueIndex) {
        let target = activity[queue].target
        let (previous, next) = (activity[queue].previousSibling, activity[queue].nextSibling)
        activity[queue].previousSibling = .none
        activity[queue].nextSibling = .none
        guard !target.isNone, activity[target].firstChild == queue || !previous.isNone else { return }
        if !previous.isNone { activity[previous].nextSibling = next } else { activity[target].firstChild = next }
        if !next.isNone { activity[next].previousSibling = previous } else { activity[target].lastChild = previous }
    }

    /// The last reference to the queue was released.
    mutating func dispose(_ queue: QueueIndex, at time: Int64) {
        model.change(.disposedQueue(queue.position, at: Timestamp(nanoseconds: time)))
        leaveTarget(queue)
    }

    /// Accumulates the clocks of suspended queues before the structure of their hierarchy changes.
    mutating func prepareRebuild(_ queues: [QueueIndex], at time: Int64) {
        for queue in queues where activity[queue].suspendedLevels > 0 {
            resumeClocks(of: queue, clocks(of: queue, at: time), at: time)
        }
    }

    /// Recomputes exclusion queues and suspensions after a change of the structure. Targets come first in `queues`.
    mutating func rebuild(_ queues: [QueueIndex], at time: Int64) {
        for queue in queues {
            let before = activity[queue].exclusion
            rebuild(queue, at: time)
            if activity[queue].exclusion != before {
                model.queues[queue].exclusion = activity[queue].exclusion.rawValue
            }
        }
    }

    private mutating func rebuild(_ queue: QueueIndex, at time: Int64) {
        let target = activity[queue].target
        let below = target.isNone ? QueueIndex.none : activity[target].exclusion
        activity[queue].exclusion = !below.isNone ? below : activity[queue].isSerial ? queue : .none
        let isConcurrent = !target.isNone && activity[target].honoursBarriers && below.isNone
        activity[queue].concurrentTarget =
            isConcurrent ? target : target.isNone ? .none : activity[target].concurrentTarget
        let qos = activity[queue].qos
        activity[queue].effectiveQoS = qos != .unspecified || target.isNone ? qos : activity[target].effectiveQoS
        let pool = activity[queue].isMain ? -1 : target.isNone ? ownPool(of: queue) : activity[target].pool
        if activity[queue].pool != pool {
            activity[queue].pool = pool
            pausePoolClocks(of: queue, at: time)
        }
        let levels = (target.isNone ? 0 : activity[target].suspendedLevels) + (activity[queue].suspensions > 0 ? 1 : 0)
        if activity[queue].suspendedLevels == 0, levels == 0 { return }
        pauseClocks(of: queue, clocks(of: queue, at: time), at: time)
        activity[queue].suspendedLevels = levels
    }

    // MARK: Suspension

    mutating func suspend(_ queue: QueueIndex, at time: Int64) {
        activity[queue].suspensions += 1
        model.queues[queue].suspensions = Int(activity[queue].suspensions) - (activity[queue].isInactive ? 1 : 0)
        if activity[queue].suspensions == 1 { changeSuspendedLevels(below: queue, by: 1, at: time) }
    }

    mutating func resume(_ queue: QueueIndex, at time: Int64) {
        // The matching suspension precedes the recording.
        guard activity[queue].suspensions > 0 else { return }
        activity[queue].suspensions -= 1
        model.queues[queue].suspensions = Int(activity[queue].suspensions) - (activity[queue].isInactive ? 1 : 0)
        if activity[queue].suspensions == 0 { changeSuspendedLevels(below: queue, by: -1, at: time) }
    }

    /// The queue was created inactive. Its items wait until it is activated.
    mutating func markInactive(_ queue: QueueIndex, at time: Int64) {
        guard !activity[queue].isInactive else { return }
        activity[queue].isInactive = true
        model.queues[queue].isCreatedInactive = true
        suspend(queue, at: time)
    }

    mutating func activate(_ queue: QueueIndex, at time: Int64) {
        guard activity[queue].isInactive else { return }
        activity[queue].isInactive = false
        markActive(queue, at: time)
        resume(queue, at: time)
    }

    mutating func markActive(_ queue: QueueIndex, at time: Int64) {
        activity[queue].activatedAt = time
        model.queues[queue].activatedAt = Timestamp(nanoseconds: time)
    }

    private mutating func changeSuspendedLevels(below queue: QueueIndex, by change: Int32, at time: Int64) {
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
