// The activity of threads: libdispatch's workers, separately for each root queue, and the items that a thread runs.
extension ModelState {
    mutating func requestWorkers(_ event: DispatchEvent.WorkerRequest, at moment: Moment) {
        let pool = forest.pool(ofRoot: event.root)
        forest.pools[pool].request(Int(event.count), at: moment.time)
        emit(.requested(count: Int(event.count)), pool: pool, at: moment)
    }

    mutating func createWorker(root: UInt64, at moment: Moment) {
        let pool = forest.pool(ofRoot: root)
        forest.pools[pool].create(at: moment.time)
        emit(.created, pool: pool, at: moment)
    }

    mutating func startWorker(root: UInt64, at moment: Moment) {
        let pool = forest.pool(ofRoot: root)
        // The exit of the previous moment.thread with this id was lost, and the kernel reused the id.
        if threads[moment.thread].worker != .none { change(to: .none, at: moment) }
        join(moment.thread, pool: pool)
        forest.pools[pool].start(at: moment.time)
        threads[moment.thread].worker = .looking
        threads[moment.thread].awakeSince = moment.time
        threads[moment.thread].isNew = true
        emit(.started, pool: pool, at: moment)
    }

    mutating func parkWorker(root: UInt64, at moment: Moment) {
        join(moment.thread, pool: forest.pool(ofRoot: root))
        change(to: .parked, at: moment)
        emit(.parked, pool: Int(threads[moment.thread].pool), at: moment)
    }

    mutating func unparkWorker(root: UInt64, at moment: Moment) {
        join(moment.thread, pool: forest.pool(ofRoot: root))
        change(to: .looking, at: moment)
        threads[moment.thread].awakeSince = moment.time
        threads[moment.thread].isNew = false
        emit(.unparked, pool: Int(threads[moment.thread].pool), at: moment)
    }

    /// The thread ended. It need not be a worker.
    mutating func exitWorker(at moment: Moment) {
        guard threads[moment.thread].worker != .none else { return }
        change(to: .none, at: moment)
        emit(.exited, pool: Int(threads[moment.thread].pool), at: moment)
    }

    /// The thread begins an item while it runs no other item.
    @inline(__always)
    mutating func runOutermost(at moment: Moment) {
        threads[moment.thread].outermostBegan = moment.time
        running += 1
        if threads[moment.thread].worker == .looking { change(to: .busy, at: moment) }
    }

    /// The thread has ended its outermost item.
    @inline(__always)
    mutating func leaveOutermost(on thread: ThreadIndex) {
        threads[thread].outermostBegan = .max
        running -= 1
    }

    private mutating func change(to new: RootPool.Activity, at moment: Moment) {
        let old = threads[moment.thread].worker
        guard old != new else { return }
        forest.pools[Int(threads[moment.thread].pool)].change(from: old, to: new, at: moment.time)
        threads[moment.thread].worker = new
    }

    /// Adds a thread to the pool when its first worker record is found. The thread may be older than the recording.
    private mutating func join(_ thread: ThreadIndex, pool: Int) {
        guard threads[thread].worker == .none else { return }
        threads[thread].pool = Int32(pool)
        threads.markWorker(thread, root: forest.pools[pool].root)
    }

    private mutating func emit(_ kind: WorkerChange.Kind, pool: Int, at moment: Moment) {
        guard followed.contains(.workers) else { return }
        emit(
            .worker(
                WorkerChange(
                    kind: kind, root: forest.pools[pool].root, thread: moment.thread,
                    time: moment.timestamp, alive: forest.pools[pool].alive)))
    }

    // MARK: Items of a thread

    /// The thread records an event, so its previous submission is complete.
    @inline(__always)
    mutating func confirmSubmission(at moment: Moment) {
        let submitter = threads.place(of: moment.thread)
        let slot = submitter.pointee.submitted
        guard !slot.isNone else { return }
        submitter.pointee.submitted = .none
        let item = items.place(of: slot)
        if item.pointee.number == submitter.pointee.submittedNumber, !item.pointee.isSync {
            item.pointee.confirmedAt = moment.time
        }
        if case let outer = submitter.pointee.innermost, !outer.isNone {
            items.place(of: outer).pointee.submitting += moment.time - submitter.pointee.submittedAt
        }
    }

    /// The innermost item of libdispatch that runs on a thread.
    @inline(__always)
    func innermostOfDispatch(on thread: ThreadIndex) -> Slot {
        var slot = threads[thread].innermost
        while !slot.isNone, items[slot].isForeign { slot = items[slot].enclosing }
        return slot
    }

    /// The number of the innermost item of libdispatch that runs on a thread; -1 for none.
    @inline(__always)
    func innermostNumber(on thread: ThreadIndex) -> Int64 {
        let innermost = innermostOfDispatch(on: thread)
        return innermost.isNone ? -1 : items[innermost].number
    }

    /// Whether the thread is inside a recorded wait: a sync that has not begun or runs on another thread, or a wait for
    /// a group, a semaphore or a work item.
    mutating func isInWait(_ thread: ThreadIndex) -> Bool {
        if waits.isWaiting(thread) { return true }
        let caller = threads.place(of: thread)
        let slot = caller.pointee.submitted
        return !slot.isNone && items[slot].number == caller.pointee.submittedNumber && items[slot].isSync
    }

    /// Adds the item to the async chain of the item that the thread runs.
    @inline(__always)
    mutating func joinOperation(_ slot: Slot, of thread: ThreadIndex) {
        let outer = innermostOfDispatch(on: thread)
        guard !outer.isNone else { return }
        items.join(slot, to: outer)
    }

    /// Sets the parent queue of a notification that an item requested: the queue of the item that emptied the group,
    /// which can have ended just before.
    mutating func followSignaller(_ slot: Slot, at moment: Moment) {
        guard items[slot].parent >= 0 else { return }
        let innermost = innermostOfDispatch(on: moment.thread)
        let queue = signaller(at: moment, innermost: innermost, isItemOver: true).queue
        guard !queue.isNone else { return }
        items.giveDetails(to: slot)
        items.place(of: slot).pointee.details.pointee.parentQueue = queue
    }

    /// The thread that ran a work item submits the item's notification directly after the end. The notification becomes
    /// a child of the work item, like the items that the work item submitted.
    mutating func joinEnded(_ slot: Slot, at moment: Moment) {
        let ended = threads[moment.thread]
        guard ended.innermost.isNone, ended.lastEndedNumber >= 0, moment.time - ended.lastEnded <= Self.longestEnd
        else {
            return
        }
        items.giveDetails(to: slot)
        items.place(of: slot).pointee.details.pointee.join(ended)
    }

    /// Longest time in nanoseconds between the end of a work item and the record of its notification. After a longer
    /// time, the thread requested a notification for a work item that ran before.
    private static var longestEnd: Int64 { 10_000 }

    /// The item that signals: the item that runs on the thread, or with `isItemOver` the item that ended last.
    ///
    /// - Parameters:
    ///   - moment: the signal.
    ///   - innermost: the innermost item on the thread.
    ///   - isItemOver: whether the signalling item can have ended just before.
    mutating func signaller(
        at moment: Moment, innermost: Slot, isItemOver: Bool
    ) -> (number: Int64, code: CodeIndex, queue: QueueIndex) {
        if !innermost.isNone { return (items[innermost].number, items[innermost].code, items[innermost].queue) }
        let activity = threads[moment.thread]
        guard isItemOver, activity.lastEndedNumber >= 0 else { return (-1, .unknown, .none) }
        // An item that was not recorded may have run since.
        if sampling.isSampled, moment.time - activity.lastEnded > Self.longestEnd { return (-1, .unknown, .none) }
        return (activity.lastEndedNumber, activity.lastEndedCode, activity.lastEndedQueue)
    }

    /// Whether the worker woke to run this item: it is the worker's first item since it woke, and it was submitted
    /// before that. The submission time of source handlers is unknown, because libdispatch submits them itself.
    @inline(__always)
    func wake(of slot: Slot, thread: ThreadIndex) -> Item.Wake {
        let worker = threads.place(of: thread)
        guard worker.pointee.worker != .none else { return .unknown }
        guard worker.pointee.worker == .looking else { return .none }
        let item = items.place(of: slot)
        guard !item.pointee.source.isNone || worker.pointee.awakeSince >= item.pointee.enqueuedAt else { return .none }
        // The item also waited for a processor.
        let processors = model.processors
        if processors > 0, running >= processors { return .delayed }
        return worker.pointee.isNew ? .started : .unparked
    }

    /// Removes an item from the stack of its thread. It is the innermost item, unless ends were lost.
    @inline(__always)
    mutating func leaveThread(_ slot: Slot, at time: Int64) {
        let item = items.place(of: slot)
        let details = item.pointee.details
        let thread = threads.place(of: details.pointee.thread)
        thread.pointee.lastEnded = time
        // Only asyncs can be in a group.
        thread.pointee.lastEndedNumber = item.pointee.isSync ? -1 : item.pointee.number
        thread.pointee.lastEndedCode = item.pointee.code
        thread.pointee.lastEndedQueue = item.pointee.queue
        thread.pointee.lastEndedHops = item.pointee.hops
        thread.pointee.lastEndedOperation = item.pointee.operation
        if thread.pointee.innermost == slot {
            thread.pointee.innermost = details.pointee.enclosing
        } else {
            var inner = thread.pointee.innermost
            while !inner.isNone, items[inner].enclosing != slot { inner = items[inner].enclosing }
            if !inner.isNone { items[inner].enclosing = details.pointee.enclosing }
        }
        if thread.pointee.innermost.isNone { leaveOutermost(on: details.pointee.thread) }
    }

    /// A sync ends. Adds its cost to the item that called it: the time that the caller waited, including waits for
    /// nested syncs. If another thread ran the sync, the caller was blocked until its end.
    @inline(__always)
    func chargeCaller(of slot: Slot, at time: Int64) {
        let item = items.place(of: slot)
        guard item.pointee.parent >= 0, item.pointee.isSync, !item.pointee.enqueuedOn.isNone else { return }
        let isRunElsewhere = item.pointee.enqueuedOn != item.pointee.thread
        let waited = (isRunElsewhere ? time : item.pointee.beganAt) - min(item.pointee.enqueuedAt, item.pointee.beganAt)
        let blocked = Nanoseconds(waited) + (isRunElsewhere ? .zero : item.pointee.syncs.blocked)
        guard blocked > .zero else { return }
        var caller = threads.place(of: item.pointee.enqueuedOn).pointee.innermost
        while !caller.isNone, items[caller].number != item.pointee.parent { caller = items[caller].enclosing }
        guard !caller.isNone else { return }
        items.place(of: caller).pointee.syncs.blocked += blocked
        items.place(of: caller).pointee.syncs.waking += item.pointee.syncs.waking + Nanoseconds(item.pointee.waking)
    }

    /// Measures how much of the scheduler's part of a finished wait the thread of the item was off-CPU.
    ///
    /// ```
    ///   queue held ─────┤ free
    ///   thread     ──── off-CPU ─────────┤ running, not in the item yet ├─ item
    ///                   ╰─ off-CPU part ─╯
    /// ```
    mutating func measureWait(_ slot: Slot, at moment: Moment) {
        let item = items.place(of: slot)
        guard item.pointee.parts.scheduler > .zero, let freeSince = items.freeSince(slot, on: forest) else {
            item.pointee.waitOffProcessor = .zero
            return
        }
        // Before the thread ended its previous item, or woke, it was not available for this item.
        let runner = threads.place(of: moment.thread)
        let begin = max(freeSince, runner.pointee.lastEnded, runner.pointee.awakeSince)
        guard processors.isKnown(moment.thread, since: begin) else { return }
        item.pointee.waitOffProcessor = min(
            item.pointee.parts.scheduler, processors.timeOff(moment.thread, from: begin, to: moment.time))
    }

    /// The code of the item of the main queue that keeps a task from its actor, the main actor; unknown for another
    /// actor, and while no such item runs.
    func blockOnMain(before actor: QueueIndex) -> CodeIndex {
        guard actor == forest.mainExecutor.actor, forest.mainExecutor.occupied.isBusy else { return .unknown }
        for thread in threads.indices {
            var slot = threads[thread].innermost
            while !slot.isNone {
                if items[slot].isOnMain, !items[slot].isForeign { return items[slot].code }
                slot = items[slot].enclosing
            }
        }
        return .unknown
    }

    /// Moves the start time of the thread out of the scheduler's part, if the thread started while the item waited.
    @inline(__always)
    mutating func splitThreadStart(_ slot: Slot, at moment: Moment) {
        let position = items.place(of: slot).pointee.queue
        guard forest.pool(serving: position) < 0 else { return }
        let queue = forest.place(of: position)
        let activity = threads.place(of: moment.thread)
        if queue.pointee.isMain, activity.pointee.worker != .none {
            let pool = Int(activity.pointee.pool)
            let asked = pool < 0 ? .min : forest.pools[pool].askedAt
            let awake = max(activity.pointee.startedAt, activity.pointee.awakeSince)
            serveMainQueueByWorkers(slot, at: moment, asked: asked, awake: awake)
        } else {
            items.splitThreadStart(slot, thread: moment.thread, awake: activity.pointee.startedAt, on: forest)
        }
    }

    /// A worker begins an item of the main queue for the first time, because the main thread called `dispatch_main`.
    /// All items that wait have waited for this worker. Later items use the clocks of the worker's pool.
    private mutating func serveMainQueueByWorkers(_ slot: Slot, at moment: Moment, asked: Int64, awake: Int64) {
        let queue = items[slot].queue
        items.splitThreadStart(slot, thread: moment.thread, asked: asked, awake: awake, on: forest)
        for waiting in items.waiting(on: withMainActor([queue]), of: forest) {
            items.settle(waiting, at: moment.time, on: forest)
            items.splitThreadStart(waiting, thread: moment.thread, asked: asked, awake: awake, on: forest)
        }
        forest[queue].ranOnWorker = true
        forest[queue].isMain = false
        restructure(queue, at: moment.time) { _ in }
    }
}
