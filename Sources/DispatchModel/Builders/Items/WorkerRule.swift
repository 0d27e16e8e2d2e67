// A sync brings its own thread. Behind an async it waits for the worker that the async needs:
//
//   A, async   ├─ thread start ─┤├────run────┤
//   S, sync       ├ thread start ┤├ backlog ─┤├─run─┤
//
// So does one behind a barrier, and one behind such a sync. Once no async is ahead of it any more, it needs nobody.
extension ItemTracker {
    /// A new sync waits on a queue that runs one item at a time: does anything ahead of it wait for a worker?
    @inline(__always)
    mutating func followWorker(_ slot: Int) {
        let previous = Int(items[slot].previous)
        guard previous >= 0, waitsForWorker(previous) else { return }
        items.giveRest(to: slot)
        items[slot].isBehindWorker = true
    }

    /// Whether a worker must come before this item can run.
    func waitsForWorker(_ slot: Int) -> Bool {
        let item = items.place(of: slot)
        guard item.pointee.isSync else { return true }
        if item.pointee.isBehindWorker { return true }
        return item.pointee.barrier >= 0 && waitsForWorker(Int(item.pointee.barrier))
    }

    /// An item leaves its queue: books what the syncs behind it have waited for a worker.
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
