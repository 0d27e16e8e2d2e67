// What causes what: where items, syncs and signals hand the path of one thread to another.
extension ItemTracker {
    /// What a thread is in the middle of.
    @inline(__always)
    private func pathItem(on thread: Int, in state: inout ModelState) -> PathItem {
        let innermost = Int(state.threads.activity[thread].innermost)
        return innermost < 0 ? PathItem() : pathItem(innermost)
    }

    @inline(__always)
    private func pathItem(_ slot: Int) -> PathItem {
        let item = items.place(of: slot)
        return PathItem(number: item.pointee.number, code: item.pointee.code, queue: item.pointee.queue)
    }

    /// The path to where a thread is now; -1 when nobody follows paths.
    @inline(__always)
    func pathPoint(of thread: Int, at time: Int64, in state: inout ModelState) -> Int32 {
        guard state.paths.isFollowed else { return -1 }
        return state.paths.reach(thread: thread, at: time, item: pathItem(on: thread, in: &state))
    }

    /// The thread submits the item.
    @inline(__always)
    mutating func recordCause(of slot: Int, thread: Int, at time: Int64, in state: inout ModelState) {
        guard state.paths.isFollowed else { return }
        let cause = pathPoint(of: thread, at: time, in: &state)
        state.paths.exchange(&items[slot].path, for: cause)
    }

    /// The item begins: because it was submitted, or because the last holder of its hierarchy ended, which comes later.
    ///
    /// ```
    ///   submitted ────────────────────────┤ begin       holder ──┤ end
    ///                start ╰──────────────╯             queued   ╰───╯ begin
    /// ```
    @inline(__always)
    mutating func followCause(_ slot: Int, at time: Int64, thread: Int, in state: inout ModelState) {
        if state.paths.isFollowed { arrive(slot, at: time, thread: thread, in: &state) }
    }

    private mutating func arrive(_ slot: Int, at time: Int64, thread: Int, in state: inout ModelState) {
        let item = pathItem(slot)
        // Its reference passes to the thread.
        let submission = items[slot].path
        items[slot].path = -1
        guard submission >= 0 else {
            // A source waits for its event since its handler ran last, or since it was activated.
            let waiting = state.paths.retain(state.paths.waiting(source: items[slot].source))
            let kind = waiting >= 0 ? CriticalPath.Kind.blocked : .before
            return state.paths.arrive(thread: thread, at: time, item: item, because: waiting, kind: kind)
        }
        let holder = items[slot].domain < 0 ? -1 : state.forest.activity[Int(items[slot].domain)].lastPath
        let submitted = state.paths.nodes.end(of: submission)
        if holder >= 0, state.paths.nodes.end(of: holder) > submitted {
            state.paths.arrive(
                thread: thread, at: time, item: item, because: state.paths.retain(holder),
                kind: items[slot].isSync ? .handoff : .queued)
            return state.paths.release(submission)
        }
        // What held it up since its submission, in the order of WaitPartition; the rest is the workers'.
        var cause = submission
        var until = submitted
        func wait(_ kind: CriticalPath.Kind, _ time: Nanoseconds, _ state: inout ModelState) {
            guard time > .zero else { return }
            until = min(until + time.count, items[slot].beganAt)
            cause = state.paths.nodes.make(kind, item: item, thread: thread, end: until, after: cause)
        }
        wait(.suspended, items[slot].parts.suspended, &state)
        wait(.notDue, items[slot].parts.notDue, &state)
        wait(.barrier, items[slot].parts.barrier, &state)
        state.paths.arrive(thread: thread, at: time, item: item, because: cause, kind: .start)
    }

    /// The item ends, and still is the innermost on its thread: its queue is free, and so is the caller of its sync.
    @inline(__always)
    mutating func passOnPath(_ slot: Int, at time: Int64, in state: inout ModelState) {
        if state.paths.isFollowed { pass(slot, at: time, in: &state) }
    }

    private mutating func pass(_ slot: Int, at time: Int64, in state: inout ModelState) {
        let thread = Int(items[slot].thread)
        let end = state.paths.reach(thread: thread, at: time, item: pathItem(slot))
        if items[slot].domain >= 0 {
            state.paths.exchange(&state.forest.activity[Int(items[slot].domain)].lastPath, for: end)
        }
        if items[slot].source >= 0 { state.paths.wait(source: items[slot].source, since: end) }
        if items[slot].isSync, items[slot].enqueuedOn >= 0, Int(items[slot].enqueuedOn) != thread {
            state.paths.wake(thread: Int(items[slot].enqueuedOn), because: end)
        }
        guard state.paths.isOfAnItem else { return }
        let begin = items[slot].enqueuedAt
        let number = ItemNumber(items[slot].number)
        for target in [CriticalPath.Target.item(number), .slowestItem]
        where state.paths.wants(target, lasting: time - begin) {
            state.paths.keep(state.paths.path(to: end, for: target, from: begin, to: time))
        }
    }

    /// The thread activates a source, which waits for its first event from now on.
    func activateOnPath(_ source: SourceIndex, thread: Int, at time: Int64, in state: inout ModelState) {
        let point = pathPoint(of: thread, at: time, in: &state)
        if point >= 0 { state.paths.wait(source: source.rawValue, since: point) }
    }

    /// The thread begins to wait: until now it ran.
    @inline(__always)
    func stopPath(of thread: Int, at time: Int64, in state: inout ModelState) {
        _ = pathPoint(of: thread, at: time, in: &state)
    }

    /// The thread goes on after a wait, because of a signal or a release; -1 when the cause is not known.
    func wakePath(
        of thread: Int, since begin: Int64, at time: Int64, because cause: Int32, in state: inout ModelState
    ) {
        guard state.paths.isFollowed else { return }
        let item = pathItem(on: thread, in: &state)
        let isKnown = cause >= 0 && state.paths.nodes.end(of: cause) >= begin
        let start = isKnown ? cause : state.paths.reach(thread: thread, at: begin, item: item)
        state.paths.arrive(
            thread: thread, at: time, item: item, because: state.paths.retain(start), kind: isKnown ? .wake : .blocked)
    }

    /// Polling returns to a loop that no thread has woken: something outside has.
    func pollPath(of thread: Int, loop: Int, since begin: Int64, at time: Int64, in state: inout ModelState) {
        guard state.paths.isFollowed, begin >= 0 else { return }
        let loop = PathItem(queue: Int32(loop))
        let start = state.paths.reach(thread: thread, at: begin, item: loop)
        state.paths.arrive(
            thread: thread, at: time, item: loop, because: state.paths.retain(start), kind: .blocked)
    }

    /// A task that suspended at the end of `suspension` can go on, because of what a thread does. Where it is not known
    /// what that thread did before, as of one that was made to call back, the task's own wait is what took the time.
    func resumePath(
        since suspension: Int32, on thread: Int, at time: Int64, code: CodeIndex, in state: inout ModelState
    ) {
        guard suspension >= 0, !state.paths.isKnown(thread, since: state.paths.nodes.end(of: suspension)) else { return }
        state.paths.arrive(
            thread: thread, at: time, item: PathItem(code: code.rawValue), because: state.paths.retain(suspension),
            kind: .awaits)
    }

    /// A signpost interval ends on a thread.
    func endSignpost(named name: String, from begin: Int64, at time: Int64, thread: Int, in state: inout ModelState) {
        let target = CriticalPath.Target.signpost(name: name)
        guard state.paths.wants(target, lasting: time - begin) else { return }
        let end = pathPoint(of: thread, at: time, in: &state)
        state.paths.keep(state.paths.path(to: end, for: target, from: begin, to: time))
    }

    /// The trace is over, and nothing is closed yet.
    func finishPath(at time: Int64, in state: inout ModelState) {
        if state.paths.target == .wholeRun, let thread = state.paths.latest {
            let head = state.paths.head(of: thread)
            let begin = state.model.begin.nanoseconds
            let end = max(begin, min(time, state.paths.nodes.end(of: head)))
            state.paths.keep(state.paths.path(to: head, for: .wholeRun, from: begin, to: end))
        }
        state.model.criticalPath = state.paths.best
    }
}
