// Items of a serial queue begin in the order of their submission. A submission is recorded before libdispatch processes
// it, and the thread can be preempted in between:
//
//   thread A   enqueue a ····· (preempted) ····· a is in the queue
//   thread B             enqueue b, b is in the queue, b begins
//
// It is valid that b begins first. The order is certain only if A recorded another event before B's submission, because
// A's submission was complete by then. A waiting sync records no further event, so its order is never certain, and it
// never counts as overtaken.
extension ItemTracker {
    /// The thread records an event, so its previous submission is complete.
    @inline(__always)
    mutating func confirmSubmission(at moment: Moment, in state: inout ModelState) {
        let submitter = state.threads.place(of: moment.thread)
        let slot = Int(submitter.pointee.submitted)
        guard slot >= 0 else { return }
        submitter.pointee.submitted = -1
        let item = items.place(of: slot)
        if item.pointee.number == submitter.pointee.submittedNumber, !item.pointee.isSync {
            item.pointee.confirmedAt = moment.time
        }
        if case let outer = Int(submitter.pointee.innermost), outer >= 0 {
            items.place(of: outer).pointee.submitting += moment.time - submitter.pointee.submittedAt
        }
    }

    /// Whether this item overtakes no item that was certainly submitted before it. The begin and end of an overtaken
    /// item are missing from the trace, so it is removed.
    @inline(__always)
    mutating func beginsInOrder(_ slot: Int, at time: Int64, in state: inout ModelState) -> Bool {
        let queue = Int(items[slot].queue)
        if state.forest.activity[queue].ordered.first == slot { return true }
        return overtakesNoItem(slot, queue: queue, at: time, in: &state)
    }

    private mutating func overtakesNoItem(_ slot: Int, queue: Int, at time: Int64, in state: inout ModelState) -> Bool {
        let latest = items[slot].enqueuedAt - state.options.clockTolerance.count
        var ahead = Int(state.forest.activity[queue].ordered.first)
        var isFirst = true
        // Few threads submit at the same time, so a limit of 16 items bounds the cost.
        var looks = 16
        while ahead >= 0, ahead != slot, looks > 0 {
            let next = Int(items[ahead].next)
            let isCertain =
                items[ahead].confirmedAt <= latest
                || (items[ahead].enqueuedOn == items[slot].enqueuedOn && !items[ahead].isSync)
            if isCertain {
                isFirst = false
                removeItemWithLostBegin(of: ahead, at: time, in: &state)
            }
            ahead = next
            looks -= 1
        }
        return isFirst
    }
}
