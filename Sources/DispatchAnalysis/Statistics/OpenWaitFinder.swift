import DispatchModel

/// Finds the open waits at the end of a trace, and what would end each of them.
///
/// ```
///   main    ├ waits for a semaphore ░░░░░░░░░░░░░░░░░░░░ end
///   task 3     ├ awaits its group ░░░░░░░░░░░░░░░░░░░░░░ end     ends with task 5
///   task 5        ├ awaits a continuation ░░░░░░░░░░░░░░ end     the cause
/// ```
struct OpenWaitFinder {
    private let model: DispatchModel
    private let threads: [BlockedWait]
    private let tasks: OpenTasks
    /// The system call in which each thread is blocked at the end.
    private let calls: [ThreadIndex: BlockedCall]

    init(threads: [BlockedWait], tasks: OpenTasks, calls: [ThreadIndex: BlockedCall], in model: DispatchModel) {
        (self.threads, self.tasks, self.calls, self.model) = (threads, tasks, calls, model)
    }

    /// Returns the open waits without the choice for the verdict.
    func found() -> StillWaiting {
        var result = StillWaiting()
        result.limit = LargeCase.limit(in: model.duration)
        result.omitted = tasks.omitted
        let backlogs = Self.sorted(model.waitForGraph.backlogs.compactMap(wait))
        result.omitted += max(0, backlogs.count - Self.queueLimit)
        let waits = Self.sorted(
            threads.map(wait) + blockedCalls + tasks.all.compactMap(wait) + backlogs.prefix(Self.queueLimit))
        result.waits = OpenWaitCycles.first(waits, where: hasOneOwner)
        return result
    }

    private func hasOneOwner(_ cause: OpenWait.Cause) -> Bool {
        switch cause {
        case .object(.queue(let queue)): model[queue].isSerial
        case .object(.lock), .actor: true
        default: false
        }
    }

    /// Most queues with waiting items. A program may have 100,000 queues.
    private static let queueLimit = 1000

    private static func sorted(_ waits: [OpenWait]) -> [OpenWait] {
        waits.sorted { left, right in
            left.duration != right.duration ? left.duration > right.duration : rank(left.waiter) < rank(right.waiter)
        }
    }

    /// A stable order of waits with the same length.
    private static func rank(_ waiter: OpenWait.Waiter) -> (Int, UInt64) {
        switch waiter {
        case .thread(let thread): (0, UInt64(thread.position))
        case .task(let number): (1, number)
        case .items(let queue, _): (2, UInt64(queue.position))
        }
    }

    // MARK: Threads

    private func wait(_ wait: BlockedWait) -> OpenWait {
        var open = OpenWait(
            waiter: .thread(wait.thread), cause: .object(wait.object), code: wait.code, begin: wait.begin,
            end: model.end,
            thread: wait.thread, mayBeIdle: SystemCode.waitsForWork(in: wait.code, model))
        open.releaser = releaser(of: wait)
        return open
    }

    private func releaser(of wait: BlockedWait) -> OpenWait.Releaser? {
        switch wait.object {
        case .lock: return wait.holder.map(owner)
        case .queue(let queue): return wait.holder.map(owner) ?? holder(of: queue)
        case .semaphore(let id):
            guard let semaphore = model.semaphores.last(where: { $0.id == id }), semaphore.signals > 0 else {
                return nil
            }
            var releaser = OpenWait.Releaser(kind: .lastSignal)
            releaser.thread = semaphore.lastSignaller
            releaser.code = semaphore.lastSignalCode
            return releaser
        case .item(let id):
            if let running = model.waitForGraph.running.first(where: { $0.id == id }) {
                return awaited(running.thread, running.code)
            }
            return pending { $0.first.id == id }
        case .group(let id):
            guard let group = model.groups.last(where: { $0.id == id }) else { return nil }
            let running = model.waitForGraph.running.filter { $0.group == group.index }
            if let first = running.first {
                var releaser = awaited(first.thread, first.code)
                releaser.count = running.count
                return releaser
            }
            return pending { $0.first.group == group.index }
        }
    }

    /// The first item of a backlog, if it has the property.
    private func pending(_ isWanted: (WaitForGraph.Backlog) -> Bool) -> OpenWait.Releaser? {
        guard let backlog = model.waitForGraph.backlogs.first(where: isWanted) else { return nil }
        var releaser = OpenWait.Releaser(kind: .pendingItem)
        releaser.queue = backlog.queue
        releaser.code = backlog.first.code
        return releaser
    }

    private func owner(_ thread: ThreadIndex) -> OpenWait.Releaser { releaser(.owner, thread, .unknown) }

    private func awaited(_ thread: ThreadIndex, _ code: CodeIndex) -> OpenWait.Releaser {
        releaser(.awaited, thread, code)
    }

    /// A thread, with the code in which it is blocked, or otherwise the code of its innermost item.
    private func releaser(_ kind: OpenWait.Releaser.Kind, _ thread: ThreadIndex, _ code: CodeIndex) -> OpenWait.Releaser
    {
        var releaser = OpenWait.Releaser(kind: kind)
        releaser.thread = thread
        if let wait = threads.first(where: { $0.thread == thread }) {
            releaser.code = wait.code
        } else if let call = calls[thread] {
            releaser.code = call.code
            (releaser.call, releaser.descriptor) = (call.call, call.descriptor)
        }
        if releaser.code == .unknown { releaser.code = code }
        if releaser.code == .unknown {
            releaser.code = model.waitForGraph.running.last { $0.thread == thread }?.code ?? .unknown
        }
        return releaser
    }

    // MARK: System calls

    /// The threads that code of the program blocks in a system call, outside of all recorded waits. Event loops are
    /// left out, because they wait for events.
    private var blockedCalls: [OpenWait] {
        let waiting = Set(threads.map(\.thread)).union(model.loops.compactMap(\.thread))
        return calls.values.filter { call in
            call.code != .unknown && !waiting.contains(call.thread) && !Self.hasExited(call, in: model)
        }.map(wait)
    }

    /// Whether the thread of a call has ended, as the main thread does in `dispatchMain()`. It has no system call, and
    /// its stack has no function of the program after the entry point.
    static func hasExited(_ call: BlockedCall, in model: DispatchModel) -> Bool {
        call.thread == ThreadIndex(0) && call.call.isEmpty
            && (call.code == .unknown || model[call.code].symbol == "_start")
    }

    private func wait(_ call: BlockedCall) -> OpenWait {
        // Only another thread ends a futex wait. Other calls wait for time or for events from outside. A thread that
        // runs no item may wait for work.
        let isInItem = model.waitForGraph.running.contains { $0.thread == call.thread }
        var open = OpenWait(
            waiter: .thread(call.thread), cause: .call(call.call, call.called), code: call.code, begin: call.begin,
            end: model.end, thread: call.thread, mayBeIdle: call.call != "futex" || !isInItem)
        open.descriptor = call.descriptor
        return open
    }

    // MARK: Items

    private func wait(_ backlog: WaitForGraph.Backlog) -> OpenWait? {
        let first = backlog.first
        // The thread of a sync waits itself. An item that is not due does not wait for anything.
        guard !first.isForeign, !(first.isSync && backlog.count == 1), first.due ?? .zero <= model.end else {
            return nil
        }
        let holder = holder(of: backlog.queue)
        var open = OpenWait(
            waiter: .items(backlog.queue, count: backlog.count),
            cause: backlog.isSuspended
                ? .suspendedQueue(backlog.queue) : holder == nil ? .thread : .heldQueue(backlog.queue),
            code: first.code,
            begin: max(first.enqueuedAt, first.due ?? .zero), end: model.end, thread: first.enqueuedOn, mayBeIdle: false
        )
        open.releaser = backlog.isSuspended ? nil : holder
        return open
    }

    /// The thread that runs an item of a queue, or of a queue with the same exclusion queue. Nobody holds a global
    /// queue: its items wait for a thread.
    private func holder(of queue: QueueIndex) -> OpenWait.Releaser? {
        guard model[queue].kind != .global else { return nil }
        let domain = model.exclusionQueue(of: queue)
        let running = model.waitForGraph.running.last { item in
            item.queue == queue || domain != nil && model.exclusionQueue(of: item.queue) == domain
        }
        return running.map { releaser(.owner, $0.thread, $0.code) }
    }

    // MARK: Tasks

    private func wait(_ task: SwiftTask) -> OpenWait? {
        guard task.kind != .sleep, let wait = task.openWait else { return nil }
        var cause: OpenWait.Cause
        var releaser: OpenWait.Releaser?
        if wait.resumedAt != nil || wait.kind == .executor {
            cause = wait.actor.map { .actor($0) } ?? .thread
            releaser = wait.holder.map(taskReleaser)
        } else {
            switch wait.kind {
            case .continuation: cause = .continuation
            case .task:
                cause = .task(wait.object)
                releaser = taskReleaser(wait.object, kind: .awaited)
            case .group:
                cause = .taskGroup(wait.object)
                let children = tasks.children(of: task, in: wait.object)
                releaser = children.first.map { taskReleaser($0, kind: .awaited) }
                releaser?.count = children.count
            default: cause = .unknown
            }
        }
        var open = OpenWait(
            waiter: .task(task.number), cause: cause, code: wait.place, begin: wait.began, end: model.end,
            thread: wait.beganOn, mayBeIdle: mayBeIdle(wait, depth: 0))
        open.releaser = releaser
        return open
    }

    private func taskReleaser(_ number: UInt64) -> OpenWait.Releaser { taskReleaser(number, kind: .owner) }

    private func taskReleaser(_ number: UInt64, kind: OpenWait.Releaser.Kind) -> OpenWait.Releaser {
        var releaser = OpenWait.Releaser(kind: kind)
        releaser.task = number
        if let task = tasks[number] { releaser.code = task.openWait?.place ?? task.code }
        return releaser
    }

    /// Whether an idle program waits like this. A task that awaits another task is idle when the other task is.
    private func mayBeIdle(_ wait: TaskWait, depth: Int) -> Bool {
        guard wait.resumedAt == nil else { return false }
        switch wait.kind {
        case .continuation: return ContinuationNeverResumed.awaitsEvents(wait, in: model)
        case .task where depth < 16:
            // A task that was not recorded may be idle.
            guard let awaited = tasks[wait.object] else { return model.sampling.isSampled }
            return awaited.openWait.map { mayBeIdle($0, depth: depth + 1) } ?? false
        case .group where depth < 16:
            guard let task = tasks[wait.task] else { return false }
            let children = tasks.children(of: task, in: wait.object)
            if children.isEmpty { return model.sampling.isSampled }
            return children.allSatisfy { tasks[$0]?.openWait.map { mayBeIdle($0, depth: depth + 1) } ?? false }
        default: return false
        }
    }
}

/// The tasks that were open at the end of a trace, in bounded memory.
struct OpenTasks {
    /// Most tasks kept. The oldest ones come first.
    private static let limit = 4096

    private(set) var all: [SwiftTask] = []
    private(set) var omitted = 0
    private var places: [UInt64: Int] = [:]
    private var groups: [UInt64: [UInt64]] = [:]

    mutating func add(_ task: SwiftTask) {
        guard !task.isFinished, !task.isLeftOut else { return }
        guard all.count < Self.limit else {
            omitted += 1
            return
        }
        places[task.number] = all.count
        if task.group != 0 { groups[task.group, default: []].append(task.number) }
        all.append(task)
    }

    subscript(number: UInt64) -> SwiftTask? { places[number].map { all[$0] } }

    /// The open children of a task in one of its task groups.
    func children(of task: SwiftTask, in group: UInt64) -> [UInt64] {
        (groups[group] ?? []).filter { number in
            guard let parent = self[number]?.parent else { return true }
            return parent == task.number
        }
    }
}

extension StillWaiting {
    /// Chooses the wait for the verdict.
    ///
    /// A wait of the main thread comes first, then waits that are no consequence of another wait, the longest first.
    ///
    /// - Parameters:
    ///   - findings: the findings of the report.
    ///   - trace: the summary, with the way in which the program ended.
    ///   - model: the entities.
    mutating func choose(against findings: [Finding], _ trace: TraceSummary, in model: DispatchModel) {
        // A program that ended by itself did not wait for these. Events that are missing up to the end may have ended a
        // wait.
        if case .exited? = trace.ending { return }
        guard !model.missing.contains(where: \.reachesEnd) else { return }
        let main = trace.processes.first.map { UInt32(truncatingIfNeeded: $0.pid) }
        func rank(_ wait: OpenWait) -> (Int, Nanoseconds) {
            var rank = wait.isConsequence ? 0 : 1
            if case .thread(let thread) = wait.waiter, model[thread].tid == main { rank = 2 }
            return (rank, wait.duration)
        }
        let open = waits.filter { !$0.mayBeIdle && $0.duration >= limit }
        // If a finding reports one of the waits, the others are its consequences or are in its evidence.
        guard !open.contains(where: { wait in findings.contains { Self.reports($0, wait) } }) else { return }
        headline = open.max { rank($0) < rank($1) }
    }

    /// Whether a finding is about a wait that was open at the end.
    private static func reports(_ finding: Finding, _ wait: OpenWait) -> Bool {
        if finding.evidence.contains(where: { $0.time == wait.begin && $0.thread == wait.thread }) { return true }
        guard finding.end >= wait.end else { return false }
        if wait.code != .unknown, finding.code.contains(wait.code) { return true }
        return switch wait.cause {
        case .object(.lock(let lock)): finding.locks.contains(lock)
        case .object(.queue(let queue)), .heldQueue(let queue), .suspendedQueue(let queue):
            finding.queues.contains(queue)
        default: false
        }
    }
}
