/// Tracks items from submission to end.
///
/// `ItemSlots` has the open items. Extensions in files of their own process the parts of an item's life: submission
/// order (`+Order`), due times (`+Delays`), barriers (`+Barriers`), syncs (`+Syncs`, `+UncontendedSyncs`, and
/// `+Workers` for syncs behind items that need a worker), owners of queues (`+Exclusion`), short begin and end records
/// (`+Callouts`), ends (`+Ends`), actors and event loops (`+ForeignItems`), and changes of target queues
/// (`+Retargeting`). `WaitPartition` divides a wait into its causes.
struct ItemTracker: ~Copyable {
    var items = ItemSlots()
    var due = DueHeap()
    /// Pending changes of targets in the order of the calls; usually none.
    var pendingTargets: [PendingTarget] = []
    var endsUntilSettling = 0

    /// Takes a slot for a new item. Abandons an open item with the same id first, because its end was lost.
    mutating func open(id: UInt64, kind: ItemKind, queue: Int, at time: Int64, in state: inout ModelState) -> Int {
        if let old = items.slot(of: id) { abandon(old, at: time, in: &state) }
        let slot = items.take(kind: kind, queue: queue, at: time)
        items.give(id, to: slot)
        return slot
    }

    /// Removes an item whose begin or end is lost.
    mutating func abandon(_ slot: Int, at time: Int64, in state: inout ModelState) {
        switch items[slot].state {
        case .running: finish(slot, at: time, isFinished: false, in: &state)
        case .waiting:
            let number = items[slot].number
            leaveQueue(slot, at: time, in: &state)
            forgetPath(slot, in: &state)
            items.recycle(slot)
            if !pendingTargets.isEmpty { changeTargets(behind: number, at: time, in: &state) }
        case .announced:
            forgetPath(slot, in: &state)
            items.recycle(slot)
        case .free: break
        }
    }

    // MARK: Submission

    mutating func enqueue(
        _ event: DispatchEvent.ItemEnqueue, isRecordedLate: Bool = false, at moment: Moment,
        in state: inout ModelState
    ) {
        confirmSubmission(at: moment, in: &state)
        if let known = items.slot(of: event.item) {
            // The clocks of the two threads differ: the begin was recorded before the submission.
            if items[known].state == .running, !items[known].isEnqueueKnown, items[known].source < 0 {
                return attachLateEnqueue(event, to: known, at: moment, in: &state)
            }
            // The group of a notification became empty, so libdispatch submits the notification now.
            if items[known].state == .announced, items[known].source < 0 {
                recordCause(of: known, at: moment, in: &state)
                return submit(known, at: moment.time, in: &state)
            }
            // The end of the old item was lost.
            abandon(known, at: moment.time, in: &state)
        }
        let queue =
            event.queue == 0 && event.kind == .perform
            ? state.forest.placeholder(.perform) : state.forest.queue(serial: event.queue)
        let slot = items.take(kind: event.kind, queue: queue, at: moment.time)
        items.give(event.item, to: slot)
        let item = items.place(of: slot)
        item.pointee.qos = event.qos
        item.pointee.code = state.codes.code(event.code).rawValue
        item.pointee.enqueuedOn = moment.thread
        item.pointee.isRecordedLate = isRecordedLate
        let submitter = state.threads.place(of: moment.thread)
        if submitter.pointee.enteredGroup >= 0 {
            items.giveDetails(to: slot)
            item.pointee.group = submitter.pointee.enteredGroup
            submitter.pointee.enteredGroup = -1
        }
        submitter.pointee.submitted = Int32(truncatingIfNeeded: slot)
        submitter.pointee.submittedNumber = item.pointee.number
        submitter.pointee.submittedAt = moment.time
        joinOperation(slot, of: moment.thread, in: &state)
        if event.kind == .notify { joinEnded(slot, at: moment, in: &state) }
        recordCause(of: slot, at: moment, in: &state)
        submit(slot, at: moment.time, in: &state)
    }

    /// Adds the item to the async chain of the item that the thread runs.
    @inline(__always)
    mutating func joinOperation(_ slot: Int, of thread: ThreadIndex, in state: inout ModelState) {
        let outer = innermostOfDispatch(on: thread, in: &state)
        guard outer >= 0 else { return }
        items.join(slot, to: outer)
    }

    /// Appends an item to its queue.
    mutating func submit(_ slot: Int, at time: Int64, in state: inout ModelState) {
        let item = items.place(of: slot)
        let position = Int(item.pointee.queue)
        item.pointee.state = .waiting
        item.pointee.isEnqueueKnown = true
        item.pointee.enqueuedAt = time
        if item.pointee.hasOwnDetails { item.pointee.settledAt = time }
        item.pointee.snapshot = state.forest.snapshot(of: position, at: time)
        item.pointee.isOrdered = item.pointee.obeysOrder
        let queue = state.forest.activity.place(of: position)
        if item.pointee.isOrdered {
            append(slot, to: &queue.pointee.ordered)
            if item.pointee.isSync, queue.pointee.exclusion >= 0 { followWorker(slot) }
        } else {
            append(slot, to: &queue.pointee.unordered)
            if item.pointee.isSync, queue.pointee.exclusion >= 0 {
                followWorker(slot, behind: Int(queue.pointee.ordered.last))
            }
        }
        followBarrier(slot, in: &state)
        startContending(slot, at: time, in: &state)
        queue.pointee.changeDepth(by: 1, at: time)
    }

    private mutating func attachLateEnqueue(
        _ event: DispatchEvent.ItemEnqueue, to slot: Int, at moment: Moment, in state: inout ModelState
    ) {
        items[slot].isEnqueueKnown = true
        items[slot].kind = event.kind
        items[slot].qos = event.qos
        items[slot].code = state.codes.code(event.code).rawValue
        items[slot].enqueuedOn = moment.thread
        state.invariants.enqueues.violations -= 1
        if moment.time - items[slot].beganAt > state.options.clockTolerance.count {
            state.invariants.times.violations += 1
        }
    }

    mutating func cancel(_ id: UInt64, at time: Int64, in state: inout ModelState) {
        guard let slot = items.slot(of: id), items[slot].state != .running else { return }
        if items[slot].state == .waiting {
            settle(slot, at: time, in: &state)
            countWait(of: slot, at: time, in: &state)
            state.emit(.pending(items[slot].pending(until: time, isCancelled: true)))
        }
        abandon(slot, at: time, in: &state)
    }

    // MARK: Begin

    /// The item with this id starts to run. `serial` is the serial number of its queue, for an item whose submission
    /// was lost. Returns its slot.
    @inline(__always) @discardableResult
    mutating func begin(
        _ id: UInt64, queue serial: UInt64, at moment: Moment, in state: inout ModelState
    ) -> Int {
        confirmSubmission(at: moment, in: &state)
        let slot: Int
        var isKnown = true
        if let known = items.slot(of: id), items[known].state != .running {
            slot = known
        } else {
            isKnown = false
            slot = open(id: id, kind: .async, queue: state.forest.queue(serial: serial), at: moment.time, in: &state)
        }
        let item = items.place(of: slot)
        // Workers begin asyncs only outside of other items, so the ends of the enclosing items were lost.
        let runner = state.threads.place(of: moment.thread)
        if item.pointee.kind == .async, runner.pointee.innermost >= 0,
            runner.pointee.worker == .busy || items[Int(runner.pointee.innermost)].mayHaveEnded
        {
            endItemsWithLostEnds(at: moment, in: &state)
        }
        if item.pointee.state == .waiting {
            if !pendingTargets.isEmpty {
                changeTargets(ahead: slot, on: Int(item.pointee.queue), at: moment.time, in: &state)
            }
            if item.pointee.isOrdered, state.forest.activity[Int(item.pointee.queue)].isOrdered {
                state.invariants.order.check(beginsInOrder(slot, at: moment.time, in: &state))
            }
            stopWaiting(slot, at: moment, in: &state)
        } else {
            // libdispatch itself submits source handlers and notifications, which is not recorded.
            item.pointee.enqueuedAt = moment.time
        }
        run(slot, isKnown: isKnown, at: moment, in: &state)
        if !item.pointee.handedOverBy.isNone { completeHandoff(slot, in: &state) }
        return slot
    }

    /// Ends the wait of an item and divides it into parts.
    @inline(__always)
    mutating func stopWaiting(_ slot: Int, at moment: Moment, in state: inout ModelState) {
        settle(slot, at: moment.time, in: &state)
        countWait(of: slot, at: moment.time, in: &state)
        leaveQueue(slot, at: moment.time, in: &state)
        splitThreadStart(slot, at: moment, in: &state)
        if state.processors.isRecorded {
            state.processors.confirm(at: moment)
            measureWait(slot, at: moment, in: &state)
        }
    }

    /// The item runs on this thread from now on. `isFree` is true for a sync that found its queue free.
    @inline(__always)
    mutating func run(
        _ slot: Int, isKnown: Bool, isFree: Bool = false, at moment: Moment, in state: inout ModelState
    ) {
        state.invariants.enqueues.check(isKnown)
        let (item, runner) = (items.place(of: slot), state.threads.place(of: moment.thread))
        items.giveDetails(to: slot)
        let details = item.pointee.details
        item.pointee.state = .running
        details.pointee.thread = moment.thread
        details.pointee.beganAt = moment.time
        state.forest.activity.place(of: Int(item.pointee.queue)).pointee.load.begun += 1
        hold(slot, at: moment, in: &state)
        if isFree {
            submitUncontendedSync(at: moment, in: &state)
        } else {
            followCause(slot, at: moment, in: &state)
        }
        details.pointee.enclosing = runner.pointee.innermost
        if details.pointee.enclosing < 0 {
            if !item.pointee.isSync { details.pointee.wake = wake(of: slot, thread: moment.thread, in: &state) }
            state.runOutermost(at: moment)
        }
        runner.pointee.innermost = Int32(truncatingIfNeeded: slot)
        runner.pointee.enteredGroup = -1
        if state.processors.isRecorded {
            state.processors.confirm(at: moment)
            details.pointee.timesAtBegin = state.processors.times(at: moment)
        }
    }

    /// Whether the worker woke to run this item: it is the worker's first item since it woke, and it was submitted
    /// before that. The submission time of source handlers is unknown, because libdispatch submits them itself.
    @inline(__always)
    private func wake(of slot: Int, thread: ThreadIndex, in state: inout ModelState) -> Item.Wake {
        let worker = state.threads.place(of: thread)
        guard worker.pointee.worker != .none else { return .unknown }
        guard worker.pointee.worker == .looking else { return .none }
        let item = items.place(of: slot)
        guard item.pointee.source >= 0 || worker.pointee.awakeSince >= item.pointee.enqueuedAt else { return .none }
        // The item also waited for a processor.
        let processors = state.model.processors
        if processors > 0, state.running >= processors { return .delayed }
        return worker.pointee.isNew ? .started : .unparked
    }

    /// Removes a waiting item from the lists and counters of its queue.
    @inline(__always)
    mutating func leaveQueue(_ slot: Int, at time: Int64, in state: inout ModelState) {
        let item = items.place(of: slot)
        let queue = state.forest.activity.place(of: Int(item.pointee.queue))
        if item.pointee.isOrdered {
            releaseSyncs(behind: item, at: time, in: &state)
            remove(slot, from: &queue.pointee.ordered)
        } else {
            remove(slot, from: &queue.pointee.unordered)
        }
        stopContending(slot, at: time, in: &state)
        releaseFollowers(of: slot, at: time, in: &state)
        stopFollowing(slot)
        queue.pointee.changeDepth(by: -1, at: time)
    }

    /// Adds the complete wait of an item to the load of its queue. Only the part after the begin of the window counts.
    @inline(__always)
    func countWait(of slot: Int, at time: Int64, in state: inout ModelState) {
        let item = items.place(of: slot)
        state.forest.activity.place(of: Int(item.pointee.queue)).pointee.load.waitTotal +=
            Nanoseconds(time - max(item.pointee.enqueuedAt, state.model.begin.nanoseconds))
    }
}
