// Items of asyncAfter first wait for their due time, and then for their queue.
//
//   enqueued ──── not due ────┤ due ── backlog, workers ──┤ begin
extension ItemTracker {
    /// Marks the item as delayed.
    mutating func delay(_ event: DispatchEvent.ItemDelay, at time: Int64, in state: inout ModelState) {
        guard let slot = items.slot(of: event.item), items[slot].state == .waiting else { return }
        stopContending(slot, at: time, in: &state)
        items[slot].isDelayed = true
        let delay = Int64(clamping: event.delay)
        let (dueTime, overflow) = time.addingReportingOverflow(delay)
        guard !overflow else { return }
        items.giveDetails(to: slot)
        items[slot].dueAt = dueTime
        due.insert(.init(due: dueTime, slot: Int32(slot), number: items[slot].number))
    }

    /// Settles the delayed items that became due up to `time`, each at its due time. Call before every event.
    @inline(__always)
    mutating func advance(to time: Int64, in state: inout ModelState) {
        if due.nextDue <= time { becomeDue(upTo: time, in: &state) }
    }

    private mutating func becomeDue(upTo time: Int64, in state: inout ModelState) {
        while due.nextDue <= time {
            let entry = due.removeFirst()
            let slot = Int(entry.slot)
            guard items[slot].number == entry.number, items[slot].state == .waiting, items[slot].isDelayed else {
                continue
            }
            settle(slot, at: entry.due, in: &state)
            items[slot].isDelayed = false
            startContending(slot, at: entry.due, in: &state)
        }
    }
}
