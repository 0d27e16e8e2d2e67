extension OpenItem {
    /// Fills an observer's row of an item field by field. Assigning a whole `Item` would copy it to the stack.
    @inline(__always)
    static func fill(
        _ row: UnsafeMutablePointer<Item>, with item: UnsafePointer<OpenItem>, endedAt: Int64, isFinished: Bool,
        isNested: Bool, processorTimes: ProcessorTimes?, weightShift: UInt8, in queue: UnsafePointer<QueueActivity>
    ) {
        let details = UnsafePointer(item.pointee.details)
        row.pointee.enqueuedAt = Timestamp(nanoseconds: min(item.pointee.enqueuedAt, details.pointee.beganAt))
        row.pointee.beganAt = Timestamp(nanoseconds: details.pointee.beganAt)
        row.pointee.endedAt = Timestamp(nanoseconds: endedAt)
        row.pointee.queue = item.pointee.queue
        row.pointee.code = item.pointee.code
        row.pointee.thread = details.pointee.thread
        row.pointee.enqueuingThread = item.pointee.enqueuedOn.rawValue
        row.pointee.domainPosition = details.pointee.domain.rawValue
        row.pointee.exclusionPosition = queue.pointee.exclusion.rawValue
        row.pointee.kind = item.pointee.kind
        row.pointee.qos = item.pointee.qos
        row.pointee.effectiveQoS = item.pointee.qos != .unspecified ? item.pointee.qos : queue.pointee.effectiveQoS
        row.pointee.queueKind = queue.pointee.kind
        row.pointee.wake = details.pointee.wake
        row.pointee.isBarrier = item.pointee.isBarrier
        row.pointee.isFinished = isFinished
        row.pointee.hadToWait = details.pointee.hadToWait
        row.pointee.isNested = isNested
        row.pointee.number = ItemNumber(item.pointee.number)
        row.pointee.operation = ItemNumber(item.pointee.operation)
        row.pointee.parentNumber = details.pointee.parent
        row.pointee.parentQueuePosition = details.pointee.parentQueue.rawValue
        row.pointee.sourcePosition = item.pointee.source.rawValue
        row.pointee.waitParts = details.pointee.parts
        row.pointee.processorTimes = processorTimes
        row.pointee.waitOffProcessor = details.pointee.waitOffProcessor
        row.pointee.submitting = Nanoseconds(details.pointee.submitting)
        row.pointee.syncs = details.pointee.syncs
        row.pointee.id = item.pointee.id
        row.pointee.hops = details.pointee.hops
        row.pointee.handingThread = details.pointee.handedOverBy.rawValue
        row.pointee.blockedLevel = details.pointee.blockedLevel.rawValue
        row.pointee.blockingThread = details.pointee.blockedBy.rawValue
        row.pointee.groupPosition = details.pointee.group.rawValue
        row.pointee.weightShift = weightShift
    }

    /// The description of an item that did not begin.
    func pending(until: Int64, isCancelled: Bool) -> PendingItem {
        PendingItem(
            number: ItemNumber(number), id: id, queue: queue, kind: kind, qos: qos,
            isBarrier: isBarrier, code: code,
            enqueuedOn: enqueuedOn.known,
            parent: self.parent < 0 ? nil : ItemNumber(self.parent), operation: ItemNumber(operation),
            group: self.group.known, enqueuedAt: Timestamp(nanoseconds: enqueuedAt),
            due: self.dueAt < 0 ? nil : Timestamp(nanoseconds: self.dueAt), until: Timestamp(nanoseconds: until),
            isCancelled: isCancelled, waitParts: self.parts)
    }
}
