// Short begin and end records, which nearly every item of an interposed program produces.
//
//   callout_begin {item} ──────────────── callout_end {}
//   sync_begin {queue, code} ──────────── callout_end {}
//
// Callouts nest on their thread, so an end needs no id. After its begin, a callout releases its id: the id is an
// address, which another thread can reuse before the end of this item.
extension ItemTracker {
    @inline(__always)
    mutating func beginCallout(_ id: UInt64, at moment: Moment, in state: inout ModelState) {
        let slot = begin(id, queue: 0, at: moment, in: &state)
        let item = items.place(of: slot)
        item.pointee.isCallout = true
        // Keep the id of an unknown item: with different clocks on two threads, its submission can be recorded later.
        if item.pointee.isEnqueueKnown || item.pointee.source >= 0 { items.releaseID(of: slot) }
    }

    /// A sync that found its queue free: it is submitted and begins at once. Its place among the waiting items is
    /// unknown, so it is excluded from the check of the order.
    mutating func beginSync(_ event: DispatchEvent.SyncBegin, at moment: Moment, in state: inout ModelState) {
        confirmSubmission(at: moment, in: &state)
        let slot = items.take(kind: .sync, queue: state.forest.queue(serial: event.queue), at: moment.time)
        items.giveDetails(to: slot)
        let item = items.place(of: slot)
        item.pointee.isCallout = true
        item.pointee.isEnqueueKnown = true
        item.pointee.isBarrier = event.barrier != 0
        item.pointee.code = state.codes.code(event.code).rawValue
        item.pointee.enqueuedOn = moment.thread
        joinOperation(slot, of: moment.thread, in: &state)
        requestDomain(
            .queue(QueueIndex(Int(item.pointee.queue))), code: CodeIndex(Int(item.pointee.code)), at: moment, in: &state
        )
        if !pendingTargets.isEmpty {
            changeTargets(ahead: nil, on: Int(item.pointee.queue), at: moment.time, in: &state)
        }
        run(slot, isKnown: true, isFree: true, at: moment, in: &state)
    }

    @inline(__always)
    mutating func endCallout(at moment: Moment, in state: inout ModelState) {
        confirmSubmission(at: moment, in: &state)
        let innermost = Int(state.threads[moment.thread].innermost)
        guard innermost >= 0, items[innermost].isCallout else {
            return endOuterCallout(at: moment, in: &state)
        }
        finishAtRecordedEnd(innermost, at: moment.time, in: &state)
    }

    /// The innermost item is not a callout: either the end of that item or the begin of this callout was lost.
    @inline(never)
    private mutating func endOuterCallout(at moment: Moment, in state: inout ModelState) {
        var callout = Int(state.threads[moment.thread].innermost)
        while callout >= 0, !items[callout].isCallout { callout = Int(items[callout].enclosing) }
        guard callout >= 0 else { return state.invariants.ends.check(false) }
        while case let inner = Int(state.threads[moment.thread].innermost), inner != callout {
            finish(inner, at: moment.time, isFinished: false, in: &state)
        }
        finishAtRecordedEnd(callout, at: moment.time, in: &state)
    }
}
