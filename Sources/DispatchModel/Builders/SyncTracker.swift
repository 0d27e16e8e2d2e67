// What only syncs do: their caller waits for them, and is told from whom it got the queue.
//
//   caller   sync_enter  sync_block ·········· sync_handoff item_begin ── item_end  sync_return
//   holder   ── item ────────────────┤ item_end
//
// With sync to the main queue, and with asyncAndWait, the item runs on another thread than its caller.
extension ItemTracker {
    mutating func enterSync(_ event: DispatchEvent.SyncEnter, at time: Int64, thread: Int, in state: inout ModelState) {
        let kind = event.kind == .asyncAndWait ? ItemKind.asyncAndWait : .sync
        enqueue(
            .init(item: event.item, queue: event.queue, code: event.code, kind: kind, qos: event.qos), at: time,
            thread: thread, in: &state)
    }

    mutating func blockSync(_ event: DispatchEvent.SyncBlock) {
        guard let slot = slot(of: event.item) else { return }
        items[slot].hadToWait = true
    }

    /// The sync got the queue from another thread. What the hand-off cost is known when the item begins.
    mutating func handOver(_ event: DispatchEvent.SyncHandoff, at time: Int64, in state: inout ModelState) {
        guard let slot = slot(of: event.item) else { return }
        items[slot].hadToWait = true
        items[slot].handedOverLevel = Int32(state.forest.queue(serial: event.queue))
        if event.fromTid != 0 {
            items[slot].handedOverBy = Int32(state.threads.thread(tid: event.fromTid, at: time))
        }
    }

    func emitHandoff(_ slot: Int, in state: inout ModelState) {
        let item = items[slot]
        let domain = Int(item.domain)
        let idleSince = domain < 0 ? 0 : state.forest.activity[domain].domain.idleSince
        state.emit(
            .handoff(
                Handoff(
                    item: ItemNumber(item.number), queue: QueueIndex(Int(item.handedOverLevel)),
                    from: ThreadIndex(Int(item.handedOverBy)), to: ThreadIndex(Int(item.thread)),
                    requestedAt: Timestamp(nanoseconds: item.enqueuedAt),
                    releasedAt: idleSince >= item.enqueuedAt && domain >= 0 ? Timestamp(nanoseconds: idleSince) : nil,
                    grantedAt: Timestamp(nanoseconds: item.beganAt))))
    }

    /// The call returned. Its item has ended by now, unless the clocks of two threads differ or its end was lost.
    mutating func returnFromSync(_ id: UInt64, at time: Int64, thread: Int, in state: inout ModelState) {
        confirmSubmission(of: thread, at: time, in: &state)
        guard let slot = slot(of: id), items[slot].isSync, items[slot].enqueuedOn == thread else { return }
        items[slot].returnedAt = time
    }
}
