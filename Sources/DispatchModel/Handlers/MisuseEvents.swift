// Misuse that the recorder itself sees.
extension ModelBuilder {
    mutating func handle(_ event: DispatchEvent.MutationAfterActivation, tid: UInt32) {
        if event.handler == .event, let source = sources.existing(event.object) {
            model.sources[source.position].handlers.insert(.event)
        }
        report(.mutationAfterActivation(event.handler), .init(event), tid: tid)
    }

    mutating func handle(_ event: DispatchEvent.RetargetAfterActivation, tid: UInt32) {
        report(.retargetAfterActivation(from: queue(event.from), to: queue(event.to)), .init(event), tid: tid)
        follow(event.object, event.kind, to: event.to)
    }

    mutating func handle(_ event: DispatchEvent.NonLeafRetarget, tid: UInt32) {
        report(.nonLeafRetarget(from: queue(event.from), to: queue(event.to)), .init(event), tid: tid)
        follow(event.object, event.kind, to: event.to)
    }

    mutating func handle(_ event: DispatchEvent.OverResume, tid: UInt32) {
        report(.overResume, .init(event), tid: tid)
    }

    mutating func handle(_ event: DispatchEvent.ReleaseWhileSuspended, tid: UInt32) {
        report(.releaseWhileSuspended(isInactive: event.inactive != 0), .init(event), tid: tid)
    }

    private mutating func report(_ kind: Misuse.Kind, _ call: MisuseTracker.Call, tid: UInt32) {
        misuses.report(kind, call, at: now, thread: thread(tid), sources: sources, in: &state)
    }

    private mutating func queue(_ serial: UInt32) -> QueueIndex? {
        serial == 0 ? nil : QueueIndex(state.forest.queue(serial: serial))
    }
}
