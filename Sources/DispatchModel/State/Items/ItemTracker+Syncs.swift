// Short begin and end records, which nearly every item of an interposed program produces.
//
//   callout_begin {item} ──────────────── callout_end {}
//   sync_begin {queue, code} ──────────── callout_end {}
//
// Callouts nest on their thread, so an end needs no id. After its begin, a callout releases its id: the id is an
// address, which another thread can reuse before the end of this item.
//
// For a sync that waits, the thread that hands the queue off is recorded.
//
//   caller   sync_enter  sync_block ·········· sync_handoff item_begin ── item_end  sync_return
//   holder   ── item ────────────────┤ item_end
//
// For a sync to the main queue, and for asyncAndWait, another thread than the caller can run the item. A sync that
// found its queue free but then had to block records sync_wait instead of sync_enter and sync_block, after it took its
// place in the queue.
extension ItemTracker {
    @inline(__always)
    mutating func beginCallout(_ id: UInt64, at moment: Moment, in state: inout ModelState) {
        let slot = begin(id, queue: 0, at: moment, in: &state)
        let item = state.items.place(of: slot)
        item.pointee.isCallout = true
        // Keep the id of an unknown item: with different clocks on two threads, its submission can be recorded later.
        if item.pointee.isEnqueueKnown || !item.pointee.source.isNone { state.items.releaseID(of: slot) }
    }

    /// A sync that found its queue free: it is submitted and begins at once. Its place among the waiting items is
    /// unknown, so it is excluded from the check of the order.
    mutating func beginSync(_ event: DispatchEvent.SyncBegin, at moment: Moment, in state: inout ModelState) {
        state.confirmSubmission(at: moment)
        let slot = state.items.take(kind: .sync, queue: state.forest.queue(serial: event.queue), at: moment.time)
        state.items.giveDetails(to: slot)
        let item = state.items.place(of: slot)
        item.pointee.isCallout = true
        item.pointee.isEnqueueKnown = true
        item.pointee.isBarrier = event.barrier != 0
        item.pointee.code = state.codes.code(event.code)
        item.pointee.enqueuedOn = moment.thread
        state.joinOperation(slot, of: moment.thread)
        state.requested(.queue(item.pointee.queue), code: item.pointee.code, at: moment)
        if !state.targets.isEmpty {
            state.changeTargets(ahead: nil, on: item.pointee.queue, at: moment.time)
        }
        run(slot, isKnown: true, isFree: true, at: moment, in: &state)
    }

    /// Processes a sync whose begin and end are consecutive records.
    ///
    /// - Returns: false when that is not possible. Process begin and end separately then, with ``beginSync(_:at:in:)``
    ///   and ``endCallout(at:in:)``.
    mutating func run(_ sync: UncontendedSync, in state: inout ModelState) -> Bool {
        guard due.nextDue > sync.end, sync.run(in: &state) else { return false }
        countEnd(at: sync.end, in: &state)
        return true
    }

    @inline(__always)
    mutating func endCallout(at moment: Moment, in state: inout ModelState) {
        state.confirmSubmission(at: moment)
        let innermost = state.threads[moment.thread].innermost
        guard !innermost.isNone, state.items[innermost].isCallout else {
            return endOuterCallout(at: moment, in: &state)
        }
        finishAtRecordedEnd(innermost, at: moment.time, in: &state)
    }

    /// The innermost item is not a callout: either the end of that item or the begin of this callout was lost.
    @inline(never)
    private mutating func endOuterCallout(at moment: Moment, in state: inout ModelState) {
        var callout = state.threads[moment.thread].innermost
        while !callout.isNone, !state.items[callout].isCallout { callout = state.items[callout].enclosing }
        guard !callout.isNone else { return state.invariants.ends.check(false) }
        while case let inner = state.threads[moment.thread].innermost, inner != callout {
            finish(inner, at: moment.time, isFinished: false, in: &state)
        }
        finishAtRecordedEnd(callout, at: moment.time, in: &state)
    }

    // MARK: Calls of syncs

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
        let queue = state.forest.queue(serial: serial)
        state.requested(.queue(queue), code: state.codes.code(code), at: moment)
    }

    private mutating func block(
        _ id: UInt64, level: UInt64, holder: UInt32, at time: Int64, in state: inout ModelState
    ) {
        guard let slot = state.items.slot(of: id) else { return }
        state.items.giveDetails(to: slot)
        state.items[slot].hadToWait = true
        if level != 0 { state.items[slot].blockedLevel = state.forest.queue(serial: level) }
        if holder != 0 { state.items[slot].blockedBy = state.threads.thread(tid: holder, at: time) }
    }

    /// Another thread handed the queue off to the sync. The cost of the hand-off is determined when the item begins.
    mutating func handOff(_ event: DispatchEvent.SyncHandoff, at time: Int64, in state: inout ModelState) {
        guard let slot = state.items.slot(of: event.item) else { return }
        state.items.giveDetails(to: slot)
        state.items[slot].hadToWait = true
        state.items[slot].handedOverLevel = state.forest.queue(serial: event.queue)
        if event.fromTid != 0 {
            state.items[slot].handedOverBy = state.threads.thread(tid: event.fromTid, at: time)
        }
    }

    /// A sync begins after a hand-off. If another thread runs the item, no hand-off to the caller took place.
    mutating func completeHandoff(_ slot: Slot, in state: inout ModelState) {
        let item = state.items.place(of: slot)
        guard item.pointee.thread == item.pointee.enqueuedOn else { return }
        let domain = item.pointee.domain
        let idleSince = domain.isNone ? 0 : state.forest[domain].domain.idleSince
        let isReleased = !domain.isNone && idleSince >= item.pointee.enqueuedAt
        if isReleased { item.pointee.waking = max(0, item.pointee.beganAt - idleSince) }
        state.forest[item.pointee.handedOverLevel].load.handoffs += 1
        state.emit(
            .handoff(
                Handoff(
                    item: ItemNumber(item.pointee.number), queue: item.pointee.handedOverLevel,
                    from: item.pointee.handedOverBy, to: item.pointee.thread,
                    requestedAt: Timestamp(nanoseconds: item.pointee.enqueuedAt),
                    releasedAt: isReleased ? Timestamp(nanoseconds: idleSince) : nil,
                    grantedAt: Timestamp(nanoseconds: item.pointee.beganAt))))
    }

    /// The sync still waits at the end of the trace. Reports the wait of its caller.
    func emitOpenWait(_ slot: Slot, at time: Int64, in state: inout ModelState) {
        let item = state.items[slot]
        let level = item.blockedLevel.isNone ? item.queue : item.blockedLevel
        var wait = BlockedWait(
            object: .queue(level), thread: item.enqueuedOn,
            code: item.code, begin: Timestamp(nanoseconds: item.enqueuedAt),
            end: Timestamp(nanoseconds: time), timedOut: false, isFinished: false,
            holder: item.blockedBy.known)
        wait.waiter = item.parent < 0 ? nil : ItemNumber(item.parent)
        state.emit(wait)
    }

    /// The sync returned. Its item has ended, unless the clocks of two threads differ or its end was lost.
    mutating func returnFromSync(_ id: UInt64, at moment: Moment, in state: inout ModelState) {
        state.confirmSubmission(at: moment)
        // The thread has woken, and continues with its own work.
        state.blocked(at: moment)
        guard let slot = state.items.slot(of: id), state.items[slot].isSync,
            state.items[slot].enqueuedOn == moment.thread
        else { return }
        // The call was open at the begin of the window, and its item ran before that.
        let isOlder = state.isMuted || state.items[slot].enqueuedAt < state.model.begin.nanoseconds
        if state.items[slot].state == .waiting, isOlder {
            state.countWait(of: slot, at: moment.time)
            return abandon(slot, at: moment.time, in: &state)
        }
        state.items.giveDetails(to: slot)
        state.items[slot].returnedAt = moment.time
    }
}
