/// The state that all state builders share: the entities, the clocks of the queues, and the pipeline of observations.
///
/// Methods that are not inlined are mutating, also if they change nothing: the compiler would copy the whole state for
/// a call that only borrows it.
struct ModelState: ~Copyable {
    let model: DispatchModel
    let options: ModelOptions
    var forest: QueueForestBuilder
    var threads: ThreadTable
    var items = ItemSlots()
    /// Changes of targets that have not taken effect yet.
    var targets = TargetChanges()
    var codes: CodeTable
    var processors = ProcessorTracker()
    var invariants = ModelInvariants()
    var unknown = UnknownIntervals()
    /// Number of threads that run an item.
    var running = 0
    var waits = BlockedWaitTracker()
    var held = HeldTable()
    var orders: DomainOrderTracker
    var blame = BlameTracker()
    var paths: PathRecorder
    /// The rates at which items were sampled.
    var sampling = ItemSampling()
    /// The kinds that the observer reads; none before the window begins.
    private(set) var followed: ObservationKinds
    /// Whether the requested window has not begun.
    private(set) var isMuted: Bool
    private let pipeline: ObservationPipeline

    init(model: DispatchModel, observer: any ModelObserver, options: ModelOptions, isPipelined: Bool, isMuted: Bool) {
        self.model = model
        pipeline = ObservationPipeline(observer: observer, model: model, isPipelined: isPipelined)
        model.pipeline = pipeline
        self.options = options
        self.isMuted = isMuted
        followed = isMuted ? [] : observer.followed
        forest = QueueForestBuilder(model: model)
        threads = ThreadTable(model: model)
        codes = CodeTable(model: model, functions: options.functions)
        paths = PathRecorder(target: isMuted ? nil : options.criticalPath, pipeline: pipeline)
        orders = DomainOrderTracker(isFollowed: followed.contains(.domainOrders))
    }

    /// Starts to report to the observer.
    mutating func unmute() {
        isMuted = false
        followed = pipeline.followed
        paths = PathRecorder(target: options.criticalPath, pipeline: pipeline)
        orders = DomainOrderTracker(isFollowed: followed.contains(.domainOrders))
    }

    @inline(__always)
    func emit(_ observation: Observation) {
        if followed.contains(observation.kind) { pipeline.append(observation) }
    }

    /// Reports an item, the most frequent kind. `fill` fills the observer's row.
    @inline(__always)
    func emitItem(_ fill: (UnsafeMutablePointer<Item>) -> Void) { if !isMuted { pipeline.appendItem(fill) } }

    /// Gives the paths to the model. Call at the end of the trace, before open operations are closed.
    func finishPaths() {
        guard paths.isFollowed else { return }
        let tracker = pipeline.finishPaths()
        model.requestedPath = tracker.requested
        if tracker.isOfWholeRun { model.openPaths = OpenPaths(tracker, since: model.begin) }
    }

    /// States that no item that will still be reported began before `time`.
    func settle(until time: Int64) { pipeline.settle(until: Timestamp(nanoseconds: time)) }

    /// Starts to report to the observer, and restarts everything that is counted over the whole trace.
    mutating func beginWindow(at time: Int64) -> WindowBegin {
        unmute()
        invariants = ModelInvariants()
        blame.forgetTimes(before: time)
        for queue in forest.indices { forest[queue].forgetLoad(at: time) }
        for pool in forest.pools.indices { forest.pools[pool].forgetCounts() }
        return WindowBegin(
            threads: threads.indices.map { thread in
                let moment = Moment(time: time, thread: thread)
                return .init(times: processors.times(at: moment), paused: processors.pausedTime(at: moment))
            })
    }

    /// Adds the complete wait of an item to the load of its queue. Only the part after the begin of the window counts.
    @inline(__always)
    func countWait(of slot: Slot, at time: Int64) {
        let item = items.place(of: slot)
        forest.place(of: item.pointee.queue).pointee.load.waitTotal +=
            Nanoseconds(time - max(item.pointee.enqueuedAt, model.begin.nanoseconds))
    }

    /// Passes a signal to the threads that wait for its group or item.
    mutating func deliver(_ signal: Signal, because path: Int32) {
        let references = waits.deliver(signal, because: path)
        for _ in 0..<references { paths.retain(path) }
    }

    mutating func emit(
        _ wait: BlockedWaitTracker.Wait, thread: ThreadIndex, end: Int64, timedOut: Bool, isFinished: Bool,
        signal: Signal?,
        lacksSignal: Bool = false
    ) {
        var observed = BlockedWait(
            object: wait.object, thread: thread, code: wait.code,
            begin: Timestamp(nanoseconds: wait.begin), end: Timestamp(nanoseconds: end), timedOut: timedOut,
            isFinished: isFinished)
        observed.signal = signal
        observed.lacksSignal = lacksSignal
        observed.waiter = wait.waiter < 0 ? nil : ItemNumber(wait.waiter)
        emit(observed)
    }

    /// Reports a wait. A wait that is still open at the end of the trace also becomes part of the wait-for graph.
    mutating func emit(_ wait: BlockedWait) {
        if !wait.isFinished { model.waitForGraph.waits.append(wait) }
        emit(.blockedWait(wait))
    }

    /// Reports the waits that are open at the end of the trace.
    mutating func finishWaits(at time: Int64) {
        for (thread, wait) in waits.open {
            emit(wait, thread: thread, end: time, timedOut: false, isFinished: false, signal: nil)
        }
    }

    /// Reports the orders at the end of the trace.
    mutating func finishDomainOrders() {
        model.omittedDomainOrders = orders.omitted
        for order in orders.orders where isExclusive(order.wanted) {
            var reported = order
            reported.held.removeAll { !isExclusive($0.domain) }
            if !reported.held.isEmpty { emit(.domainOrder(reported)) }
        }
    }

    /// A semaphore can later turn out not to be used as a lock.
    func isExclusive(_ domain: HeldDomain.Domain) -> Bool {
        if case .semaphore(let semaphore) = domain { model[semaphore].isLock } else { true }
    }

    // MARK: Definitions of queues

    mutating func create(_ event: DispatchEvent.QueueCreate, at time: Int64) {
        if !make(event, at: time) { define(event, isCreation: true, at: time) }
    }

    /// Creates a new queue with a known target, the usual case.
    ///
    /// - Returns: false, without any effect, for other queues.
    private mutating func make(_ event: DispatchEvent.QueueCreate, at time: Int64) -> Bool {
        guard forest.existing(serial: event.queue) == nil,
            !Queue.Flags(rawValue: event.flags).contains(.inactive),
            let target = forest.existing(serial: event.target)
        else { return false }
        let code = codes.code(event.code)
        let stack = codes.stack(event.stack)
        let thread = threads.thread(tid: event.tid, at: time)
        forest.make(serial: event.queue, at: time) { queue in
            queue.define(event, createdAt: Timestamp(nanoseconds: time), code: code, stack: stack, thread: thread)
            queue.target = target
        }
        return true
    }

    mutating func define(_ event: DispatchEvent.QueueCreate, isCreation: Bool, at time: Int64) {
        let queue = forest.queue(serial: event.queue)
        let code = codes.code(event.code)
        let stack = codes.stack(event.stack)
        let target = event.target == 0 ? nil : forest.queue(serial: event.target)
        model.queues[queue].define(
            event, createdAt: isCreation ? Timestamp(nanoseconds: time) : nil, code: code, stack: stack,
            thread: threads.thread(tid: event.tid, at: time))
        let defined = model.queues[queue]
        restructure(queue, at: time) { forest in
            forest.define(queue, as: defined)
            if let target { forest.setTarget(of: queue, to: target) }
        }
        if Queue.Flags(rawValue: event.flags).contains(.inactive) {
            suspend(queue, at: time) { $0.markInactive(queue, at: time) }
        } else if isCreation {
            forest.markActive(queue, at: time)
        }
    }

    mutating func retarget(_ queue: QueueIndex, to serial: UInt64, at time: Int64) -> QueueIndex? {
        let target = serial == 0 ? nil : forest.queue(serial: serial)
        retarget(queue, to: target, at: time)
        return target
    }

    // MARK: Changes of the hierarchy

    /// Suspends or resumes a queue. While it is suspended, the items that wait on it, or on a queue that targets it, do
    /// not wait for the hierarchy.
    ///
    /// - Complexity: O(queues that target it). At the first suspension of a queue also O(items that wait on it).
    mutating func suspend(_ queue: QueueIndex, at time: Int64, _ change: (inout QueueForestBuilder) -> Void) {
        let wasSuspended = forest[queue].suspensions > 0
        change(&forest)
        guard (forest[queue].suspensions > 0) != wasSuspended else { return }
        for member in forest.subtree(of: queue) { blame.followSuspension(of: member, at: time, of: items, on: forest) }
    }

    /// Changes a queue's place in the hierarchy. Settles its waits first under the old hierarchy.
    mutating func restructure(_ queue: QueueIndex, at time: Int64, _ change: (inout QueueForestBuilder) -> Void) {
        let affected = forest.subtree(of: queue)
        items.settleWaiting(on: withMainActor(affected), at: time, of: forest)
        forest.prepareRebuild(affected, at: time)
        change(&forest)
        forest.rebuild(affected, at: time)
        items.settleWaiting(on: withMainActor(affected), at: time, of: forest)
        blame.restartContending(on: affected, at: time, of: items, on: forest)
    }

    /// These queues and the main actor, whose waits depend on the main queue.
    func withMainActor(_ queues: [QueueIndex]) -> [QueueIndex] {
        let actor = forest.mainExecutor.actor
        return actor.isNone || queues.contains(actor) ? queues : queues + [actor]
    }

    /// The program changes a queue's target.
    mutating func retarget(_ queue: QueueIndex, to target: QueueIndex?, at time: Int64) {
        let itemsAhead = itemsAhead(inTreeOf: queue)
        let activity = forest[queue]
        let isIdle = itemsAhead.isEmpty && activity.suspensions == 0 && !targets.contains(queue)
        // An inactive queue has no items to wait for.
        if isIdle || activity.isInactive {
            restructure(queue, at: time) { $0.setTarget(of: queue, to: target) }
        } else {
            targets.add(queue, to: target, behind: itemsAhead)
        }
    }

    /// The items that precede a change of a queue's target: items that run or wait on the queue, or on queues that
    /// target it and are not themselves suspended. Items that are not due are not in a queue yet.
    private func itemsAhead(inTreeOf queue: QueueIndex) -> Set<Int64> {
        let tree = forest.subtree(of: queue)
        let levels = forest[queue].suspendedLevels
        let queued = tree.filter { forest[$0].suspendedLevels == levels }
        let waiting = items.waiting(on: queued, of: forest).filter { !items[$0].isDelayed }
        var numbers = Set(waiting.map { items[$0].number })
        let busy = Set(tree.filter { forest[$0].own.isBusy })
        guard !busy.isEmpty else { return numbers }
        for thread in threads.indices {
            var slot = threads[thread].innermost
            while !slot.isNone {
                if busy.contains(items[slot].queue) { numbers.insert(items[slot].number) }
                slot = items[slot].enclosing
            }
        }
        return numbers
    }

    /// An item has ended. Applies the changes that waited only for it.
    @inline(never)
    mutating func changeTargets(behind number: Int64, at time: Int64) {
        targets.end(number)
        changeTargets(at: time)
    }

    /// An item that was submitted after a change begins, so the change has taken effect and the end of an earlier item
    /// was lost. `slot` is nil for a sync that found the queue idle.
    @inline(never)
    mutating func changeTargets(ahead slot: Slot?, on queue: QueueIndex, at time: Int64) {
        if let slot, items[slot].isRecordedLate { return }
        targets.begin(slot.map { items[$0].number }, on: queue)
        changeTargets(at: time)
    }

    /// Applies the changes whose preceding items have all ended.
    @inline(never)
    mutating func changeTargets(at time: Int64) {
        while let due = targets.takeDue(in: forest) {
            restructure(due.queue, at: time) {
                $0.setTarget(of: due.queue, to: due.target)
                if due.isDisposed { $0.leaveTarget(due.queue) }
            }
        }
    }
}

/// The counters of the threads at the begin of a window, which are subtracted at its end.
struct WindowBegin {
    struct Thread {
        var times: ProcessorTimes
        var paused: Nanoseconds
    }

    let threads: [Thread]

    /// The counters of a thread; nil for a thread that did not exist yet.
    func thread(_ position: Int) -> Thread? { position < threads.count ? threads[position] : nil }
}
