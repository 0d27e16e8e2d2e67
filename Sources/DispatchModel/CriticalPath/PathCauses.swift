// What causes what: where items, syncs and signals hand the path of one thread to another.
extension ItemTracker {
    /// What a thread is in the middle of.
    @inline(__always)
    private func pathItem(on thread: Int, in state: inout ModelState) -> PathItem {
        let innermost = Int(state.threads.activity.place(of: thread).pointee.innermost)
        return innermost < 0 ? PathItem() : pathItem(innermost)
    }

    @inline(__always)
    private func pathItem(_ slot: Int) -> PathItem {
        let item = items.place(of: slot)
        return PathItem(number: item.pointee.number, code: item.pointee.code, queue: item.pointee.queue)
    }

    /// A mark where a thread is now, which the caller keeps; -1 when nobody follows paths.
    func markPath(of thread: Int, at time: Int64, in state: inout ModelState) -> Int32 {
        guard state.paths.isFollowed else { return -1 }
        return state.paths.mark(thread: thread, at: time, item: pathItem(on: thread, in: &state))
    }

    /// The thread submits the item.
    @inline(__always)
    mutating func recordCause(of slot: Int, thread: Int, at time: Int64, in state: inout ModelState) {
        guard state.paths.isFollowed else { return }
        state.paths.add(
            .submit, thread: thread, at: time, item: pathItem(on: thread, in: &state),
            place: Int32(truncatingIfNeeded: slot))
    }

    /// The thread submits a sync that begins at once. Whatever gives its queue back first, as the end of its holder was
    /// lost, is written down before.
    @inline(__always)
    mutating func passThrough(at time: Int64, thread: Int, in state: inout ModelState) {
        guard state.paths.isFollowed else { return }
        state.paths.add(.beginFreeSync, thread: thread, at: time, item: pathItem(on: thread, in: &state))
    }

    /// The item begins: because it was submitted, or because the last holder of its hierarchy ended, which comes later.
    @inline(__always)
    mutating func followCause(_ slot: Int, at time: Int64, thread: Int, in state: inout ModelState) {
        guard state.paths.isFollowed else { return }
        let item = items.place(of: slot)
        let parts = item.pointee.parts
        if parts.suspended > .zero || parts.notDue > .zero {
            state.paths.add(PathStep(time: parts.suspended.count, number: parts.notDue.count, kind: .waits))
        }
        if parts.barrier > .zero { state.paths.add(PathStep(time: parts.barrier.count, kind: .barrier)) }
        if item.pointee.source >= 0, let due = state.paths.dueTimes.removeValue(forKey: item.pointee.source) {
            state.paths.add(PathStep(time: due, kind: .due))
        }
        state.paths.add(
            item.pointee.isSync ? .beginSync : .begin, thread: thread, at: time, item: pathItem(slot),
            place: Int32(truncatingIfNeeded: slot), domain: item.pointee.domain, source: item.pointee.source)
    }

    /// The item ends, and still is the innermost on its thread: its queue is free, and so is the caller of its sync.
    @inline(__always)
    mutating func passOnPath(_ slot: Int, at time: Int64, in state: inout ModelState) {
        guard state.paths.isFollowed else { return }
        let item = items.place(of: slot)
        let isAwaited = item.pointee.isSync && item.pointee.enqueuedOn != item.pointee.thread
        state.paths.add(
            .end, thread: Int(item.pointee.thread), at: time, item: pathItem(slot),
            place: isAwaited ? item.pointee.enqueuedOn : -1, domain: item.pointee.domain, source: item.pointee.source,
            since: state.paths.isOfAnItem ? item.pointee.enqueuedAt : nil)
    }

    /// The item will not begin.
    func forgetPath(_ slot: Int, in state: inout ModelState) {
        state.paths.add(PathStep(place: Int32(truncatingIfNeeded: slot), kind: .forgetItem))
    }

    /// The thread activates a source, which waits for its first event from now on.
    func activateOnPath(_ source: SourceIndex, thread: Int, at time: Int64, in state: inout ModelState) {
        guard state.paths.isFollowed else { return }
        state.paths.add(
            .activate, thread: thread, at: time, item: pathItem(on: thread, in: &state), place: source.rawValue)
    }

    /// The thread begins to wait: until now it ran.
    func stopPath(of thread: Int, at time: Int64, in state: inout ModelState) {
        guard state.paths.isFollowed else { return }
        state.paths.add(.stop, thread: thread, at: time, item: pathItem(on: thread, in: &state))
    }

    /// The trace ends with the program: until then ran what the main queue, or the main actor, runs. What other threads
    /// run is not waited for.
    ///
    /// - Parameter lockWaiters: the positions of the threads that wait for a lock.
    func endPath(at time: Int64, lockWaiters: [Int], in state: inout ModelState) {
        guard state.paths.isFollowed else { return }
        var waiting = Set(lockWaiters + state.waits.open.map(\.thread))
        for slot in items.indices where items[slot].state == .waiting && items[slot].isSync {
            waiting.insert(Int(items[slot].enqueuedOn))
        }
        for slot in items.indices where items[slot].state == .running {
            let queue = Int(items[slot].queue)
            let exclusion = state.forest.activity[queue].exclusion
            let isMain =
                state.model.queues[queue].isMainExecutor
                || exclusion >= 0 && state.model.queues[Int(exclusion)].kind == .main
            let thread = Int(items[slot].thread)
            if isMain, !waiting.contains(thread) { stopPath(of: thread, at: time, in: &state) }
        }
    }

    /// The thread goes on after a wait, because of a signal or a release; -1 when the cause is not known.
    func wakePath(
        of thread: Int, since begin: Int64, at time: Int64, because cause: Int32, in state: inout ModelState
    ) {
        guard state.paths.isFollowed else { return }
        state.paths.add(
            .wake, thread: thread, at: time, item: pathItem(on: thread, in: &state), place: cause, since: begin)
    }

    /// Polling returns to a loop that no thread has woken: something outside has.
    func pollPath(of thread: Int, loop: Int, since begin: Int64, at time: Int64, in state: inout ModelState) {
        guard begin >= 0 else { return }
        state.paths.add(.poll, thread: thread, at: time, item: PathItem(queue: Int32(loop)), since: begin)
    }

    /// A task that suspended at a mark, -1 for none, can go on because of what a thread does.
    func resumePath(
        since suspension: Int32, on thread: Int, at time: Int64, code: CodeIndex, in state: inout ModelState
    ) {
        guard suspension >= 0 else { return }
        state.paths.add(
            .resume, thread: thread, at: time, item: PathItem(code: code.rawValue), place: suspension)
    }

    /// A signpost interval ends on a thread.
    func endSignpost(named name: String, from begin: Int64, at time: Int64, thread: Int, in state: inout ModelState) {
        guard let wanted = state.paths.signpost, wanted == name else { return }
        state.paths.add(
            .interval, thread: thread, at: time, item: pathItem(on: thread, in: &state), since: begin)
    }
}
