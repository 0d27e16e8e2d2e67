extension OpenItem {
    /// Fills an observer's row of an item field by field. Assigning a whole `Item` would copy it to the stack.
    @inline(__always)
    static func fill(
        _ row: UnsafeMutablePointer<Item>, with item: UnsafePointer<OpenItem>, endedAt: Int64, isFinished: Bool,
        isNested: Bool, processorTimes: ProcessorTimes?, in queue: UnsafePointer<QueueActivity>
    ) {
        let rest = UnsafePointer(item.pointee.rest)
        row.pointee.enqueuedAt = Timestamp(nanoseconds: min(item.pointee.enqueuedAt, rest.pointee.beganAt))
        row.pointee.beganAt = Timestamp(nanoseconds: rest.pointee.beganAt)
        row.pointee.endedAt = Timestamp(nanoseconds: endedAt)
        row.pointee.queue = QueueIndex(Int(item.pointee.queue))
        row.pointee.code = CodeIndex(Int(item.pointee.code))
        row.pointee.thread = ThreadIndex(Int(rest.pointee.thread))
        row.pointee.enqueuingThread = item.pointee.enqueuedOn
        row.pointee.domainPosition = rest.pointee.domain
        row.pointee.exclusionPosition = queue.pointee.exclusion
        row.pointee.kind = item.pointee.kind
        row.pointee.qos = item.pointee.qos
        row.pointee.rank = item.pointee.qos != .unspecified ? item.pointee.qos : queue.pointee.rank
        row.pointee.queueKind = queue.pointee.kind
        row.pointee.wake = rest.pointee.wake
        row.pointee.isBarrier = item.pointee.isBarrier
        row.pointee.isFinished = isFinished
        row.pointee.hadToWait = rest.pointee.hadToWait
        row.pointee.isNested = isNested
        row.pointee.number = ItemNumber(item.pointee.number)
        row.pointee.operation = ItemNumber(item.pointee.operation)
        row.pointee.parentNumber = rest.pointee.parent
        row.pointee.parentQueuePosition = rest.pointee.parentQueue
        row.pointee.sourcePosition = item.pointee.source
        row.pointee.waitParts = rest.pointee.parts
        row.pointee.processorTimes = processorTimes
        row.pointee.waitOffProcessor = rest.pointee.waitOffProcessor
        row.pointee.submitting = Nanoseconds(rest.pointee.submitting)
        row.pointee.syncs = rest.pointee.syncs
        row.pointee.id = item.pointee.id
        row.pointee.hops = rest.pointee.hops
        row.pointee.handingThread = rest.pointee.handedOverBy
        row.pointee.blockedLevel = rest.pointee.blockedLevel
        row.pointee.blockingThread = rest.pointee.blockedBy
        row.pointee.groupPosition = rest.pointee.group
    }

    /// The description of an item that did not begin.
    func pending(until: Int64, isCancelled: Bool) -> PendingItem {
        PendingItem(
            number: ItemNumber(number), id: id, queue: QueueIndex(Int(queue)), kind: kind, qos: qos,
            isBarrier: isBarrier, code: CodeIndex(Int(code)),
            enqueuedOn: enqueuedOn < 0 ? nil : ThreadIndex(Int(enqueuedOn)),
            parent: self.parent < 0 ? nil : ItemNumber(self.parent), operation: ItemNumber(operation),
            group: self.group < 0 ? nil : GroupIndex(Int(self.group)), enqueuedAt: Timestamp(nanoseconds: enqueuedAt),
            due: self.dueAt < 0 ? nil : Timestamp(nanoseconds: self.dueAt), until: Timestamp(nanoseconds: until),
            isCancelled: isCancelled, waitParts: self.parts)
    }
}
