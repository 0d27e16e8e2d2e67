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
        // Barriers do not follow barriers: whatever runs holds them up.
        stopFollowing(slot)
        state.forest.activity[queue].lastBarrier = Int32(slot)
    }

    /// Lets a new item wait behind the barrier that waits on its queue.
    @inline(__always)
    mutating func followBarrier(_ slot: Int, in state: inout ModelState) {
        let barrier = state.forest.activity[Int(items[slot].queue)].lastBarrier
        if barrier >= 0 { follow(Int(barrier), slot: slot) }
    }

    private mutating func follow(_ barrier: Int, slot: Int) {
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
        }
    }
}
