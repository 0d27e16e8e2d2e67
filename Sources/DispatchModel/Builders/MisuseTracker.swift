/// Reports what the recorder saw being done to an object that was active already.
struct MisuseTracker {
    func mutate(
        _ event: DispatchEvent.MutationAfterActivation, at time: Int64, thread: Int, sources: SourceTracker,
        in state: inout ModelState
    ) {
        let object = Self.object(event.object, kind: event.kind, sources: sources, in: state)
        state.emit(
            .misuse(
                Misuse(
                    kind: .mutationAfterActivation(event.handler), object: object,
                    time: Timestamp(nanoseconds: time), thread: ThreadIndex(thread),
                    code: state.codes.code(event.code), stack: state.codes.stack(event.stack),
                    activatedAt: Self.activation(of: object, in: state),
                    activationCode: state.codes.code(event.activationCode),
                    activationStack: state.codes.stack(event.activationStack))))
    }

    func retarget(
        _ event: DispatchEvent.RetargetAfterActivation, at time: Int64, thread: Int, sources: SourceTracker,
        in state: inout ModelState
    ) {
        let object = Self.object(event.object, kind: event.kind, sources: sources, in: state)
        let from = event.from == 0 ? nil : QueueIndex(state.forest.queue(serial: event.from))
        let to = event.to == 0 ? nil : QueueIndex(state.forest.queue(serial: event.to))
        state.emit(
            .misuse(
                Misuse(
                    kind: .retargetAfterActivation(from: from, to: to), object: object,
                    time: Timestamp(nanoseconds: time), thread: ThreadIndex(thread),
                    code: state.codes.code(event.code), stack: state.codes.stack(event.stack),
                    activatedAt: Self.activation(of: object, in: state),
                    activationCode: state.codes.code(event.activationCode),
                    activationStack: state.codes.stack(event.activationStack))))
    }

    /// The object that an event names.
    static func object(
        _ id: UInt64, kind: ObjectKind, sources: SourceTracker, in state: borrowing ModelState
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

    private static func activation(of object: Misuse.Object, in state: borrowing ModelState) -> Timestamp? {
        switch object {
        case .queue(let queue):
            let time = state.forest.activity[queue.position].activatedAt
            return time < 0 ? nil : Timestamp(nanoseconds: time)
        case .source(let source): return state.model[source].activatedAt
        case .unknown: return nil
        }
    }
}
