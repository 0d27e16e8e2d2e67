// Waiting items that wait for another waiting item: for a barrier, or for the worker of an item ahead.
//
// Readers and writers of a concurrent queue:
//
//   enqueue      R1 R2   W   R3
//   R1, R2       ├──run───┤
//   W                ├ wait ┤├─run─┤
//   R3                 ├── wait ───┤├─run─┤
//
// While W waits for R1 and R2, R3 waits for W. R3 follows W until W begins, and the time that other items run until
// then is added to the `barrier` part of its wait. After that, only the time that a writer runs is added. A reader
// follows only the last barrier that was submitted before it, so each item is visited at most once for a barrier.
//
// A sync runs on its caller's thread. Behind an async, it waits for the worker that the async needs:
//
//   A, async   ├─ thread start ─┤├────run────┤
//   S, sync       ├ thread start ┤├ backlog ─┤├─run─┤
//
// The same holds for a sync behind a barrier, and for a sync behind such a sync. Once no async is ahead of it, a sync
// needs no worker.
extension ItemSlots {
    /// Makes a new item follow the barrier that waits on its queue. A sync on a serial queue also follows a barrier
    /// that waits for a worker on the concurrent target queue.
    @inline(__always)
    mutating func followBarrier(_ slot: Slot, on queues: borrowing QueueForestBuilder) {
        let queue = queues.place(of: self[slot].queue)
        let barrier = queue.pointee.lastBarrier
        if !barrier.isNone { return follow(barrier, slot: slot) }
        guard !queue.pointee.concurrentTarget.isNone, !queue.pointee.exclusion.isNone, self[slot].isSync,
            self[slot].barrier.isNone
        else { return }
        followWorker(slot, behind: queues[queue.pointee.concurrentTarget].lastBarrier)
    }

    /// If the item ahead of a sync waits for a worker, the sync waits for the same worker.
    mutating func followWorker(_ slot: Slot, behind ahead: Slot) {
        guard !ahead.isNone, self[slot].barrier.isNone, waitsForWorker(ahead) else { return }
        let isFollower = self[ahead].isSync && !self[ahead].barrier.isNone
        follow(isFollower ? self[ahead].barrier : ahead, slot: slot)
    }

    /// Marks a new sync on a serial queue if an item ahead of it waits for a worker.
    @inline(__always)
    mutating func followWorker(_ slot: Slot) {
        let previous = self[slot].previous
        guard !previous.isNone, waitsForWorker(previous) else { return }
        giveDetails(to: slot)
        self[slot].isBehindWorker = true
    }

    mutating func follow(_ barrier: Slot, slot: Slot) {
        stopFollowing(slot)
        guard barrier != slot else { return }
        giveDetails(to: barrier)
        giveDetails(to: slot)
        let next = self[barrier].firstFollower
        self[slot].barrier = barrier
        self[slot].previousFollower = .none
        self[slot].nextFollower = next
        if !next.isNone { self[next].previousFollower = slot }
        self[barrier].firstFollower = slot
    }

    /// The item no longer waits for a barrier.
    @inline(__always)
    mutating func stopFollowing(_ slot: Slot) {
        let barrier = self[slot].barrier
        guard !barrier.isNone else { return }
        let previous = self[slot].previousFollower
        let next = self[slot].nextFollower
        if !previous.isNone { self[previous].nextFollower = next } else { self[barrier].firstFollower = next }
        if !next.isNone { self[next].previousFollower = previous }
        self[slot].barrier = .none
    }

    /// Whether a worker must start before this item can run.
    func waitsForWorker(_ slot: Slot) -> Bool {
        let item = place(of: slot)
        guard item.pointee.isSync else { return true }
        if item.pointee.isBehindWorker { return true }
        return !item.pointee.barrier.isNone && waitsForWorker(item.pointee.barrier)
    }

    /// A barrier begins or was abandoned. Accounts for the wait of the items behind it up to now.
    @inline(__always)
    mutating func releaseFollowers(of slot: Slot, at time: Int64, on queues: borrowing QueueForestBuilder) {
        let queue = self[slot].queue
        let activity = queues.place(of: queue)
        if activity.pointee.lastBarrier == slot { activity.pointee.lastBarrier = .none }
        if !self[slot].firstFollower.isNone { settleFollowers(of: slot, at: time, on: queues) }
    }

    @inline(never)
    private mutating func settleFollowers(of slot: Slot, at time: Int64, on queues: borrowing QueueForestBuilder) {
        while case let follower = self[slot].firstFollower, !follower.isNone {
            settle(follower, at: time, on: queues)
            stopFollowing(follower)
            releaseSyncs(behind: place(of: follower), at: time, on: queues)
        }
    }

    /// An item leaves its queue. Accounts for the wait of the syncs behind it up to now.
    @inline(__always)
    mutating func releaseSyncs(
        behind item: UnsafeMutablePointer<OpenItem>, at time: Int64, on queues: borrowing QueueForestBuilder
    ) {
        let next = item.pointee.next
        guard !next.isNone, item.pointee.previous.isNone, place(of: next).pointee.isSync else { return }
        releaseSyncs(from: next, at: time, on: queues)
    }

    @inline(never)
    private mutating func releaseSyncs(from first: Slot, at time: Int64, on queues: borrowing QueueForestBuilder) {
        var next = first
        while !next.isNone, self[next].isSync, self[next].isBehindWorker {
            settle(next, at: time, on: queues)
            self[next].isBehindWorker = false
            next = self[next].next
        }
    }
}
