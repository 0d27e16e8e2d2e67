/// The unfinished tasks, and which of them run on which thread. Slots of finished tasks are reused.
struct TaskTable: ~Copyable {
    private var rows = RowTable<OpenTask>(minimumCapacity: 64)
    private var free: [Int] = []
    private var slots = IdentifierTable(minimumCapacity: 64)
    private var nextSequence: Int64 = 0
    /// Slot of the innermost task that runs on a thread, by position of the thread; -1 for none.
    private var current: [Int32] = []
    /// Most ancestors that are searched for a cancellation.
    private static let ancestorLimit = 64

    var indices: Range<Int> { rows.indices }

    subscript(slot: Int) -> OpenTask {
        @inline(__always)
        unsafeAddress { UnsafePointer(rows.place(of: slot)) }
        @inline(__always)
        unsafeMutableAddress { rows.place(of: slot) }
    }

    /// The slot of the task with a number; nil when it is unknown or has finished.
    func slot(of number: UInt64) -> Int? { slots[number] }

    /// The slot of a task. Creates the task if its creation was not recorded.
    mutating func take(_ number: UInt64, at time: Int64) -> Int {
        if let known = slots[number] { return known }
        let slot: Int
        if let reused = free.popLast() {
            slot = reused
            rows[slot] = OpenTask(number: number, sequence: nextSequence, at: time)
        } else {
            slot = rows.count
            rows.append(OpenTask(number: number, sequence: nextSequence, at: time))
        }
        nextSequence += 1
        slots.insert(number, slot)
        return slot
    }

    /// Removes a finished task.
    mutating func remove(_ slot: Int) {
        slots.remove(rows[slot].task.number)
        rows[slot] = OpenTask()
        free.append(slot)
    }

    /// Slot of the innermost task that runs on a thread; -1 for none.
    mutating func running(on thread: ThreadIndex) -> Int {
        current.reach(thread.position, -1)
        return Int(current[thread])
    }

    /// The task runs on its thread, inside of the task that runs there already.
    mutating func enter(_ slot: Int) {
        let thread = rows[slot].thread
        rows[slot].outer = Int32(running(on: thread))
        current[thread] = Int32(slot)
    }

    /// Removes the task from the stack of nested tasks on its thread. It is usually the innermost.
    mutating func leave(_ slot: Int) {
        let thread = rows[slot].thread
        var inner = running(on: thread)
        if inner == slot {
            current[thread] = rows[slot].outer
        } else {
            while inner >= 0, rows[inner].outer != slot { inner = Int(rows[inner].outer) }
            if inner >= 0 { rows[inner].outer = rows[slot].outer }
        }
        rows[slot].outer = -1
    }

    /// Cancels a task whose parent was cancelled. Only the cancellation of the parent is recorded.
    ///
    /// A parent ends after its children, so it is open when a child ends.
    mutating func inheritCancellation(_ slot: Int) {
        var ancestor = slot
        for _ in 0..<Self.ancestorLimit {
            guard rows[ancestor].task.isChild, let parent = rows[ancestor].task.parent.flatMap({ slots[$0] }) else {
                return
            }
            ancestor = parent
            guard let time = rows[ancestor].task.cancelledAt else { continue }
            rows[slot].task.isCancelled = true
            rows[slot].task.cancelledAt = max(time, rows[slot].task.createdAt)
            return
        }
    }
}

/// The tasks that occupy actors, by the actor's queue.
struct ActorOccupancy {
    /// Limit of the releases that are kept of each actor.
    private static let releaseLimit = 8
    /// The number of the task that occupies an actor.
    private var holders: [QueueIndex: UInt64] = [:]
    /// Recent releases of an actor by tasks of low classes, for the waits of other tasks, the earliest first.
    private var releases: [QueueIndex: [(task: UInt64, time: Int64)]] = [:]

    func holder(of queue: QueueIndex) -> UInt64? { holders[queue] }

    mutating func enter(_ queue: QueueIndex, _ task: UInt64) { holders[queue] = task }

    /// The task that occupies the actor leaves it.
    mutating func leave(_ queue: QueueIndex, _ task: OpenTask, at time: Int64) {
        holders[queue] = nil
        guard task.inheritedQoS.isLow else { return }
        if releases[queue, default: []].count >= Self.releaseLimit { releases[queue]?.removeFirst() }
        releases[queue, default: []].append((task.task.number, time))
    }

    /// When the task that occupied the actor of a wait left it; nil when unknown.
    func release(in wait: TaskWait) -> Timestamp? {
        guard let queue = wait.actor, let holder = wait.holder, let begin = wait.resumedAt,
            let release = releases[queue]?.first(where: { $0.task == holder && $0.time >= begin.nanoseconds })
        else { return nil }
        return Timestamp(nanoseconds: release.time)
    }
}
