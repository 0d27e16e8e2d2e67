import DispatchModel

/// Texts of the findings of ``Deadlock``.
enum DeadlockText {
    /// The finding for a cycle of threads.
    static func finding(for cycle: [DeadlockGraph.Step], in model: DispatchModel) -> Finding {
        let begin = cycle.map(\.wait.begin).max() ?? .zero
        var queues = DistinctIndices<QueueIndex>()
        var code = DistinctIndices<CodeIndex>()
        for step in cycle {
            for queue in step.queues { queues.insert(queue) }
            code.insert(step.wait.code)
            code.insert(step.code)
        }
        let locks = cycle.compactMap { step -> LockIndex? in
            if case .lock(let lock) = step.wait.object { lock } else { nil }
        }
        let path =
            cycle.map { "\(model.name(of: $0.waiter)) → \(what($0.wait, model))" } + [model.name(of: cycle[0].waiter)]
        let stuck = model.end - begin
        let first = cycle[0]
        return Finding(
            detector: Deadlock.id, severity: .error,
            summary: cycle.count == 1
                ? "\(model.name(of: first.waiter)) waits for itself in \(model.kindName(of: first.wait.object))"
                    + "\(model.place(of: first.wait.code)), for \(stuck) when the trace ends: it \(first.reason)."
                : "\(Figures.count(cycle.count)) threads wait for each other, for \(stuck) when the trace ends: "
                    + "\(path.joined(separator: " → ")).",
            queues: queues.elements, locks: locks, begin: begin, end: model.end,
            cost: cycle.reduce(.zero) { $0 + (model.end - $1.wait.begin) }, occurrences: 1,
            measures: [
                Measure("cycle", "\(path.joined(separator: " → "))"), .count("threads", cycle.count),
                .duration("stuck for", stuck),
            ],
            evidence: cycle.sorted { $0.wait.begin < $1.wait.begin }.map { step in
                evidence(
                    of: step.wait, "; \(blockerName(step, model)) \(step.reason)\(model.place(of: step.code))", model)
            },
            code: code.elements,
            stacks: cycle.compactMap { step in
                guard let stack = model.codeStacks[step.wait.code], stack != .none else { return nil }
                return ("Stack of \(model.name(of: step.waiter)) in \(model.kindName(of: step.wait.object))", stack)
            }, advice: advice(for: cycle, model))
    }

    private static func blockerName(_ step: DeadlockGraph.Step, _ model: DispatchModel) -> String {
        step.blocker == step.waiter ? "it" : model.name(of: step.blocker)
    }

    private static func evidence(of wait: BlockedWait, _ reason: String, _ model: DispatchModel) -> Evidence {
        Evidence(
            time: wait.begin, thread: wait.thread, event: wait.object.event,
            detail: "\(model.name(of: wait.thread)) has waited \(model.end - wait.begin) in "
                + "\(model.kindName(of: wait.object))\(model.place(of: wait.code))\(reason).")
    }

    private static func what(_ wait: BlockedWait, _ model: DispatchModel) -> String {
        switch wait.object {
        case .queue(let queue): model.name(of: queue)
        case .lock(let lock): model.name(of: lock)
        case .group: "group"
        case .semaphore: "semaphore"
        case .item: "work item"
        }
    }

    private static func advice(for cycle: [DeadlockGraph.Step], _ model: DispatchModel) -> Advice {
        let syncs = cycle.compactMap { step -> String? in
            guard case .queue(let queue) = step.wait.object else { return nil }
            return "\(model.name(of: queue))\(model.place(of: step.wait.code))"
        }
        let order: Phrase = "Or take the shared queues and locks in the same order everywhere."
        if !syncs.isEmpty {
            return Advice(
                .useAsync, "Submit with async instead of sync to \(Figures.list(syncs, limit: 4), .object), in at ",
                "least one of the places, which breaks the cycle. ", order)
        }
        let waits = cycle.map { "\(model.kindName(of: $0.wait.object))\(model.place(of: $0.wait.code))" }
        if cycle.count == 1 {
            return Advice(
                .doNotWait, "Do not wait in \(waits[0], .object) on the thread that has to run the awaited work: use ",
                "notify, or await the work in a task.")
        }
        return Advice(
            .doNotWait, "Do not wait in \(Figures.list(waits, limit: 4), .object) while the thread holds an object ",
            "that the other thread needs: use notify. ", order)
    }

    // MARK: - Waits without a cycle of threads

    /// Returns findings for waits that nothing can end.
    static func endlessWaits(
        in graph: DeadlockGraph, besides known: Set<ThreadIndex>, _ signals: SignalOrigins, after limit: Nanoseconds,
        _ model: DispatchModel
    ) -> [Finding] {
        guard graph.isQuiet else { return [] }
        return graph.waits.values.sorted { $0.thread < $1.thread }.compactMap { wait in
            guard !known.contains(wait.thread), model.end - wait.begin >= limit else { return nil }
            switch wait.object {
            case .semaphore(let id): return semaphore(id, wait, graph, signals, model)
            case .group(let id): return group(id, wait, graph, model)
            case .queue(let queue): return suspended(queue, wait, graph, model)
            case .lock, .item: return nil
            }
        }
    }

    private static func semaphore(
        _ id: UInt64, _ wait: BlockedWait, _ graph: DeadlockGraph, _ signals: SignalOrigins, _ model: DispatchModel
    ) -> Finding? {
        guard let behind = ItemsBehind(wait.thread, graph, model) else { return nil }
        // Earlier signallers may signal it again.
        let origins = signals.queues(of: id)
        guard origins.allSatisfy({ $0.map(behind.held.contains) ?? false }) else { return nil }
        // Every wake-up of a loop waits for its next iteration. A pending wake-up alone does not prove that it would
        // signal.
        if model[behind.first.queue].kind == .eventLoop, origins.isEmpty { return nil }
        let (name, needed) = (behind.name, model.place(of: behind.first.code))
        return finding(
            wait,
            summary: "\(model.name(of: wait.thread)) waits for a semaphore\(model.place(of: wait.code)) while it holds "
                + "\(name), where \(behind.itemsWait) for it: the code that would signal it cannot run.",
            queues: behind.queues, reason: "; it holds \(name), and \(behind.itemsWait) behind it",
            code: [graph.running(on: wait.thread)?.code ?? .unknown, behind.first.code],
            advice: Advice(
                .doNotWait, "Do not wait for a semaphore\(model.place(of: wait.code)) on \(name, .queue) for work of ",
                "\(name, .queue), which can never start: ",
                behind.areTasks
                    ? "await the result in an async function, or do not use \(name, .queue)\(needed)."
                    : "continue in the item that would signal, or signal from another queue."),
            model)
    }

    private static func group(
        _ id: UInt64, _ wait: BlockedWait, _ graph: DeadlockGraph, _ model: DispatchModel
    ) -> Finding? {
        guard let group = model.groups.last(where: { $0.id == id }), group.isCreationKnown, group.outstanding > 0,
            (graph.steps[wait.thread] ?? []).isEmpty
        else { return nil }
        let created = model.place(of: group.creationCode)
        // Other queues may have items that do not belong to the group.
        let behind = ItemsBehind(wait.thread, graph, model).flatMap { $0.areTasks ? $0 : nil }
        return finding(
            wait,
            summary: "\(model.name(of: wait.thread)) waits for a group\(model.place(of: wait.code)) that was entered "
                + "\(Figures.plural(group.outstanding, "time")) more than it was left, and no item of it can run"
                + (behind.map { ": the thread holds \($0.name), where \($0.itemsWait) for it." } ?? "."),
            queues: behind?.queues ?? graph.running(on: wait.thread).map { [$0.queue] } ?? [],
            reason: "; \(Figures.count(group.enters)) enters, \(Figures.count(group.leaves)) leaves",
            code: [group.creationCode, behind?.first.code ?? .unknown],
            advice: behind.map { behind in
                Advice(
                    .doNotWait, "Do not wait for the group\(model.place(of: wait.code)) on \(behind.name, .queue), ",
                    "where work of the group may wait\(model.place(of: behind.first.code)): use a task group and ",
                    "await it.")
            }
                ?? Advice(
                    .balanceCalls, "Leave the group created\(created) on every path of the code that entered it, so ",
                    "that the wait ends: with defer, or submit with async(group:), which enters and leaves the group."),
            model)
    }

    private static func suspended(
        _ queue: QueueIndex, _ wait: BlockedWait, _ graph: DeadlockGraph, _ model: DispatchModel
    ) -> Finding? {
        guard let backlog = graph.backlog(of: queue), backlog.isSuspended else { return nil }
        let name = model.name(of: queue)
        return finding(
            wait,
            summary: "\(model.name(of: wait.thread)) waits in sync\(model.place(of: wait.code)) for \(name), which is "
                + "suspended or was never activated.",
            queues: [queue], reason: "; the queue, or one that it targets, is suspended", code: [],
            advice: Advice(
                .balanceCalls, "Resume or activate \(name, .queue) before the sync\(model.place(of: wait.code)), so ",
                "that the sync can run. Each suspend needs a resume on every path."), model)
    }

    private static func finding(
        _ wait: BlockedWait, summary: String, queues: [QueueIndex], reason: String, code: [CodeIndex], advice: Advice,
        _ model: DispatchModel
    ) -> Finding {
        let stuck = model.end - wait.begin
        return Finding(
            detector: Deadlock.id, severity: .error, summary: summary, queues: queues, begin: wait.begin,
            end: model.end, cost: stuck, occurrences: 1, measures: [.duration("stuck for", stuck)],
            evidence: [evidence(of: wait, reason, model)],
            code: DistinctValues([wait.code] + code).elements, advice: advice,
            caveat: "A thread that does not use dispatch may still end this wait.")
    }
}

/// The items that wait for a queue that a blocked thread holds.
private struct ItemsBehind {
    let first: PendingItem
    /// The queues of the items, the first item's first.
    let queues: [QueueIndex]
    /// The serial queues that the items need.
    let held: Set<QueueIndex>
    /// Whether they are tasks that need the main actor.
    let areTasks: Bool
    /// The name of what the thread holds.
    let name: String
    /// `2 items wait`.
    let itemsWait: String

    /// - Returns: nil if no item waits.
    init?(_ thread: ThreadIndex, _ graph: DeadlockGraph, _ model: DispatchModel) {
        let behind = graph.held(by: thread)
        // A task that needs the main actor is an item of the main queue as well.
        let tasks = behind.filter { model[$0.queue].isMainExecutor }
        let counted = tasks.isEmpty ? behind : tasks
        guard let first = counted.first else { return nil }
        self.first = first
        areTasks = !tasks.isEmpty
        queues = DistinctValues(counted.map(\.queue) + behind.map(\.queue)).elements
        held = Set(behind.flatMap { model.serialQueues(of: $0.queue) })
        name = areTasks ? "the main actor" : model.name(of: first.queue)
        let count = Figures.plural(counted.count, areTasks ? "task" : "item")
        itemsWait = "\(count) wait\(counted.count == 1 ? "s" : "")"
    }
}
