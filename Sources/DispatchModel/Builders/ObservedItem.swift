extension OpenItem {
    /// The item as observers see it.
    @inline(__always)
    func observed(endedAt: Int64, isFinished: Bool) -> Item {
        Item(
            number: ItemNumber(number), id: id, queue: QueueIndex(Int(queue)), kind: kind, qos: qos,
            isBarrier: isBarrier, code: CodeIndex(Int(code)), source: source < 0 ? nil : SourceIndex(Int(source)),
            enqueuedOn: enqueuedOn < 0 ? nil : ThreadIndex(Int(enqueuedOn)),
            parent: parent < 0 ? nil : ItemNumber(parent), operation: ItemNumber(operation), hops: hops,
            thread: ThreadIndex(Int(thread)),
            enqueuedAt: Timestamp(nanoseconds: min(enqueuedAt, beganAt)), beganAt: Timestamp(nanoseconds: beganAt),
            endedAt: Timestamp(nanoseconds: endedAt), isFinished: isFinished,
            handedOverBy: handedOverBy < 0 ? nil : ThreadIndex(Int(handedOverBy)), waitParts: parts,
            blockedLevel: blockedLevel, blockingThread: blockedBy, groupPosition: group,
            waitOffProcessor: waitOffProcessor)
    }

    /// An item that did not begin, as observers see it.
    func pending(until: Int64, isCancelled: Bool) -> PendingItem {
        PendingItem(
            number: ItemNumber(number), id: id, queue: QueueIndex(Int(queue)), kind: kind, qos: qos,
            isBarrier: isBarrier, code: CodeIndex(Int(code)),
            enqueuedOn: enqueuedOn < 0 ? nil : ThreadIndex(Int(enqueuedOn)),
            parent: parent < 0 ? nil : ItemNumber(parent), operation: ItemNumber(operation),
            group: group < 0 ? nil : GroupIndex(Int(group)), enqueuedAt: Timestamp(nanoseconds: enqueuedAt),
            due: dueAt < 0 ? nil : Timestamp(nanoseconds: dueAt), until: Timestamp(nanoseconds: until),
            isCancelled: isCancelled, waitParts: parts)
    }

    /// Its holding of the exclusion queue. A sync that found everything free did not wait: its request is its grant.
    @inline(__always)
    func acquisition(releasedAt: Int64) -> Acquisition {
        let waited = hadToWait || parts.ownBacklog > .zero || parts.hierarchy > .zero
        let isBlocked = isSync && waited
        return Acquisition(
            domain: .queue(QueueIndex(Int(domain))), thread: ThreadIndex(Int(thread)),
            requestedAt: Timestamp(nanoseconds: isSync && !isBlocked ? beganAt : min(enqueuedAt, beganAt)),
            grantedAt: Timestamp(nanoseconds: beganAt), releasedAt: Timestamp(nanoseconds: releasedAt),
            blocksThread: isBlocked, code: CodeIndex(Int(code)), item: ItemNumber(number),
            queue: QueueIndex(Int(queue)))
    }
}
