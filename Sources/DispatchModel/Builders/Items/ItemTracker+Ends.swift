// Ends of items, of their threads, and of the trace.
extension ItemTracker {
    mutating func end(_ event: DispatchEvent.ItemEnd, at moment: Moment, in state: inout ModelState) {
        confirmSubmission(at: moment, in: &state)
        guard let slot = items.slot(of: event.item), items[slot].state == .running else {
            state.invariants.ends.check(false)
            if let slot = items.slot(of: event.item) { abandon(slot, at: moment.time, in: &state) }
            return
        }
        finishAtRecordedEnd(slot, at: moment.time, in: &state)
    }

    /// Ends a running item at its recorded end.
    @inline(__always)
    mutating func finishAtRecordedEnd(_ slot: Int, at time: Int64, in state: inout ModelState) {
        finish(slot, at: time, isFinished: true, in: &state)
        countEnd(at: time, in: &state)
    }

    @inline(__always)
    mutating func countEnd(at time: Int64, in state: inout ModelState) {
        state.invariants.ends.check(true)
        state.invariants.times.check(true)
        endsUntilSettling -= 1
        if endsUntilSettling <= 0 {
            // Settling visits every thread, so it is done once per 1,024 ends.
            endsUntilSettling = 1024
            state.settle(until: min(time, state.threads.earliestBegin()))
        }
    }

    mutating func finish(_ slot: Int, at time: Int64, isFinished: Bool, in state: inout ModelState) {
        let item = items.place(of: slot)
        let details = item.pointee.details
        if isFinished, item.pointee.isSync, !details.pointee.isCallout {
            let returned = details.pointee.returnedAt
            state.invariants.syncReturns.check(
                returned == .max || time - returned <= state.options.clockTolerance.count)
        }
        endOnPath(slot, at: time, in: &state)
        release(slot, at: time, in: &state)
        leaveThread(slot, at: time, in: &state)
        chargeCaller(of: slot, at: time, in: &state)
        if state.waits.hasWaiters { signalEnd(of: slot, at: time, in: &state) }
        if isFinished, state.processors.isRecorded {
            state.processors.confirm(at: Moment(time: time, thread: details.pointee.thread))
        }
        emit(slot, at: time, isFinished: isFinished, in: &state)
        items.recycle(slot)
        if !pendingTargets.isEmpty { changeTargets(behind: item.pointee.number, at: time, in: &state) }
    }

    @inline(__always)
    private func emit(_ slot: Int, at time: Int64, isFinished: Bool, in state: inout ModelState) {
        let item = items.place(of: slot)
        let details = item.pointee.details
        let queue = state.forest.activity.place(of: Int(item.pointee.queue))
        var times: ProcessorTimes?
        // Skip threads without recorded switches: they would appear to be on a processor all the time.
        if state.processors.isRecorded, case let moment = Moment(time: time, thread: details.pointee.thread),
            state.processors.isKnown(moment.thread, since: details.pointee.beganAt)
        {
            // An item that began before the first switch of the trace has no times at its begin.
            times = state.processors.times(at: moment) - (details.pointee.timesAtBegin ?? ProcessorTimes())
        }
        let isNested = isInItem(Int(details.pointee.enclosing))
        state.emitItem { row in
            OpenItem.fill(
                row, with: UnsafePointer(item), endedAt: time, isFinished: isFinished, isNested: isNested,
                processorTimes: times, in: UnsafePointer(queue))
        }
    }

    /// Removes an item from the stack of its thread. It is the innermost item, unless ends were lost.
    @inline(__always)
    private mutating func leaveThread(_ slot: Int, at time: Int64, in state: inout ModelState) {
        let item = items.place(of: slot)
        let details = item.pointee.details
        let thread = state.threads.place(of: details.pointee.thread)
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
            var inner = Int(thread.pointee.innermost)
            while inner >= 0, items[inner].enclosing != slot { inner = Int(items[inner].enclosing) }
            if inner >= 0 { items[inner].enclosing = details.pointee.enclosing }
        }
        if thread.pointee.innermost < 0 { state.leaveOutermost(on: details.pointee.thread) }
    }

    /// The thread ended, so its items end.
    mutating func exitThread(at moment: Moment, in state: inout ModelState) {
        while case let innermost = Int(state.threads[moment.thread].innermost), innermost >= 0 {
            finish(innermost, at: moment.time, isFinished: false, in: &state)
        }
    }

    /// The end of the trace: reports running items as unfinished, and counts and reports waiting items.
    mutating func finishAll(at time: Int64, in state: inout ModelState) {
        advance(to: time, in: &state)
        pendingTargets = []
        let running = items.indices.filter { items[$0].state == .running }
        // Ending an item can reveal the lost end of another one. Inner items end before outer items.
        for slot in running.sorted(by: { items[$0].number < items[$1].number }) {
            while items[slot].state == .running {
                let innermost = Int(state.threads[items[slot].thread].innermost)
                finish(innermost < 0 ? slot : innermost, at: time, isFinished: false, in: &state)
            }
        }
        var pending: [PendingItem] = []
        for slot in items.indices where items[slot].state == .waiting {
            state.forest.activity[Int(items[slot].queue)].load.neverBegun += 1
            if items[slot].isSync { emitOpenWait(slot, at: time, in: &state) }
            settle(slot, at: time, in: &state)
            countWait(of: slot, at: time, in: &state)
            pending.append(items[slot].pending(until: time, isCancelled: false))
            leaveQueue(slot, at: time, in: &state)
            items.recycle(slot)
        }
        for item in pending.sorted(by: { $0.number < $1.number }) { state.emit(.pending(item)) }
        state.settle(until: time)
    }
}
