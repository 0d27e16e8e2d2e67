import DispatchModel

/// An account of the time between the begin and the end of a recording: the critical path, and the open waits in which
/// it ends.
///
/// ```
///   main    ├ runs ┤ waits for a lock ░░░░░░░░░░░░░░░░░░░░ end     waits[0]
///   worker  ├─ runs ──┤ in waitpid ░░░░░░░░░░░░░░░░░░░░░░░ end     waits[1], owns the lock
///   path    ├─ run ───┤─ childProcess ─────────────────────┤
/// ```
public struct RunAccount: Sendable {
    /// The critical path from the begin of the recording to its end.
    public let path: CriticalPath
    /// The open waits at the end of the path, each for the next one. Empty when the program did not wait at the end. In
    /// a cycle the last one waits for an earlier one.
    public let waits: [OpenWait]
    /// The main thread; nil when unknown.
    public let mainThread: ThreadIndex?
    /// The number of the task of an async `main`, if it was open at the end.
    public let mainTask: UInt64?

    /// The part of the run with a recorded cause, from 0 to 1.
    public var explainedShare: Double {
        path.duration > .zero ? Double(path.explained.count) / Double(path.duration.count) : 1
    }

    /// The time of the path in which a loop or a source waited for an event from outside; zero if queues had work
    /// during this time.
    public let idle: Nanoseconds

    /// The last wait, if an idle program waits like this; nil for waits that end with another action of the program.
    public var idleWait: OpenWait? {
        guard let last = waits.last, last.mayBeIdle, waits.allSatisfy({ $0.cycle == nil }) else { return nil }
        if case .call("futex", _) = last.cause { return nil }
        return last
    }
}

extension StillWaiting {
    /// The longest open wait that satisfies a condition. Waits for other waits of the list come last.
    fileprivate func longest(where isWanted: (OpenWait) -> Bool) -> Int? {
        waits.indices.filter { isWanted(waits[$0]) }.max { left, right in
            let (first, second) = (waits[left], waits[right])
            if first.isConsequence != second.isConsequence { return first.isConsequence }
            return (first.duration, right) < (second.duration, left)
        }
    }
}

/// Chooses the open wait or the thread that determines the end of a run, and follows the path to it.
struct RunAccountant {
    private let model: DispatchModel
    private let paths: OpenPaths
    private let waiting: StillWaiting
    private let calls: [ThreadIndex: BlockedCall]
    /// Whether the program ended by itself, so that its waits at the end did not matter.
    private let hasExited: Bool
    private let main: ThreadIndex?
    private let mainTask: UInt64?
    /// The positions of the waits of threads and tasks.
    private var places: [OpenWait.Waiter: Int] = [:]

    init(
        _ paths: OpenPaths, _ waiting: StillWaiting, tasks: OpenTasks, calls: [ThreadIndex: BlockedCall],
        _ trace: TraceSummary, in model: DispatchModel
    ) {
        (self.paths, self.waiting, self.calls, self.model) = (paths, waiting, calls, model)
        hasExited = if case .exited? = trace.ending { true } else { false }
        mainTask = tasks.all.first { $0.kind == .main }?.number
        if let pid = trace.processes.first?.pid, pid > 0 {
            main = model.threads.first { Int($0.tid) == pid }?.index
        } else {
            main = model.threads.first?.index
        }
        for (place, wait) in waiting.waits.enumerated() where places[wait.waiter] == nil { places[wait.waiter] = place }
    }

    /// Returns the account.
    func account() -> RunAccount {
        switch chosen() {
        case .wait(let first): follow(from: first)
        case .thread(let thread): account(of: thread, after: [])
        case nil: account(to: nil, followedBy: [], after: [])
        }
    }

    private enum Subject {
        case wait(Int)
        case thread(ThreadIndex)
    }

    /// The wait or the thread that determines the end.
    ///
    /// The main thread and the task of an async `main` come first, and waits of an idle program last.
    private func chosen() -> Subject? {
        if hasExited {
            if let main, isActive(main) { return .thread(main) }
            return (paths.latestThread(where: isActive) ?? paths.latestThread(where: mayHaveExited) ?? main ?? latest)
                .map { .thread($0) }
        }
        let (thread, task) = (main.flatMap { places[.thread($0)] }, mainTask.flatMap { places[.task($0)] })
        for wait in [thread, task] { if let wait, isStuck(waiting.waits[wait]) { return .wait(wait) } }
        if let main, isActive(main) { return .thread(main) }
        if let stuck = waiting.longest(where: { isStuck($0) && $0.duration >= waiting.limit }) { return .wait(stuck) }
        if let busy = paths.latestThread(where: { item(on: $0) != nil && isActive($0) }) { return .thread(busy) }
        if let idle = task ?? thread { return .wait(idle) }
        if let main, isPolling(main) { return .thread(main) }
        if let idle = waiting.longest(where: { _ in true }) { return .wait(idle) }
        return latest.map { .thread($0) }
    }

    /// Whether a wait is more than the wait of an idle program.
    private func isStuck(_ wait: OpenWait) -> Bool { !wait.mayBeIdle || wait.cycle != nil }

    /// The thread with the last activity, which is not libdispatch's manager if possible.
    private var latest: ThreadIndex? {
        paths.latestThread { thread in
            !model.loops.contains { $0.thread == thread && $0.kind == .dispatchManager }
        } ?? paths.latestThread() ?? main
    }

    /// Whether a thread could run at the end: it was not blocked, and waited for nothing.
    private func isActive(_ thread: ThreadIndex) -> Bool {
        guard mayHaveExited(thread) else { return false }
        switch model[thread].lastState {
        case .running, .runnable: return true
        case .blocked: return false
        // Without context switches, the main thread may have been blocked.
        case nil: return thread != main || item(on: thread) != nil
        }
    }

    /// Whether a thread may have ended the program: it was in no wait and no sampled call.
    private func mayHaveExited(_ thread: ThreadIndex) -> Bool {
        places[.thread(thread)] == nil && calls[thread] == nil && !isPolling(thread) && model[thread].endedAt == nil
    }

    private func isPolling(_ thread: ThreadIndex) -> Bool {
        model.loops.contains { $0.thread == thread } && item(on: thread) == nil
    }

    /// The innermost item that a thread runs at the end.
    private func item(on thread: ThreadIndex) -> WaitForGraph.RunningItem? {
        model.waitForGraph.running.last { $0.thread == thread }
    }

    // MARK: Waits

    /// Follows a wait to the wait or the thread that would end it.
    private func follow(from first: Int) -> RunAccount {
        var chain = [first]
        while let next = blocker(of: waiting.waits[chain[chain.count - 1]]) {
            switch next {
            case .thread(let thread): return account(of: thread, after: chain)
            case .wait(let place):
                guard let start = chain.firstIndex(of: place) else {
                    chain.append(place)
                    continue
                }
                // Nothing of a cycle can continue since its last wait began.
                let closing = chain[start...].max { waiting.waits[$0].begin < waiting.waits[$1].begin } ?? place
                return account(of: waiting.waits[closing], after: chain)
            }
        }
        return account(of: waiting.waits[chain[chain.count - 1]], after: chain)
    }

    /// The wait or the running thread that would have to end a wait; nil when unknown.
    private func blocker(of wait: OpenWait) -> Subject? {
        if let waiter = wait.blocker {
            if let place = places[waiter] { return .wait(place) }
            if case .thread(let thread) = waiter, isActive(thread) || item(on: thread) != nil { return .thread(thread) }
            return nil
        }
        if let releaser = wait.releaser, releaser.kind == .pendingItem, let queue = releaser.queue {
            return waiting.waits.firstIndex { $0.isOfItems(on: queue) }.map { .wait($0) }
        }
        // The item or the task waits for a thread of a pool whose threads are blocked.
        guard wait.cause == .thread else { return nil }
        return waiting.waits.indices.filter { place in
            guard case .thread(let thread) = waiting.waits[place].waiter, thread != main else { return false }
            return !waiting.waits[place].mayBeIdle && item(on: thread) != nil
        }.max { waiting.waits[$0].begin < waiting.waits[$1].begin }.map { .wait($0) }
    }

    private func account(of wait: OpenWait, after chain: [Int]) -> RunAccount {
        let place: OpenPaths.Place? =
            switch wait.waiter {
            case .thread(let thread): .thread(thread)
            case .task(let number): .task(number)
            case .items: wait.thread.map { .thread($0) }
            }
        return account(to: place, followedBy: [segment(wait.pathKind, since: wait.begin, wait)], after: chain)
    }

    private func segment(_ kind: CriticalPath.Kind, since begin: Timestamp, _ wait: OpenWait) -> CriticalPath.Segment {
        CriticalPath.Segment(
            kind: kind, begin: max(begin, model.begin), end: model.end, code: wait.code, queue: wait.queue,
            thread: wait.thread)
    }

    // MARK: Threads

    /// The path to a thread, with its last known state until the end.
    private func account(of thread: ThreadIndex, after chain: [Int]) -> RunAccount {
        let item = item(on: thread)
        let known = max(model.begin, paths.end(of: .thread(thread)) ?? model[thread].startedAt)
        var last = (kind: CriticalPath.Kind.outside, since: known, code: item?.code ?? .unknown, queue: item?.queue)
        if item != nil { last.kind = .run }
        if let call = calls[thread] {
            (last.kind, last.since) = (
                CriticalPath.Kind(ofCall: call.call, on: call.descriptor), max(model.begin, call.begin)
            )
            if call.code != .unknown { last.code = call.code }
        } else if let loop = loop(of: thread) {
            (last.kind, last.queue) = (.poll, loop.queue)
        } else {
            switch model[thread].lastState {
            case .blocked(let since):
                last.kind = model.end - since < BlockedCall.sampledFrom ? .shortCall : .blocked
                last.since = max(known, since)
            case .runnable(let since): (last.kind, last.since) = (.preempted, max(known, since))
            // Nothing shows what the thread did after its last event, unless it ended the program.
            case nil where item == nil && !hasExited: last.kind = .blocked
            case .running, nil: break
            }
        }
        guard last.since < model.end else { return account(to: .thread(thread), followedBy: [], after: chain) }
        let segment = CriticalPath.Segment(
            kind: last.kind, begin: last.since, end: model.end, code: last.code, queue: last.queue, item: item?.item,
            thread: thread)
        return account(to: .thread(thread), followedBy: [segment], after: chain)
    }

    /// The loop whose events a thread waits for. An idle worker of libdispatch waits for events of the manager thread.
    private func loop(of thread: ThreadIndex) -> EventLoop? {
        guard item(on: thread) == nil else { return nil }
        if let own = model.loops.first(where: { $0.thread == thread }) { return own }
        guard !hasExited, !isActive(thread) else { return nil }
        return model.loops.first { $0.kind == .dispatchManager }
    }

    private func account(
        to place: OpenPaths.Place?, followedBy last: [CriticalPath.Segment], after chain: [Int]
    ) -> RunAccount {
        let path = paths.path(to: place, followedBy: last, until: model.end, main: main)
        let events = path.totals.filter { $0.kind == .poll || $0.kind == .source }
        let idle = events.reduce(Nanoseconds.zero) { $0 + $1.time }
        return RunAccount(
            path: path, waits: chain.map { waiting.waits[$0] }, mainThread: main, mainTask: mainTask,
            idle: isPossible(idle) ? idle : .zero)
    }

    /// Whether the queues were not busy for the rest of the time. The path may wait for an event while other threads
    /// have work.
    private func isPossible(_ idle: Nanoseconds) -> Bool {
        let busy = model.loads.reduce(Nanoseconds.zero) { $0 + $1.busy }
        return Double((idle + busy).count) <= Self.mostCounted * Double(model.duration.count)
    }

    /// Idle and busy time together, as a share of the run: an item and a sync in it count twice.
    private static let mostCounted = 1.1
}

extension OpenWait {
    /// The kind of a segment for the wait.
    fileprivate var pathKind: CriticalPath.Kind {
        switch cause {
        case .object(let object): object.pathKind
        case .continuation: .continuation
        case .task: .task
        case .taskGroup: .taskGroup
        case .actor: .actor
        case .suspendedQueue: .suspended
        case .heldQueue: .queued
        case .thread: .start
        case .call(let call, _): CriticalPath.Kind(ofCall: call, on: descriptor)
        case .unknown: .awaits
        }
    }

    /// The queue for which it waits; nil for other waits.
    fileprivate var queue: QueueIndex? {
        switch cause {
        case .object(.queue(let queue)), .actor(let queue), .suspendedQueue(let queue), .heldQueue(let queue): queue
        default: nil
        }
    }

    fileprivate func isOfItems(on queue: QueueIndex) -> Bool {
        if case .items(queue, _) = waiter { true } else { false }
    }
}
