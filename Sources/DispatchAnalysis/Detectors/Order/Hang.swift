import DispatchModel

/// The program waits, and nothing in it can end the wait.
///
/// ## Definition
///
/// At the end of the trace the program is *at rest* for at least a second: each thread waits for another thread or is
/// an idle worker, no item and no task can run, no delayed item is due later, and no source of libdispatch is active.
/// So no code of the program will run. The finding names the wait that comes first in the chain of causes: the wait of
/// the main thread if nothing else would end it, otherwise the longest wait without a known end. Without a wait of the
/// main thread, an item or a task, it is a note: the threads may be idle threads of the program's own pool.
///
/// ```
///   main     ├ waits for all operations ░░░░░░░░░░░░░ end
///   worker      ├ operation ┤  idle                          did not mark its operation as finished
/// ```
///
/// A thread that has waited for a child process for at least that time, in `waitpid` or in `Process.waitUntilExit()`,
/// is a note, also while other threads run. The child process may wait for this program: a pipe holds 64 KiB.
///
/// Other findings about one of the waits, such as `deadlock`, explain this finding.
///
/// ## Thresholds
///
/// - rest = 1s: The shortest time at rest. Waits with a time limit are often shorter.
///
/// ## Why it matters
///
/// The program makes no progress and reports no error. A service does not answer.
///
/// ## What it cannot see
///
/// Programs with a thread in another system call, such as `read` or `epoll_wait`: an event from outside may end it. A
/// signal handler or another process that ends the wait later. The time limit of a wait, if the function with the limit
/// is not in the recorded stack. Threads that are not known to be blocked, for example in traces without context
/// switches.
///
/// A program at rest in a sampled trace (`record --budget`): a delayed item or a sleeping task that was not recorded
/// would count as nothing to do.
///
/// ## Advice
///
/// Find the code that should end the wait, and the path on which it does not run: an early return, an error, or a call
/// that comes too early.
///
/// ## Source
///
/// `pthread_cond_signal(3)` has no effect if no thread waits for the condition. The documentation of Foundation's
/// `Operation`: a queue keeps an asynchronous operation until its `isFinished` is true.
public struct Hang: Detector {
    public static let id = "hang"
    public static let title = "The program waits, and nothing in it can end the wait"
    public static let follows: ObservationKinds = [.items, .blockedCalls, .tasks]
    public static let isExplainedByAll = true

    private static let rest = Threshold("rest", Nanoseconds.seconds(1))
    public static let thresholds: [any ThresholdDeclaration] = [rest]

    private let rest: Nanoseconds
    private var tasks = OpenTasks()
    /// The system calls in which threads are blocked at the end.
    private var calls: [ThreadIndex: BlockedCall] = [:]
    private var childProcessWaits = ChildProcessWaits()
    /// The latest begin of an item.
    private var lastBegin = Timestamp.zero

    public init(thresholds: Thresholds) { rest = thresholds[Self.rest] }

    public var wanted: ItemTraits { [] }

    public mutating func observe(sumsOf batch: borrowing ObservationBatch) {
        lastBegin = max(lastBegin, batch.lastGrant)
    }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .task(let task): tasks.add(task)
        case .blockedCall(let call):
            childProcessWaits.add(call)
            if !call.isFinished { calls[call.thread] = call }
        default: break
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        guard !model.hasOpenEnd else { return [] }
        return atRest(in: model).map { [$0] } ?? childProcessWaits.findings(of: Self.id, from: rest, in: model)
    }

    /// The finding about a program at rest; nil when the program may continue.
    private func atRest(in model: DispatchModel) -> Finding? {
        // A delayed item or a task may be missing from a sampled trace.
        guard !model.sampling.isSampled, Self.mayRest(model), areBlocked(model.threads, in: model) else { return nil }
        let waits = OpenWaitFinder(
            threads: model.waitForGraph.waits, tasks: tasks, calls: calls.filter { !$0.value.waitsForWork }, in: model
        ).found().waits
        // Items that wait for a thread begin soon, except on the main queue.
        guard waits.allSatisfy({ $0.cause != .thread || $0.isForMainThread(in: model) }) else { return nil }
        let managers = Self.managers(in: model)
        let blocked = calls.values.filter { !managers.contains($0.thread) }
        let since = (waits.map(\.begin) + blocked.map(\.begin)).reduce(lastBegin, max)
        let roots = waits.filter { $0.isRoot && $0.code != .unknown }
        guard model.end - since >= rest, let root = roots.max(by: { $0.rank < $1.rank }) else { return nil }
        return finding(root, among: waits, since: since, in: model)
    }

    // MARK: Rest

    /// The threads of libdispatch's manager, which wakes from time to time without work.
    private static func managers(in model: DispatchModel) -> Set<ThreadIndex> {
        Set(model.loops.lazy.filter { $0.kind == .dispatchManager }.compactMap(\.thread))
    }

    /// Whether no source and no delayed item of the program can begin to run.
    private static func mayRest(_ model: DispatchModel) -> Bool {
        !model.sources.contains { source in
            let isData = [.dataAdd, .dataOr, .dataReplace].contains(source.type)
            let isActive = source.activatedAt != nil || !source.isCreationKnown
            return isActive && !isData && source.cancelledAt == nil && source.disposedAt == nil
        } && !model.waitForGraph.backlogs.contains { ($0.first.due ?? .zero) > model.end }
    }

    /// Whether each thread waits for other threads of the program, without a time limit.
    private func areBlocked(_ threads: [Thread], in model: DispatchModel) -> Bool {
        let waiting = Set(model.waitForGraph.waits.map(\.thread))
        let running = Set(model.waitForGraph.running.map(\.thread))
        let managers = Self.managers(in: model)
        return threads.allSatisfy { thread in
            if thread.endedAt != nil || managers.contains(thread.index) { return true }
            guard let call = calls[thread.index] else { return waiting.contains(thread.index) }
            if call.isParked, !running.contains(thread.index) { return true }
            if call.waitsForWork || OpenWaitFinder.hasExited(call, in: model) { return true }
            return !Self.hasLimit(model[call.called].symbol)
                && (waiting.contains(thread.index) || call.call == "futex" && call.code != .unknown)
        }
    }

    /// Whether a function waits for a limited time.
    private static func hasLimit(_ function: String) -> Bool {
        ["timed", "clockwait", "timeout:", "until:", "wait_until", "wait_for", "sleep"].contains {
            function.contains($0)
        }
    }

    // MARK: Texts

    private func finding(
        _ root: OpenWait, among waits: [OpenWait], since: Timestamp, in model: DispatchModel
    ) -> Finding {
        let resting = model.end - since
        let isNote = root.isOfIdleThread
        let queues: [QueueIndex] = if case .suspendedQueue(let queue) = root.cause { [queue] } else { [] }
        return Finding(
            detector: Self.id, severity: isNote ? .info : .warning,
            summary: "The program does not go on: \(description(root, in: model)), and nothing in the program can "
                + "end this wait.",
            queues: queues, begin: root.begin, end: model.end, cost: isNote ? .zero : resting, occurrences: 1,
            measures: [.duration("at rest for", resting), .count("open waits", waits.count)],
            evidence: ([root] + waits.filter { $0.waiter != root.waiter }).prefix(8).compactMap { wait in
                wait.thread.map { thread in
                    // The name of a thread keeps its case.
                    var text = description(wait, in: model)
                    if case .task = wait.waiter { text = text.prefix(1).uppercased() + text.dropFirst() }
                    return Evidence(time: wait.begin, thread: thread, event: wait.event, detail: text + ".")
                }
            }.sorted { $0.time < $1.time },
            code: [root.code], advice: advice(root, in: model),
            caveat: "A wait with a time limit, a signal handler or another process can still end it.")
    }

    /// For example `main 12 has waited 5.05 s in OperationQueue.waitUntilAllOperationsAreFinished() at App.swift:24`.
    private func description(_ wait: OpenWait, in model: DispatchModel) -> String {
        let place = model.place(of: wait.code)
        switch wait.waiter {
        case .thread(let thread):
            let object =
                switch wait.cause {
                case .object(.semaphore): "for a semaphore"
                case .object(.group): "for a group"
                case .object(.item): "for a work item"
                case .object(.lock(let lock)): "for \(model.name(of: lock))"
                case .object(.queue(let queue)): "for \(model.name(of: queue))"
                case .call(_, let called) where called != .unknown: "in \(model[called].symbol)"
                default: "in a system call"
                }
            return "\(model.name(of: thread)) has waited \(wait.duration) \(object)\(place)"
        case .task(let number):
            let object =
                switch wait.cause {
                case .continuation: stream(awaitedBy: number, in: model) ?? "a continuation"
                case .task(let other): "task \(other)"
                case .taskGroup: "its task group"
                case .actor(let actor): model.name(of: actor)
                default: "another part of the program"
                }
            return "task \(number) has awaited \(object)\(place) for \(wait.duration)"
        case .items(let queue, let count):
            let reason = if case .suspendedQueue = wait.cause { ", which is suspended" } else { "" }
            return "\(Figures.plural(count, "item")) of \(model.name(of: queue))\(reason) "
                + "\(count == 1 ? "has" : "have") waited \(wait.duration)"
        }
    }

    private func advice(_ wait: OpenWait, in model: DispatchModel) -> Advice {
        let (place, subject) = (model.place(of: wait.code), subject(wait))
        func advice(_ parts: Phrase...) -> Advice {
            Advice(.balanceCalls, Phrase(parts), " Look for a path that omits it, such as an error or an early return.")
        }
        return switch wait.cause {
        case .object(.semaphore): advice("Signal the semaphore that \(subject) waits for\(place).")
        case .object(.group): advice("Leave the group that \(subject) waits for\(place) once per enter.")
        case .continuation where stream(of: wait, in: model) != nil:
            advice(
                "Finish the sequence that \(subject) iterates\(place), with finish() for an AsyncStream, when no ",
                "element will follow.")
        case .continuation: advice("Resume the continuation that is awaited\(place) exactly once.")
        case .suspendedQueue(let queue): advice("Resume \(model.name(of: queue), .queue).")
        case .call(_, let called) where model[called].symbol.contains("peration"):
            Advice(
                .balanceCalls, "Mark each operation that \(subject) waits for\(place) as finished: an asynchronous ",
                "operation must set isFinished and send its notification on every path, and operations whose ",
                "dependencies form a cycle never start.")
        case .call(_, let called) where model[called].symbol.contains("cond"):
            Advice(
                .balanceCalls, "Signal the condition that \(subject) waits for\(place), and wait only while its ",
                "predicate is false: a signal before the wait has no effect.")
        default: advice("Find the code that should end the wait\(place).")
        }
    }

    /// The function of an asynchronous sequence that a task awaits, such as `AsyncStream.Iterator.next()`; nil when it
    /// awaits another function.
    private func stream(awaitedBy task: UInt64, in model: DispatchModel) -> String? {
        guard let awaited = tasks[task]?.openWait?.awaited, case let symbol = model[awaited].symbol else { return nil }
        return symbol.contains("next(") ? symbol : nil
    }

    private func stream(of wait: OpenWait, in model: DispatchModel) -> String? {
        guard case .task(let number) = wait.waiter else { return nil }
        return stream(awaitedBy: number, in: model)
    }

    private func subject(_ wait: OpenWait) -> String {
        if case .task(let number) = wait.waiter {
            "task \(number)"
        } else {
            wait.isOfMainThread ? "the main thread" : "a thread"
        }
    }
}

extension OpenWait {
    fileprivate var isOfMainThread: Bool { waiter == .thread(ThreadIndex(0)) }

    /// Whether a thread that runs no item waits, which may be an idle thread of the program's own pool.
    fileprivate var isOfIdleThread: Bool {
        guard case .thread = waiter else { return false }
        return mayBeIdle && !isOfMainThread
    }

    /// The order in which waits are named, ascending: idle threads, then items and tasks, then the main thread; the
    /// longest last.
    fileprivate var rank: (Int, Nanoseconds) { (isOfMainThread ? 2 : isOfIdleThread ? 0 : 1, duration) }

    /// Whether the trace shows no owner and no item that would end the wait.
    fileprivate var isRoot: Bool {
        guard !isConsequence, cycle == nil, releaser.map({ $0.kind == .lastSignal }) ?? true else { return false }
        return switch cause {
        case .heldQueue, .thread, .actor: false
        default: true
        }
    }

    /// Whether items of the main queue or of the main actor wait.
    fileprivate func isForMainThread(in model: DispatchModel) -> Bool {
        guard case .items(let queue, _) = waiter else { return false }
        return model[queue].kind == .main || model[queue].isMainExecutor
    }

    /// The event that began the wait.
    fileprivate var event: String {
        switch cause {
        case .object(.group): "group_wait_begin"
        case .object(.semaphore): "semaphore_wait_begin"
        case .object(.item): "item_wait_begin"
        case .object(.lock): "lock_wait"
        case .call: "blocked_call"
        case .continuation, .task, .taskGroup, .actor: "task_suspend"
        default: "item_enqueue"
        }
    }
}
