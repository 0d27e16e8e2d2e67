/// Tracks the threads that poll in a loop. A loop is a serial queue, and an iteration is an item of it.
///
/// ```
///   loop's thread   poll_begin ── waits ── poll_end ───────────── poll_begin ── waits ── poll_end
///   other thread              wake ╮                       wake ╮
///   iteration                      ├ wait ─┤├──── runs ─────────┤                        ├─ runs …
///   next iteration                                              ├───────── wait ─────────┤
/// ```
///
/// An iteration without a wake-up by a thread begins when polling returns, and has no wait. A thread that polls inside
/// an item, such as a nested run loop, ends the iteration that contains the item.
struct LoopTracker: ~Copyable {
    private struct Iteration {
        let slot: Slot
        let number: Int64
    }

    private struct Loop {
        let queue: QueueIndex
        var label: String
        /// When the current poll began; -1 before the first one.
        var pollsSince: Int64 = -1
        var running: Iteration?
        /// The iteration that another thread requested by a wake-up.
        var awaited: Iteration?
    }

    private var loops: [Loop] = []
    private var ids = IdentifierTable()
    /// Position of the loop that a thread polled last.
    private var last: [ThreadIndex: Int] = [:]
    /// The later value of ``DispatchModel/loops``.
    private(set) var entities: [EventLoop] = []

    private mutating func loop(_ id: UInt64, label: String = "", at time: Int64, in state: inout ModelState) -> Int {
        if let known = ids[id] { return known }
        let queue = state.forest.makeForeign(.eventLoop, label: label, createdAt: nil, at: time)
        let loop = loops.count
        loops.append(Loop(queue: queue, label: label))
        entities.append(EventLoop(queue: queue))
        ids.insert(id, loop)
        return loop
    }

    mutating func define(_ event: DispatchEvent.LoopState, at moment: Moment, in state: inout ModelState) {
        let label = Self.label(event.kind, onThread: event.name)
        let loop = loop(event.loop, label: label, at: moment.time, in: &state)
        setLabel(label, of: loop, in: &state)
        entities[loop].kind = event.kind
        entities[loop].thread = moment.thread
        guard event.shares != 0 else { return }
        entities[loop].isShared = true
        if let other = ids[event.shares] { entities[other].isShared = true }
    }

    /// The thread of a loop gets another name.
    mutating func renamed(_ thread: ThreadIndex, to name: String, in state: inout ModelState) {
        for loop in entities.indices where entities[loop].thread == thread && !name.isEmpty {
            setLabel(Self.label(entities[loop].kind, onThread: name), of: loop, in: &state)
        }
    }

    private mutating func setLabel(_ label: String, of loop: Int, in state: inout ModelState) {
        guard loops[loop].label != label else { return }
        loops[loop].label = label
        state.model.queues[loops[loop].queue].label = label
    }

    /// The display name. Programs name the threads of their loops; the thread of a run loop usually has no specific
    /// name.
    private static func label(_ kind: LoopKind, onThread name: String) -> String {
        switch kind {
        case .dispatchManager: "libdispatch's manager"
        case .runLoop: "run loop of \(name)"
        default: name
        }
    }

    mutating func beginPoll(_ id: UInt64, at moment: Moment, items: inout ItemTracker, in state: inout ModelState) {
        let loop = loop(id, at: moment.time, in: &state)
        leaveOther(than: loop, at: moment, items: &items, in: &state)
        loops[loop].pollsSince = moment.time
        state.blocked(at: moment)
        guard let iteration = loops[loop].running else { return }
        loops[loop].running = nil
        items.endForeign(iteration.slot, number: iteration.number, at: moment.time, in: &state)
    }

    mutating func endPoll(_ id: UInt64, at moment: Moment, items: inout ItemTracker, in state: inout ModelState) {
        let loop = loop(id, at: moment.time, in: &state)
        leaveOther(than: loop, at: moment, items: &items, in: &state)
        if entities[loop].thread == nil { entities[loop].thread = moment.thread }
        leave(loop, at: moment.time, items: &items, in: &state)
        let slot: Slot
        if let awaited = loops[loop].awaited, state.items.isWaiting(awaited.slot, number: awaited.number) {
            slot = awaited.slot
            items.beginForeign(slot, number: awaited.number, at: moment, in: &state)
        } else {
            state.polled(at: moment, loop: loops[loop].queue, since: loops[loop].pollsSince)
            slot = items.runForeign(.loopIteration, on: loops[loop].queue, code: .unknown, at: moment, in: &state)
        }
        loops[loop].awaited = nil
        loops[loop].running = Iteration(slot: slot, number: state.items[slot].number)
    }

    /// A thread wakes a loop. The next iteration handles the request, so further wake-ups until then have no effect.
    mutating func wake(_ id: UInt64, at moment: Moment, items: inout ItemTracker, in state: inout ModelState) {
        let loop = loop(id, at: moment.time, in: &state)
        if let awaited = loops[loop].awaited, state.items.isWaiting(awaited.slot, number: awaited.number) { return }
        let slot = items.enqueueForeign(.loopIteration, on: loops[loop].queue, code: .unknown, at: moment, in: &state)
        loops[loop].awaited = Iteration(slot: slot, number: state.items[slot].number)
    }

    /// Whether a thread polls for one of its loops.
    func isPolling(_ thread: ThreadIndex) -> Bool {
        guard let loop = last[thread] else { return false }
        return loops[loop].running == nil && loops[loop].pollsSince >= 0
    }

    /// The thread polls another loop than before, so its current work does not belong to an iteration of the previous
    /// loop.
    private mutating func leaveOther(
        than loop: Int, at moment: Moment, items: inout ItemTracker, in state: inout ModelState
    ) {
        let other = last[moment.thread]
        guard other != loop else { return }
        last[moment.thread] = loop
        if let other { leave(other, at: moment.time, items: &items, in: &state) }
    }

    /// Ends the running iteration, whose actual end is unknown.
    private mutating func leave(_ loop: Int, at time: Int64, items: inout ItemTracker, in state: inout ModelState) {
        guard let iteration = loops[loop].running else { return }
        loops[loop].running = nil
        items.endForeignUnfinished(iteration.slot, number: iteration.number, at: time, in: &state)
    }
}
