/// Follows the threads that poll in a loop. A loop is a serial queue, and an iteration an item of it.
///
/// ```
///   loop's thread   poll_begin ── waits ── poll_end ───────────── poll_begin ── waits ── poll_end
///   other thread              wake ╮                       wake ╮
///   iteration                      ├ wait ─┤├──── runs ─────────┤                        ├─ runs …
///   the next one                                                ├───────── wait ─────────┤
/// ```
///
/// An iteration that nobody woke the loop for begins when polling returns, without a wait. A thread that polls inside
/// of an item, as a nested run loop does, ends the iteration that the item is in.
struct LoopTracker: ~Copyable {
    private struct Stretch {
        let slot: Int
        let number: Int64
    }

    private struct Loop {
        let queue: Int
        var label: String
        /// -1 before its first poll.
        var pollsSince: Int64 = -1
        var running: Stretch?
        /// The iteration that another thread has asked for.
        var awaited: Stretch?
    }

    private var loops: [Loop] = []
    private var ids = IdentifierTable()
    /// By position of the thread: the position of the loop that it polled last.
    private var last: [Int: Int] = [:]
    /// What ``DispatchModel/loops`` will be.
    private(set) var entities: [EventLoop] = []

    private mutating func loop(_ id: UInt64, label: String = "", at time: Int64, in state: inout ModelState) -> Int {
        if let known = ids[id] { return known }
        let queue = state.forest.makeForeign(.eventLoop, label: label, createdAt: nil, at: time)
        let loop = loops.count
        loops.append(Loop(queue: queue, label: label))
        entities.append(EventLoop(queue: QueueIndex(queue)))
        ids.insert(id, loop)
        return loop
    }

    mutating func define(_ event: DispatchEvent.LoopState, at time: Int64, thread: Int, in state: inout ModelState) {
        let label = Self.label(event)
        let loop = loop(event.loop, label: label, at: time, in: &state)
        if loops[loop].label != label {
            loops[loop].label = label
            state.model.queues[loops[loop].queue].label = label
        }
        entities[loop].kind = event.kind
        entities[loop].thread = ThreadIndex(thread)
        guard event.shares != 0 else { return }
        entities[loop].isShared = true
        if let other = ids[event.shares] { entities[other].isShared = true }
    }

    /// What a person calls it: programs name the threads of their loops, but not that of the run loop.
    private static func label(_ event: DispatchEvent.LoopState) -> String {
        switch event.kind {
        case .dispatchManager: "libdispatch's manager"
        case .runLoop: "run loop of \(event.name)"
        default: event.name
        }
    }

    mutating func beginPoll(
        _ id: UInt64, at time: Int64, thread: Int, items: inout ItemTracker, in state: inout ModelState
    ) {
        let loop = loop(id, at: time, in: &state)
        leaveOther(than: loop, at: time, thread: thread, items: &items, in: &state)
        loops[loop].pollsSince = time
        items.stopPath(of: thread, at: time, in: &state)
        guard let iteration = loops[loop].running else { return }
        loops[loop].running = nil
        items.endStretch(iteration.slot, number: iteration.number, at: time, in: &state)
    }

    mutating func endPoll(
        _ id: UInt64, at time: Int64, thread: Int, items: inout ItemTracker, in state: inout ModelState
    ) {
        let loop = loop(id, at: time, in: &state)
        leaveOther(than: loop, at: time, thread: thread, items: &items, in: &state)
        if entities[loop].thread == nil { entities[loop].thread = ThreadIndex(thread) }
        leave(loop, at: time, items: &items, in: &state)
        let slot: Int
        if let awaited = loops[loop].awaited, items.isWaiting(awaited.slot, number: awaited.number) {
            slot = awaited.slot
            items.beginStretch(slot, number: awaited.number, at: time, thread: thread, in: &state)
        } else {
            items.pollPath(of: thread, loop: loops[loop].queue, since: loops[loop].pollsSince, at: time, in: &state)
            slot = items.runStretch(
                .loopIteration, on: loops[loop].queue, code: .unknown, at: time, thread: thread, in: &state)
        }
        loops[loop].awaited = nil
        loops[loop].running = Stretch(slot: slot, number: items.items[slot].number)
    }

    /// A thread wakes a loop. What it wants is done in the next iteration; wake-ups until then come to the same.
    mutating func wake(
        _ id: UInt64, at time: Int64, thread: Int, items: inout ItemTracker, in state: inout ModelState
    ) {
        let loop = loop(id, at: time, in: &state)
        if let awaited = loops[loop].awaited, items.isWaiting(awaited.slot, number: awaited.number) { return }
        let slot = items.enqueueStretch(
            .loopIteration, on: loops[loop].queue, code: .unknown, at: time, thread: thread, in: &state)
        loops[loop].awaited = Stretch(slot: slot, number: items.items[slot].number)
    }

    /// The thread has gone from one loop to another, for a while or for good: what it does now is no iteration of the
    /// first one.
    private mutating func leaveOther(
        than loop: Int, at time: Int64, thread: Int, items: inout ItemTracker, in state: inout ModelState
    ) {
        let other = last[thread]
        guard other != loop else { return }
        last[thread] = loop
        if let other { leave(other, at: time, items: &items, in: &state) }
    }

    /// The end of an iteration is not known.
    private mutating func leave(
        _ loop: Int, at time: Int64, items: inout ItemTracker, in state: inout ModelState
    ) {
        guard let iteration = loops[loop].running else { return }
        loops[loop].running = nil
        items.leaveStretch(iteration.slot, number: iteration.number, at: time, in: &state)
    }
}
