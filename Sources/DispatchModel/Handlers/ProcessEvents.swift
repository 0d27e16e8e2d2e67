// Events of the process as a whole: code, clock, signposts and messages.
extension ModelBuilder {
    mutating func handle(_ event: DispatchEvent.CodeSymbol, tid: UInt32) {
        state.codes.define(event)
    }

    mutating func handle(_ event: DispatchEvent.Stack, tid: UInt32) {
        state.codes.define(event)
    }

    mutating func handle(_ event: DispatchEvent.CodeStack, tid: UInt32) {
        state.codes.define(event)
    }

    mutating func handle(_ event: DispatchEvent.Image, tid: UInt32) {
        state.codes.define(event)
    }

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

    mutating func handle(_ event: DispatchEvent.DispatchLog, tid: UInt32) {
        messages.add(event, at: moment(event.tid, else: tid), in: model)
    }

    mutating func handle(_ event: DispatchEvent.SignpostLog, tid: UInt32) {
        signposts.define(event)
    }

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
