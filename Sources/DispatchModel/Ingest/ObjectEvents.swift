// Events of objects and of the process: queues, sources and timers, misuse of them, event loops, code, clock and
// signposts.
extension ModelBuilder {
    mutating func handle(_ event: DispatchEvent.QueueCreate, tid: UInt32) { state.create(event, at: now) }

    mutating func handle(_ event: DispatchEvent.QueueState, tid: UInt32) {
        state.define(.init(event), isCreation: false, at: now)
    }

    mutating func handle(_ event: DispatchEvent.QueueDispose, tid: UInt32) {
        guard let queue = state.forest.existing(serial: event.queue) else { return }
        state.forest.dispose(queue, at: now)
        state.targets.dispose(queue)
        state.blame.stopContending(forDisposed: queue, on: state.forest)
        state.paths.add(PathStep(place: queue.rawValue, kind: .forgetQueue))
        emit(.disposed, of: .queue(queue), code: 0, tid: tid)
    }

    mutating func handle(_ event: DispatchEvent.QueueSetTarget, tid: UInt32) {
        let queue = state.forest.queue(serial: event.queue)
        let target = state.retarget(queue, to: event.target, at: now)
        model.queues[queue].retargets += 1
        emit(.retargeted(to: target), of: .queue(queue), code: event.code, tid: tid)
    }

    mutating func handle(_ event: DispatchEvent.ObjectActivate, tid: UInt32) {
        if event.kind == .source {
            let source = sources.activate(event, at: now, in: &state)
            state.activated(source, at: moment(tid))
            sources.causes.release(source.position, at: moment(tid), in: &state)
            emit(.activated, of: .source(source), code: event.code, stack: event.stack, tid: tid)
        } else {
            let queue = state.forest.queue(serial: event.object)
            let time = now
            state.suspend(queue, at: now) { $0.activate(queue, at: time) }
            emit(.activated, of: .queue(queue), code: event.code, stack: event.stack, tid: tid)
        }
    }

    mutating func handle(_ event: DispatchEvent.ObjectSuspend, tid: UInt32) {
        let object = object(event.object, event.kind)
        let time = now
        switch object {
        case .queue(let queue):
            state.suspend(queue, at: now) { $0.suspend(queue, at: time) }
        case .source(let source): model.sources[source.position].suspensions += 1
        case .unknown: break
        }
        emit(.suspended, of: object, code: event.code, stack: event.stack, tid: tid)
    }

    mutating func handle(_ event: DispatchEvent.ObjectResume, tid: UInt32) {
        let object = object(event.object, event.kind)
        let time = now
        switch object {
        case .queue(let queue):
            state.suspend(queue, at: now) { $0.resume(queue, at: time) }
            if !state.targets.isEmpty { state.changeTargets(at: now) }
        case .source(let source):
            guard model[source].suspensions > 0 else { break }
            model.sources[source.position].suspensions -= 1
            guard model[source].suspensions == 0 else { break }
            sources.causes.release(source.position, at: moment(tid), in: &state)
        case .unknown: break
        }
        emit(.resumed, of: object, code: event.code, tid: tid)
    }

    mutating func handle(_ event: DispatchEvent.SourceCreate, tid: UInt32) {
        sources.create(event, at: now, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.SourceSetHandler, tid: UInt32) {
        sources.setHandler(event, at: now, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.SourceFire, tid: UInt32) {
        sources.fire(event, at: now, items: &items, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.SourceMerge, tid: UInt32) {
        sources.merge(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.SourceCancel, tid: UInt32) {
        let source = sources.cancel(event.source, at: moment(tid), in: &state)
        emit(.cancelled, of: .source(source), code: event.code, tid: tid)
    }

    mutating func handle(_ event: DispatchEvent.SourceDispose, tid: UInt32) {
        guard let source = sources.existing(event.source) else { return }
        model.sources[source.position].disposedAt = Timestamp(nanoseconds: now)
        timers.forget(source)
        sources.causes.forgetData(of: source.position, in: &state)
        state.paths.dueTimes[source.rawValue] = nil
        state.paths.add(PathStep(place: source.rawValue, kind: .forgetSource))
        emit(.disposed, of: .source(source), code: 0, tid: tid)
    }

    mutating func handle(_ event: DispatchEvent.SourceSetTarget, tid: UInt32) {
        let queue = state.forest.queue(serial: event.target)
        let source = sources.setTarget(event.source, to: queue, at: now, in: &state)
        emit(.retargeted(to: queue), of: .source(source), code: event.code, tid: tid)
    }

    mutating func handle(_ event: DispatchEvent.TimerConfigure, tid: UInt32) {
        let source = sources.timer(event.source, at: now, in: &state)
        timers.configure(event, source: source, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.TimerFire, tid: UInt32) {
        let source = sources.timer(event.source, at: now, in: &state)
        timers.fire(event, source: source, at: moment(tid), in: &state)
    }

    private mutating func emit(
        _ change: ObjectChange.Kind, of object: ObservedObject, code: UInt32, stack: UInt32 = 0, tid: UInt32
    ) {
        state.emit(
            .objectChange(
                ObjectChange(
                    kind: change, object: object, time: Timestamp(nanoseconds: now), thread: thread(tid),
                    code: state.codes.code(code), stack: state.codes.stack(stack))))
    }

    /// The object that an event refers to.
    func object(_ id: UInt64, _ kind: ObjectKind) -> ObservedObject {
        switch kind {
        case .queue, .workloop:
            if let queue = state.forest.existing(serial: id) { return .queue(queue) }
        case .source:
            if let source = sources.existing(id) { return .source(source) }
        default: break
        }
        return .unknown(id: id, kind: kind)
    }

    /// The process survived the call, so the object has a new target.
    mutating func follow(_ object: UInt64, _ kind: ObjectKind, to serial: UInt64) {
        switch self.object(object, kind) {
        case .queue(let queue): _ = state.retarget(queue, to: serial, at: now)
        case .source where serial != 0:
            _ = sources.setTarget(object, to: state.forest.queue(serial: serial), at: now, in: &state)
        default: break
        }
    }

    // MARK: Misuse that the recorder itself detects

    mutating func handle(_ event: DispatchEvent.MutationAfterActivation, tid: UInt32) {
        if event.handler == .event, let source = sources.existing(event.object) {
            model.sources[source.position].handlers.insert(.event)
        }
        report(.mutationAfterActivation(event.handler), event, tid: tid)
    }

    mutating func handle(_ event: DispatchEvent.RetargetAfterActivation, tid: UInt32) {
        report(.retargetAfterActivation(from: queue(event.from), to: queue(event.to)), event, tid: tid)
        follow(event.object, event.kind, to: event.to)
    }

    mutating func handle(_ event: DispatchEvent.NonLeafRetarget, tid: UInt32) {
        report(.nonLeafRetarget(from: queue(event.from), to: queue(event.to)), event, tid: tid)
        follow(event.object, event.kind, to: event.to)
    }

    mutating func handle(_ event: DispatchEvent.OverResume, tid: UInt32) { report(.overResume, event, tid: tid) }

    mutating func handle(_ event: DispatchEvent.ReleaseWhileSuspended, tid: UInt32) {
        report(.releaseWhileSuspended(isInactive: event.inactive != 0), event, tid: tid)
    }

    private mutating func report(_ kind: Misuse.Kind, _ event: some MisuseEvent, tid: UInt32) {
        let thread = thread(tid)
        let object = object(event.object, event.kind)
        state.emit(
            .misuse(
                Misuse(
                    kind: kind, object: object, time: Timestamp(nanoseconds: now), thread: thread,
                    code: state.codes.code(event.code), stack: state.codes.stack(event.stack),
                    activatedAt: activation(of: object), activationCode: state.codes.code(event.activationCode),
                    activationStack: state.codes.stack(event.activationStack))))
    }

    private func activation(of object: ObservedObject) -> Timestamp? {
        switch object {
        case .queue(let queue):
            let time = state.forest[queue].activatedAt
            return time < 0 ? nil : Timestamp(nanoseconds: time)
        case .source(let source): return model[source].activatedAt
        case .unknown: return nil
        }
    }

    private mutating func queue(_ serial: UInt64) -> QueueIndex? {
        serial == 0 ? nil : state.forest.queue(serial: serial)
    }

    // MARK: Threads that poll in a loop

    mutating func handle(_ event: DispatchEvent.LoopState, tid: UInt32) {
        loops.define(event, at: moment(event.tid, else: tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.LoopPollBegin, tid: UInt32) {
        loops.beginPoll(event.loop, at: moment(tid), items: &items, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.LoopPollEnd, tid: UInt32) {
        loops.endPoll(event.loop, at: moment(tid), items: &items, in: &state)
    }

    mutating func handle(_ event: DispatchEvent.LoopWake, tid: UInt32) {
        loops.wake(event.loop, at: moment(tid), items: &items, in: &state)
    }

    // MARK: Timers of run loops

    mutating func handle(_ event: DispatchEvent.RunLoopTimer, tid: UInt32) {
        let thread = thread(tid)
        let item = state.threads[thread].innermost
        let stack = state.codes.stack(event.stack)
        runLoopTimers.add(
            RunLoopTimer(
                thread: thread,
                queue: item.isNone ? nil : state.items[item].queue,
                code: state.codes.code(event.code), caller: state.codes.caller(stack), stack: stack,
                addedAt: Timestamp(nanoseconds: now),
                due: Timestamp(nanoseconds: now.addingReportingOverflow(Int64(clamping: event.due)).partialValue)),
            id: event.timer, to: event.runLoop)
    }

    mutating func handle(_ event: DispatchEvent.RunLoopTimerEnd, tid: UInt32) { runLoopTimers.end(event.timer) }

    mutating func handle(_ event: DispatchEvent.RunLoopRun, tid: UInt32) { runLoopTimers.run(event.runLoop) }

    // MARK: The process: code, clock, signposts and messages

    mutating func handle(_ event: DispatchEvent.CodeSymbol, tid: UInt32) { state.codes.define(event) }

    mutating func handle(_ event: DispatchEvent.Stack, tid: UInt32) { state.codes.define(event) }

    mutating func handle(_ event: DispatchEvent.CodeStack, tid: UInt32) { state.codes.define(event) }

    mutating func handle(_ event: DispatchEvent.Image, tid: UInt32) { state.codes.define(event) }

    mutating func handle(_ event: DispatchEvent.ProcessState, tid: UInt32) {
        // An LTTng session can contain several recordings of the process, one after the other.
        model.continuesAfterEnd = false
        // The metadata of LTTng lack the processors. The process id was already used by the reader.
        let processors = UsableProcessors(event)
        if processors != model.usableProcessors { model.usableProcessors = processors }
    }

    mutating func handle(_ event: DispatchEvent.ClockSync, tid: UInt32) {
        model.clockReadings += 1
        if event.strayed != 0 {
            model.clockSteps.append(ClockStep(foundAt: Timestamp(nanoseconds: now), by: Nanoseconds(event.strayed)))
        }
    }

    mutating func handle(_ event: DispatchEvent.RecordingStop, tid: UInt32) { model.continuesAfterEnd = true }

    mutating func handle(_ event: DispatchEvent.SamplingRate, tid: UInt32) {
        // The only reference to the rates, so that a change does not copy them.
        model.sampling = ItemSampling()
        tasks.changeRate(event, at: now, items: &items, in: &state)
        model.sampling = state.sampling
    }

    mutating func handle(_ event: DispatchEvent.DispatchLog, tid: UInt32) {
        messages.add(event, at: moment(event.tid, else: tid), in: model)
    }

    mutating func handle(_ event: DispatchEvent.SignpostLog, tid: UInt32) { signposts.define(event) }

    mutating func handle(_ event: DispatchEvent.SignpostBegin, tid: UInt32) {
        let moment = moment(tid)
        signposts.begin(event, at: moment, task: tasks.number(on: moment.thread), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.SignpostEnd, tid: UInt32) {
        signposts.end(event, at: moment(tid), in: &state)
    }

    mutating func handle(_ event: DispatchEvent.SignpostEvent, tid: UInt32) {
        let moment = moment(tid)
        signposts.event(event, at: moment, task: tasks.number(on: moment.thread), in: &state)
    }
}

extension UsableProcessors {
    /// The processors that a process reports.
    init(_ state: DispatchEvent.ProcessState) {
        self.init(
            allowed: Int(state.processors), online: Int(state.processorsOnline),
            quotaMilli: Int(state.processorQuotaMilli))
    }
}

/// The common fields of the events that report a misuse of an object.
private protocol MisuseEvent {
    var object: UInt64 { get }
    var kind: ObjectKind { get }
    var code: UInt32 { get }
    var stack: UInt32 { get }
    var activationCode: UInt32 { get }
    var activationStack: UInt32 { get }
}

extension DispatchEvent.MutationAfterActivation: MisuseEvent {}
extension DispatchEvent.RetargetAfterActivation: MisuseEvent {}
extension DispatchEvent.NonLeafRetarget: MisuseEvent {}
extension DispatchEvent.OverResume: MisuseEvent {}
extension DispatchEvent.ReleaseWhileSuspended: MisuseEvent {}
