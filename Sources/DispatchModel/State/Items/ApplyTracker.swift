/// Matches the begins and ends of concurrentPerform calls and of their iterations.
///
/// ```
///   caller   apply_begin ├─ iteration ─┤├─ iteration ─┤ ······ apply_end
///   worker    ·· late ···· ├─ iteration ─────┤├─ iteration ─┤
/// ```
struct ApplyTracker {
    private struct Call {
        var queue: QueueIndex?
        /// The queue of the iterations. A placeholder queue if the call lets libdispatch choose the queue.
        var iterationQueue: QueueIndex
        var code: CodeIndex
        var thread: ThreadIndex
        var item: Int64
        var begin: Int64
        var iterations: UInt64
        var ended = 0
        var busy: Int64 = 0
        var firstBegan: Int64?
        /// Reading of `timeOnTheWay` at the begin of the call.
        var onTheWay: Int64
        /// Path marks of the call and of the iteration that ended last; -1 for none.
        var path: Int32 = -1
        var lastEnd: Int32 = -1

        var pathItem: PathItem { PathItem(code: code.rawValue, queue: iterationQueue.rawValue) }
    }
    private struct Iteration {
        let apply: UInt64
        let index: UInt64
        let thread: ThreadIndex
        let begin: Int64
        let isInItem: Bool
        /// Off-CPU times of the thread when the iteration began.
        let timesAtBegin: ProcessorTimes
        let late: Int64
    }
    /// When a thread ended its last iteration of a call.
    private struct End {
        let apply: UInt64
        let thread: ThreadIndex
        var time: Int64
    }

    private var calls: [UInt64: Call] = [:]
    /// Running iterations: at most a few per thread.
    private var running: [Iteration] = []
    /// For each call in progress, one entry per thread.
    private var ends: [End] = []

    mutating func begin(_ event: DispatchEvent.ApplyBegin, at moment: Moment, in state: inout ModelState) {
        let queue =
            event.queue == 0 ? state.forest.placeholder(.concurrentPerform) : state.forest.queue(serial: event.queue)
        let path = state.mark(at: moment)
        calls[event.apply] = Call(
            queue: event.queue == 0 ? nil : queue, iterationQueue: queue, code: state.codes.code(event.code),
            thread: moment.thread, item: state.innermostNumber(on: moment.thread), begin: moment.time,
            iterations: event.iterations,
            onTheWay: state.forest.timeOnTheWay(at: moment.time), path: path)
    }

    mutating func beginIteration(
        _ event: DispatchEvent.ApplyIterationBegin, at moment: Moment,
        in state: inout ModelState
    ) {
        var late: Int64 = 0
        if let call = calls[event.apply] {
            state.forest[call.iterationQueue].own.begin(at: moment.time)
            late = lateness(of: moment.thread, in: call, event.apply, at: moment.time, &state)
            if call.firstBegan == nil { calls[event.apply]?.firstBegan = moment.time }
            if call.path >= 0, moment.thread != call.thread {
                state.paths.add(
                    call.lastEnd < 0 ? .beginFirstIteration : .beginIteration, at: moment,
                    item: call.pathItem, place: call.path)
            }
        }
        running.append(
            Iteration(
                apply: event.apply, index: event.iteration, thread: moment.thread, begin: moment.time,
                isInItem: state.items.isInItem(state.threads[moment.thread].innermost),
                timesAtBegin: state.processors.times(at: moment), late: late))
    }

    /// The time for which the thread could not take its next iteration, because it was starting, waking or off-CPU.
    ///
    /// ```
    ///   call     ├──────────────────────────────────────────
    ///   worker   ·· requested ▲ ·· starting or waking ·· unpark ├── off-CPU ──┤├─ iteration ─┤
    ///                         ╰────────────── late ───────────────────────────╯
    /// ```
    private func lateness(
        of thread: ThreadIndex, in call: Call, _ apply: UInt64, at time: Int64, _ state: inout ModelState
    ) -> Int64 {
        let activity = state.threads[thread]
        let lastEnd = ends.first { $0.thread == thread && $0.apply == apply }?.time
        var onItsWay: Int64 = 0
        if lastEnd == nil, activity.awakeSince > call.begin {
            onItsWay = min(state.forest.timeOnTheWay(at: time) - call.onTheWay, activity.awakeSince - call.begin)
        }
        let since = max(call.begin, lastEnd ?? max(activity.awakeSince, activity.lastEnded))
        guard state.processors.isRecorded, state.processors.isKnown(thread, since: since) else { return onItsWay }
        return onItsWay + state.processors.timeOff(thread, from: since, to: time).count
    }

    mutating func endIteration(
        _ event: DispatchEvent.ApplyIterationEnd, at moment: Moment, in state: inout ModelState
    ) {
        guard let position = running.lastIndex(where: { $0.thread == moment.thread && $0.apply == event.apply }) else {
            return
        }
        let iteration = running.remove(at: position)
        if var call = calls[event.apply] {
            call.ended += 1
            call.busy += moment.time - iteration.begin
            state.forest[call.iterationQueue].own.end(at: moment.time)
            state.forest[call.iterationQueue].load.begun += 1
            let end = state.paths.mark(at: moment, item: call.pathItem)
            state.paths.replace(&call.lastEnd, with: end)
            calls[event.apply] = call
            if let place = ends.firstIndex(where: { $0.thread == moment.thread && $0.apply == event.apply }) {
                ends[place].time = moment.time
            } else {
                ends.append(End(apply: event.apply, thread: moment.thread, time: moment.time))
            }
        }
        emit(iteration, end: moment.time, in: &state)
    }

    mutating func end(_ event: DispatchEvent.ApplyEnd, at time: Int64, in state: inout ModelState) {
        // Counts the iterations whose end was lost.
        let lost = running.count { $0.apply == event.apply }
        running.removeAll { $0.apply == event.apply }
        ends.removeAll { $0.apply == event.apply }
        guard let call = calls.removeValue(forKey: event.apply) else { return }
        for _ in 0..<lost { state.forest[call.iterationQueue].own.end(at: time) }
        if call.lastEnd >= 0 {
            state.paths.add(
                .endApply, at: Moment(time: time, thread: call.thread), item: call.pathItem, place: call.lastEnd)
            state.paths.release(call.lastEnd)
        }
        state.paths.release(call.path)
        emit(call, id: event.apply, end: time, threads: Int(event.threads), isFinished: true, in: &state)
    }

    private func emit(_ iteration: Iteration, end: Int64, in state: inout ModelState) {
        guard let call = calls[iteration.apply] else { return }
        let moment = Moment(time: end, thread: iteration.thread)
        let times = state.processors.times(at: moment) - iteration.timesAtBegin
        state.emit(
            .applyIteration(
                ApplyIteration(
                    apply: iteration.apply, index: iteration.index, thread: iteration.thread,
                    queue: call.iterationQueue, code: call.code, begin: Timestamp(nanoseconds: iteration.begin),
                    end: Timestamp(nanoseconds: end), isInItem: iteration.isInItem, preempted: times.preempted,
                    blocked: times.blocked,
                    late: Nanoseconds(iteration.late))))
    }

    private func emit(
        _ call: Call, id: UInt64, end: Int64, threads: Int, isFinished: Bool, in state: inout ModelState
    ) {
        state.emit(
            .apply(
                ApplyCall(
                    id: id, queue: call.queue, code: call.code, thread: call.thread,
                    item: call.item < 0 ? nil : ItemNumber(call.item), begin: Timestamp(nanoseconds: call.begin),
                    end: Timestamp(nanoseconds: end), iterations: Int(clamping: call.iterations), ended: call.ended,
                    busy: Nanoseconds(call.busy), threads: threads,
                    firstBegan: call.firstBegan.map { Timestamp(nanoseconds: $0) }, isFinished: isFinished,
                    absentWorkers: state.forest.workersOnTheWay,
                    absence: Nanoseconds(state.forest.timeOnTheWay(at: end) - call.onTheWay))))
    }

    /// Ends the running iterations and calls at the end of the trace.
    mutating func finishAll(at time: Int64, in state: inout ModelState) {
        for iteration in running { emit(iteration, end: time, in: &state) }
        running.removeAll()
        for (id, call) in calls.sorted(by: { ($0.value.begin, $0.key) < ($1.value.begin, $1.key) }) {
            emit(call, id: id, end: time, threads: 0, isFinished: false, in: &state)
        }
        calls.removeAll()
    }
}
