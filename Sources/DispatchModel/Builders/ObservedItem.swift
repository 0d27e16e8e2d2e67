extension OpenItem {
    /// The item as observers see it.
    @inline(__always)
    func observed(
        endedAt: Int64, isFinished: Bool, processorTimes: ProcessorTimes?, exclusion: Int32, queueKind: Queue.Kind,
        queueRank: QoSClass
    ) -> Item {
        Item(
            number: ItemNumber(number), id: id, queue: QueueIndex(Int(queue)), kind: kind, qos: qos,
            isBarrier: isBarrier, code: CodeIndex(Int(code)), operation: ItemNumber(operation), hops: hops,
            thread: ThreadIndex(Int(thread)),
            enqueuedAt: Timestamp(nanoseconds: min(enqueuedAt, beganAt)), beganAt: Timestamp(nanoseconds: beganAt),
            endedAt: Timestamp(nanoseconds: endedAt), isFinished: isFinished, waitParts: parts,
            sourcePosition: source, enqueuingThread: enqueuedOn, parentNumber: parent, handingThread: handedOverBy,
            blockedLevel: blockedLevel, blockingThread: blockedBy, groupPosition: group,
            parentQueuePosition: parentQueue,
            domainPosition: domain, exclusionPosition: exclusion, queueKind: queueKind,
            hadToWait: hadToWait, wake: wake, submitting: Nanoseconds(submitting),
            waitOffProcessor: waitOffProcessor, processorTimes: processorTimes,
            rank: qos != .unspecified ? qos : queueRank, isNested: enclosing >= 0)
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
}
