import DispatchModel

/// The wait-for graph of the threads at the end of the trace.
///
/// ```
///   thread 1 ── sync to B ──► thread 2 ── lock L ──► thread 1
/// ```
struct DeadlockGraph {
    /// One thread waits for another.
    struct Step {
        let waiter: ThreadIndex
        let blocker: ThreadIndex
        let wait: BlockedWait
        /// How the blocker owns the awaited object, such as `runs an item of app.state`.
        let reason: String
        /// The code that the blocker runs there.
        let code: CodeIndex
        /// The queues that are part of it.
        let queues: [QueueIndex]
    }

    private let model: DispatchModel
    private let graph: WaitForGraph
    private let pending: [PendingItem]
    /// The main queue and the executor of the main actor. One thread serves both, so an item on one excludes the other.
    private let mainQueues: Set<QueueIndex>
    private(set) var steps: [ThreadIndex: [Step]] = [:]
    /// The open wait of each thread.
    private(set) var waits: [ThreadIndex: BlockedWait] = [:]

    /// - Parameters:
    ///   - model: the complete model.
    ///   - pending: the waiting items, without cancelled ones.
    init(of model: DispatchModel, pending: [PendingItem]) {
        self.model = model
        self.pending = pending
        graph = model.waitForGraph
        mainQueues = Set(model.queues.filter { $0.kind == .main || $0.isMainExecutor }.map(\.index))
        for wait in graph.waits { waits[wait.thread] = wait }
        for wait in graph.waits { addSteps(of: wait) }
    }

    private mutating func addSteps(of wait: BlockedWait) {
        switch wait.object {
        case .queue(let queue): addHolders(of: queue, to: wait, "runs an item of")
        case .lock(let lock):
            let holder = graph.held.first { $0.held.domain == .lock(lock) }
            if let thread = holder?.thread ?? wait.holder {
                add(wait, thread, "holds \(model.name(of: lock))", holder?.held.code ?? .unknown, [])
            }
        case .semaphore(let id):
            guard let semaphore = model.semaphores.last(where: { $0.id == id }), semaphore.isLock,
                let holder = graph.held.first(where: { $0.held.domain == .semaphore(semaphore.index) })
            else { return }
            add(wait, holder.thread, "took the semaphore", holder.held.code, [])
        case .group(let id):
            guard let group = model.groups.last(where: { $0.id == id }) else { return }
            for item in graph.running where item.group == group.index {
                add(wait, item.thread, "runs an item of the group on", item.code, [item.queue])
            }
            for item in pending where item.group == group.index {
                addHolders(of: item.queue, to: wait, "keeps an item of the group waiting on", waiting: item.code)
            }
        case .item(let id):
            for item in graph.running where item.id == id {
                add(wait, item.thread, "runs it on", item.code, [item.queue])
            }
            for item in pending where item.id == id {
                addHolders(of: item.queue, to: wait, "keeps it waiting on", waiting: item.code)
            }
        }
    }

    /// Adds the threads that run an item on the queue or on a queue that excludes it. If the queue targets the main
    /// queue or is the main actor and nothing runs there, adds the main thread, which runs these items only when it
    /// waits for nothing else.
    ///
    /// - Parameter code: the code of the item that cannot run; nil for a sync, whose caller waits.
    private mutating func addHolders(
        of queue: QueueIndex, to wait: BlockedWait, _ reason: String, waiting code: CodeIndex? = nil
    ) {
        let wanted = withMain(Set(model.serialQueues(of: queue) + [queue]))
        var isHeld = false
        for item in graph.running where wanted.contains(where: { model.chain(of: item.queue).contains($0) }) {
            guard !model[item.queue].isRoot, item.item != wait.waiter || item.thread == wait.thread else { continue }
            isHeld = true
            add(wait, item.thread, reason, item.code, [queue, item.queue])
        }
        guard !isHeld, !wanted.isDisjoint(with: mainQueues), let thread = model.likelyMainThread, waits[thread] != nil
        else { return }
        // The last queue is named.
        let named = code == nil ? mainQueues.first { model[$0].kind == .main } ?? queue : queue
        let queues = mainQueues.union([queue]).sorted().filter { $0 != named } + [named]
        add(wait, thread, code == nil ? "serves" : reason, code ?? .unknown, queues)
    }

    /// Adds the main queue and the main actor to a set that has one of them.
    private func withMain(_ queues: Set<QueueIndex>) -> Set<QueueIndex> {
        queues.isDisjoint(with: mainQueues) ? queues : queues.union(mainQueues)
    }

    private mutating func add(
        _ wait: BlockedWait, _ blocker: ThreadIndex, _ reason: String, _ code: CodeIndex, _ queues: [QueueIndex]
    ) {
        guard !(steps[wait.thread] ?? []).contains(where: { $0.blocker == blocker }) else { return }
        let names = DistinctValues(queues).elements
        let text = names.isEmpty ? reason : "\(reason) \(model.name(of: names[names.count - 1]))"
        steps[wait.thread, default: []].append(
            Step(waiter: wait.thread, blocker: blocker, wait: wait, reason: text, code: code, queues: names))
    }

    /// The cycles, each once, in the order of the threads.
    var cycles: [[Step]] {
        var found: [[Step]] = []
        var known: Set<Set<ThreadIndex>> = []
        for thread in steps.keys.sorted() {
            guard let cycle = cycle(from: thread), known.insert(Set(cycle.map(\.waiter))).inserted else { continue }
            found.append(cycle)
        }
        return found
    }

    /// Returns the shortest cycle through a thread. Complexity: O(threads + steps).
    private func cycle(from start: ThreadIndex) -> [Step]? {
        var previous: [ThreadIndex: Step] = [:]
        var front = [start]
        while !front.isEmpty {
            var next: [ThreadIndex] = []
            for thread in front {
                for step in steps[thread] ?? [] where previous[step.blocker] == nil {
                    previous[step.blocker] = step
                    if step.blocker == start {
                        var cycle = [step]
                        while let first = cycle.first, first.waiter != start, let before = previous[first.waiter] {
                            cycle.insert(before, at: 0)
                        }
                        return cycle
                    }
                    next.append(step.blocker)
                }
            }
            front = next
        }
        return nil
    }

    /// Whether nothing but threads without dispatch can make progress: every thread that runs an item is blocked, each
    /// pending item waits behind such a thread or for a resume, and no source can fire.
    var isQuiet: Bool {
        guard graph.running.allSatisfy({ waits[$0.thread] != nil }) else { return false }
        var held = withMain(Set(graph.running.flatMap { model.serialQueues(of: $0.queue) }))
        if let main = model.likelyMainThread, waits[main] != nil { held.formUnion(mainQueues) }
        func isStuck(_ queue: QueueIndex) -> Bool { !held.isDisjoint(with: model.serialQueues(of: queue)) }
        let suspended = Set(graph.backlogs.filter(\.isSuspended).map(\.queue))
        guard pending.allSatisfy({ isStuck($0.queue) || suspended.contains($0.queue) }) else { return false }
        // An event loop that polls may receive events from outside.
        let polls = model.loops.contains { loop in
            guard loop.kind != .dispatchManager, let thread = loop.thread else { return false }
            return waits[thread] == nil && model[thread].endedAt == nil
        }
        if polls { return false }
        return model.sources.allSatisfy { source in
            let isLive = source.activatedAt != nil && source.cancelledAt == nil && source.disposedAt == nil
            return !isLive || (source.queue.map(isStuck) ?? false)
        }
    }

    /// The items that wait for a queue that the thread holds.
    func held(by thread: ThreadIndex) -> [PendingItem] {
        let running = graph.running.filter { $0.thread == thread }
        var serial = withMain(Set(running.flatMap { model.serialQueues(of: $0.queue) }))
        if thread == model.likelyMainThread { serial.formUnion(mainQueues) }
        return pending.filter { item in model.serialQueues(of: item.queue).contains { serial.contains($0) } }
    }

    /// The innermost item that a thread runs.
    func running(on thread: ThreadIndex) -> WaitForGraph.RunningItem? { graph.running.last { $0.thread == thread } }

    func backlog(of queue: QueueIndex) -> WaitForGraph.Backlog? { graph.backlogs.first { $0.queue == queue } }
}

extension Queue {
    /// Whether the queue is a root queue, which excludes nothing.
    var isRoot: Bool { kind == .global }
}
