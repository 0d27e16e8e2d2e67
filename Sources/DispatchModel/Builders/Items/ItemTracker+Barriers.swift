// Readers and writers of a concurrent queue.
//
//   enqueue      R1 R2   W   R3
//   R1, R2       ├──run───┤
//   W                ├ wait ┤├─run─┤
//   R3                 ├── wait ───┤├─run─┤
//
// While W waits for R1 and R2, R3 waits for W. R3 follows W until W begins, and the time that other items run until
// then is added to the `barrier` part of its wait. After that, only the time that a writer runs is added. A reader
// follows only the last barrier that was submitted before it, so each item is visited at most once for a barrier.
extension ItemTracker {
    /// Marks a waiting item as a barrier. Barriers have an effect only on the program's own concurrent queues.
    mutating func markBarrier(_ id: UInt64, in state: inout ModelState) {
        guard let slot = items.slot(of: id) else { return }
        items[slot].isBarrier = true
        let queue = Int(items[slot].queue)
        guard items[slot].state == .waiting, state.forest.activity[queue].honoursBarriers else { return }
        // A barrier does not follow a barrier, because every running item blocks it. A sync needs no worker of its own
        // once the barrier ahead has one.
        let ahead = Int(items[slot].barrier)
        stopFollowing(slot)
        if ahead >= 0, items[slot].isSync { followWorker(slot, behind: ahead) }
        state.forest.activity[queue].lastBarrier = Int32(slot)
    }

    /// Makes a new item follow the barrier that waits on its queue. A sync on a serial queue also follows a barrier
    /// that waits for a worker on the concurrent target queue.
    @inline(__always)
    mutating func followBarrier(_ slot: Int, in state: inout ModelState) {
        let queue = state.forest.activity.place(of: Int(items[slot].queue))
        let barrier = queue.pointee.lastBarrier
        if barrier >= 0 { return follow(Int(barrier), slot: slot) }
        guard queue.pointee.concurrentTarget >= 0, queue.pointee.exclusion >= 0, items[slot].isSync,
            items[slot].barrier < 0
        else { return }
        followWorker(slot, behind: Int(state.forest.activity[Int(queue.pointee.concurrentTarget)].lastBarrier))
    }

    /// If the item ahead of a sync waits for a worker, the sync waits for the same worker. `ahead` is -1 for none.
    mutating func followWorker(_ slot: Int, behind ahead: Int) {
        guard ahead >= 0, items[slot].barrier < 0, waitsForWorker(ahead) else { return }
        let isFollower = items[ahead].isSync && items[ahead].barrier >= 0
        follow(isFollower ? Int(items[ahead].barrier) : ahead, slot: slot)
    }

    private mutating func follow(_ barrier: Int, slot: Int) {
        stopFollowing(slot)
        guard barrier != slot else { return }
        items.giveDetails(to: barrier)
        items.giveDetails(to: slot)
        let next = items[barrier].firstFollower
        items[slot].barrier = Int32(barrier)
        items[slot].previousFollower = -1
        items[slot].nextFollower = next
        if next >= 0 { items[Int(next)].previousFollower = Int32(slot) }
        items[barrier].firstFollower = Int32(slot)
    }

    /// The item no longer waits for a barrier.
    @inline(__always)
    mutating func stopFollowing(_ slot: Int) {
        let barrier = Int(items[slot].barrier)
        guard barrier >= 0 else { return }
        let previous = items[slot].previousFollower
        let next = items[slot].nextFollower
        if previous >= 0 { items[Int(previous)].nextFollower = next } else { items[barrier].firstFollower = next }
        if next >= 0 { items[Int(next)].previousFollower = previous }
        items[slot].barrier = -1
    }

    /// A barrier begins or was abandoned. Accounts for the wait of the items behind it up to now.
    @inline(__always)
    mutating func releaseFollowers(of slot: Int, at time: Int64, in state: inout ModelState) {
        let queue = Int(items[slot].queue)
        if state.forest.activity[queue].lastBarrier == slot { state.forest.activity[queue].lastBarrier = -1 }
        if items[slot].firstFollower >= 0 { settleFollowers(of: slot, at: time, in: &state) }
    }

    @inline(never)
    private mutating func settleFollowers(of slot: Int, at time: Int64, in state: inout ModelState) {
        while case let follower = Int(items[slot].firstFollower), follower >= 0 {
            settle(follower, at: time, in: &state)
            stopFollowing(follower)
            releaseSyncs(behind: items.place(of: follower), at: time, in: &state)
        }
    }
}
