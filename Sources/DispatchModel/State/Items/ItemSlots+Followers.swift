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
    mutating func followBarrier(_ slot: Int, on queues: borrowing QueueForestBuilder) {
        let queue = queues.place(of: Int(self[slot].queue))
        let barrier = queue.pointee.lastBarrier
        if barrier >= 0 { return follow(Int(barrier), slot: slot) }
        guard queue.pointee.concurrentTarget >= 0, queue.pointee.exclusion >= 0, self[slot].isSync,
            self[slot].barrier < 0
        else { return }
        followWorker(slot, behind: Int(queues[Int(queue.pointee.concurrentTarget)].lastBarrier))
    }

    /// If the item ahead of a sync waits for a worker, the sync waits for the same worker. `ahead` is -1 for none.
    mutating func followWorker(_ slot: Int, behind ahead: Int) {
        guard ahead >= 0, self[slot].barrier < 0, waitsForWorker(ahead) else { return }
        let isFollower = self[ahead].isSync && self[ahead].barrier >= 0
        follow(isFollower ? Int(self[ahead].barrier) : ahead, slot: slot)
    }

    /// Marks a new sync on a serial queue if an item ahead of it waits for a worker.
    @inline(__always)
    mutating func followWorker(_ slot: Int) {
        let previous = Int(self[slot].previous)
        guard previous >= 0, waitsForWorker(previous) else { return }
        giveDetails(to: slot)
        self[slot].isBehindWorker = true
    }

    mutating func follow(_ barrier: Int, slot: Int) {
        stopFollowing(slot)
        guard barrier != slot else { return }
        giveDetails(to: barrier)
        giveDetails(to: slot)
        let next = self[barrier].firstFollower
        self[slot].barrier = Int32(barrier)
        self[slot].previousFollower = -1
        self[slot].nextFollower = next
        if next >= 0 { self[Int(next)].previousFollower = Int32(slot) }
        self[barrier].firstFollower = Int32(slot)
    }

    /// The item no longer waits for a barrier.
    @inline(__always)
    mutating func stopFollowing(_ slot: Int) {
        let barrier = Int(self[slot].barrier)
        guard barrier >= 0 else { return }
        let previous = self[slot].previousFollower
        let next = self[slot].nextFollower
        if previous >= 0 { self[Int(previous)].nextFollower = next } else { self[barrier].firstFollower = next }
        if next >= 0 { self[Int(next)].previousFollower = previous }
        self[slot].barrier = -1
    }

    /// Whether a worker must start before this item can run.
    func waitsForWorker(_ slot: Int) -> Bool {
        let item = place(of: slot)
        guard item.pointee.isSync else { return true }
        if item.pointee.isBehindWorker { return true }
        return item.pointee.barrier >= 0 && waitsForWorker(Int(item.pointee.barrier))
    }

    /// A barrier begins or was abandoned. Accounts for the wait of the items behind it up to now.
    @inline(__always)
    mutating func releaseFollowers(of slot: Int, at time: Int64, on queues: borrowing QueueForestBuilder) {
        let queue = Int(self[slot].queue)
        let activity = queues.place(of: queue)
        if activity.pointee.lastBarrier == slot { activity.pointee.lastBarrier = -1 }
        if self[slot].firstFollower >= 0 { settleFollowers(of: slot, at: time, on: queues) }
    }

    @inline(never)
    private mutating func settleFollowers(of slot: Int, at time: Int64, on queues: borrowing QueueForestBuilder) {
        while case let follower = Int(self[slot].firstFollower), follower >= 0 {
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
        let next = Int(item.pointee.next)
        guard next >= 0, item.pointee.previous < 0, place(of: next).pointee.isSync else { return }
        releaseSyncs(from: next, at: time, on: queues)
    }

    @inline(never)
    private mutating func releaseSyncs(from first: Int, at time: Int64, on queues: borrowing QueueForestBuilder) {
        var next = first
        while next >= 0, self[next].isSync, self[next].isBehindWorker {
            settle(next, at: time, on: queues)
            self[next].isBehindWorker = false
            next = Int(self[next].next)
        }
    }
}
