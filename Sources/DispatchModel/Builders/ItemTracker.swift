/// Follows items from their submission to their end.
///
/// Slots of ended items are used again, so memory grows with the items in flight. The parts of the work have files of
/// their own: `CalloutTracker` (begins and ends in short), `SyncTracker` (what only syncs do), `ExclusionTracker` (who
/// holds what), `WaitPartition` (where the wait went), `OrderRule` (who may begin before whom),
/// `DelayRule` (what is not due).
struct ItemTracker: ~Copyable {
    /// Slots; `slots` finds the one of an open item.
    var items = RowTable<OpenItem>(minimumCapacity: 256)
    private var free = RowTable<Int32>(minimumCapacity: 256)
    private var slots = IdentifierTable(minimumCapacity: 1024)
    var due = DueHeap()
    private var nextNumber: Int64 = 0
    private var endsUntilSettling = 0

    // MARK: Slots

    @inline(__always)
    func slot(of id: UInt64) -> Int? { slots[id] }

    /// A slot for a new item; an open item of the same id is given up first, as its end was lost.
    mutating func open(id: UInt64, kind: ItemKind, queue: Int, at time: Int64, in state: inout ModelState) -> Int {
        if let old = slots[id] { abandon(old, at: time, in: &state) }
        let slot = openSlot(kind: kind, queue: queue, at: time)
        slots.insert(id, slot)
        items[slot].id = id
        items[slot].hasID = true
        return slot
    }

    /// A slot for a new item that no id finds.
    @inline(__always)
    mutating func openSlot(kind: ItemKind, queue: Int, at time: Int64) -> Int {
        let slot: Int
        if let reused = free.popLast() {
            slot = Int(reused)
        } else {
            slot = items.count
            items.append(OpenItem())
        }
        items[slot].number = nextNumber
        items[slot].operation = nextNumber
        nextNumber += 1
        items[slot].state = .announced
        items[slot].kind = kind
        items[slot].queue = Int32(queue)
        items[slot].enqueuedAt = time
        return slot
    }

    /// The recorder may give the item's id to another one from now on.
    @inline(__always)
    mutating func giveBackID(of slot: Int) {
        guard items[slot].hasID else { return }
        items[slot].hasID = false
        slots.remove(items[slot].id)
    }

    private mutating func close(_ slot: Int) {
        giveBackID(of: slot)
        items[slot] = OpenItem()
        free.append(Int32(slot))
    }

    /// Gives up an item whose end, or whose begin, will not come.
    mutating func abandon(_ slot: Int, at time: Int64, in state: inout ModelState) {
        switch items[slot].state {
        case .running: finish(slot, at: time, isFinished: false, in: &state)
        case .waiting:
            leaveQueue(slot, at: time, in: &state)
            state.paths.release(items[slot].path)
            close(slot)
        case .announced:
            state.paths.release(items[slot].path)
            close(slot)
        case .free: break
        }
    }

    // MARK: Submission

    mutating func enqueue(
        _ event: DispatchEvent.ItemEnqueue, isRecordedLate: Bool = false, at time: Int64, thread: Int,
        in state: inout ModelState
    ) {
        confirmSubmission(of: thread, at: time, in: &state)
        if let known = slots[event.item] {
            // The clocks of the two threads differ: the item began before it was submitted.
            if items[known].state == .running, !items[known].isEnqueueKnown, items[known].source < 0 {
                return attachLateEnqueue(event, to: known, at: time, thread: thread, in: &state)
            }
            // A notification waits for its group, and is submitted now.
            if items[known].state == .announced, items[known].source < 0 {
                recordCause(of: known, thread: thread, at: time, in: &state)
                return submit(known, at: time, in: &state)
            }
        }
        let queue =
            event.queue == 0 && event.kind == .perform
            ? state.forest.standIn(.perform) : state.forest.queue(serial: event.queue)
        let slot = open(id: event.item, kind: event.kind, queue: queue, at: time, in: &state)
        items[slot].qos = event.qos
        items[slot].code = state.codes.code(event.code).rawValue
        items[slot].enqueuedOn = Int32(thread)
        items[slot].isRecordedLate = isRecordedLate
        items[slot].group = state.threads.activity[thread].enteredGroup
        state.threads.activity[thread].enteredGroup = -1
        joinOperation(slot, of: thread, in: state)
        recordCause(of: slot, thread: thread, at: time, in: &state)
        state.threads.activity[thread].submitted = Int32(slot)
        state.threads.activity[thread].submittedNumber = items[slot].number
        state.threads.activity[thread].submittedAt = time
        submit(slot, at: time, in: &state)
    }

    /// The item belongs to the async chain of the item that the thread runs.
    @inline(__always)
    mutating func joinOperation(_ slot: Int, of thread: Int, in state: borrowing ModelState) {
        let outer = innermostOfDispatch(on: thread, in: state)
        guard outer >= 0 else { return }
        items[slot].parent = items[outer].number
        items[slot].parentQueue = items[outer].queue
        items[slot].operation = items[outer].operation
        items[slot].hops = items[outer].hops &+ 1
    }

    /// Puts an item into its queue.
    mutating func submit(_ slot: Int, at time: Int64, in state: inout ModelState) {
        let queue = Int(items[slot].queue)
        items[slot].state = .waiting
        items[slot].isEnqueueKnown = true
        items[slot].enqueuedAt = time
        items[slot].settledAt = time
        items[slot].snapshot = state.forest.snapshot(of: queue, at: time)
        items[slot].isOrdered = items[slot].obeysOrder
        if items[slot].isOrdered {
            append(slot, to: &state.forest.activity[queue].ordered)
        } else {
            append(slot, to: &state.forest.activity[queue].unordered)
        }
        followBarrier(slot, in: &state)
        contend(slot, at: time, in: &state)
        state.forest.activity[queue].changeDepth(by: 1, at: time)
    }

    private mutating func attachLateEnqueue(
        _ event: DispatchEvent.ItemEnqueue, to slot: Int, at time: Int64, thread: Int, in state: inout ModelState
    ) {
        items[slot].isEnqueueKnown = true
        items[slot].kind = event.kind
        items[slot].qos = event.qos
        items[slot].code = state.codes.code(event.code).rawValue
        items[slot].enqueuedOn = Int32(thread)
        state.invariants.enqueues.violations -= 1
        if time - items[slot].beganAt > state.options.clockTolerance.count { state.invariants.times.violations += 1 }
    }

    /// The item is a barrier. It matters on concurrent queues of the program's own only.
    mutating func markBarrier(_ id: UInt64, in state: inout ModelState) {
        guard let slot = slots[id] else { return }
        items[slot].isBarrier = true
        let queue = Int(items[slot].queue)
        guard items[slot].state == .waiting, state.forest.activity[queue].honoursBarriers else { return }
        // Barriers do not follow barriers: whatever runs holds them up.
        stopFollowing(slot)
        state.forest.activity[queue].lastBarrier = Int32(slot)
    }

    mutating func cancel(_ id: UInt64, at time: Int64, in state: inout ModelState) {
        guard let slot = slots[id], items[slot].state != .running else { return }
        if items[slot].state == .waiting {
            settle(slot, at: time, in: state)
            state.emit(.pending(items[slot].pending(until: time, isCancelled: true)))
        }
        abandon(slot, at: time, in: &state)
    }

    // MARK: Begin

    /// The item with this id starts to run. `serial` is that of its queue, for an item whose submission was lost.
    /// Returns its slot.
    @inline(__always) @discardableResult
    mutating func begin(
        _ id: UInt64, queue serial: UInt32, at time: Int64, thread: Int, in state: inout ModelState
    ) -> Int {
        confirmSubmission(of: thread, at: time, in: &state)
        let slot: Int
        var isKnown = true
        if let known = slots[id], items[known].state != .running {
            slot = known
        } else {
            isKnown = false
            slot = open(id: id, kind: .async, queue: state.forest.queue(serial: serial), at: time, in: &state)
        }
        // A worker runs such an item outside of any other.
        if items[slot].kind == .async, state.threads.activity[thread].worker == .busy,
            state.threads.activity[thread].innermost >= 0
        {
            giveUpEnds(on: thread, at: time, in: &state)
        }
        let queue = Int(items[slot].queue)
        if items[slot].state == .waiting {
            if items[slot].isOrdered, state.forest.activity[queue].isOrdered {
                state.invariants.order.check(beginsInOrder(slot, at: time, in: &state))
            }
            stopWaiting(slot, at: time, thread: thread, in: &state)
        } else {
            // Handlers of sources and notifications are submitted by libdispatch itself, which nobody sees.
            items[slot].enqueuedAt = time
        }
        run(slot, isKnown: isKnown, at: time, thread: thread, in: &state)
        if items[slot].handedOverBy >= 0 { emitHandoff(slot, in: &state) }
        return slot
    }

    /// The item waits no more: its wait is divided.
    @inline(__always)
    mutating func stopWaiting(_ slot: Int, at time: Int64, thread: Int, in state: inout ModelState) {
        settle(slot, at: time, in: state)
        leaveQueue(slot, at: time, in: &state)
        splitThreadStart(slot, thread: thread, in: state)
        if state.processors.isRecorded {
            state.processors.confirm(thread, at: time)
            measureWait(slot, at: time, thread: thread, in: state)
        }
    }

    /// The item runs on this thread from now on.
    @inline(__always)
    mutating func run(_ slot: Int, isKnown: Bool, at time: Int64, thread: Int, in state: inout ModelState) {
        state.invariants.enqueues.check(isKnown)
        items[slot].state = .running
        items[slot].thread = Int32(thread)
        items[slot].beganAt = time
        state.forest.activity[Int(items[slot].queue)].load.begun += 1
        hold(slot, at: time, thread: thread, in: &state)
        followCause(slot, at: time, thread: thread, in: &state)
        items[slot].enclosing = state.threads.activity[thread].innermost
        if items[slot].enclosing < 0 {
            if !items[slot].isSync { items[slot].wake = wake(of: slot, thread: thread, in: state) }
            state.runOutermost(on: thread, at: time)
        }
        state.threads.activity[thread].innermost = Int32(slot)
        state.threads.activity[thread].enteredGroup = -1
        if state.processors.isRecorded {
            state.processors.confirm(thread, at: time)
            items[slot].timesAtBegin = state.processors.times(of: thread, at: time)
        }
    }

    /// Whether the worker that begins this item woke for it: it is the worker's first since it woke, and was submitted
    /// before. libdispatch itself submits the handlers of sources, at a time that nobody records.
    private func wake(of slot: Int, thread: Int, in state: borrowing ModelState) -> Item.Wake {
        let worker = state.threads.activity[thread]
        guard worker.worker != .none else { return .unknown }
        guard worker.worker == .looking, items[slot].source >= 0 || worker.awakeSince >= items[slot].enqueuedAt else {
            return .none
        }
        // It waited for a processor, too.
        if state.model.processors > 0, state.running >= state.model.processors { return .delayed }
        return worker.isNew ? .started : .unparked
    }

    /// Takes a waiting item out of its queue's lists and counters.
    private mutating func leaveQueue(_ slot: Int, at time: Int64, in state: inout ModelState) {
        let queue = Int(items[slot].queue)
        if items[slot].isOrdered {
            remove(slot, from: &state.forest.activity[queue].ordered)
        } else {
            remove(slot, from: &state.forest.activity[queue].unordered)
        }
        stopContending(slot, at: time, in: &state)
        releaseFollowers(of: slot, at: time, in: &state)
        stopFollowing(slot)
        state.forest.activity[queue].changeDepth(by: -1, at: time)
        state.forest.activity[queue].load.waitTime += time - items[slot].enqueuedAt
    }

    // MARK: End

    mutating func end(_ event: DispatchEvent.ItemEnd, at time: Int64, thread: Int, in state: inout ModelState) {
        confirmSubmission(of: thread, at: time, in: &state)
        guard let slot = slots[event.item], items[slot].state == .running else {
            state.invariants.ends.check(false)
            if let slot = slots[event.item] { abandon(slot, at: time, in: &state) }
            return
        }
        finishInTime(slot, at: time, in: &state)
    }

    /// The end of a running item was recorded.
    @inline(__always)
    mutating func finishInTime(_ slot: Int, at time: Int64, in state: inout ModelState) {
        state.invariants.ends.check(true)
        state.invariants.times.check(true)
        finish(slot, at: time, isFinished: true, in: &state)
        endsUntilSettling -= 1
        if endsUntilSettling <= 0 {
            // In steps, as it costs a visit to every thread.
            endsUntilSettling = 1024
            state.settle(until: min(time, state.threads.earliestBegin()))
        }
    }

    mutating func finish(_ slot: Int, at time: Int64, isFinished: Bool, in state: inout ModelState) {
        if isFinished, items[slot].isSync, !items[slot].isCallout {
            let returned = items[slot].returnedAt
            state.invariants.syncReturns.check(
                returned == .max || time - returned <= state.options.clockTolerance.count)
        }
        passOnPath(slot, at: time, in: &state)
        letGo(slot, at: time, in: &state)
        leaveThread(slot, at: time, in: &state)
        if state.waits.hasWaiters { signalEnd(of: slot, at: time, in: &state) }
        if isFinished, state.processors.isRecorded { state.processors.confirm(Int(items[slot].thread), at: time) }
        emit(slot, at: time, isFinished: isFinished, in: state)
        close(slot)
    }

    private func emit(_ slot: Int, at time: Int64, isFinished: Bool, in state: borrowing ModelState) {
        let (thread, queue) = (Int(items[slot].thread), Int(items[slot].queue))
        var times: ProcessorTimes?
        // A thread whose switches are not recorded seems to have had a processor all the time.
        if state.processors.isRecorded, state.processors.isKnown(thread, since: items[slot].beganAt) {
            // An item that began before the first switch of all began with none.
            times = state.processors.times(of: thread, at: time) - (items[slot].timesAtBegin ?? ProcessorTimes())
        }
        state.emit(
            items[slot].observed(
                endedAt: time, isFinished: isFinished, processorTimes: times,
                exclusion: state.forest.activity[queue].exclusion, queueKind: state.forest.activity[queue].kind,
                queueRank: state.forest.activity[queue].rank))
    }

    /// Takes an item off the stack of what runs on its thread. It is the innermost one, unless ends were lost.
    private mutating func leaveThread(_ slot: Int, at time: Int64, in state: inout ModelState) {
        let thread = Int(items[slot].thread)
        state.threads.activity[thread].lastEnded = time
        // Asyncs only may be in a group.
        state.threads.activity[thread].lastEndedNumber = items[slot].isSync ? -1 : items[slot].number
        state.threads.activity[thread].lastEndedCode = items[slot].code
        state.threads.activity[thread].lastEndedQueue = items[slot].queue
        if state.threads.activity[thread].innermost == slot {
            state.threads.activity[thread].innermost = items[slot].enclosing
        } else {
            var inner = Int(state.threads.activity[thread].innermost)
            while inner >= 0, items[inner].enclosing != slot { inner = Int(items[inner].enclosing) }
            if inner >= 0 { items[inner].enclosing = items[slot].enclosing }
        }
        if state.threads.activity[thread].innermost < 0 {
            state.threads.activity[thread].outermostBegan = .max
            state.running -= 1
        }
    }

    /// The thread ended: nothing on it goes on.
    mutating func exitThread(_ thread: Int, at time: Int64, in state: inout ModelState) {
        while case let innermost = Int(state.threads.activity[thread].innermost), innermost >= 0 {
            finish(innermost, at: time, isFinished: false, in: &state)
        }
    }

    /// The trace is over: what runs is reported as it is, what waits is counted.
    mutating func finishAll(at time: Int64, in state: inout ModelState) {
        advance(to: time, in: &state)
        let running = items.indices.filter { items[$0].state == .running }
        // One that ends may show that the end of another was lost.
        for slot in running.sorted(by: { items[$0].number < items[$1].number }) where items[slot].state == .running {
            finish(slot, at: time, isFinished: false, in: &state)
        }
        var pending: [PendingItem] = []
        for slot in items.indices where items[slot].state == .waiting {
            state.forest.activity[Int(items[slot].queue)].load.neverBegun += 1
            if items[slot].isSync { emitOpenWait(slot, at: time, in: &state) }
            settle(slot, at: time, in: state)
            pending.append(items[slot].pending(until: time, isCancelled: false))
            leaveQueue(slot, at: time, in: &state)
            close(slot)
        }
        for item in pending.sorted(by: { $0.number < $1.number }) { state.emit(.pending(item)) }
        state.settle(until: time)
    }
}
