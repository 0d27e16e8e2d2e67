/// Reports what the recorder saw being done to an object that was active already.
struct MisuseTracker {
    /// What the events have in common.
    struct Call {
        let object: UInt64
        let kind: ObjectKind
        let code: UInt32
        let stack: UInt32
        let activationCode: UInt32
        let activationStack: UInt32
    }

    func report(
        _ kind: Misuse.Kind, _ call: Call, at time: Int64, thread: Int, sources: borrowing SourceTracker,
        in state: inout ModelState
    ) {
        let object = Self.object(call.object, kind: call.kind, sources: sources, in: &state)
        state.emit(
            .misuse(
                Misuse(
                    kind: kind, object: object, time: Timestamp(nanoseconds: time), thread: ThreadIndex(thread),
                    code: state.codes.code(call.code), stack: state.codes.stack(call.stack),
                    activatedAt: Self.activation(of: object, in: &state),
                    activationCode: state.codes.code(call.activationCode),
                    activationStack: state.codes.stack(call.activationStack))))
    }

    /// The object that an event names.
    static func object(
        _ id: UInt64, kind: ObjectKind, sources: borrowing SourceTracker, in state: inout ModelState
    ) -> Misuse.Object {
        switch kind {
        case .queue, .workloop:
            if let queue = state.forest.existing(serial: UInt32(truncatingIfNeeded: id)) {
                return .queue(QueueIndex(queue))
            }
        case .source:
            if let source = sources.existing(id) { return .source(source) }
        default: break
        }
        return .unknown(id: id, kind: kind)
    }

    private static func activation(of object: Misuse.Object, in state: inout ModelState) -> Timestamp? {
        switch object {
        case .queue(let queue):
            let time = state.forest.activity[queue.position].activatedAt
            return time < 0 ? nil : Timestamp(nanoseconds: time)
        case .source(let source): return state.model[source].activatedAt
        case .unknown: return nil
        }
    }
}

extension MisuseTracker.Call {
    init(_ event: DispatchEvent.MutationAfterActivation) {
        self.init(
            object: event.object, kind: event.kind, code: event.code, stack: event.stack,
            activationCode: event.activationCode, activationStack: event.activationStack)
    }

    init(_ event: DispatchEvent.RetargetAfterActivation) {
        self.init(
            object: event.object, kind: event.kind, code: event.code, stack: event.stack,
            activationCode: event.activationCode, activationStack: event.activationStack)
    }

    init(_ event: DispatchEvent.NonLeafRetarget) {
        self.init(
            object: event.object, kind: event.kind, code: event.code, stack: event.stack,
            activationCode: event.activationCode, activationStack: event.activationStack)
    }

    init(_ event: DispatchEvent.OverResume) {
        self.init(
            object: event.object, kind: event.kind, code: event.code, stack: event.stack,
            activationCode: event.activationCode, activationStack: event.activationStack)
    }

    init(_ event: DispatchEvent.ReleaseWhileSuspended) {
        self.init(
            object: event.object, kind: event.kind, code: event.code, stack: event.stack,
            activationCode: event.activationCode, activationStack: event.activationStack)
    }
}
