// A sync runs on its caller's thread. Behind an async, it waits for the worker that the async needs:
//
//   A, async   ├─ thread start ─┤├────run────┤
//   S, sync       ├ thread start ┤├ backlog ─┤├─run─┤
//
// The same holds for a sync behind a barrier, and for a sync behind such a sync. Once no async is ahead of it, a sync
// needs no worker.
extension ItemTracker {
    /// Marks a new sync on a serial queue if an item ahead of it waits for a worker.
    @inline(__always)
    mutating func followWorker(_ slot: Int) {
        let previous = Int(items[slot].previous)
        guard previous >= 0, waitsForWorker(previous) else { return }
        items.giveDetails(to: slot)
        items[slot].isBehindWorker = true
    }

    /// Whether a worker must start before this item can run.
    func waitsForWorker(_ slot: Int) -> Bool {
        let item = items.place(of: slot)
        guard item.pointee.isSync else { return true }
        if item.pointee.isBehindWorker { return true }
        return item.pointee.barrier >= 0 && waitsForWorker(Int(item.pointee.barrier))
    }

    /// An item leaves its queue. Accounts for the wait of the syncs behind it up to now.
    @inline(__always)
    mutating func releaseSyncs(
        behind item: UnsafeMutablePointer<OpenItem>, at time: Int64, in state: inout ModelState
    ) {
        let next = Int(item.pointee.next)
        guard next >= 0, item.pointee.previous < 0, items.place(of: next).pointee.isSync else { return }
        releaseSyncs(from: next, at: time, in: &state)
    }

    @inline(never)
    private mutating func releaseSyncs(from first: Int, at time: Int64, in state: inout ModelState) {
        var next = first
        while next >= 0, items[next].isSync, items[next].isBehindWorker {
            settle(next, at: time, in: &state)
            items[next].isBehindWorker = false
            next = Int(items[next].next)
        }
    }
}
