extension OpenItem {
    /// Tells observers of the item: fills their row of it.
    @inline(__always)
    func fill(
        _ row: UnsafeMutablePointer<Item>, endedAt: Int64, isFinished: Bool, processorTimes: ProcessorTimes?,
        in queue: UnsafePointer<QueueActivity>
    ) {
        row.pointee.enqueuedAt = Timestamp(nanoseconds: min(enqueuedAt, beganAt))
        row.pointee.beganAt = Timestamp(nanoseconds: beganAt)
        row.pointee.endedAt = Timestamp(nanoseconds: endedAt)
        row.pointee.queue = QueueIndex(Int(self.queue))
        row.pointee.code = CodeIndex(Int(code))
        row.pointee.thread = ThreadIndex(Int(thread))
        row.pointee.enqueuingThread = enqueuedOn
        row.pointee.domainPosition = domain
        row.pointee.exclusionPosition = queue.pointee.exclusion
        row.pointee.kind = kind
        row.pointee.qos = qos
        row.pointee.rank = qos != .unspecified ? qos : queue.pointee.rank
        row.pointee.queueKind = queue.pointee.kind
        row.pointee.wake = wake
        row.pointee.isBarrier = isBarrier
        row.pointee.isFinished = isFinished
        row.pointee.hadToWait = hadToWait
        row.pointee.isNested = enclosing >= 0
        row.pointee.number = ItemNumber(number)
        row.pointee.operation = ItemNumber(operation)
        row.pointee.parentNumber = parent
        row.pointee.parentQueuePosition = parentQueue
        row.pointee.sourcePosition = source
        row.pointee.waitParts = parts
        row.pointee.processorTimes = processorTimes
        row.pointee.waitOffProcessor = waitOffProcessor
        row.pointee.submitting = Nanoseconds(submitting)
        row.pointee.id = id
        row.pointee.hops = hops
        row.pointee.handingThread = handedOverBy
        row.pointee.blockedLevel = blockedLevel
        row.pointee.blockingThread = blockedBy
        row.pointee.groupPosition = group
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
