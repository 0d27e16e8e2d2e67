/// Builds the model from event records in order of time, and tells an observer what it concludes.
///
/// Feed it with ``handle(_:at:tid:)``, then call ``finish()`` once. Any sequence of events is accepted: what does not
/// fit together is counted in ``DispatchModel/invariants``, never a trap. Memory grows with queues, threads and items
/// in flight. Not safe to use from two threads at once.
public struct ModelBuilder: ~Copyable {
    /// The entities found so far.
    public let model: DispatchModel
    private var state: ModelState
    private var now: Int64 = 0
    private var items = ItemTracker()
    private var locks = LockTracker()
    private var sources = SourceTracker()
    private var signposts = SignpostTracker()
    private var applies = ApplyTracker()
    private var groups = GroupTracker()
    private var semaphores = SemaphoreTracker()
    private var timers = TimerTracker()
    private var messages = MessageLog()
    private let misuses = MisuseTracker()

    /// - Parameters:
    ///   - observer: told every observation, in order.
    ///   - options: how the trace is read.
    ///   - processors: processors of the recording machine; 0 when unknown.
    public init(
        observer: any ModelObserver & AnyObject, options: ModelOptions = ModelOptions(), processors: Int = 0
    ) {
        model = DispatchModel()
        model.processors = processors
        state = ModelState(model: model, observer: observer, options: options)
    }

    /// Takes in an event record.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - time: when; not before the event handed over last (else it counts as happening then).
    ///   - tid: the thread that recorded it; 0 for the definitions stream.
    /// - Complexity: O(1) for events of items, syncs and locks.
    public mutating func handle(_ event: DispatchEvent, at time: Timestamp, tid: UInt32) {
        now = max(now, time.nanoseconds)
        items.advance(to: now, in: &state)
        switch event {
        case .calloutBegin(let event): items.beginCallout(event.item, at: now, thread: thread(tid), in: &state)
        case .calloutEnd: items.endCallout(at: now, thread: thread(tid), in: &state)
        case .syncBegin(let event): items.beginSync(event, at: now, thread: thread(tid), in: &state)
        case .itemBegin(let event):
            items.begin(event.item, queue: event.queue, at: now, thread: thread(tid), in: &state)
        case .itemEnd(let event): items.end(event, at: now, thread: thread(tid), in: &state)
        case .itemEnqueue(let event): items.enqueue(event, at: now, thread: thread(tid), in: &state)
        case .syncEnter(let event): items.enterSync(event, at: now, thread: thread(tid), in: &state)
        case .syncReturn(let event): items.returnFromSync(event.item, at: now, thread: thread(tid), in: &state)
        case .syncBlock(let event): items.blockSync(event, at: now, in: &state)
        case .syncWait(let event): items.waitSync(event, at: now, thread: thread(tid), in: &state)
        case .syncHandoff(let event): items.handOver(event, at: now, in: &state)
        case .itemDelay(let event): items.delay(event, at: now, in: &state)
        case .itemBarrier(let event): items.markBarrier(event.item, in: &state)
        case .itemCancel(let event): items.cancel(event.item, at: now, in: &state)
        case .lockAcquire(let event): locks.acquire(event, at: now, thread: thread(tid), items: items, in: &state)
        case .lockRelease(let event): locks.release(event, at: now, thread: thread(tid), items: items, in: &state)
        case .lockWait(let event): locks.wait(event, at: now, thread: thread(tid), items: items, in: &state)
        case .switchIn(let event):
            state.processors.comeBack(thread(event.tid), processor: Int32(event.processor) - 1, at: now)
        case .switchOut(let event):
            let thread = thread(event.tid)
            let slice = state.processors.leave(thread, isPreempted: event.preempted != 0, at: now)
            if let slice, state.followed.contains(.processorSlices) {
                state.emit(.processorSlice(slice))
            }
        case .sourceFire(let event): sources.fire(event, at: now, items: &items, in: &state)
        default: handleRare(event, tid: tid)
        }
    }

    /// Takes in what a kernel trace says of one of the process's threads, unless the process has recorded its context
    /// switches itself.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - time: when, as for ``handle(_:at:tid:)``.
    /// - Complexity: O(1)
    public mutating func handle(_ event: KernelEvent, at time: Timestamp) {
        if model.processorTrack?.origin == .perfEvents { return }
        if model.processorTrack?.origin != .kernelTrace {
            model.processorTrack = ProcessorTrack(origin: .kernelTrace, detail: "")
        }
        switch event {
        case .left(let tid, let couldRun, let processor):
            let event = DispatchEvent.SwitchOut(
                tid: tid, preempted: couldRun ? 1 : 0, processor: UInt16(truncatingIfNeeded: processor + 1))
            handle(.switchOut(event), at: time, tid: tid)
        case .came(let tid, let processor):
            let event = DispatchEvent.SwitchIn(tid: tid, processor: UInt16(truncatingIfNeeded: processor + 1))
            handle(.switchIn(event), at: time, tid: tid)
        case .woken(let tid):
            now = max(now, time.nanoseconds)
            state.processors.wake(thread(tid), at: now)
        }
    }

    @inline(__always)
    private mutating func thread(_ tid: UInt32) -> Int { state.threads.thread(tid: tid, at: now) }

    @inline(never)
    private mutating func handleRare(_ event: DispatchEvent, tid: UInt32) {
        switch event {
        case .groupEnter(let event): groups.enter(event.group, at: now, thread: thread(tid), in: &state)
        case .groupLeave(let event):
            groups.leave(event.group, at: now, thread: thread(tid), items: &items, in: &state)
        case .groupCreate(let event): groups.create(event, at: now, in: &state)
        case .groupNotify(let event):
            groups.notify(event, at: now, thread: thread(tid), items: &items, in: &state)
        case .groupWaitBegin(let event):
            groups.beginWait(event, at: now, thread: thread(tid), items: items, in: &state)
        case .groupWaitEnd(let event): groups.endWait(event, at: now, thread: thread(tid), items: items, in: &state)
        case .semaphoreCreate(let event): semaphores.create(event, at: now, in: &state)
        case .semaphoreSignal(let event):
            semaphores.signal(event, at: now, thread: thread(tid), items: items, in: &state)
        case .semaphoreWaitBegin(let event):
            semaphores.beginWait(event, at: now, thread: thread(tid), items: items, in: &state)
        case .semaphoreWaitEnd(let event):
            semaphores.endWait(event, at: now, thread: thread(tid), items: items, in: &state)
        case .itemWaitBegin(let event):
            let thread = thread(tid)
            items.stopPath(of: thread, at: now, in: &state)
            state.waits.begin(
                .item(event.item), code: state.codes.code(event.code),
                waiter: items.innermostNumber(on: thread, in: state), at: now, thread: thread)
        case .itemWaitEnd(let event):
            items.endWait(
                .item(event.item), timedOut: event.timedOut != 0, at: now, thread: thread(tid), in: &state)
        case .applyBegin(let event):
            applies.begin(event, at: now, thread: thread(tid), items: items, in: &state)
        case .applyIterationBegin(let event):
            applies.beginIteration(event, at: now, thread: thread(tid), in: &state)
        case .applyIterationEnd(let event): applies.endIteration(event, at: now, thread: thread(tid), in: &state)
        case .applyEnd(let event): applies.end(event, at: now, in: &state)
        case .signpostLog(let event): signposts.define(event)
        case .signpostBegin(let event): signposts.begin(event, at: now, thread: thread(tid), in: &state)
        case .signpostEnd(let event):
            signposts.end(event, at: now, thread: thread(tid), items: items, in: &state)
        case .signpostEvent(let event): signposts.event(event, at: now, thread: thread(tid), in: &state)
        case .lockCreate(let event): locks.create(event, in: &state)
        case .threadStart(let event):
            state.threads.start(tid: event.tid == 0 ? tid : event.tid, name: event.name, at: now)
        case .threadExit(let event):
            let thread = thread(event.tid == 0 ? tid : event.tid)
            items.exitThread(thread, at: now, in: &state)
            state.exitWorker(thread, at: now)
            state.held.exit(thread)
            state.threads.exit(thread, at: now)
        case .codeSymbol(let event): state.codes.define(event)
        case .stack(let event): state.codes.define(event)
        case .codeStack(let event): state.codes.define(event)
        case .image(let event): state.codes.define(event)
        case .clockSync(let event):
            model.clockReadings += 1
            if event.strayed != 0 {
                let step = ClockStep(foundAt: Timestamp(nanoseconds: now), by: Nanoseconds(event.strayed))
                model.clockSteps.append(step)
            }
        case .dispatchLog(let event):
            messages.add(event, at: now, thread: thread(event.tid == 0 ? tid : event.tid), in: model)
        case .workerRequest, .workerCreate, .workerStart, .workerPark, .workerUnpark, .workerExit, .processorTrack,
            .threadTimes, .switchesLost, .switchesPauseBegin, .switchesPauseEnd:
            handleThread(event, tid: tid)
        default: handleObject(event, tid: tid)
        }
    }

    private mutating func handleThread(_ event: DispatchEvent, tid: UInt32) {
        switch event {
        case .workerRequest(let event): state.requestWorkers(event, at: now, thread: thread(tid))
        case .workerCreate(let event): state.createWorker(root: event.root, at: now, thread: thread(tid))
        case .workerStart(let event): state.startWorker(thread(tid), root: event.root, at: now)
        case .workerUnpark(let event): state.unparkWorker(thread(tid), root: event.root, at: now)
        case .workerPark(let event):
            // A worker without an item: the ends of those that it ran were lost.
            items.exitThread(thread(tid), at: now, in: &state)
            state.parkWorker(thread(tid), root: event.root, at: now)
        case .workerExit:
            items.exitThread(thread(tid), at: now, in: &state)
            state.exitWorker(thread(tid), at: now)
        case .processorTrack(let event):
            // What is said again, or by a process that cannot record switches itself, does not end what is there.
            if model.processorTrack?.origin != .kernelTrace || event.origin == .perfEvents {
                model.processorTrack = ProcessorTrack(origin: event.origin, detail: event.detail)
            }
        case .threadTimes(let event):
            model.threads[thread(event.tid == 0 ? tid : event.tid)].kernelTimes = ThreadTimes(
                onProcessor: Nanoseconds(Int64(clamping: event.onCpu)),
                runDelay: Nanoseconds(Int64(clamping: event.runDelay)), slices: Int(clamping: event.slices))
        case .switchesLost(let event):
            model.lostSwitches += Int(clamping: event.switches)
            if event.tid == 0 {
                state.processors.forgetAbsences()
            } else {
                state.processors.forgetAbsence(of: thread(event.tid))
            }
        case .switchesPauseBegin(let event): state.processors.pause(thread(event.tid), at: now)
        case .switchesPauseEnd(let event): state.processors.resume(thread(event.tid), at: now)
        default: break
        }
    }

    /// Ends the trace: what is still open is observed as it is. Call once, after the last event.
    ///
    /// - Parameter end: the trace's end; the last event's time when nil.
    public mutating func finish(at end: Timestamp? = nil) {
        now = max(now, end?.nanoseconds ?? 0)
        model.end = Timestamp(nanoseconds: now)
        items.advance(to: now, in: &state)
        model.semaphores = semaphores.entities
        model.groups = groups.entities
        items.captureGraph(at: now, in: state)
        items.finishPath(at: now, in: &state)
        items.finishAll(at: now, in: &state)
        locks.finishAll(at: now, in: &state)
        applies.finishAll(at: now, in: &state)
        state.finishWaits(at: now)
        state.finishDomainOrders()
        signposts.finishAll(at: now, in: &state)
        for slice in state.processors.finishAll(at: now) { state.emit(.processorSlice(slice)) }
        for queue in state.forest.activity.indices {
            let load = state.forest.finishLoad(of: queue, at: now)
            model.loads.append(load)
            // Both count the same waits, one queue-wise and one item-wise; they differ when records are missing.
            if load.begun > 0 || load.neverBegun > 0 {
                state.invariants.littlesLaw.check(abs(load.depthTime - load.waitTime) <= load.waitTime / 100)
            }
        }
        model.invariants = state.invariants
        model.blame = state.blame.blame
        model.workers = state.forest.pools.map {
            RootWorkers(root: QueueIndex($0.root), made: $0.made, most: $0.most)
        }
        for thread in model.threads.indices where state.processors.hasSwitched(thread) {
            model.threads[thread].processorTimes = state.processors.times(of: thread, at: now)
            let paused = state.processors.pausedTime(of: thread, at: now)
            if paused > .zero { model.switchPauses.add(paused) }
        }
    }
}

// MARK: - Queues and sources

extension ModelBuilder {
    private mutating func handleObject(_ event: DispatchEvent, tid: UInt32) {
        switch event {
        case .queueCreate(let event): define(event, isCreation: true)
        case .queueState(let event): define(.init(event), isCreation: false)
        case .queueDispose(let event):
            guard let queue = state.forest.existing(serial: event.queue) else { return }
            model.queues[queue].disposedAt = Timestamp(nanoseconds: now)
            state.paths.exchange(&state.forest.activity[queue].lastPath, for: -1)
            emit(.disposed, of: .queue(QueueIndex(queue)), code: 0, tid: tid)
        case .queueSetTarget(let event):
            let queue = state.forest.queue(serial: event.queue)
            let target = retarget(queue, to: event.target)
            model.queues[queue].retargets += 1
            emit(.retargeted(to: target), of: .queue(QueueIndex(queue)), code: event.code, tid: tid)
        case .objectActivate(let event):
            if event.kind == .source {
                let source = sources.activate(event, at: now, in: &state)
                items.activateOnPath(source, thread: state.threads.thread(tid: tid, at: now), at: now, in: &state)
                emit(.activated, of: .source(source), code: event.code, stack: event.stack, tid: tid)
            } else {
                let queue = state.forest.queue(serial: UInt32(truncatingIfNeeded: event.object))
                state.forest.activate(queue, at: now)
                emit(.activated, of: .queue(QueueIndex(queue)), code: event.code, stack: event.stack, tid: tid)
            }
        case .objectSuspend(let event):
            let object = MisuseTracker.object(event.object, kind: event.kind, sources: sources, in: state)
            switch object {
            case .queue(let queue): state.forest.suspend(queue.position, at: now)
            case .source(let source): model.sources[source.position].suspensions += 1
            case .unknown: break
            }
            emit(.suspended, of: object, code: event.code, stack: event.stack, tid: tid)
        case .objectResume(let event):
            let object = MisuseTracker.object(event.object, kind: event.kind, sources: sources, in: state)
            switch object {
            case .queue(let queue): state.forest.resume(queue.position, at: now)
            case .source(let source) where model[source].suspensions > 0:
                model.sources[source.position].suspensions -= 1
            default: break
            }
            emit(.resumed, of: object, code: event.code, tid: tid)
        case .sourceCreate(let event): sources.create(event, at: now, in: &state)
        case .sourceSetHandler(let event):
            sources.setHandler(event, at: now, in: &state)
        case .timerConfigure(let event):
            let source = sources.timer(event.source, at: now, in: &state)
            timers.configure(event, source: source, at: now, thread: thread(tid), in: &state)
        case .timerFire(let event):
            let source = sources.timer(event.source, at: now, in: &state)
            timers.fire(event, source: source, at: now, thread: thread(tid), in: &state)
        case .sourceCancel(let event):
            emit(.cancelled, of: .source(sources.cancel(event.source, at: now, in: &state)), code: event.code, tid: tid)
        case .sourceDispose(let event):
            guard let source = sources.existing(event.source) else { return }
            model.sources[source.position].disposedAt = Timestamp(nanoseconds: now)
            timers.forget(source)
            state.paths.forget(source: source.rawValue)
            emit(.disposed, of: .source(source), code: 0, tid: tid)
        case .sourceSetTarget(let event):
            let queue = QueueIndex(state.forest.queue(serial: event.target))
            let source = sources.setTarget(event.source, to: queue, at: now, in: &state)
            emit(.retargeted(to: queue), of: .source(source), code: event.code, tid: tid)
        case .sourceMerge(let event): sources.merge(event, at: now, in: &state)
        default: handleMisuse(event, tid: tid)
        }
    }

    private mutating func handleMisuse(_ event: DispatchEvent, tid: UInt32) {
        switch event {
        case .mutationAfterActivation(let event):
            if event.handler == .event, let source = sources.existing(event.object) {
                model.sources[source.position].handlers.insert(.event)
            }
            report(.mutationAfterActivation(event.handler), .init(event), tid: tid)
        case .retargetAfterActivation(let event):
            report(.retargetAfterActivation(from: queue(event.from), to: queue(event.to)), .init(event), tid: tid)
            follow(event.object, event.kind, to: event.to)
        case .nonLeafRetarget(let event):
            report(.nonLeafRetarget(from: queue(event.from), to: queue(event.to)), .init(event), tid: tid)
            follow(event.object, event.kind, to: event.to)
        case .overResume(let event): report(.overResume, .init(event), tid: tid)
        case .releaseWhileSuspended(let event):
            report(.releaseWhileSuspended(isInactive: event.inactive != 0), .init(event), tid: tid)
        default: break
        }
    }

    private mutating func report(_ kind: Misuse.Kind, _ call: MisuseTracker.Call, tid: UInt32) {
        misuses.report(kind, call, at: now, thread: thread(tid), sources: sources, in: &state)
    }

    private mutating func queue(_ serial: UInt32) -> QueueIndex? {
        serial == 0 ? nil : QueueIndex(state.forest.queue(serial: serial))
    }

    private mutating func emit(
        _ change: ObjectChange.Kind, of object: Misuse.Object, code: UInt32, stack: UInt32 = 0, tid: UInt32
    ) {
        state.emit(
            .objectChange(
                ObjectChange(
                    kind: change, object: object, time: Timestamp(nanoseconds: now), thread: ThreadIndex(thread(tid)),
                    code: state.codes.code(code), stack: state.codes.stack(stack))))
    }

    private mutating func define(_ event: DispatchEvent.QueueCreate, isCreation: Bool) {
        let queue = state.forest.queue(serial: event.queue)
        let code = state.codes.code(event.code)
        let stack = state.codes.stack(event.stack)
        let target = event.target == 0 ? nil : state.forest.queue(serial: event.target)
        model.queues[queue].define(
            event, createdAt: isCreation ? Timestamp(nanoseconds: now) : nil, code: code, stack: stack,
            thread: ThreadIndex(thread(event.tid)))
        let defined = model.queues[queue]
        restructure(queue) { forest in
            forest.define(queue, kind: defined.kind, width: defined.width)
            if let target { forest.setTarget(of: queue, to: target) }
        }
        if Queue.Flags(rawValue: event.flags).contains(.inactive) {
            state.forest.markInactive(queue, at: now)
        } else if isCreation {
            state.forest.markActive(queue, at: now)
        }
    }

    /// Changes a queue's place in the hierarchy. Waits are settled before, as they ran under the old one.
    private mutating func restructure(_ queue: Int, _ change: (inout QueueForestBuilder) -> Void) {
        let affected = state.forest.subtree(of: queue)
        items.settleWaiting(on: affected, at: now, in: state)
        state.forest.prepareRebuild(affected, at: now)
        change(&state.forest)
        state.forest.rebuild(affected, at: now)
        items.settleWaiting(on: affected, at: now, in: state)
        items.contendAgain(on: affected, at: now, in: &state)
    }

    private mutating func retarget(_ queue: Int, to serial: UInt32) -> QueueIndex? {
        let target = serial == 0 ? nil : state.forest.queue(serial: serial)
        restructure(queue) { $0.setTarget(of: queue, to: target) }
        return target.map { QueueIndex($0) }
    }

    /// Where the process survives the call, the object has another target from now on.
    private mutating func follow(_ object: UInt64, _ kind: ObjectKind, to serial: UInt32) {
        switch MisuseTracker.object(object, kind: kind, sources: sources, in: state) {
        case .queue(let queue): _ = retarget(queue.position, to: serial)
        case .source where serial != 0:
            _ = sources.setTarget(object, to: QueueIndex(state.forest.queue(serial: serial)), at: now, in: &state)
        default: break
        }
    }
}
