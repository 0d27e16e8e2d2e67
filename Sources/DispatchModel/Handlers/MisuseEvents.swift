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

// Misuse that the recorder itself detects.
extension ModelBuilder {
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

    mutating func handle(_ event: DispatchEvent.OverResume, tid: UInt32) {
        report(.overResume, event, tid: tid)
    }

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
            let time = state.forest.activity[queue.position].activatedAt
            return time < 0 ? nil : Timestamp(nanoseconds: time)
        case .source(let source): return model[source].activatedAt
        case .unknown: return nil
        }
    }

    private mutating func queue(_ serial: UInt64) -> QueueIndex? {
        serial == 0 ? nil : QueueIndex(state.forest.queue(serial: serial))
    }
}
