extension OpenItem {
    /// The item as observers see it.
    @inline(__always)
    func observed(
        endedAt: Int64, isFinished: Bool, processorTimes: ProcessorTimes?, exclusion: Int32, queueKind: Queue.Kind,
        queueRank: QoSClass
    ) -> Item {
        Item(
            enqueuedAt: Timestamp(nanoseconds: min(enqueuedAt, beganAt)), beganAt: Timestamp(nanoseconds: beganAt),
            endedAt: Timestamp(nanoseconds: endedAt), queue: QueueIndex(Int(queue)), code: CodeIndex(Int(code)),
            thread: ThreadIndex(Int(thread)), enqueuingThread: enqueuedOn, domainPosition: domain,
            exclusionPosition: exclusion, kind: kind, qos: qos, rank: qos != .unspecified ? qos : queueRank,
            queueKind: queueKind, wake: wake, isBarrier: isBarrier, isFinished: isFinished, hadToWait: hadToWait,
            isNested: enclosing >= 0, number: ItemNumber(number), operation: ItemNumber(operation),
            parentNumber: parent, parentQueuePosition: parentQueue, sourcePosition: source, waitParts: parts,
            processorTimes: processorTimes, waitOffProcessor: waitOffProcessor, submitting: Nanoseconds(submitting),
            id: id, hops: hops, handingThread: handedOverBy, blockedLevel: blockedLevel, blockingThread: blockedBy,
            groupPosition: group)
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
