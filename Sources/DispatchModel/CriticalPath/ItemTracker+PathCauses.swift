// Reports causes to the path recorder: where items, syncs and signals connect the paths of two threads.
extension ItemTracker {
    /// The current item of a thread.
    @inline(__always)
    private func pathItem(on thread: ThreadIndex, in state: inout ModelState) -> PathItem {
        let innermost = Int(state.threads.place(of: thread).pointee.innermost)
        return innermost < 0 ? PathItem() : pathItem(innermost)
    }

    @inline(__always)
    private func pathItem(_ slot: Int) -> PathItem {
        let item = items.place(of: slot)
        return PathItem(number: item.pointee.number, code: item.pointee.code, queue: item.pointee.queue)
    }

    /// Creates a mark at the current position of a thread, which the caller must release; -1 when no paths are
    /// followed.
    func markPath(at moment: Moment, in state: inout ModelState) -> Int32 {
        guard state.paths.isFollowed else { return -1 }
        return state.paths.mark(at: moment, item: pathItem(on: moment.thread, in: &state))
    }

    /// The thread submits the item.
    @inline(__always)
    mutating func recordCause(of slot: Int, at moment: Moment, in state: inout ModelState) {
        guard state.paths.isFollowed else { return }
        state.paths.add(
            .submit, at: moment, item: pathItem(on: moment.thread, in: &state),
            place: Int32(truncatingIfNeeded: slot))
    }

    /// The thread submits a sync that begins at once. Call after the lost ends of earlier holders have been processed.
    @inline(__always)
    mutating func submitUncontendedSync(at moment: Moment, in state: inout ModelState) {
        guard state.paths.isFollowed else { return }
        state.paths.add(.beginUncontendedSync, at: moment, item: pathItem(on: moment.thread, in: &state))
    }

    /// The item begins. The cause is the later of its submission and the end of the last holder of its hierarchy.
    @inline(__always)
    mutating func followCause(_ slot: Int, at moment: Moment, in state: inout ModelState) {
        guard state.paths.isFollowed else { return }
        let item = items.place(of: slot)
        let parts = item.pointee.parts
        if parts.suspended > .zero || parts.notDue > .zero {
            state.paths.add(PathStep(time: parts.suspended.count, number: parts.notDue.count, kind: .waits))
        }
        if parts.barrier > .zero { state.paths.add(PathStep(time: parts.barrier.count, kind: .barrier)) }
        if item.pointee.source >= 0, let due = state.paths.dueTimes.removeValue(forKey: item.pointee.source) {
            state.paths.add(PathStep(time: due, kind: .due))
        }
        state.paths.add(
            item.pointee.isSync ? .beginSync : .begin, at: moment, item: pathItem(slot),
            place: Int32(truncatingIfNeeded: slot), domain: item.pointee.domain, source: item.pointee.source)
    }

    /// The item ends, while it is still the innermost item of its thread. This releases its queue and the caller of its
    /// sync.
    @inline(__always)
    mutating func endOnPath(_ slot: Int, at time: Int64, in state: inout ModelState) {
        guard state.paths.isFollowed else { return }
        let item = items.place(of: slot)
        let isAwaited = item.pointee.isSync && item.pointee.enqueuedOn != item.pointee.thread
        state.paths.add(
            .end, at: Moment(time: time, thread: item.pointee.thread), item: pathItem(slot),
            place: isAwaited ? item.pointee.enqueuedOn.rawValue : -1, domain: item.pointee.domain,
            source: item.pointee.source,
            since: state.paths.isOfAnItem ? item.pointee.enqueuedAt : nil)
    }

    /// The item will not begin.
    func forgetPath(_ slot: Int, in state: inout ModelState) {
        state.paths.add(PathStep(place: Int32(truncatingIfNeeded: slot), kind: .forgetItem))
    }

    /// The thread activates a source, which waits for its first event from now on.
    func activateOnPath(_ source: SourceIndex, at moment: Moment, in state: inout ModelState) {
        guard state.paths.isFollowed else { return }
        state.paths.add(
            .activate, at: moment, item: pathItem(on: moment.thread, in: &state), place: source.rawValue)
    }

    /// A thread starts.
    ///
    /// The trace does not contain the thread that made it. The main thread is assumed, unless it was blocked for longer
    /// than a thread takes to start.
    ///
    /// ```
    ///   main      ─ runs ─ pthread_create ─┬─ runs ─
    ///   thread                             ╰─ thread_start ─ runs ─
    /// ```
    ///
    /// - Parameter isMainBusy: whether the main thread waits for no lock and does not poll.
    func startPath(at moment: Moment, isMainBusy: Bool, in state: inout ModelState) {
        guard state.paths.isFollowed else { return }
        guard moment.thread != .main else { return state.paths.add(.startThread, at: moment, item: PathItem()) }
        let lastRun = state.processors.absence(of: .main)?.begin ?? moment.time
        let isBusy =
            isMainBusy && !isInWait(.main, in: &state) && moment.time - lastRun <= PathTracker.longestThreadStart
        state.paths.add(
            isBusy ? .startThreadByBusy : .startThread, at: moment, item: pathItem(on: .main, in: &state),
            place: 0)
    }

    /// The thread begins to wait. It ran until now.
    func stopPath(at moment: Moment, in state: inout ModelState) {
        guard state.paths.isFollowed else { return }
        state.paths.add(.stop, at: moment, item: pathItem(on: moment.thread, in: &state))
    }

    /// The trace ends with the program. Extends the paths of running items of the main queue and the main actor to the
    /// end; items of other threads are not extended.
    ///
    /// - Parameter lockWaiters: the positions of the threads that wait for a lock.
    func endPath(at time: Int64, lockWaiters: [ThreadIndex], in state: inout ModelState) {
        guard state.paths.isFollowed else { return }
        var waiting = Set(lockWaiters + state.waits.open.map(\.thread))
        for slot in items.indices where items[slot].state == .waiting && items[slot].isSync {
            waiting.insert(items[slot].enqueuedOn)
        }
        for slot in items.indices where items[slot].state == .running {
            let queue = Int(items[slot].queue)
            let exclusion = state.forest.activity[queue].exclusion
            let isMain =
                state.model.queues[queue].isMainExecutor
                || exclusion >= 0 && state.model.queues[Int(exclusion)].kind == .main
            let thread = items[slot].thread
            if isMain, !waiting.contains(thread) { stopPath(at: Moment(time: time, thread: thread), in: &state) }
        }
    }

    /// The thread continues after a wait, because of the signal or release at mark `cause`; -1 when unknown.
    ///
    /// - Parameters:
    ///   - kind: the kind of the wait, for a segment of the wait itself.
    ///   - code: the code that waited.
    func wakePath(
        at moment: Moment, since begin: Int64, because cause: Int32, kind: CriticalPath.Kind, code: CodeIndex,
        in state: inout ModelState
    ) {
        guard state.paths.isFollowed else { return }
        state.paths.add(
            .wake, at: moment, item: pathItem(on: moment.thread, in: &state), place: cause,
            domain: code.rawValue, source: Int32(kind.rawValue), since: begin)
    }

    /// In nanoseconds: the shortest absence that becomes a segment. Shorter ones count as running.
    static let shortestAbsence: Int64 = 1_000_000

    /// The thread gets a processor again, at the end of an absence outside of all recorded waits and polls.
    ///
    /// ```
    ///   thread   ─ runs ─┤ switch_out ······ blocked ······ woken ·· runnable ·· switch_in ├─ runs ─
    ///   path     ── run ─┤─ childProcess ─────────────────┤─ preempted ─────────────────┤── run ──
    /// ```
    ///
    /// - Parameter call: the call in which it was blocked; nil when it was not captured.
    func returnOnPath(
        at moment: Moment, from absence: ProcessorTracker.OpenAbsence, in call: BlockedCall?,
        state: inout ModelState
    ) {
        guard call?.waitsForWork != true, !isInWait(moment.thread, in: &state) else { return }
        let item = pathItem(on: moment.thread, in: &state)
        // A worker without an item waits for work.
        guard item.number >= 0 || moment.thread == .main || !state.threads.mayBeWorker(moment.thread) else { return }
        let runnableSince =
            absence.isPreempted ? absence.begin : min(max(absence.begin, absence.wokenAt ?? moment.time), moment.time)
        if runnableSince > absence.begin {
            let sampled = state.paths.sample(call, of: item, on: moment.thread)
            // Without a sample, the call was too short, or the recorder had sampled too many.
            let isShort = runnableSince - absence.begin < BlockedCall.sampledFrom.count
            let kind = sampled?.kind ?? (isShort ? .shortCall : .blocked)
            state.paths.add(
                .absence, at: Moment(time: runnableSince, thread: moment.thread), item: item,
                place: Int32(kind.rawValue), domain: sampled?.code.rawValue ?? 0, since: absence.begin)
        }
        if moment.time > runnableSince {
            state.paths.add(
                .absence, at: moment, item: item, place: Int32(CriticalPath.Kind.preempted.rawValue),
                domain: 0, since: runnableSince)
        }
    }

    /// Polling returns for a loop that no thread woke, so the cause is outside of the process.
    func pollPath(at moment: Moment, loop: Int, since begin: Int64, in state: inout ModelState) {
        guard begin >= 0 else { return }
        state.paths.add(.poll, at: moment, item: PathItem(queue: Int32(loop)), since: begin)
    }

    /// A task that suspended at a mark becomes runnable by an action of a thread. The mark is -1 for none.
    func resumePath(
        since suspension: Int32, at moment: Moment, code: CodeIndex, from wait: AwaitKind,
        in state: inout ModelState
    ) {
        guard suspension >= 0 else { return }
        state.paths.add(
            .resume, at: moment,
            item: PathItem(code: code.rawValue, queue: Int32(wait.pathKind.rawValue)), place: suspension)
    }

    /// A task is open at the end of the trace. Its mark is -1 when it is not suspended.
    func keepPath(ofTask number: UInt64, at suspension: Int32, in state: inout ModelState) {
        guard suspension >= 0 else { return }
        state.paths.add(PathStep(number: Int64(bitPattern: number), place: suspension, kind: .openTask))
    }

    /// A signpost interval ends on a thread.
    func endSignpost(named name: String, from begin: Int64, at moment: Moment, in state: inout ModelState) {
        guard let wanted = state.paths.signpost, wanted == name else { return }
        state.paths.add(
            .interval, at: moment, item: pathItem(on: moment.thread, in: &state), since: begin)
    }
}
