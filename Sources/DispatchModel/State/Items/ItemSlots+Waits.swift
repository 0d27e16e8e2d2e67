/// A queue of open items, linked through their slots. Appending and removing at any position is O(1) without
/// allocation.
struct ItemList {
    /// The item submitted first, and the item submitted last.
    var first = Slot.none
    var last = Slot.none
}

// The waits of items in the lists of their queues.
extension ItemSlots {
    /// Appends the item in `slot`, which must not be in a list.
    @inline(__always)
    mutating func append(_ slot: Slot, to list: inout ItemList) {
        let item = place(of: slot)
        item.pointee.previous = list.last
        item.pointee.next = .none
        if !list.last.isNone {
            place(of: list.last).pointee.next = slot
        } else {
            list.first = slot
        }
        list.last = slot
    }

    /// Removes the item in `slot`, which must be in this list.
    @inline(__always)
    mutating func remove(_ slot: Slot, from list: inout ItemList) {
        let (previous, next) = (place(of: slot).pointee.previous, place(of: slot).pointee.next)
        if !previous.isNone { place(of: previous).pointee.next = next } else { list.first = next }
        if !next.isNone {
            // Usually that item begins next, so prefetch the item after it.
            let follower = place(of: next)
            follower.pointee.previous = previous
            if !follower.pointee.next.isNone { prepare(follower.pointee.next) }
        } else {
            list.last = previous
        }
    }

    /// Divides the time since a waiting item was last settled, and adds it to the parts of its wait.
    @inline(__always)
    mutating func settle(_ slot: Slot, at time: Int64, on queues: borrowing QueueForestBuilder) {
        let item = place(of: slot)
        let queue = item.pointee.queue
        let reading = queues.snapshot(of: queue, at: time)
        giveDetails(to: slot)
        WaitPartition.settle(
            &item.pointee, reading: reading, at: time, isExclusive: !queues.exclusion(of: queue).isNone,
            needsWorker: !item.pointee.isSync || waitsForWorker(slot))
    }

    /// Settles all items that wait on these queues. Call before and after a change of their hierarchy.
    mutating func settleWaiting(on members: [QueueIndex], at time: Int64, of queues: borrowing QueueForestBuilder) {
        for slot in waiting(on: members, of: queues) { settle(slot, at: time, on: queues) }
    }

    /// The slots of the items that wait on these queues.
    func waiting(on members: [QueueIndex], of queues: borrowing QueueForestBuilder) -> [Slot] {
        var slots: [Slot] = []
        for queue in members {
            for first in [queues[queue].ordered.first, queues[queue].unordered.first] {
                var slot = first
                while !slot.isNone {
                    slots.append(slot)
                    slot = self[slot].next
                }
            }
        }
        return slots
    }

    /// When the last obstacle of a beginning item disappeared; nil while its hierarchy is held.
    func freeSince(_ slot: Slot, on queues: borrowing QueueForestBuilder) -> Int64? {
        let item = place(of: slot)
        let queue = queues.place(of: item.pointee.queue)
        let domain = queue.pointee.exclusion
        // Before the item began, `settledAt` of a delayed item was its due time. Settling at the begin changed it, so
        // compute the due time from the parts.
        var freeSince = item.pointee.enqueuedAt + item.pointee.parts.notDue.count
        if !domain.isNone {
            let held = queues.place(of: domain)
            guard !held.pointee.domain.isBusy else { return nil }
            freeSince = max(freeSince, held.pointee.domain.idleSince)
        } else if queue.pointee.honoursBarriers {
            freeSince = max(freeSince, queue.pointee.writers.idleSince)
        }
        if item.pointee.parts.suspended > .zero { freeSince = max(freeSince, queue.pointee.suspensionChangedAt) }
        return freeSince
    }

    /// - Parameters:
    ///   - asked: when the thread was requested; `Int64.min` when unknown.
    ///   - awake: the first record of the thread.
    mutating func splitThreadStart(
        _ slot: Slot, thread: ThreadIndex, asked: Int64 = .min, awake: Int64, on queues: borrowing QueueForestBuilder
    ) {
        let item = place(of: slot)
        guard awake > item.pointee.enqueuedAt, item.pointee.enqueuedOn != thread,
            let freeSince = freeSince(slot, on: queues)
        else { return }
        WaitPartition.splitThreadStart(&item.pointee, freeSince: max(freeSince, asked), threadStart: awake)
    }

    /// Whether an item has been submitted and has not begun.
    func isWaiting(_ slot: Slot, number: Int64) -> Bool {
        self[slot].number == number && self[slot].state == .waiting
    }

    /// Whether a slot, or an enclosing slot, holds an item or a job of an actor. Iterations of event loops do not
    /// count.
    @inline(__always)
    func isInItem(_ innermost: Slot) -> Bool {
        var slot = innermost
        while !slot.isNone, place(of: slot).pointee.kind == .loopIteration {
            slot = place(of: slot).pointee.details.pointee.enclosing
        }
        return !slot.isNone
    }
}
