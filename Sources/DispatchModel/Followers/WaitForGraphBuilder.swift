extension WaitForGraph {
    /// Captures the running items, the held locks and the backlogs at the end of the trace, before open operations are
    /// closed.
    init(of state: borrowing ModelState, at time: Int64) {
        for thread in state.threads.indices {
            var stack: [RunningItem] = []
            var slot = state.threads[thread].innermost
            while !slot.isNone {
                stack.append(RunningItem(state.items[slot]))
                slot = state.items[slot].enclosing
            }
            running.append(contentsOf: stack.reversed())
        }
        for held in state.held.all where state.isExclusive(held.held.domain) { self.held.append(held) }
        pools = state.forest.pools.indices.map { state.forest.pools[$0].atEnd }
        for queue in state.forest.indices {
            if let backlog = Backlog(of: queue, at: time, in: state) { backlogs.append(backlog) }
        }
    }
}

extension WaitForGraph.RunningItem {
    fileprivate init(_ item: OpenItem) {
        self.init(
            thread: item.thread, item: ItemNumber(item.number), id: item.id, queue: item.queue,
            kind: item.kind, code: item.code, enqueuedOn: item.enqueuedOn.known,
            group: item.group.known, beganAt: Timestamp(nanoseconds: item.beganAt))
    }
}

extension WaitForGraph.Backlog {
    fileprivate init?(of queue: QueueIndex, at time: Int64, in state: borrowing ModelState) {
        let waiting = state.items.waiting(on: [queue], of: state.forest)
        guard var first = waiting.first else { return nil }
        for slot in waiting where state.items[slot].number < state.items[first].number { first = slot }
        self.init(
            queue: queue, count: waiting.count,
            first: state.items[first].pending(until: time, isCancelled: false),
            isSuspended: state.forest[queue].suspendedLevels > 0)
    }
}
