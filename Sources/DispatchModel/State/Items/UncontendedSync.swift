/// A sync whose begin and end are consecutive records of the process.
///
/// Most syncs protect a few fields: they find their queue free, and end before any other record. Such a sync is
/// processed in one step, without a slot for the item.
///
/// ```
///   thread    sync_begin  callout_end       the next record of the process is the end
/// ```
struct UncontendedSync {
    let event: DispatchEvent.SyncBegin
    let begin: Moment
    let end: Int64

    private var endMoment: Moment { Moment(time: end, thread: begin.thread) }

    /// Processes the sync.
    ///
    /// - Returns: false when the queue is not free, or when the step needs more than this type does. The caller then
    ///   processes begin and end separately.
    @inline(__always)
    func run(in state: inout ModelState) -> Bool {
        let position = state.forest.queue(serial: event.queue)
        let domain = state.forest.exclusion(of: position)
        guard !domain.isNone, !state.waits.hasWaiters, state.targets.isEmpty,
            !state.forest[domain].domain.isBusy, state.forest[domain].sharedSince < 0
        else { return false }
        state.confirmSubmission(at: begin)
        let code = state.codes.code(event.code)
        let number = state.items.takeNumber()
        state.requested(.queue(position), code: code, at: begin)
        let times = state.processors.isRecorded ? timesOfRun(in: &state) : nil

        let queue = state.forest.place(of: position)
        let held = state.forest.place(of: domain)
        queue.pointee.load.begun += 1
        queue.pointee.own.begin(at: begin.time)
        queue.pointee.own.end(at: end)
        state.forest.pausePoolClocks(of: domain, at: begin.time)
        held.pointee.domain.begin(at: begin.time)
        held.pointee.domain.end(at: end)
        held.pointee.lastBegin = begin.time
        held.pointee.lastHolder = begin.thread
        state.blame.hold(held.pointee.blame, code: code.rawValue, at: begin.time)

        let runner = state.threads.place(of: begin.thread)
        let isNested = !runner.pointee.innermost.isNone
        if !isNested {
            state.runOutermost(at: begin)
            state.leaveOutermost(on: begin.thread)
        }
        state.forest.resumePoolClocks(of: domain, at: end)
        state.blame.release(held.pointee.blame, at: end)
        runner.pointee.enteredGroup = .none
        runner.pointee.lastEnded = end
        runner.pointee.lastEndedNumber = -1
        runner.pointee.lastEndedCode = code
        runner.pointee.lastEndedQueue = position

        let item = PathItem(number: number, code: code.rawValue, queue: position.rawValue)
        addSteps(of: item, domain: domain, isNested: isNested, in: &state)
        let outer = isNested ? state.innermostOfDispatch(on: begin.thread) : .none
        let isInItem = isNested && state.items.isInItem(runner.pointee.innermost)
        let weightShift = state.sampling.shift(at: begin.time)
        let parent = outer.isNone ? nil : UnsafePointer(state.items.place(of: outer))
        state.emitItem { row in
            row.initialize(to: Self.item(number: number, queue: position, code: code, thread: begin.thread))
            row.pointee.enqueuedAt = begin.timestamp
            row.pointee.beganAt = begin.timestamp
            row.pointee.endedAt = Timestamp(nanoseconds: end)
            row.pointee.domainPosition = domain.rawValue
            row.pointee.exclusionPosition = domain.rawValue
            row.pointee.effectiveQoS = queue.pointee.effectiveQoS
            row.pointee.queueKind = queue.pointee.kind
            row.pointee.isBarrier = event.barrier != 0
            row.pointee.isNested = isInItem
            row.pointee.processorTimes = times
            row.pointee.weightShift = weightShift
            guard let parent else { return }
            row.pointee.operation = ItemNumber(parent.pointee.operation)
            row.pointee.parentNumber = parent.pointee.number
            row.pointee.parentQueuePosition = parent.pointee.queue.rawValue
            row.pointee.hops = parent.pointee.hops &+ 1
        }
        state.invariants.enqueues.check(true)
        state.invariants.exclusion.check(true)
        return true
    }

    /// Adds the path steps of the begin and the end, usually combined into one.
    @inline(__always)
    private func addSteps(of item: PathItem, domain: QueueIndex, isNested: Bool, in state: inout ModelState) {
        guard state.paths.isFollowed else { return }
        let length = Int32(truncatingIfNeeded: end &- begin.time)
        let isOneStep = !isNested && end &- begin.time == Int64(length) && length >= 0
        if !isOneStep { state.beganUncontendedSync(at: begin) }
        state.paths.add(
            isOneStep ? .uncontendedSync : .end, at: endMoment, item: item, place: isOneStep ? length : -1,
            domain: domain.rawValue, since: state.paths.isOfAnItem ? begin.time : nil)
    }

    /// How long the thread was off-CPU between begin and end; nil when its switches are unknown.
    @inline(__always)
    private func timesOfRun(in state: inout ModelState) -> ProcessorTimes? {
        state.processors.confirm(at: begin)
        let before = state.processors.times(at: begin)
        state.processors.confirm(at: endMoment)
        guard state.processors.isKnown(begin.thread, since: begin.time) else { return nil }
        return state.processors.times(at: endMoment) - before
    }

    /// A finished sync with default values for all other properties.
    @inline(__always)
    private static func item(number: Int64, queue: QueueIndex, code: CodeIndex, thread: ThreadIndex) -> Item {
        Item(
            enqueuedAt: .zero, beganAt: .zero, endedAt: .zero, queue: queue, code: code, thread: thread,
            enqueuingThread: thread.rawValue, kind: .sync, qos: .unspecified, wake: .none, isBarrier: false,
            isFinished: true, number: ItemNumber(number), operation: ItemNumber(number), waitParts: WaitParts(),
            hops: 0, id: 0)
    }
}
