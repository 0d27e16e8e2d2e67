// libdispatch changes the target of an active queue in a barrier on that queue: at once if the queue is idle, otherwise
// after the items that were submitted before the call.
//
//   q              a ├───────┤├── b ──┤           ├─ d ─┤      waits for the new target after the end of b
//   set_target_queue     ▲ call       ╰ effect
extension ItemTracker {
    /// A change of a queue's target that has not taken effect yet.
    struct PendingTarget {
        let queue: Int
        let target: Int?
        /// The numbers of the unfinished items that precede the change.
        var itemsAhead: Set<Int64>
        /// The program has released the queue; only its pending items keep it.
        var isDisposed = false
    }

    /// The program changes a queue's target.
    mutating func retarget(_ queue: Int, to target: Int?, at time: Int64, in state: inout ModelState) {
        let itemsAhead = itemsAhead(inTreeOf: queue, in: &state)
        let activity = state.forest.activity[queue]
        let isIdle = itemsAhead.isEmpty && activity.suspensions == 0 && !pendingTargets.contains { $0.queue == queue }
        // An inactive queue has no items to wait for.
        if isIdle || activity.isInactive {
            restructure(queue, at: time, in: &state) { $0.setTarget(of: queue, to: target) }
        } else {
            pendingTargets.append(PendingTarget(queue: queue, target: target, itemsAhead: itemsAhead))
        }
    }

    /// The items that precede a change of a queue's target: items that run or wait on the queue, or on queues that
    /// target it and are not themselves suspended. Items that are not due are not in a queue yet.
    private func itemsAhead(inTreeOf queue: Int, in state: inout ModelState) -> Set<Int64> {
        let tree = state.forest.subtree(of: queue)
        let levels = state.forest.activity[queue].suspendedLevels
        let queued = tree.filter { state.forest.activity[$0].suspendedLevels == levels }
        let waiting = waiting(on: queued, in: state).filter { !items[$0].isDelayed }
        var numbers = Set(waiting.map { items[$0].number })
        let busy = Set(tree.filter { state.forest.activity[$0].own.isBusy })
        guard !busy.isEmpty else { return numbers }
        for thread in state.threads.indices {
            var slot = Int(state.threads[thread].innermost)
            while slot >= 0 {
                if busy.contains(Int(items[slot].queue)) { numbers.insert(items[slot].number) }
                slot = Int(items[slot].enclosing)
            }
        }
        return numbers
    }

    /// An item has ended. Applies the changes that waited only for it.
    @inline(never)
    mutating func changeTargets(behind number: Int64, at time: Int64, in state: inout ModelState) {
        for position in pendingTargets.indices { pendingTargets[position].itemsAhead.remove(number) }
        changeTargets(at: time, in: &state)
    }

    /// An item that was submitted after a change begins, so the change has taken effect and the end of an earlier item
    /// was lost. `slot` is nil for a sync that found the queue idle.
    @inline(never)
    mutating func changeTargets(ahead slot: Int?, on queue: Int, at time: Int64, in state: inout ModelState) {
        if let slot, items[slot].isRecordedLate { return }
        for position in pendingTargets.indices where pendingTargets[position].queue == queue {
            if let slot, pendingTargets[position].itemsAhead.contains(items[slot].number) { break }
            pendingTargets[position].itemsAhead = []
        }
        changeTargets(at: time, in: &state)
    }

    /// Applies the changes whose preceding items have all ended.
    @inline(never)
    mutating func changeTargets(at time: Int64, in state: inout ModelState) {
        func isDue(_ pending: PendingTarget) -> Bool {
            pending.itemsAhead.isEmpty && state.forest.activity[pending.queue].suspensions == 0
        }
        while let next = pendingTargets.firstIndex(where: isDue) {
            let due = pendingTargets.remove(at: next)
            restructure(due.queue, at: time, in: &state) {
                $0.setTarget(of: due.queue, to: due.target)
                if due.isDisposed { $0.leaveTarget(due.queue) }
            }
        }
    }

    /// The program has released the queue; only its pending items keep it. When its pending changes apply, remove it
    /// from the target's list.
    mutating func disposeTargets(of queue: Int) {
        for position in pendingTargets.indices where pendingTargets[position].queue == queue {
            pendingTargets[position].isDisposed = true
        }
    }

    /// Changes a queue's place in the hierarchy. Settles its waits first under the old hierarchy.
    mutating func restructure(
        _ queue: Int, at time: Int64, in state: inout ModelState, _ change: (inout QueueForestBuilder) -> Void
    ) {
        let affected = state.forest.subtree(of: queue)
        settleWaiting(on: affected, at: time, in: &state)
        state.forest.prepareRebuild(affected, at: time)
        change(&state.forest)
        state.forest.rebuild(affected, at: time)
        settleWaiting(on: affected, at: time, in: &state)
        restartContending(on: affected, at: time, in: &state)
    }
}
