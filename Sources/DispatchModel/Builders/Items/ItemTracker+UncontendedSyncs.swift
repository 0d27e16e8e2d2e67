// Most syncs protect a few fields: they find their queue free, and end before any other record of the process. Such a
// sync is processed in one step, without a slot for the item.
//
//   thread    sync_begin  callout_end       the next record of the process is the end
extension ItemTracker {
    /// Processes a sync whose begin and end are consecutive records.
    ///
    /// - Returns: false when the fast path does not apply. The caller then processes begin and end separately, with
    ///   ``beginSync(_:at:thread:in:)`` and ``endCallout(at:thread:in:)``.
    mutating func runUncontendedSync(
        _ event: DispatchEvent.SyncBegin, from begin: Int64, to end: Int64, thread: ThreadIndex,
        in state: inout ModelState
    ) -> Bool {
        let position = state.forest.queue(serial: event.queue)
        let moment = Moment(time: begin, thread: thread)
        let domain = state.forest.exclusion(of: position)
        guard domain >= 0, due.nextDue > end, !state.waits.hasWaiters, pendingTargets.isEmpty,
            !state.forest.activity[domain].domain.isBusy, state.forest.activity[domain].sharedSince < 0
        else { return false }
        confirmSubmission(at: moment, in: &state)
        let code = state.codes.code(event.code)
        let number = items.takeNumber()
        requestDomain(.queue(QueueIndex(position)), code: code, at: moment, in: &state)
        let times = state.processors.isRecorded ? timesOfRun(from: begin, to: end, thread: thread, in: &state) : nil

        let queue = state.forest.activity.place(of: position)
        let held = state.forest.activity.place(of: domain)
        queue.pointee.load.begun += 1
        queue.pointee.own.begin(at: begin)
        queue.pointee.own.end(at: end)
        state.forest.pausePoolClocks(of: domain, at: begin)
        held.pointee.domain.begin(at: begin)
        held.pointee.domain.end(at: end)
        held.pointee.lastBegin = begin
        held.pointee.lastHolder = thread
        state.blame.hold(held.pointee.blame, code: code.rawValue, at: begin)

        let runner = state.threads.place(of: thread)
        let isNested = runner.pointee.innermost >= 0
        if !isNested {
            state.runOutermost(at: moment)
            state.leaveOutermost(on: thread)
        }
        state.forest.resumePoolClocks(of: domain, at: end)
        state.blame.release(held.pointee.blame, at: end)
        runner.pointee.enteredGroup = -1
        runner.pointee.lastEnded = end
        runner.pointee.lastEndedNumber = -1
        runner.pointee.lastEndedCode = code.rawValue
        runner.pointee.lastEndedQueue = Int32(truncatingIfNeeded: position)

        let item = PathItem(number: number, code: code.rawValue, queue: Int32(truncatingIfNeeded: position))
        addUncontendedSync(item, domain: domain, from: begin, to: end, thread: thread, isNested: isNested, in: &state)
        let outer = isNested ? innermostOfDispatch(on: thread, in: &state) : -1
        let isInItem = isNested && isInItem(Int(runner.pointee.innermost))
        let parent = outer < 0 ? nil : UnsafePointer(items.place(of: outer))
        state.emitItem { row in
            row.initialize(
                to: .sync(number: number, queue: QueueIndex(position), code: code, thread: thread))
            row.pointee.enqueuedAt = Timestamp(nanoseconds: begin)
            row.pointee.beganAt = Timestamp(nanoseconds: begin)
            row.pointee.endedAt = Timestamp(nanoseconds: end)
            row.pointee.domainPosition = Int32(truncatingIfNeeded: domain)
            row.pointee.exclusionPosition = Int32(truncatingIfNeeded: domain)
            row.pointee.effectiveQoS = queue.pointee.effectiveQoS
            row.pointee.queueKind = queue.pointee.kind
            row.pointee.isBarrier = event.barrier != 0
            row.pointee.isNested = isInItem
            row.pointee.processorTimes = times
            guard let parent else { return }
            row.pointee.operation = ItemNumber(parent.pointee.operation)
            row.pointee.parentNumber = parent.pointee.number
            row.pointee.parentQueuePosition = parent.pointee.queue
            row.pointee.hops = parent.pointee.hops &+ 1
        }
        state.invariants.enqueues.check(true)
        state.invariants.exclusion.check(true)
        countEnd(at: end, in: &state)
        return true
    }

    /// Adds the path steps of the begin and the end, usually combined into one.
    @inline(__always)
    private mutating func addUncontendedSync(
        _ item: PathItem, domain: Int, from begin: Int64, to end: Int64, thread: ThreadIndex, isNested: Bool,
        in state: inout ModelState
    ) {
        guard state.paths.isFollowed else { return }
        let length = Int32(truncatingIfNeeded: end &- begin)
        let isOneStep = !isNested && end &- begin == Int64(length) && length >= 0
        if !isOneStep { submitUncontendedSync(at: Moment(time: begin, thread: thread), in: &state) }
        state.paths.add(
            isOneStep ? .uncontendedSync : .end, at: Moment(time: end, thread: thread), item: item,
            place: isOneStep ? length : -1,
            domain: Int32(truncatingIfNeeded: domain), since: state.paths.isOfAnItem ? begin : nil)
    }

    /// How long the thread was off-CPU between two of its records; nil when its switches are unknown.
    @inline(__always)
    private func timesOfRun(
        from begin: Int64, to end: Int64, thread: ThreadIndex, in state: inout ModelState
    ) -> ProcessorTimes? {
        let (first, last) = (Moment(time: begin, thread: thread), Moment(time: end, thread: thread))
        state.processors.confirm(at: first)
        let before = state.processors.times(at: first)
        state.processors.confirm(at: last)
        guard state.processors.isKnown(thread, since: begin) else { return nil }
        return state.processors.times(at: last) - before
    }
}

extension Item {
    /// A finished sync with default values for all other properties.
    @inline(__always)
    fileprivate static func sync(number: Int64, queue: QueueIndex, code: CodeIndex, thread: ThreadIndex) -> Item {
        Item(
            enqueuedAt: .zero, beganAt: .zero, endedAt: .zero, queue: queue, code: code, thread: thread,
            enqueuingThread: thread.rawValue, kind: .sync, qos: .unspecified, wake: .none, isBarrier: false,
            isFinished: true, number: ItemNumber(number), operation: ItemNumber(number), waitParts: WaitParts(),
            hops: 0, id: 0)
    }
}
