/// Counts the finished children that each task group keeps.
///
/// A child that finishes is kept until the task of the group collects it. The task collects it without a suspension
/// (`task_collect`), or its wait for the group ends: the runtime then passes it the child that finished. Entries exist
/// for groups with unfinished or kept children.
struct KeptChildrenTracker {
    /// Whether the trace contains all collections.
    private var isFollowed = false
    private var groups: [UInt64: KeptChildrenGroup] = [:]
    /// The group to which a task added its last child, by the number of the task.
    private var openGroups: [UInt64: UInt64] = [:]

    mutating func follow(_ collects: Bool) { isFollowed = collects }

    /// A task adds a child to a group.
    mutating func add(to id: UInt64, by owner: UInt64, in state: inout ModelState) {
        guard isFollowed, owner != 0 else { return }
        // The address of an ended group may be used again.
        if let known = groups[id], known.owner != owner { end(id, in: &state) }
        groups[id, default: KeptChildrenGroup(owner: owner)].add()
        openGroups[owner] = id
    }

    /// A child of a group finished.
    mutating func finish(_ task: SwiftTask, at moment: Moment) {
        guard isFollowed, task.kind == .groupChild, groups[task.group]?.owner == task.parent else { return }
        groups[task.group]?.finish(task, at: moment.timestamp, thread: moment.thread)
    }

    /// A task collected a finished child of its group. Ends the entry when nothing is left in the group.
    mutating func collect(from id: UInt64, in state: inout ModelState) {
        guard isFollowed, let group = groups[id] else { return }
        if group.kept <= 1, let growth = group.growth { emit(growth, in: &state) }
        if group.kept <= 1, group.running == 0 { return remove(id) }
        groups[id]?.collect()
    }

    /// A task suspends. A switch of the executor counts as well: an iterator that has buffered elements only switches.
    mutating func suspend(_ wait: TaskWait) {
        guard isFollowed, wait.kind != .group, let id = openGroups[wait.task] else { return }
        groups[id]?.await(at: wait.place)
    }

    /// A task finished, so its groups ended before.
    mutating func end(owner: UInt64, in state: inout ModelState) {
        guard isFollowed, let id = openGroups[owner] else { return }
        end(id, in: &state)
        openGroups[owner] = nil
    }

    /// The trace ends.
    mutating func endAll(in state: inout ModelState) {
        for id in groups.keys.sorted() { end(id, in: &state) }
    }

    /// Restarts all counts at the begin of a window.
    mutating func beginWindow(at time: Int64) {
        for id in groups.keys { groups[id]?.beginWindow(at: Timestamp(nanoseconds: time)) }
    }

    private mutating func end(_ id: UInt64, in state: inout ModelState) {
        if let growth = groups[id]?.growth { emit(growth, in: &state) }
        remove(id)
    }

    private mutating func remove(_ id: UInt64) {
        guard let group = groups.removeValue(forKey: id) else { return }
        if openGroups[group.owner] == id { openGroups[group.owner] = nil }
    }

    private func emit(_ growth: KeptChildren, in state: inout ModelState) {
        if growth.peak >= KeptChildren.smallest { state.emit(.keptChildren(growth)) }
    }
}

/// A group with unfinished or kept children.
private struct KeptChildrenGroup {
    let owner: UInt64
    /// Children that have not finished.
    var running = 0
    /// Finished children that are not collected.
    var kept = 0
    var collected = 0
    var rounds = 0
    /// Where the task awaited something else since it added the last child; nil if it did not.
    var awaited: CodeIndex?
    var place = CodeIndex.unknown
    /// The current growth; nil while no child is kept.
    var growth: KeptChildren?

    mutating func add() {
        running += 1
        guard let awaited else { return }
        rounds += 1
        place = awaited
        self.awaited = nil
    }

    mutating func finish(_ task: SwiftTask, at time: Timestamp, thread: ThreadIndex) {
        running -= 1
        kept += 1
        if growth == nil {
            growth = KeptChildren(owner: owner, code: task.code, begin: time, thread: thread, peakedAt: time)
            (rounds, collected) = (0, 0)
        }
        guard kept > growth!.peak else { return }
        growth!.peak = kept
        growth!.peakedAt = time
        growth!.rounds = rounds
        growth!.collected = collected
        growth!.place = place
    }

    mutating func collect() {
        guard kept > 0 else { return }
        kept -= 1
        collected += 1
        if kept == 0 { growth = nil }
    }

    mutating func await(at code: CodeIndex) { awaited = code }

    mutating func beginWindow(at time: Timestamp) {
        guard growth != nil else { return }
        growth!.begin = time
        growth!.peakedAt = time
        growth!.peak = kept
        (rounds, collected) = (0, 0)
        (growth!.rounds, growth!.collected) = (0, 0)
    }
}
