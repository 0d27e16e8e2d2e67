import DispatchModel

/// A task blocks its thread, one of the few threads that all tasks share.
///
/// ## Definition
///
/// A job of Swift's global executor *blocks its thread* when it waits for at least 10 ms in a semaphore, a lock, a
/// group, a work item or a sync. Where context switches were recorded, it also blocks its thread when it is off-CPU for
/// at least 10 ms in a system call, such as a read or a sleep, or in another kind of lock. The finding names the system
/// call and its caller if the recorder took the stack of the thread. Waits at one place are one finding.
///
/// The severity depends on other jobs of the executor. It is a warning when other jobs were ready and waited for a
/// thread for at least 50 ms during these waits. It is a note when they did not, but the waits add up to at least 100
/// ms. For locks and system calls the warning begins at 100 ms: on a busy machine, a thread that holds a lock, such as
/// the lock of the allocator, sometimes loses its processor. If the recorder took stacks of blocked threads, but none
/// of these waits with a function of the program, it is a note: the runtime or the kernel may have delayed the thread.
/// It is an error when, at the end of the trace, at least as many threads as there are processors are blocked, and jobs
/// have waited for a thread for at least 100 ms: then no thread can make progress.
///
/// ```
///   thread 1   ├ task ░░░░░░░ semaphore.wait() ░░░░░░┤
///   thread 2   ├ task ░░░░░░░ semaphore.wait() ░░░░░░┤
///   tasks      ▲ ready ·········· no thread ··········├ task ┤
/// ```
///
/// The cost of a warning is the time for which a thread was blocked while a job waited for one. The cost of a note is
/// the time for which the threads were blocked.
///
/// ## Thresholds
///
/// - wait = 10ms: The shortest wait that counts. Shorter waits are a normal use of locks.
/// - lost = 50ms: The smallest time for which jobs waited for a thread because of the waits. From this time on it is a
///   warning.
/// - blocked = 100ms: The smallest sum of the waits if no job waited for the threads, and the smallest time for which
///   jobs waited because of locks and system calls.
///
/// ## Why it matters
///
/// The executor has one thread per processor and creates no more. A blocked thread is missing until its wait ends. If
/// the wait ends only through a task that needs a thread, the program never continues.
///
/// ## What it cannot see
///
/// Waits in system calls if no context switches were recorded. Under LTTng, the callers of system calls. Spinning
/// locks, and locks in Swift's own libraries. A page fault of at least 10 ms counts as a system call. A system call
/// that is open at the end of the trace is left out where events are missing, because the missing events may include
/// the end of the task. Tasks on an executor of the program are not checked: they may block.
///
/// ## Advice
///
/// Suspend instead of blocking: `await` the result, wrap a callback in `withCheckedContinuation`, or replace a
/// semaphore that signals events by an `AsyncStream`. Make calls that must block on a queue or a thread of their own,
/// and resume a continuation from there.
///
/// ## Source
///
/// "Swift concurrency: Behind the scenes" (WWDC 2021, session 10254): tasks must always be able to make progress, and
/// semaphores and condition variables are unsafe in them.
public struct BlockedCooperativePool: Detector {
    public static let id = "blocked-cooperative-pool"
    public static let title = "A task blocks its thread, one of the few threads that all tasks share"
    public static let follows: ObservationKinds = [
        .items, .taskRuns, .blockedWaits, .lockAcquisitions, .pendingItems, .processorSlices, .blockedCalls,
    ]
    public static let explains: Set<String> = ["pool-starvation", "work-too-large"]

    private static let wait = Threshold("wait", Nanoseconds.milliseconds(10))
    private static let lost = Threshold("lost", Nanoseconds.milliseconds(50))
    private static let blocked = Threshold("blocked", Nanoseconds.milliseconds(100))
    public static let thresholds: [any ThresholdDeclaration] = [wait, lost, blocked]

    /// A job that is ready for less than this time got a thread without delay.
    private static let readyLimit = Nanoseconds.milliseconds(1)
    private static let stuckLimit = Nanoseconds.milliseconds(100)
    /// Limits of the waits and runs kept per thread until its job ends, and of the cases of the whole trace.
    private static let threadLimit = 1024
    private static let caseLimit = 65_536

    private let wait: Nanoseconds
    private let lost: Nanoseconds
    private let blocked: Nanoseconds
    /// By position of the thread: its waits and runs since its last job.
    private var recent: [Recent] = []
    private var cases: [BlockedTask] = []
    /// The times in which jobs were ready and had no thread.
    private var ready = TimeUnion()
    /// Number of jobs that had waited for at least `stuckLimit` at the end of the trace.
    private var stuckJobs = 0
    /// Whether the recorder took the stacks of blocked threads.
    private var hasCalls = false
    /// Jobs that ran at the end of the trace. Their waits are observed after them.
    private var openJobs: [Item] = []

    private struct Recent {
        var waits: [BlockedTask] = []
        var runs: [TaskRun] = []
        /// Voluntary off-CPU times of at least `readyLimit`, and the sum of the shorter ones.
        var pauses: [(begin: Timestamp, end: Timestamp)] = []
        /// The system calls of the thread in such times.
        var calls: [BlockedCall] = []
        var shortPauses = Nanoseconds.zero
        /// The begin of the current voluntary off-CPU time; nil if the thread runs or was preempted.
        var leftAt: Timestamp?
    }

    public init(thresholds: Thresholds) {
        wait = thresholds[Self.wait]
        lost = thresholds[Self.lost]
        blocked = thresholds[Self.blocked]
    }

    // MARK: - Waits and runs of a thread

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .blockedWait(let wait): add(BlockedTask(ThreadHistory.Wait(wait), isFinished: wait.isFinished))
        case .acquisition(let acquisition): if let wait = ThreadHistory.Wait(acquisition) { add(BlockedTask(wait)) }
        case .taskRun(let run) where run.inner == nil:
            let thread = run.thread.position
            recent.reach(thread, Recent())
            Self.add(run, to: &recent[thread].runs)
        case .processorSlice(let slice): add(slice)
        case .blockedCall(let call):
            hasCalls = true
            recent.reach(call.thread.position, Recent())
            Self.add(call, to: &recent[call.thread.position].calls)
        case .pending(let item):
            guard item.kind == .swiftJob, !item.isCancelled else { return }
            ready.add(item.enqueuedAt, item.until)
            if item.until - item.enqueuedAt >= Self.stuckLimit { stuckJobs += 1 }
        default: break
        }
    }

    private mutating func add(_ task: BlockedTask) {
        guard task.end - task.begin >= wait else { return }
        recent.reach(task.thread.position, Recent())
        Self.add(task, to: &recent[task.thread.position].waits)
    }

    /// Appends an element. At the limit, the older half is dropped: it may belong to no open job.
    private static func add<Element>(_ element: Element, to list: inout [Element]) {
        if list.count == threadLimit { list.removeFirst(threadLimit / 2) }
        list.append(element)
    }

    private mutating func add(_ slice: ProcessorSlice) {
        let thread = slice.thread.position
        recent.reach(thread, Recent())
        if let left = recent[thread].leftAt {
            if slice.begin - left < Self.readyLimit {
                recent[thread].shortPauses += slice.begin - left
            } else {
                Self.add((left, slice.begin), to: &recent[thread].pauses)
            }
        }
        recent[thread].leftAt = slice.ending == .blocked ? slice.end : nil
    }

    public var wanted: ItemTraits { [.job, .lasting(wait)] }

    @inline(__always)
    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {
        if item.kind == .swiftJob || item.enqueuedOn == nil && isJob(item, in: model) {
            addJob(item, in: model)
        } else if item.isSync, item.wait >= wait, let caller = item.enqueuedOn {
            add(BlockedTask(ThreadHistory.Wait(sync: item, of: caller)))
        }
    }

    /// Recognises a job whose submission was lost: it looks like any other item, on an unknown queue.
    private func isJob(_ item: ItemRow, in model: DispatchModel) -> Bool {
        if model[item.queue].kind == .unknown, item.thread.position < recent.count {
            return recent[item.thread.position].runs.contains { $0.actor == nil && $0.begin >= item.beganAt }
        }
        return model.isSwiftExecutor(item.queue)
    }

    private mutating func addJob(_ item: ItemRow, in model: DispatchModel) {
        guard model[item.queue].kind == .unknown || model.isSwiftExecutor(item.queue) else {
            // Jobs of another executor may block, so the waits of this thread are dropped.
            forget(item.thread)
            return
        }
        if item.wait >= Self.readyLimit, item.waitParts.notDue == .zero { ready.add(item.enqueuedAt, item.beganAt) }
        if item.isFinished { judge(item.copy) } else { openJobs.append(item.copy) }
    }

    private mutating func forget(_ thread: ThreadIndex) {
        guard thread.position < recent.count else { return }
        recent[thread.position].waits.removeAll(keepingCapacity: true)
        recent[thread.position].runs.removeAll(keepingCapacity: true)
        recent[thread.position].pauses.removeAll(keepingCapacity: true)
        recent[thread.position].calls.removeAll(keepingCapacity: true)
        recent[thread.position].shortPauses = .zero
    }

    /// Records the waits of a job that ended.
    private mutating func judge(_ job: Item) {
        defer { forget(job.thread) }
        guard job.service >= wait, job.thread.position < recent.count else { return }
        let thread = recent[job.thread.position]
        let waits = thread.waits.filter { $0.begin >= job.beganAt && $0.begin < job.endedAt }
        for var task in waits {
            let run = thread.runs.first { $0.begin <= task.begin && task.begin < $0.end }
            task.task = run?.task
            task.function = run?.code ?? job.code
            task.job = job.code
            let call = thread.calls.first { $0.begin < task.end && task.begin < $0.end }
            task.caller = call?.outermost ?? .unknown
            append(task)
        }
        for pause in Self.pauses(of: thread, in: job) where pause.end - pause.begin >= wait {
            // Only off-CPU times that no recorded wait explains.
            guard !waits.contains(where: { $0.begin < pause.end && pause.begin < $0.end }) else { continue }
            let run = thread.runs.first { $0.begin <= pause.begin && pause.begin < $0.end }
            let function = run?.code ?? job.code
            let call = thread.calls.first { $0.begin == pause.begin }
            let code = call?.code ?? .unknown
            append(
                BlockedTask(
                    thread: job.thread, begin: pause.begin, end: pause.end, code: code != .unknown ? code : function,
                    place: .systemCall(call?.call ?? ""), task: run?.task, function: function,
                    caller: call?.outermost ?? .unknown, job: job.code, isFinished: job.isFinished,
                    hasCaller: code != .unknown))
        }
    }

    /// Returns the voluntary off-CPU times of a thread in a job.
    ///
    /// The last one has only a begin, because a slice is observed at its end. Its length is the rest of the job's sum.
    private static func pauses(of thread: Recent, in job: Item) -> [(begin: Timestamp, end: Timestamp)] {
        guard let off = job.processorTimes?.blocked else { return [] }
        let known = thread.pauses.filter { $0.begin >= job.beganAt && $0.end <= job.endedAt }
        guard let left = thread.leftAt, left >= job.beganAt else { return known }
        let rest = known.reduce(off - thread.shortPauses) { $0 - ($1.end - $1.begin) }
        return known + [(left, min(job.endedAt, Timestamp(nanoseconds: left.nanoseconds + rest.count)))]
    }

    private mutating func append(_ task: BlockedTask) { if cases.count < Self.caseLimit { cases.append(task) } }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        for job in openJobs { judge(job) }
        openJobs = []
        // A task that still appears off-CPU may have ended in missing events.
        cases.removeAll { !$0.isFinished && $0.isSystemCall && model.lacksEvents(from: $0.begin, to: $0.end) }
        let stuckThreads = Set(cases.lazy.filter { !$0.isFinished }.map(\.thread))
        let isStuck = model.processors > 0 && stuckThreads.count >= model.processors && stuckJobs > 0
        return BlockedTasks.groups(of: cases) { ready.overlap($0.begin, $0.end) }.compactMap { group in
            guard let clearest = group.clearest else { return nil }
            if clearest.isLock, SystemCode.library(of: clearest.code, in: model) != nil { return nil }
            let isLost = group.lost >= (clearest.isCertain ? lost : blocked)
            guard isLost || group.tally.cost >= blocked else { return nil }
            let stuck = isStuck && group.isUnfinished ? stuckJobs : nil
            let isUnproven = hasCalls && clearest.isVague
            var finding = Self.finding(group, clearest, isWarning: isLost && !isUnproven, stuckJobs: stuck, in: model)
            finding.caveat = isUnproven ? Self.unproven : nil
            return finding
        }
    }
}

// MARK: - Texts

extension BlockedCooperativePool {
    private static func finding(
        _ group: BlockedTasks, _ clearest: BlockedTask, isWarning: Bool, stuckJobs: Int?, in model: DispatchModel
    ) -> Finding {
        let functions = (group.hasCallers ? group.callers : group.functions).mostFrequent(3)
        let named = [clearest.code] + functions + [clearest.job]
        let site =
            named.first { $0 != .unknown && !model.isCompilerGenerated($0) } ?? named.first { $0 != .unknown }
            ?? .unknown
        let place = model.place(of: site)
        let cause = clearest.place.name(in: model)
        let times = Figures.times(group.tally.count)
        var finding = Finding(
            detector: id, severity: stuckJobs != nil ? .error : isWarning ? .warning : .info,
            summary: "\(group.tally.count == 1 ? "A task blocks its thread" : "Tasks block their threads") in "
                + "\(cause)\(place)\(times), for up to \(group.tally.worst)"
                + consequence(of: group, isWarning: isWarning, stuckJobs: stuckJobs),
            queues: [], begin: group.tally.begin, end: group.tally.end, cost: isWarning ? group.lost : group.tally.cost,
            occurrences: group.tally.count,
            measures: [
                .count("waits", group.tally.count), .duration("blocked", group.tally.cost),
                .duration("longest wait", group.tally.worst),
                .duration("blocked while other tasks had no thread", group.lost),
                .count("threads", group.tally.threads.count),
                Measure(
                    "processors that the program may use",
                    model.processors > 0 ? "\(model.processors)" : "unknown"),
            ],
            evidence: group.tally.costliest.elements.sorted { $0.begin < $1.begin }
                .map { evidence(of: $0, group, in: model) },
            code: DistinctValues([site] + functions).elements,
            advice: advice(clearest.place, place))
        finding.distinction = cause
        return finding
    }

    private static let unproven =
        "No stack of these waits has a function of the program: the kernel or the runtime may have delayed the thread."

    private static func consequence(of group: BlockedTasks, isWarning: Bool, stuckJobs: Int?) -> String {
        if let stuckJobs {
            return ": all threads are blocked when the trace ends, and \(Figures.plural(stuckJobs, "task")) "
                + (stuckJobs == 1 ? "waits." : "wait.")
        }
        return isWarning ? ": \(group.lost) in which other tasks were ready and had no thread." : "."
    }

    private static func evidence(of task: BlockedTask, _ group: BlockedTasks, in model: DispatchModel) -> Evidence {
        let name = task.task.map { "Task \($0)" } ?? "A task"
        // Without a stack, `function` is the function in which the task last resumed. If other waits have stacks, it
        // may be wrong.
        let from = group.hasCallers ? task.caller : task.function
        let function = from != .unknown && from != task.code ? ", from \(model[from].description)" : ""
        let length = "\(task.length)"
        let verb = task.isFinished ? "waits \(length)" : "has waited for \(length), and still waits,"
        let event =
            if case .object(let object) = task.place { object.event } else {
                task.hasCaller ? "blocked_call" : "task_begin"
            }
        return Evidence(
            time: task.begin, thread: task.thread, task: task.task, event: event,
            detail:
                "\(name) \(verb) in \(task.place.name(in: model))\(model.place(of: task.code))\(function), "
                + "on \(model.name(of: task.thread)).")
    }

    private static func advice(_ place: BlockedTask.Place, _ site: CodePlace) -> Advice {
        switch place {
        case .object(.semaphore):
            Advice(
                .doNotWait, "Do not wait for a semaphore in a task\(site), which blocks its thread: await the result, ",
                "or resume a continuation where the semaphore is signalled.")
        case .object(.group), .object(.item):
            Advice(
                .doNotWait, "Do not wait for queues in a task\(site), which blocks its thread: resume a continuation ",
                "from notify, or use a task group.")
        case .object(.queue):
            Advice(
                .doNotWait, "Do not sync from a task\(site), which blocks its thread: resume a continuation from an ",
                "async to the queue, or move the state of the queue to an actor.")
        case .object(.lock):
            Advice(
                .shortenHold, "Hold the lock only for microseconds if tasks take it\(site), never during work that ",
                "waits or computes: its waiters block their threads. Or move the state that it protects to an actor.")
        case .systemCall:
            Advice(
                .useNonblockingCall, "Do not block in a task\(site): use the asynchronous call, Task.sleep or NIO. Or ",
                "submit the blocking call to a queue of its own, and resume a continuation from there.")
        }
    }
}
