// The items that wait for a hierarchy: from their submission, or their due time, to their begin, except while their
// queue is suspended.
extension BlameTracker {
    /// The item waits in its queue and is due.
    @inline(__always)
    mutating func startContending(
        _ slot: Slot, at time: Int64, of items: borrowing ItemSlots, on queues: borrowing QueueForestBuilder
    ) {
        let item = items.place(of: slot)
        let queue = item.pointee.queue
        let own = queues.place(of: queue)
        let domain: QueueIndex =
            !own.pointee.exclusion.isNone ? own.pointee.exclusion : own.pointee.honoursBarriers ? queue : .none
        guard !domain.isNone else { return }
        let wanted = queues.place(of: domain)
        if wanted.pointee.blame < 0 { startBlame(of: domain, at: time, of: items, on: queues) }
        if own.pointee.suspension >= 0 { followSuspension(of: queue, at: time, of: items, on: queues) }
        item.pointee.contendedDomain = wanted.pointee.blame
        let code = isJob(item.pointee.kind) ? ~item.pointee.code.rawValue : item.pointee.code.rawValue
        item.pointee.contendingCode = wait(
            for: Int(item.pointee.contendedDomain), code: code, on: own.pointee.suspension, at: time)
    }

    /// Whether an item of this kind is a job of an executor with a queue, in a trace that records which task the job
    /// runs.
    @inline(__always)
    func isJob(_ kind: ItemKind) -> Bool { kind == .swiftJob && recordsTasks }

    /// An item waits for the hierarchy for the first time. Looks up the current holder.
    @inline(never)
    private mutating func startBlame(
        of domain: QueueIndex, at time: Int64, of items: borrowing ItemSlots, on queues: borrowing QueueForestBuilder
    ) {
        let place = add(domain)
        queues.place(of: domain).pointee.blame = place
        let activity = queues[domain]
        guard activity.domain.isBusy || activity.writers.isBusy else { return }
        let holder = holder(of: domain, in: items)
        hold(
            place, code: holder.map { items[$0].code.rawValue } ?? 0,
            isJob: holder.map { isJob(items[$0].kind) } ?? false, at: time)
    }

    /// The item that holds a hierarchy. Complexity: O(items in flight), once per hierarchy.
    private func holder(of domain: QueueIndex, in items: borrowing ItemSlots) -> Slot? {
        items.indices.last { slot in
            let isWriter = items[slot].domain.isNone && items[slot].queue == domain && items[slot].isBarrier
            return items[slot].state == .running && (items[slot].domain == domain || isWriter)
        }
    }

    /// The item begins or is removed.
    @inline(__always)
    mutating func stopContending(
        _ slot: Slot, at time: Int64, of items: borrowing ItemSlots, on queues: borrowing QueueForestBuilder
    ) {
        let item = items.place(of: slot)
        guard item.pointee.contendedDomain >= 0 else { return }
        stopWaiting(
            for: Int(item.pointee.contendedDomain), code: item.pointee.contendingCode,
            on: queues.place(of: item.pointee.queue).pointee.suspension, at: time)
        item.pointee.contendedDomain = -1
    }

    /// The hierarchy of these queues changed, so their waiting items now wait for other hierarchies.
    mutating func restartContending(
        on members: [QueueIndex], at time: Int64, of items: borrowing ItemSlots, on queues: borrowing QueueForestBuilder
    ) {
        for queue in members {
            let slots = items.waiting(on: [queue], of: queues)
            for slot in slots { stopContending(slot, at: time, of: items, on: queues) }
            let activity = queues[queue]
            if activity.suspension >= 0 {
                suspensible.reach(Int(activity.suspension), SuspensibleQueue())
                suspensible[Int(activity.suspension)].isFollowed = true
                suspensible[Int(activity.suspension)].isSuspended = activity.suspendedLevels > 0
            }
            for slot in slots where !items[slot].isDelayed { startContending(slot, at: time, of: items, on: queues) }
        }
    }

    mutating func followSuspension(
        of queue: QueueIndex, at time: Int64, of items: borrowing ItemSlots, on queues: borrowing QueueForestBuilder
    ) {
        let activity = queues[queue]
        let (position, isSuspended) = (Int(activity.suspension), activity.suspendedLevels > 0)
        guard position >= 0 else { return }
        suspensible.reach(position, SuspensibleQueue())
        if !suspensible[position].isFollowed {
            suspensible[position].isFollowed = true
            for slot in items.waiting(on: [queue], of: queues) where items[slot].contendedDomain >= 0 {
                suspensible[position].count(items[slot].contendingCode, by: 1)
            }
        }
        guard suspensible[position].isSuspended != isSuspended else { return }
        suspensible[position].isSuspended = isSuspended
        let domain = !activity.exclusion.isNone ? activity.exclusion : queue
        let place = Int(queues[domain].blame)
        for (code, count) in suspensible[position].waiting {
            suspend(isSuspended, count, of: place, code: code, at: time)
        }
    }

    /// The queue was disposed. Programs create any number of short-lived queues.
    mutating func stopContending(forDisposed queue: QueueIndex, on queues: borrowing QueueForestBuilder) {
        let place = queues[queue].blame
        if place >= 0, remove(Int(place)) { queues.place(of: queue).pointee.blame = -1 }
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
        guard let place = waiting.firstIndex(where: { $0.code == code }) else { return waiting.append((code, change)) }
        waiting[place].count += change
        if waiting[place].count == 0 {
            waiting.swapAt(place, waiting.count - 1)
            waiting.removeLast()
        }
    }
}
