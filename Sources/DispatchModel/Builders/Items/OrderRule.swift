// Items of a serial queue begin in the order they were submitted. A submission is recorded before libdispatch sees it,
// and the thread may lose its processor in between for any time:
//
//   thread A   enqueue a ····· (preempted) ····· a is in the queue
//   thread B             enqueue b, b is in the queue, b begins
//
// b may rightly begin first. The order is certain only when A was seen to do something else before B's record: then its
// submission was over. A sync that waits records nothing more, so it is never certain, and never counted as overtaken.
extension ItemTracker {
    /// The thread does something: whatever it submitted before is in its queue by now.
    @inline(__always)
    mutating func confirmSubmission(of thread: Int, at time: Int64, in state: inout ModelState) {
        let submitter = state.threads.activity.place(of: thread)
        let slot = Int(submitter.pointee.submitted)
        guard slot >= 0 else { return }
        submitter.pointee.submitted = -1
        let item = items.place(of: slot)
        if item.pointee.number == submitter.pointee.submittedNumber, !item.pointee.isSync {
            item.pointee.confirmedAt = time
        }
        if case let outer = Int(submitter.pointee.innermost), outer >= 0 {
            items.place(of: outer).pointee.submitting += time - submitter.pointee.submittedAt
        }
    }

    /// Whether no item overtaken by this one was certainly submitted before it. Of one that was, the begin and the end
    /// are missing from the trace: it has run.
    @inline(__always)
    mutating func beginsInOrder(_ slot: Int, at time: Int64, in state: inout ModelState) -> Bool {
        let queue = Int(items[slot].queue)
        if state.forest.activity[queue].ordered.first == slot { return true }
        return overtakesNobody(slot, queue: queue, at: time, in: &state)
    }

    private mutating func overtakesNobody(_ slot: Int, queue: Int, at time: Int64, in state: inout ModelState) -> Bool {
        let latest = items[slot].enqueuedAt - state.options.clockTolerance.count
        var ahead = Int(state.forest.activity[queue].ordered.first)
        var isFirst = true
        // Racing submitters are few; a longer look would cost more than it tells.
        var looks = 16
        while ahead >= 0, ahead != slot, looks > 0 {
            let next = Int(items[ahead].next)
            let isCertain =
                items[ahead].confirmedAt <= latest
                || (items[ahead].enqueuedOn == items[slot].enqueuedOn && !items[ahead].isSync)
            if isCertain {
                isFirst = false
                giveUpBegin(of: ahead, at: time, in: &state)
            }
            ahead = next
            looks -= 1
        }
        return isFirst
    }
}
