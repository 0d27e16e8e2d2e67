// Events of queues and sources: creation, changes of state, and the target hierarchy.
extension ModelBuilder {
    mutating func handle(_ event: DispatchEvent.QueueCreate, tid: UInt32) {
        if !make(event) { define(event, isCreation: true) }
    }

    mutating func handle(_ event: DispatchEvent.QueueState, tid: UInt32) {
        define(.init(event), isCreation: false)
    }

    mutating func handle(_ event: DispatchEvent.QueueDispose, tid: UInt32) {
        guard let queue = state.forest.existing(serial: event.queue) else { return }
        state.forest.dispose(queue, at: now)
        state.targets.dispose(queue)
        state.blame.stopContending(forDisposed: queue, on: state.forest)
        state.paths.add(PathStep(place: Int32(queue), kind: .forgetQueue))
        emit(.disposed, of: .queue(QueueIndex(queue)), code: 0, tid: tid)
    }

    mutating func handle(_ event: DispatchEvent.QueueSetTarget, tid: UInt32) {
        let queue = state.forest.queue(serial: event.queue)
        let target = retarget(queue, to: event.target)
        model.queues[queue].retargets += 1
        emit(.retargeted(to: target), of: .queue(QueueIndex(queue)), code: event.code, tid: tid)
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
            emit(.activated, of: .queue(QueueIndex(queue)), code: event.code, stack: event.stack, tid: tid)
        }
    }

    mutating func handle(_ event: DispatchEvent.ObjectSuspend, tid: UInt32) {
        let object = object(event.object, event.kind)
        let time = now
        switch object {
        case .queue(let queue):
            state.suspend(queue.position, at: now) { $0.suspend(queue.position, at: time) }
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
            state.suspend(queue.position, at: now) { $0.resume(queue.position, at: time) }
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
        let queue = QueueIndex(state.forest.queue(serial: event.target))
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

    /// Creates a new queue with a known target, the usual case.
    ///
    /// - Returns: false, without any effect, for other queues.
    private mutating func make(_ event: DispatchEvent.QueueCreate) -> Bool {
        guard state.forest.existing(serial: event.queue) == nil,
            !Queue.Flags(rawValue: event.flags).contains(.inactive),
            let target = state.forest.existing(serial: event.target)
        else { return false }
        let code = state.codes.code(event.code)
        let stack = state.codes.stack(event.stack)
        let thread = thread(event.tid)
        let time = now
        state.forest.make(serial: event.queue, at: time) { queue in
            queue.define(
                event, createdAt: Timestamp(nanoseconds: time), code: code, stack: stack, thread: thread)
            queue.target = QueueIndex(target)
        }
        return true
    }

    private mutating func define(_ event: DispatchEvent.QueueCreate, isCreation: Bool) {
        let queue = state.forest.queue(serial: event.queue)
        let code = state.codes.code(event.code)
        let stack = state.codes.stack(event.stack)
        let target = event.target == 0 ? nil : state.forest.queue(serial: event.target)
        model.queues[queue].define(
            event, createdAt: isCreation ? Timestamp(nanoseconds: now) : nil, code: code, stack: stack,
            thread: thread(event.tid))
        let defined = model.queues[queue]
        state.restructure(queue, at: now) { forest in
            forest.define(queue, kind: defined.kind, width: defined.width, qos: defined.qos)
            if let target { forest.setTarget(of: queue, to: target) }
        }
        if Queue.Flags(rawValue: event.flags).contains(.inactive) {
            let time = now
            state.suspend(queue, at: now) { $0.markInactive(queue, at: time) }
        } else if isCreation {
            state.forest.markActive(queue, at: now)
        }
    }

    private mutating func retarget(_ queue: Int, to serial: UInt64) -> QueueIndex? {
        let target = serial == 0 ? nil : state.forest.queue(serial: serial)
        state.retarget(queue, to: target, at: now)
        return target.map { QueueIndex($0) }
    }

    /// The object that an event refers to.
    func object(_ id: UInt64, _ kind: ObjectKind) -> ObservedObject {
        switch kind {
        case .queue, .workloop:
            if let queue = state.forest.existing(serial: id) { return .queue(QueueIndex(queue)) }
        case .source:
            if let source = sources.existing(id) { return .source(source) }
        default: break
        }
        return .unknown(id: id, kind: kind)
    }

    /// The process survived the call, so the object has a new target.
    mutating func follow(_ object: UInt64, _ kind: ObjectKind, to serial: UInt64) {
        switch self.object(object, kind) {
        case .queue(let queue): _ = retarget(queue.position, to: serial)
        case .source where serial != 0:
            _ = sources.setTarget(object, to: QueueIndex(state.forest.queue(serial: serial)), at: now, in: &state)
        default: break
        }
    }
}
