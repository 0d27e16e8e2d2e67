// Items: their submission, begin and end, and the calls of syncs.
extension ModelBuilder {
    @inline(__always)
    mutating func handle(_ event: DispatchEvent.CalloutBegin, tid: UInt32) {
        items.beginCallout(event.item, at: moment(tid), in: &state)
    }

    @inline(__always)
    mutating func handle(_ event: DispatchEvent.CalloutEnd, tid: UInt32) {
        items.endCallout(at: moment(tid), in: &state)
    }

    @inline(__always)
    mutating func handle(_ event: DispatchEvent.SyncBegin, tid: UInt32) {
        items.beginSync(event, at: moment(tid), in: &state)
    }

    /// A sync begins now, and the next event is its end.
    ///
    /// - Returns: whether both events were processed. If false, nothing was.
    mutating func handleUncontendedSync(_ event: DispatchEvent.SyncBegin, tid: UInt32, until end: Timestamp) -> Bool {
        let end = max(now, end.nanoseconds)
        let sync = UncontendedSync(event: event, begin: moment(tid), end: end)
        guard items.run(sync, in: &state) else { return false }
        now = end
        return true
    }

    mutating func handle(_ event: DispatchEvent.ItemBegin, tid: UInt32) {
        items.begin(event.item, queue: event.queue, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.ItemEnd, tid: UInt32) {
        items.end(event, at: moment(tid), in: &state)
    }

    @inline(__always)
    mutating func handle(_ event: DispatchEvent.ItemEnqueue, tid: UInt32) {
        items.enqueue(event, at: moment(tid), in: &state)
        if event.kind == .cancelHandler { explainCancelHandler(event) }
    }

    @inline(never)
    private mutating func explainCancelHandler(_ event: DispatchEvent.ItemEnqueue) {
        guard let slot = state.items.slot(of: event.item) else { return }
        let queue = QueueIndex(state.forest.queue(serial: event.queue))
        sources.causes.finish(on: queue, slot: slot, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.ItemDelay, tid: UInt32) {
        items.delay(event, at: now, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.ItemBarrier, tid: UInt32) {
        items.markBarrier(event.item, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.ItemCancel, tid: UInt32) {
        items.cancel(event.item, at: now, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.SyncEnter, tid: UInt32) {
        items.enterSync(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.SyncBlock, tid: UInt32) {
        items.blockSync(event, at: now, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.SyncWait, tid: UInt32) {
        items.waitSync(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.SyncHandoff, tid: UInt32) {
        items.handOff(event, at: now, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.SyncReturn, tid: UInt32) {
        items.returnFromSync(event.item, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.ItemWaitBegin, tid: UInt32) {
        let moment = moment(tid)
        state.blocked(at: moment)
        state.waits.begin(
            .item(event.item), code: state.codes.code(event.code),
            waiter: state.innermostNumber(on: moment.thread), at: moment)
    }

    mutating func handle(_ event: DispatchEvent.ItemWaitEnd, tid: UInt32) {
        state.endWait(.item(event.item), timedOut: event.timedOut != 0, at: moment(tid))
    }
}
