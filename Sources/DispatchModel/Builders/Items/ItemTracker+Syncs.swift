// Handling of syncs: the caller waits for the item, and the thread that hands the queue off is recorded.
//
//   caller   sync_enter  sync_block ·········· sync_handoff item_begin ── item_end  sync_return
//   holder   ── item ────────────────┤ item_end
//
// For a sync to the main queue, and for asyncAndWait, another thread than the caller can run the item. A sync that
// found its queue free but then had to block records sync_wait instead of sync_enter and sync_block, after it took its
// place in the queue.
extension ItemTracker {
    mutating func enterSync(_ event: DispatchEvent.SyncEnter, at moment: Moment, in state: inout ModelState) {
        let kind = event.kind == .asyncAndWait ? ItemKind.asyncAndWait : .sync
        request(event.queue, code: event.code, at: moment, in: &state)
        enqueue(
            .init(item: event.item, queue: event.queue, code: event.code, kind: kind, qos: event.qos), at: moment,
            in: &state)
    }

    mutating func blockSync(_ event: DispatchEvent.SyncBlock, at time: Int64, in state: inout ModelState) {
        block(event.item, level: event.queue, holder: event.holderTid, at: time, in: &state)
    }

    mutating func waitSync(_ event: DispatchEvent.SyncWait, at moment: Moment, in state: inout ModelState) {
        let kind = event.kind == .asyncAndWait ? ItemKind.asyncAndWait : .sync
        request(event.queue, code: event.code, at: moment, in: &state)
        enqueue(
            .init(item: event.item, queue: event.queue, code: event.code, kind: kind, qos: event.qos),
            isRecordedLate: true, at: moment, in: &state)
        block(event.item, level: event.level, holder: event.holderTid, at: moment.time, in: &state)
    }

    private func request(_ serial: UInt64, code: UInt32, at moment: Moment, in state: inout ModelState) {
        let queue = QueueIndex(state.forest.queue(serial: serial))
        requestDomain(.queue(queue), code: state.codes.code(code), at: moment, in: &state)
    }

    private mutating func block(
        _ id: UInt64, level: UInt64, holder: UInt32, at time: Int64, in state: inout ModelState
    ) {
        guard let slot = items.slot(of: id) else { return }
        items.giveDetails(to: slot)
        items[slot].hadToWait = true
        if level != 0 { items[slot].blockedLevel = Int32(state.forest.queue(serial: level)) }
        if holder != 0 { items[slot].blockedBy = state.threads.thread(tid: holder, at: time) }
    }

    /// Another thread handed the queue off to the sync. The cost of the hand-off is determined when the item begins.
    mutating func handOff(_ event: DispatchEvent.SyncHandoff, at time: Int64, in state: inout ModelState) {
        guard let slot = items.slot(of: event.item) else { return }
        items.giveDetails(to: slot)
        items[slot].hadToWait = true
        items[slot].handedOverLevel = Int32(state.forest.queue(serial: event.queue))
        if event.fromTid != 0 {
            items[slot].handedOverBy = state.threads.thread(tid: event.fromTid, at: time)
        }
    }

    /// A sync begins after a hand-off. If another thread runs the item, no hand-off to the caller took place.
    mutating func completeHandoff(_ slot: Int, in state: inout ModelState) {
        let item = items.place(of: slot)
        guard item.pointee.thread == item.pointee.enqueuedOn else { return }
        let domain = Int(item.pointee.domain)
        let idleSince = domain < 0 ? 0 : state.forest.activity[domain].domain.idleSince
        let isReleased = domain >= 0 && idleSince >= item.pointee.enqueuedAt
        if isReleased { item.pointee.waking = max(0, item.pointee.beganAt - idleSince) }
        state.forest.activity[Int(item.pointee.handedOverLevel)].load.handoffs += 1
        state.emit(
            .handoff(
                Handoff(
                    item: ItemNumber(item.pointee.number), queue: QueueIndex(Int(item.pointee.handedOverLevel)),
                    from: item.pointee.handedOverBy, to: item.pointee.thread,
                    requestedAt: Timestamp(nanoseconds: item.pointee.enqueuedAt),
                    releasedAt: isReleased ? Timestamp(nanoseconds: idleSince) : nil,
                    grantedAt: Timestamp(nanoseconds: item.pointee.beganAt))))
    }

    /// Whether the thread is inside a recorded wait: a sync that has not begun or runs on another thread, or a wait for a
    /// group, a semaphore or a work item.
    func isInWait(_ thread: ThreadIndex, in state: inout ModelState) -> Bool {
        if state.waits.isWaiting(thread) { return true }
        let caller = state.threads.place(of: thread)
        let slot = Int(caller.pointee.submitted)
        return slot >= 0 && items[slot].number == caller.pointee.submittedNumber && items[slot].isSync
    }

    /// A sync ends. Adds its cost to the item that called it: the time that the caller waited, including waits for
    /// nested syncs. If another thread ran the sync, the caller was blocked until its end.
    @inline(__always)
    func chargeCaller(of slot: Int, at time: Int64, in state: inout ModelState) {
        let item = items.place(of: slot)
        guard item.pointee.parent >= 0, item.pointee.isSync, !item.pointee.enqueuedOn.isNone else { return }
        let isRunElsewhere = item.pointee.enqueuedOn != item.pointee.thread
        let waited = (isRunElsewhere ? time : item.pointee.beganAt) - min(item.pointee.enqueuedAt, item.pointee.beganAt)
        let blocked = Nanoseconds(waited) + (isRunElsewhere ? .zero : item.pointee.syncs.blocked)
        guard blocked > .zero else { return }
        var caller = Int(state.threads.place(of: item.pointee.enqueuedOn).pointee.innermost)
        while caller >= 0, items[caller].number != item.pointee.parent { caller = Int(items[caller].enclosing) }
        guard caller >= 0 else { return }
        items.place(of: caller).pointee.syncs.blocked += blocked
        items.place(of: caller).pointee.syncs.waking += item.pointee.syncs.waking + Nanoseconds(item.pointee.waking)
    }

    /// The sync still waits at the end of the trace. Reports the wait of its caller.
    func emitOpenWait(_ slot: Int, at time: Int64, in state: inout ModelState) {
        let item = items[slot]
        let level = item.blockedLevel < 0 ? item.queue : item.blockedLevel
        var wait = BlockedWait(
            object: .queue(QueueIndex(Int(level))), thread: item.enqueuedOn,
            code: CodeIndex(Int(item.code)), begin: Timestamp(nanoseconds: item.enqueuedAt),
            end: Timestamp(nanoseconds: time), timedOut: false, isFinished: false,
            holder: item.blockedBy.known)
        wait.waiter = item.parent < 0 ? nil : ItemNumber(item.parent)
        state.emit(wait)
    }

    /// The sync returned. Its item has ended, unless the clocks of two threads differ or its end was lost.
    mutating func returnFromSync(_ id: UInt64, at moment: Moment, in state: inout ModelState) {
        confirmSubmission(at: moment, in: &state)
        // The thread has woken, and continues with its own work.
        stopPath(at: moment, in: &state)
        guard let slot = items.slot(of: id), items[slot].isSync, items[slot].enqueuedOn == moment.thread else { return }
        // The call was open at the begin of the window, and its item ran before that.
        let isOlder = state.isMuted || items[slot].enqueuedAt < state.model.begin.nanoseconds
        if items[slot].state == .waiting, isOlder {
            countWait(of: slot, at: moment.time, in: &state)
            return abandon(slot, at: moment.time, in: &state)
        }
        items.giveDetails(to: slot)
        items[slot].returnedAt = moment.time
    }
}
