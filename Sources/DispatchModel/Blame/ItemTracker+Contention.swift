// Reports to ``BlameTracker`` which items wait for which hierarchy. An item waits from its submission, or its due time,
// to its begin, except while its queue is suspended.
extension ItemTracker {
    /// The item waits in its queue and is due.
    @inline(__always)
    mutating func startContending(_ slot: Int, at time: Int64, in state: inout ModelState) {
        let item = items.place(of: slot)
        let queue = Int(item.pointee.queue)
        let own = state.forest.activity.place(of: queue)
        let domain = own.pointee.exclusion >= 0 ? Int(own.pointee.exclusion) : own.pointee.honoursBarriers ? queue : -1
        guard domain >= 0 else { return }
        let wanted = state.forest.activity.place(of: domain)
        if wanted.pointee.blame < 0 { startBlame(of: domain, at: time, in: &state) }
        if own.pointee.suspension >= 0 { followSuspension(of: queue, at: time, in: &state) }
        item.pointee.contendedDomain = wanted.pointee.blame
        let code = isJobOfTask(item.pointee.kind, in: state) ? ~item.pointee.code : item.pointee.code
        item.pointee.contendingCode = state.blame.wait(
            for: Int(item.pointee.contendedDomain), code: code, on: own.pointee.suspension, at: time)
    }

    /// Whether the item is a job of an executor with a queue, in a trace that records which task the job runs.
    @inline(__always)
    func isJobOfTask(_ kind: ItemKind, in state: borrowing ModelState) -> Bool {
        kind == .swiftJob && state.model.taskTrack?.detail == .full
    }

    /// An item waits for the hierarchy for the first time. Looks up the current holder.
    @inline(never)
    private func startBlame(of domain: Int, at time: Int64, in state: inout ModelState) {
        let place = state.blame.add(domain)
        state.forest.activity[domain].blame = place
        let activity = state.forest.activity[domain]
        guard activity.domain.isBusy || activity.writers.isBusy else { return }
        let holder = holder(of: domain)
        state.blame.hold(
            place, code: holder.map { items[$0].code } ?? 0,
            isJob: holder.map { isJobOfTask(items[$0].kind, in: state) } ?? false, at: time)
    }

    /// The queue was disposed. Programs create any number of short-lived queues.
    func stopBlame(of queue: Int, in state: inout ModelState) {
        let place = state.forest.activity[queue].blame
        if place >= 0, state.blame.remove(Int(place)) { state.forest.activity[queue].blame = -1 }
    }

    /// The item that holds a hierarchy. Complexity: O(items in flight), once per hierarchy.
    private func holder(of domain: Int) -> Int? {
        items.indices.last { slot in
            let isWriter = items[slot].domain < 0 && items[slot].queue == domain && items[slot].isBarrier
            return items[slot].state == .running && (items[slot].domain == domain || isWriter)
        }
    }

    /// The item begins or is removed.
    @inline(__always)
    mutating func stopContending(_ slot: Int, at time: Int64, in state: inout ModelState) {
        let item = items.place(of: slot)
        guard item.pointee.contendedDomain >= 0 else { return }
        state.blame.stopWaiting(
            for: Int(item.pointee.contendedDomain), code: item.pointee.contendingCode,
            on: state.forest.activity.place(of: Int(item.pointee.queue)).pointee.suspension, at: time)
        item.pointee.contendedDomain = -1
    }

    /// The hierarchy of these queues changed, so their waiting items now wait for other hierarchies.
    mutating func restartContending(on queues: [Int], at time: Int64, in state: inout ModelState) {
        for queue in queues {
            let slots = waiting(on: [queue], in: state)
            for slot in slots { stopContending(slot, at: time, in: &state) }
            let activity = state.forest.activity[queue]
            if activity.suspension >= 0 {
                state.blame.suspensible.reach(Int(activity.suspension), SuspensibleQueue())
                state.blame.suspensible[Int(activity.suspension)].isFollowed = true
                state.blame.suspensible[Int(activity.suspension)].isSuspended = activity.suspendedLevels > 0
            }
            for slot in slots where !items[slot].isDelayed { startContending(slot, at: time, in: &state) }
        }
    }

    /// Suspends or resumes a queue. While it is suspended, the items that wait on it, or on a queue that targets it, do
    /// not wait for the hierarchy.
    ///
    /// - Complexity: O(queues that target it). At the first suspension of a queue also O(items that wait on it).
    mutating func suspend(
        _ queue: Int, at time: Int64, in state: inout ModelState, _ change: (inout QueueForestBuilder) -> Void
    ) {
        let wasSuspended = state.forest.activity[queue].suspensions > 0
        change(&state.forest)
        guard (state.forest.activity[queue].suspensions > 0) != wasSuspended else { return }
        for member in state.forest.subtree(of: queue) { followSuspension(of: member, at: time, in: &state) }
    }

    private mutating func followSuspension(of queue: Int, at time: Int64, in state: inout ModelState) {
        let activity = state.forest.activity[queue]
        let (position, isSuspended) = (Int(activity.suspension), activity.suspendedLevels > 0)
        guard position >= 0 else { return }
        state.blame.suspensible.reach(position, SuspensibleQueue())
        if !state.blame.suspensible[position].isFollowed {
            state.blame.suspensible[position].isFollowed = true
            for slot in waiting(on: [queue], in: state) where items[slot].contendedDomain >= 0 {
                state.blame.suspensible[position].count(items[slot].contendingCode, by: 1)
            }
        }
        guard state.blame.suspensible[position].isSuspended != isSuspended else { return }
        state.blame.suspensible[position].isSuspended = isSuspended
        let domain = activity.exclusion >= 0 ? Int(activity.exclusion) : queue
        let place = Int(state.forest.activity[domain].blame)
        for (code, count) in state.blame.suspensible[position].waiting {
            state.blame.suspend(isSuspended, count, of: place, code: code, at: time)
        }
    }
}

/// Number of waiting items by code, for a queue that has been suspended at least once, so that a suspension need not
/// visit every item.
struct SuspensibleQueue {
    /// Whether `waiting` is maintained.
    var isFollowed = false
    /// Whether the queue, or a queue of its target chain, is suspended.
    var isSuspended = false
    /// Codes with at least one waiting item, as the waits are attributed.
    private(set) var waiting: [(code: Int32, count: Int32)] = []

    mutating func count(_ code: Int32, by change: Int32) {
        guard let place = waiting.firstIndex(where: { $0.code == code }) else {
            return waiting.append((code, change))
        }
        waiting[place].count += change
        if waiting[place].count == 0 {
            waiting.swapAt(place, waiting.count - 1)
            waiting.removeLast()
        }
    }
}
