extension OpenItem {
    /// Tells observers of an item: fills their row of it, field by field, as a copy of the whole would go to the stack.
    @inline(__always)
    static func fill(
        _ row: UnsafeMutablePointer<Item>, with item: UnsafePointer<OpenItem>, endedAt: Int64, isFinished: Bool,
        processorTimes: ProcessorTimes?, in queue: UnsafePointer<QueueActivity>
    ) {
        row.pointee.enqueuedAt = Timestamp(nanoseconds: min(item.pointee.enqueuedAt, item.pointee.beganAt))
        row.pointee.beganAt = Timestamp(nanoseconds: item.pointee.beganAt)
        row.pointee.endedAt = Timestamp(nanoseconds: endedAt)
        row.pointee.queue = QueueIndex(Int(item.pointee.queue))
        row.pointee.code = CodeIndex(Int(item.pointee.code))
        row.pointee.thread = ThreadIndex(Int(item.pointee.thread))
        row.pointee.enqueuingThread = item.pointee.enqueuedOn
        row.pointee.domainPosition = item.pointee.domain
        row.pointee.exclusionPosition = queue.pointee.exclusion
        row.pointee.kind = item.pointee.kind
        row.pointee.qos = item.pointee.qos
        row.pointee.rank = item.pointee.qos != .unspecified ? item.pointee.qos : queue.pointee.rank
        row.pointee.queueKind = queue.pointee.kind
        row.pointee.wake = item.pointee.wake
        row.pointee.isBarrier = item.pointee.isBarrier
        row.pointee.isFinished = isFinished
        row.pointee.hadToWait = item.pointee.hadToWait
        row.pointee.isNested = item.pointee.enclosing >= 0
        row.pointee.number = ItemNumber(item.pointee.number)
        row.pointee.operation = ItemNumber(item.pointee.operation)
        row.pointee.parentNumber = item.pointee.parent
        row.pointee.parentQueuePosition = item.pointee.parentQueue
        row.pointee.sourcePosition = item.pointee.source
        row.pointee.waitParts = item.pointee.parts
        row.pointee.processorTimes = processorTimes
        row.pointee.waitOffProcessor = item.pointee.waitOffProcessor
        row.pointee.submitting = Nanoseconds(item.pointee.submitting)
        row.pointee.syncs = item.pointee.syncs
        row.pointee.id = item.pointee.id
        row.pointee.hops = item.pointee.hops
        row.pointee.handingThread = item.pointee.handedOverBy
        row.pointee.blockedLevel = item.pointee.blockedLevel
        row.pointee.blockingThread = item.pointee.blockedBy
        row.pointee.groupPosition = item.pointee.group
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
