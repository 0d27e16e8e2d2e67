// Captures the running items, the held locks and the waits at the end of the trace, before open operations are closed.
extension ItemTracker {
    func captureGraph(at time: Int64, in state: inout ModelState) {
        var graph = WaitForGraph()
        for thread in state.threads.indices {
            var stack: [WaitForGraph.RunningItem] = []
            var slot = Int(state.threads[thread].innermost)
            while slot >= 0 {
                stack.append(running(slot))
                slot = Int(items[slot].enclosing)
            }
            graph.running.append(contentsOf: stack.reversed())
        }
        for held in state.held.all where state.isExclusive(held.held.domain) { graph.held.append(held) }
        graph.pools = state.forest.pools.indices.map { state.forest.pools[$0].atEnd }
        for queue in state.forest.activity.indices {
            if let backlog = backlog(of: queue, at: time, in: state) { graph.backlogs.append(backlog) }
        }
        state.model.waitForGraph = graph
    }

    private func running(_ slot: Int) -> WaitForGraph.RunningItem {
        let item = items[slot]
        return WaitForGraph.RunningItem(
            thread: item.thread, item: ItemNumber(item.number), id: item.id,
            queue: QueueIndex(Int(item.queue)), kind: item.kind, code: CodeIndex(Int(item.code)),
            enqueuedOn: item.enqueuedOn.known,
            group: item.group < 0 ? nil : GroupIndex(Int(item.group)), beganAt: Timestamp(nanoseconds: item.beganAt))
    }

    private func backlog(of queue: Int, at time: Int64, in state: borrowing ModelState) -> WaitForGraph.Backlog? {
        let waiting = waiting(on: [queue], in: state)
        guard let first = waiting.min(by: { items[$0].number < items[$1].number }) else { return nil }
        return WaitForGraph.Backlog(
            queue: QueueIndex(queue), count: waiting.count,
            first: items[first].pending(until: time, isCancelled: false),
            isSuspended: state.forest.activity[queue].suspendedLevels > 0)
    }
}
