/// Pairs the begins and ends of the iterations of concurrentPerform.
struct ApplyTracker {
    private struct Call {
        var queue = -1
        var code: CodeIndex = .unknown
    }
    private struct Iteration {
        let apply: UInt64
        let index: UInt64
        let thread: Int
        let begin: Int64
    }

    private var calls: [UInt64: Call] = [:]
    /// Iterations that run: at most a few per thread.
    private var running: [Iteration] = []

    mutating func begin(_ event: DispatchEvent.ApplyBegin, in state: inout ModelState) {
        calls[event.apply] = Call(
            queue: state.forest.queue(serial: event.queue), code: state.codes.code(event.code))
    }

    mutating func beginIteration(_ event: DispatchEvent.ApplyIterationBegin, at time: Int64, thread: Int) {
        running.append(Iteration(apply: event.apply, index: event.iteration, thread: thread, begin: time))
    }

    mutating func endIteration(
        _ event: DispatchEvent.ApplyIterationEnd, at time: Int64, thread: Int, in state: inout ModelState
    ) {
        guard let position = running.lastIndex(where: { $0.thread == thread && $0.apply == event.apply }) else {
            return
        }
        emit(running.remove(at: position), end: time, in: &state)
    }

    mutating func end(_ event: DispatchEvent.ApplyEnd) {
        calls[event.apply] = nil
        running.removeAll { $0.apply == event.apply }
    }

    private func emit(_ iteration: Iteration, end: Int64, in state: inout ModelState) {
        guard let call = calls[iteration.apply] else { return }
        state.emit(
            .applyIteration(
                ApplyIteration(
                    apply: iteration.apply, index: iteration.index, thread: ThreadIndex(iteration.thread),
                    queue: QueueIndex(call.queue), code: call.code, begin: Timestamp(nanoseconds: iteration.begin),
                    end: Timestamp(nanoseconds: end))))
    }

    /// The trace is over: iterations that run end with it.
    mutating func finishAll(at time: Int64, in state: inout ModelState) {
        for iteration in running { emit(iteration, end: time, in: &state) }
        running.removeAll()
    }
}
