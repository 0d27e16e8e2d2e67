// Readers and writers of a concurrent queue.
//
//   enqueue      R1 R2   W   R3
//   R1, R2       ├──run───┤
//   W                ├ wait ┤├─run─┤
//   R3                 ├── wait ───┤├─run─┤
//
// While W waits for R1 and R2, R3 waits for W: it follows W until W begins, and what runs until then is booked as
// barrier. After that only the time in which a writer runs counts. A reader follows one barrier, the last one before
// it, so that every item is visited at most once for it, however many barriers there are.
extension ItemTracker {
    /// The item is a barrier. It matters on concurrent queues of the program's own only.
    mutating func markBarrier(_ id: UInt64, in state: inout ModelState) {
        guard let slot = items.slot(of: id) else { return }
        items[slot].isBarrier = true
        let queue = Int(items[slot].queue)
        guard items[slot].state == .waiting, state.forest.activity[queue].honoursBarriers else { return }
        // Barriers do not follow barriers: whatever runs holds them up. But a sync needs nobody once a worker has come
        // for the one ahead of it.
        let ahead = Int(items[slot].barrier)
        stopFollowing(slot)
        if ahead >= 0, items[slot].isSync { followWorker(slot, behind: ahead) }
        state.forest.activity[queue].lastBarrier = Int32(slot)
    }

    /// Lets a new item wait behind the barrier that waits on its queue; a sync that is submitted to a serial queue also
    /// behind one that waits for a worker on the concurrent queue below.
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

    /// A sync waits behind another item, -1 for none. If that one waits for a worker, so does the sync.
    mutating func followWorker(_ slot: Int, behind ahead: Int) {
        guard ahead >= 0, items[slot].barrier < 0, waitsForWorker(ahead) else { return }
        let isFollower = items[ahead].isSync && items[ahead].barrier >= 0
        follow(isFollower ? Int(items[ahead].barrier) : ahead, slot: slot)
    }

    private mutating func follow(_ barrier: Int, slot: Int) {
        stopFollowing(slot)
        guard barrier != slot else { return }
        items.giveRest(to: barrier)
        items.giveRest(to: slot)
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

    /// A barrier begins or is gone: books what the items behind it have waited for it.
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
