/// Tracks the tasks of Swift Concurrency, and the actors and executors that run them.
///
/// ```
///   task_create ─► ready ── task_begin ──► running ── task_finish ─► (gone)
///                    ▲                      │   ╰─ task_switch: on another executor
///                    │ task_enqueue         ▼ task_suspend
///                    ╰────────────────── suspended
/// ```
///
/// An actor is represented by a queue. A task that needs the actor is an item of that queue, from the time when the
/// task is runnable until it leaves the actor. Memory grows with the number of unfinished tasks.
struct TaskTracker: ~Copyable {
    var tasks = TaskTable()
    var executors = ExecutorTable()
    private var keptChildren = KeptChildrenTracker()
    private var occupancy = ActorOccupancy()
    var sampled = SampledTasks()
    private var names: [Int: String] = [:]
    /// Whether a task that is enqueued without an executor is enqueued on the global executor.
    private var knowsExecutors = true

    mutating func track(_ event: DispatchEvent.TaskTrack) {
        knowsExecutors = event.taskDetail == .full
        keptChildren.follow(event.collects == 1)
    }

    // MARK: Tasks

    mutating func create(_ event: DispatchEvent.TaskCreate, at moment: Moment, in state: inout ModelState) {
        // The program delays an existing task. This is not the internal sleep task of the runtime.
        if event.kind == .sleep, tasks.slot(of: event.task) != nil { return }
        guard let slot = take(event.task, at: moment.time, in: state) else { return }
        tasks[slot].isCreated = true
        tasks[slot].task.kind = event.kind
        tasks[slot].task.qos = event.qos
        tasks[slot].task.code = state.codes.code(event.code)
        tasks[slot].task.parent = event.parent == 0 ? nil : event.parent
        if event.qos != .unspecified {
            tasks[slot].inheritedQoS = event.qos
        } else if event.kind != .detached, let parent = tasks.slot(of: event.parent) {
            tasks[slot].inheritedQoS = tasks[parent].inheritedQoS
        }
        tasks[slot].task.group = event.group
        if event.kind == .groupChild { keptChildren.add(to: event.group, by: event.parent, in: &state) }
        tasks[slot].task.createdOn = moment.thread
        tasks[slot].code = tasks[slot].task.code
    }

    mutating func name(_ event: DispatchEvent.TaskName) {
        if let slot = tasks.slot(of: event.task) { names[slot] = event.name }
    }

    mutating func cancel(_ number: UInt64, at time: Int64) {
        guard let slot = tasks.slot(of: number), !tasks[slot].task.isCancelled else { return }
        tasks[slot].task.isCancelled = true
        tasks[slot].task.cancelledAt = Timestamp(nanoseconds: time)
        tasks[slot].task.stepsBeforeCancellation = tasks[slot].task.steps
    }

    mutating func enqueue(
        _ event: DispatchEvent.TaskEnqueue, at moment: Moment, items: inout ItemTracker,
        in state: inout ModelState
    ) {
        guard let slot = take(event.task, at: moment.time, in: state) else { return }
        guard tasks[slot].state == .suspended || tasks[slot].state == .created else { return }
        tasks[slot].settle(at: moment.time)
        if tasks[slot].awaits == .group, let group = tasks[slot].wait?.object {
            keptChildren.collect(from: group, in: &state)
        }
        tasks[slot].state = .ready
        tasks[slot].isExecutorKnown = knowsExecutors || event.executor != 0
        state.resumed(since: tasks[slot].path, at: moment, code: tasks[slot].code, from: tasks[slot].awaits)
        state.paths.replace(&tasks[slot].path, with: -1)
        let queue = executors.queue(of: event.executor, at: moment.time, in: &state)
        tasks[slot].wait?.resumedAt = moment.timestamp
        tasks[slot].wait?.resumedOn = moment.thread
        tasks[slot].wait?.resumeCode = state.codes.code(event.code)
        let waker = tasks.running(on: moment.thread)
        let wakingTask = waker < 0 ? nil : Optional(tasks[waker].task.number)
        tasks[slot].wait?.resumedBy = wakingTask
        tasks[slot].queue = queue
        guard !queue.isNone else { return }
        tasks[slot].wait?.actor = queue
        tasks[slot].wait?.holder = occupancy.holder(of: queue)
        if occupancy.holder(of: queue) == nil {
            tasks[slot].wait?.blockCode = state.blockOnMain(before: queue)
        }
        if tasks[slot].awaits == .executor, let holder = occupancy.holder(of: queue) {
            let awaited = tasks.slot(of: holder).map { tasks[$0].inheritedQoS }
            tasks[slot].wait?.awaitedQoS = awaited
        }
        if tasks[slot].awaits == .executor { items.setPool(of: queue, at: moment, in: &state) }
        let actorItem = items.enqueueForeign(.actorJob, on: queue, code: tasks[slot].code, at: moment, in: &state)
        tasks[slot].actorItem = actorItem
        tasks[slot].actorItemNumber = state.items[actorItem].number
    }

    mutating func begin(
        _ event: DispatchEvent.TaskBegin, at moment: Moment, items: inout ItemTracker,
        in state: inout ModelState
    ) {
        guard let slot = take(event.task, at: moment.time, in: state) else { return }
        if tasks[slot].state == .running, tasks[slot].thread == moment.thread, tasks.running(on: moment.thread) == slot
        {
            resumeCovered(slot, event.executor, at: moment, items: &items, in: &state)
            return
        }
        // Ends the task that the thread ran before, unless this task is its immediate child. A child of a task group
        // can be immediate as well: it begins on the thread of its parent without being enqueued.
        while case let other = tasks.running(on: moment.thread), other >= 0, other != slot, !tasks[other].isCovered {
            let isImmediate =
                tasks[slot].task.kind == .immediate
                || tasks[slot].state == .created && tasks[slot].task.parent == tasks[other].task.number
            if isImmediate, !tasks[slot].hasRun {
                endRun(other, at: moment.time, items: &items, in: &state)
                tasks[other].isCovered = true
                tasks[other].runBegan = moment.time
                tasks[other].inner = tasks[slot].task.number
            } else {
                leave(other, at: moment.time, items: &items, in: &state)
            }
        }
        if tasks[slot].state == .running { leave(slot, at: moment.time, items: &items, in: &state) }
        tasks[slot].settle(at: moment.time)
        if var wait = tasks[slot].wait {
            wait.ended = moment.timestamp
            wait.isFinished = true
            if wait.awaitedQoS != nil { wait.heldUntil = occupancy.release(in: wait) }
            tasks[slot].wait = nil
            state.emit(.taskWait(wait))
        }
        let queue = executors.queue(of: event.executor, at: moment.time, in: &state)
        if !tasks[slot].actorItem.isNone, tasks[slot].queue != queue {
            items.cancelForeign(tasks[slot].actorItem, number: tasks[slot].actorItemNumber, at: moment.time, in: &state)
            tasks[slot].actorItem = .none
        }
        tasks[slot].state = .running
        tasks[slot].hasRun = true
        tasks[slot].thread = moment.thread
        tasks.enter(slot)
        items.nameJob(on: moment.thread, code: tasks[slot].code, in: &state)
        if !tasks[slot].actorItem.isNone {
            items.beginForeign(tasks[slot].actorItem, number: tasks[slot].actorItemNumber, at: moment, in: &state)
            if event.task == SwiftTask.first { items.keepWhole(tasks[slot].actorItem, in: &state) }
            hold(slot, queue: queue, at: moment.time)
        } else {
            enter(slot, queue: queue, at: moment, items: &items, in: &state)
        }
    }

    /// The task continues after its immediate child has left the thread.
    private mutating func resumeCovered(
        _ slot: Int, _ executor: UInt64, at moment: Moment, items: inout ItemTracker,
        in state: inout ModelState
    ) {
        guard tasks[slot].isCovered else { return }
        endInner(slot, at: moment.time, in: &state)
        tasks[slot].isCovered = false
        let queue = executors.queue(of: executor, at: moment.time, in: &state)
        enter(slot, queue: queue, at: moment, items: &items, in: &state)
    }

    mutating func switchExecutor(
        _ event: DispatchEvent.TaskSwitch, at moment: Moment, items: inout ItemTracker,
        in state: inout ModelState
    ) {
        let slot = tasks.running(on: moment.thread)
        guard slot >= 0 else { return }
        tasks[slot].settle(at: moment.time)
        endRun(slot, at: moment.time, items: &items, in: &state)
        tasks[slot].task.hops += 1
        tasks[slot].code = state.codes.code(event.code)
        let queue = executors.queue(of: event.executor, at: moment.time, in: &state)
        enter(slot, queue: queue, at: moment, items: &items, in: &state)
    }

    mutating func suspend(
        _ event: DispatchEvent.TaskSuspend, at moment: Moment, items: inout ItemTracker,
        in state: inout ModelState
    ) {
        guard let slot = take(event.task, at: moment.time, in: state) else { return }
        state.paths.replace(&tasks[slot].path, with: state.mark(at: moment))
        if tasks[slot].state == .running { leave(slot, at: moment.time, items: &items, in: &state) }
        if event.wait == .executor { tasks[slot].task.hops += 1 }
        tasks[slot].task.suspensions += 1
        tasks[slot].state = .suspended
        tasks[slot].awaits = event.wait
        let stack = state.codes.stack(event.stack)
        let code = state.codes.code(event.code)
        let place = state.codes.awaitPlace(of: stack, for: event.wait)
        tasks[slot].code = place.awaiter == .unknown ? code : place.awaiter
        tasks[slot].wait = TaskWait(
            task: event.task, kind: event.wait, object: event.object, code: code, stack: stack, awaiter: place.awaiter,
            awaited: place.awaited, began: moment.timestamp, beganOn: moment.thread,
            ended: moment.timestamp)
        if let wait = tasks[slot].wait { keptChildren.suspend(wait) }
        let qos = tasks[slot].inheritedQoS
        tasks[slot].wait?.qos = qos
        if event.wait == .task, let awaited = tasks.slot(of: event.object) {
            let (qos, createdAt) = (tasks[awaited].inheritedQoS, tasks[awaited].task.createdAt)
            tasks[slot].wait?.awaitedQoS = qos
            if tasks[awaited].task.parent == event.task { tasks[slot].wait?.ownTaskCreatedAt = createdAt }
        }
        if !state.sampling.hasTask(event.task) { leaveOut(slot, at: moment.time, items: &items, in: &state) }
    }

    mutating func finish(_ number: UInt64, at moment: Moment, items: inout ItemTracker, in state: inout ModelState) {
        guard let slot = tasks.slot(of: number) else { return }
        if tasks[slot].task.isLeftOut { follow(slot, at: moment.time) }
        if tasks[slot].state == .running { leave(slot, at: moment.time, items: &items, in: &state) }
        tasks[slot].task.endedOn = moment.thread
        keptChildren.finish(tasks[slot].task, at: moment)
        keptChildren.end(owner: number, in: &state)
        close(slot, isFinished: true, at: moment.time, in: &state)
    }

    mutating func collect(_ event: DispatchEvent.TaskCollect, in state: inout ModelState) {
        keptChildren.collect(from: event.group, in: &state)
    }

    /// Reports the unfinished tasks at the end of the trace. Call before the items are finished.
    mutating func finishAll(at time: Int64, items: inout ItemTracker, in state: inout ModelState) {
        keptChildren.endAll(in: &state)
        let open = tasks.indices.filter { tasks[$0].state != .free }
        for slot in open where !tasks[slot].task.isCancelled { tasks.inheritCancellation(slot) }
        for slot in open.sorted(by: { tasks[$0].sequence < tasks[$1].sequence }) {
            if tasks[slot].state == .running {
                tasks[slot].settle(at: time)
                if tasks[slot].isCovered {
                    endInner(slot, at: time, in: &state)
                } else {
                    emitRun(slot, at: time, in: &state)
                }
            }
            state.keptOpen(ofTask: tasks[slot].task.number, at: tasks[slot].path)
            close(slot, isFinished: false, at: time, in: &state)
        }
    }

    /// Restarts the counts and times of all tasks at the begin of a window.
    mutating func beginWindow(at time: Int64) {
        keptChildren.beginWindow(at: time)
        sampled.forgetCounts()
        for slot in tasks.indices where tasks[slot].state != .free {
            if !tasks[slot].task.isLeftOut { tasks[slot].settle(at: time) }
            tasks[slot].task.forgetCounts(before: Timestamp(nanoseconds: time))
        }
    }

    /// The number of the task that runs on a thread; nil for none.
    mutating func number(on thread: ThreadIndex) -> UInt64? {
        let slot = tasks.running(on: thread)
        return slot < 0 ? nil : tasks[slot].task.number
    }

    // MARK: Steps

    /// The task leaves its thread.
    private mutating func leave(_ slot: Int, at time: Int64, items: inout ItemTracker, in state: inout ModelState) {
        tasks[slot].settle(at: time)
        endRun(slot, at: time, items: &items, in: &state)
        let outer = Int(tasks[slot].outer)
        if outer >= 0, tasks[outer].inner == tasks[slot].task.number { endInner(outer, at: time, in: &state) }
        tasks.leave(slot)
        tasks[slot].state = .suspended
        tasks[slot].awaits = .unknown
    }

    private mutating func enter(
        _ slot: Int, queue: QueueIndex, at moment: Moment, items: inout ItemTracker, in state: inout ModelState
    ) {
        hold(slot, queue: queue, at: moment.time)
        guard !queue.isNone else { return }
        let actorItem = items.runForeign(.actorJob, on: queue, code: tasks[slot].code, at: moment, in: &state)
        tasks[slot].actorItem = actorItem
        tasks[slot].actorItemNumber = state.items[actorItem].number
        if tasks[slot].task.number == SwiftTask.first { items.keepWhole(actorItem, in: &state) }
    }

    private mutating func hold(_ slot: Int, queue: QueueIndex, at time: Int64) {
        tasks[slot].queue = queue
        tasks[slot].runBegan = time
        guard !queue.isNone else { return }
        occupancy.enter(queue, tasks[slot].task.number)
        executors.begin(on: queue, tasks[slot].code, thread: tasks[slot].thread)
    }

    private mutating func endRun(_ slot: Int, at time: Int64, items: inout ItemTracker, in state: inout ModelState) {
        guard !tasks[slot].isCovered else {
            endInner(slot, at: time, in: &state)
            tasks[slot].isCovered = false
            return
        }
        emitRun(slot, at: time, in: &state)
        if !tasks[slot].actorItem.isNone {
            items.endForeign(tasks[slot].actorItem, number: tasks[slot].actorItemNumber, at: time, in: &state)
            tasks[slot].actorItem = .none
        }
        let queue = tasks[slot].queue
        if !queue.isNone, occupancy.holder(of: queue) == tasks[slot].task.number {
            occupancy.leave(queue, tasks[slot], at: time)
        }
        tasks[slot].queue = .none
    }

    /// The child task that covered this one has left the thread.
    private mutating func endInner(_ slot: Int, at time: Int64, in state: inout ModelState) {
        guard tasks[slot].isCovered, tasks[slot].inner != 0 else { return }
        emitRun(slot, at: time, in: &state)
        tasks[slot].inner = 0
    }

    private func emitRun(_ slot: Int, at time: Int64, in state: inout ModelState) {
        guard state.followed.contains(.taskRuns) else { return }
        state.emit(
            .taskRun(
                TaskRun(
                    task: tasks[slot].task.number, thread: tasks[slot].thread,
                    actor: tasks[slot].queue.known, code: tasks[slot].code,
                    inner: tasks[slot].isCovered ? tasks[slot].inner : nil,
                    begin: Timestamp(nanoseconds: tasks[slot].runBegan), end: Timestamp(nanoseconds: time))))
    }

    mutating func close(_ slot: Int, isFinished: Bool, at time: Int64, in state: inout ModelState) {
        // The time after the recorder left it out is unknown.
        if !tasks[slot].task.isLeftOut { tasks[slot].settle(at: time) }
        if isFinished, !tasks[slot].task.isCancelled { tasks.inheritCancellation(slot) }
        var task = tasks[slot].task
        task.endedAt = Timestamp(nanoseconds: tasks[slot].settledAt)
        task.isFinished = isFinished
        if state.sampling.isSampled {
            sampled.close(&task, isCreated: tasks[slot].isCreated, in: state.sampling)
        } else {
            task.sums = TaskSums(of: task)
        }
        task.name = names.removeValue(forKey: slot) ?? ""
        if !isFinished, var wait = tasks[slot].wait {
            wait.ended = task.endedAt
            task.openWait = wait
            state.emit(.taskWait(wait))
        }
        state.emit(.task(task))
        state.paths.release(tasks[slot].path)
        tasks.remove(slot)
    }
}
