// The transitions of items, threads and tasks. The trackers report each transition here, and it goes to the followers
// that need it: the steps of the critical path, the domain order, and the waits of threads.
//
//   item       submitted ── began ── ended, or removed
//   thread     started   requested   blocked ── woke   polled   returned to a processor   signalled
//   task       resumed   kept open
//
// ``BlameTracker`` follows the queues instead: which item waits in a hierarchy, and which one holds it.
extension ModelState {
    /// The current item of a thread.
    @inline(__always)
    private func pathItem(on thread: ThreadIndex) -> PathItem {
        let innermost = threads.place(of: thread).pointee.innermost
        return innermost.isNone ? PathItem() : pathItem(innermost)
    }

    @inline(__always)
    private func pathItem(_ slot: Slot) -> PathItem {
        let item = items.place(of: slot)
        return PathItem(
            number: item.pointee.number, code: item.pointee.code.rawValue, queue: item.pointee.queue.rawValue)
    }

    /// Creates a mark at the current position of a thread, which the caller must release; -1 when no paths are
    /// followed.
    mutating func mark(at moment: Moment) -> Int32 {
        guard paths.isFollowed else { return -1 }
        return paths.mark(at: moment, item: pathItem(on: moment.thread))
    }

    /// The thread submits the item.
    @inline(__always)
    mutating func submitted(_ slot: Slot, at moment: Moment) {
        guard paths.isFollowed else { return }
        paths.add(.submit, at: moment, item: pathItem(on: moment.thread), place: slot.rawValue)
    }

    /// The thread submits a sync that begins at once. Call after the lost ends of earlier holders have been processed.
    @inline(__always)
    mutating func beganUncontendedSync(at moment: Moment) {
        guard paths.isFollowed else { return }
        paths.add(.beginUncontendedSync, at: moment, item: pathItem(on: moment.thread))
    }

    /// The item begins. The cause is the later of its submission and the end of the last holder of its hierarchy.
    @inline(__always)
    mutating func began(_ slot: Slot, at moment: Moment) {
        guard paths.isFollowed else { return }
        let item = items.place(of: slot)
        let parts = item.pointee.parts
        if parts.suspended > .zero || parts.notDue > .zero {
            paths.add(PathStep(time: parts.suspended.count, number: parts.notDue.count, kind: .waits))
        }
        if parts.barrier > .zero { paths.add(PathStep(time: parts.barrier.count, kind: .barrier)) }
        if !item.pointee.source.isNone, let due = paths.dueTimes.removeValue(forKey: item.pointee.source.rawValue) {
            paths.add(PathStep(time: due, kind: .due))
        }
        paths.add(
            item.pointee.isSync ? .beginSync : .begin, at: moment, item: pathItem(slot), place: slot.rawValue,
            domain: item.pointee.domain.rawValue, source: item.pointee.source.rawValue)
    }

    /// The item ends, while it is still the innermost item of its thread. This releases its queue and the caller of its
    /// sync.
    @inline(__always)
    mutating func ended(_ slot: Slot, at time: Int64) {
        guard paths.isFollowed else { return }
        let item = items.place(of: slot)
        let isAwaited = item.pointee.isSync && item.pointee.enqueuedOn != item.pointee.thread
        paths.add(
            .end, at: Moment(time: time, thread: item.pointee.thread), item: pathItem(slot),
            place: isAwaited ? item.pointee.enqueuedOn.rawValue : -1, domain: item.pointee.domain.rawValue,
            source: item.pointee.source.rawValue, since: paths.isOfAnItem ? item.pointee.enqueuedAt : nil)
    }

    /// The item will not begin.
    mutating func removed(_ slot: Slot) {
        paths.add(PathStep(place: slot.rawValue, kind: .forgetItem))
    }

    /// The thread activates a source, which waits for its first event from now on.
    mutating func activated(_ source: SourceIndex, at moment: Moment) {
        guard paths.isFollowed else { return }
        paths.add(.activate, at: moment, item: pathItem(on: moment.thread), place: source.rawValue)
    }

    /// A thread starts whose maker is not in the trace.
    ///
    /// The main thread is assumed, unless it was blocked for longer than a thread takes to start.
    ///
    /// ```
    ///   main      ─ runs ─ pthread_create ─┬─ runs ─
    ///   thread                             ╰─ thread_start ─ runs ─
    /// ```
    ///
    /// - Parameter isMainBusy: whether the main thread waits for no lock and does not poll.
    mutating func started(at moment: Moment, isMainBusy: Bool) {
        guard paths.isFollowed else { return }
        guard moment.thread != .main else { return paths.add(.startThread, at: moment, item: PathItem()) }
        let lastRun = processors.absence(of: .main)?.begin ?? moment.time
        let isBusy =
            isMainBusy && !isInWait(.main) && moment.time - lastRun <= PathTracker.longestThreadStart
        paths.add(isBusy ? .startThreadByBusy : .startThread, at: moment, item: pathItem(on: .main), place: 0)
    }

    /// A thread starts. Another thread made it at time `made`.
    mutating func started(at moment: Moment, madeBy maker: ThreadIndex, at made: Int64) {
        guard paths.isFollowed else { return }
        paths.add(.startMadeThread, at: moment, item: pathItem(on: maker), place: maker.rawValue, since: made)
    }

    /// The thread begins to wait. It ran until now.
    mutating func blocked(at moment: Moment) {
        guard paths.isFollowed else { return }
        paths.add(.stop, at: moment, item: pathItem(on: moment.thread))
    }

    /// The trace ends with the program. Extends the paths of running items of the main queue and the main actor to the
    /// end; items of other threads are not extended.
    ///
    /// - Parameter lockWaiters: the positions of the threads that wait for a lock.
    mutating func endedRun(at time: Int64, lockWaiters: [ThreadIndex]) {
        guard paths.isFollowed else { return }
        var waiting = Set(lockWaiters + waits.open.map(\.thread))
        for slot in items.indices where items[slot].state == .waiting && items[slot].isSync {
            waiting.insert(items[slot].enqueuedOn)
        }
        for slot in items.indices where items[slot].state == .running {
            let queue = items[slot].queue
            let exclusion = forest[queue].exclusion
            let isMain =
                model.queues[queue].isMainExecutor
                || !exclusion.isNone && model.queues[exclusion].kind == .main
            let thread = items[slot].thread
            if isMain, !waiting.contains(thread) { blocked(at: Moment(time: time, thread: thread)) }
        }
    }

    /// The thread continues after a wait, because of the signal or release at mark `cause`; -1 when unknown.
    ///
    /// - Parameters:
    ///   - kind: the kind of the wait, for a segment of the wait itself.
    ///   - code: the code that waited.
    mutating func woke(
        at moment: Moment, since begin: Int64, because cause: Int32, kind: CriticalPath.Kind, code: CodeIndex
    ) {
        guard paths.isFollowed else { return }
        paths.add(
            .wake, at: moment, item: pathItem(on: moment.thread), place: cause,
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
    mutating func returned(at moment: Moment, from absence: ProcessorTracker.OpenAbsence, in call: BlockedCall?) {
        guard call?.waitsForWork != true, !isInWait(moment.thread) else { return }
        let item = pathItem(on: moment.thread)
        // A worker without an item waits for work.
        guard item.number >= 0 || moment.thread == .main || !threads.mayBeWorker(moment.thread) else { return }
        let runnableSince =
            absence.isPreempted ? absence.begin : min(max(absence.begin, absence.wokenAt ?? moment.time), moment.time)
        if runnableSince > absence.begin {
            let sampled = paths.sample(call, of: item, on: moment.thread)
            // Without a sample, the call was too short, or the recorder had sampled too many.
            let isShort = runnableSince - absence.begin < BlockedCall.sampledFrom.count
            let kind = sampled?.kind ?? (isShort ? .shortCall : .blocked)
            paths.add(
                .absence, at: Moment(time: runnableSince, thread: moment.thread), item: item,
                place: Int32(kind.rawValue), domain: sampled?.code.rawValue ?? 0, since: absence.begin)
        }
        if moment.time > runnableSince {
            paths.add(
                .absence, at: moment, item: item, place: Int32(CriticalPath.Kind.preempted.rawValue),
                domain: 0, since: runnableSince)
        }
    }

    /// Polling returns for a loop that no thread woke, so the cause is outside of the process.
    mutating func polled(at moment: Moment, loop: QueueIndex, since begin: Int64) {
        guard begin >= 0 else { return }
        paths.add(.poll, at: moment, item: PathItem(queue: loop.rawValue), since: begin)
    }

    /// A task that suspended at a mark becomes runnable by an action of a thread. The mark is -1 for none.
    mutating func resumed(since suspension: Int32, at moment: Moment, code: CodeIndex, from wait: AwaitKind) {
        guard suspension >= 0 else { return }
        paths.add(
            .resume, at: moment,
            item: PathItem(code: code.rawValue, queue: Int32(wait.pathKind.rawValue)), place: suspension)
    }

    /// A task is open at the end of the trace. Its mark is -1 when it is not suspended.
    mutating func keptOpen(ofTask number: UInt64, at suspension: Int32) {
        guard suspension >= 0 else { return }
        paths.add(PathStep(number: Int64(bitPattern: number), place: suspension, kind: .openTask))
    }

    /// A signpost interval ends on a thread.
    mutating func endedSignpost(named name: String, from begin: Int64, at moment: Moment) {
        guard let wanted = paths.signpost, wanted == name else { return }
        paths.add(.interval, at: moment, item: pathItem(on: moment.thread), since: begin)
    }

    /// The thread requests an exclusive domain. Relevant only if the thread already holds another one.
    @inline(__always)
    mutating func requested(_ wanted: HeldDomain.Domain, code: CodeIndex, at moment: Moment) {
        guard orders.isFollowed, !threads[moment.thread].innermost.isNone || held.holdsAny(moment.thread) else {
            return
        }
        requestedFromInside(wanted, code: code, at: moment)
    }

    private mutating func requestedFromInside(_ wanted: HeldDomain.Domain, code: CodeIndex, at moment: Moment) {
        if case .queue(let queue) = wanted, forest.exclusion(of: queue).isNone { return }
        orders.request(
            wanted, code: code, at: moment, innermost: threads[moment.thread].innermost, of: items,
            held: held.held(by: moment.thread))
    }

    /// A wait for a group or a work item ended.
    mutating func endWait(_ object: BlockedWait.Object, timedOut: Bool, at moment: Moment) {
        guard let wait = waits.end(object, thread: moment.thread) else { return }
        woke(at: moment, since: wait.begin, because: timedOut ? -1 : wait.path, kind: object.pathKind, code: wait.code)
        paths.release(wait.path)
        emit(
            wait, thread: moment.thread, end: moment.time, timedOut: timedOut, isFinished: true,
            signal: timedOut ? nil : wait.signal)
    }

    /// A signal by a thread.
    ///
    /// ```
    ///   async in a group   callout_begin ├── item ──┤ callout_end  group_leave
    /// ```
    ///
    /// With `isItemOver`, the signalling item can have ended just before, because libdispatch signals for it.
    mutating func signal(
        _ object: BlockedWait.Object, code: CodeIndex, isAwaited: Bool, at moment: Moment, isItemOver: Bool
    ) -> Signal {
        let innermost = threads[moment.thread].innermost
        let (number, itemCode, queue) = signaller(at: moment, innermost: innermost, isItemOver: isItemOver)
        return Signal(
            object: object, thread: moment.thread, item: number < 0 ? nil : ItemNumber(number),
            itemCode: itemCode, queue: queue.known,
            time: moment.timestamp, code: code, isAwaited: isAwaited)
    }

    /// A work item ended. A thread can wait for it.
    @inline(never)
    mutating func signalEnd(of slot: Slot, at time: Int64) {
        let object = BlockedWait.Object.item(items[slot].id)
        guard waits.isAwaited(object) else { return }
        let signal = Signal(
            object: object, thread: items[slot].thread, item: ItemNumber(items[slot].number),
            itemCode: items[slot].code, queue: items[slot].queue,
            time: Timestamp(nanoseconds: time), code: .unknown, isAwaited: true)
        let cause = mark(at: Moment(time: time, thread: items[slot].thread))
        deliver(signal, because: cause)
        paths.release(cause)
        emit(.signal(signal))
    }
}
