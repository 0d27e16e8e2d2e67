import DispatchModel

/// All workers of a root queue are blocked, and the items that could wake them wait for a worker.
///
/// ## Definition
///
/// When the trace ends, or a snapshot was taken, every worker of a root queue is blocked, no worker is starting, and
/// items wait that only one of these workers can run. It is *certain* when each worker waits for a group or a work item
/// of which an item is among the waiting items, or for something that another one of these workers holds. Then no other
/// thread can wake them, and 100 ms suffice to exclude a short wait. When a worker waits for a semaphore, or for a lock
/// that another thread holds, the limit is 2 s. Workers that wait for queues and locks of each other are a `deadlock`,
/// which a further worker does not end.
///
/// ```
///   workers      1 ░░░░  2 ░░░░  3 ░░░░  …  255 ░░░░       all wait for a semaphore
///   submitted    the item that would signal it ············ no worker is left to run it
/// ```
///
/// ## Thresholds
///
/// - certain = 100ms: The time without progress of any worker, when only queued work can wake them. Pauses of
///   libdispatch itself are shorter.
/// - stuck = 2s: The time without progress, when another thread may wake a worker. libdispatch checks once a second
///   whether its workers are stuck, and adds one if it may.
///
/// ## Why it matters
///
/// The program stops. On the global queues libdispatch adds one worker per second, so a small deadlock resolves itself
/// in the end, by one item per second. But it makes at most 255 workers for a root queue. When all of these are
/// blocked, the program does not recover.
///
/// ## What it cannot see
///
/// Workers are recorded by the interposer only. Whether a thread outside the pool will wake one of the workers later.
///
/// ## Advice
///
/// Never block a worker for the work of another item: submit the rest from that item, or use the group's `notify`. Run
/// items that must block on one serial queue, or on a thread of their own.
///
/// ## Source
///
/// "Thread explosion" in Apple's "Building Responsive and Efficient Apps with GCD" (WWDC 2015, session 718): "your
/// application deadlocks".
public struct PoolDeadlock: Detector {
    public static let id = "pool-deadlock"
    public static let title =
        "All workers of a root queue are blocked, and the items that could wake them wait for a worker"
    public static let follows: ObservationKinds = .pendingItems
    public static let needsAllItems = true
    public static let explains: Set<String> = [
        "deadlock", "thread-explosion", "pool-starvation", "long-sync-wait", "item-never-ran",
        "semaphore-never-signalled",
    ]
    public static let focus = FindingFocus(
        showsWorkers: true,
        hint: "Hatched: all workers of the pool are blocked. Vermilion over the queue: items for which no worker is "
            + "free.")

    private static let certain = Threshold("certain", Nanoseconds.milliseconds(100))
    private static let stuck = Threshold("stuck", Nanoseconds.seconds(2))
    public static let thresholds: [any ThresholdDeclaration] = [certain, stuck]

    private let limits: Thresholds
    /// By root queue: the groups and work items of the items that wait for a worker of that root queue.
    private var queued: [QueueIndex: Set<BlockedWait.Object>] = [:]

    public init(thresholds: Thresholds) { limits = thresholds }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .pending(let item) = observation, !item.isCancelled, !item.isSync,
            let root = model.chain(of: item.queue).last
        else { return }
        queued[root, default: []].insert(.item(item.id))
        if let group = item.group { queued[root, default: []].insert(.group(model[group].id)) }
    }

    /// Whether only the workers and the queued items can end a wait.
    private func isCertain(_ wait: BlockedWait, root: QueueIndex, in model: DispatchModel) -> Bool {
        switch wait.object {
        case .group, .item: queued[root]?.contains(wait.object) ?? false
        case .queue, .lock: wait.holder.map { model[$0].root == root } ?? false
        case .semaphore: false
        }
    }

    /// Whether threads wait for queues and locks of each other.
    private static func hasCycle(in model: DispatchModel) -> Bool {
        DeadlockGraph(of: model, pending: []).cycles.contains { cycle in
            cycle.allSatisfy { step in
                switch step.wait.object {
                case .queue, .lock: true
                case .group, .item, .semaphore: false
                }
            }
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        let graph = model.waitForGraph
        if Self.hasCycle(in: model) { return [] }
        return graph.pools.compactMap { pool in
            guard pool.alive > 0, pool.free == 0, pool.starting == 0 else { return nil }
            let waits = graph.waits.filter { model[$0.thread].root == pool.root }.sorted { $0.begin < $1.begin }
            let areCertain = waits.allSatisfy { isCertain($0, root: pool.root, in: model) }
            guard Set(waits.map(\.thread)).count >= pool.alive, let last = waits.last, areCertain || !model.hasOpenEnd,
                model.end - last.begin >= limits[areCertain ? Self.certain : Self.stuck]
            else { return nil }
            let held = Set(graph.running.flatMap { model.serialQueues(of: $0.queue) })
            let backlogs = graph.backlogs.filter { backlog in
                !backlog.isSuspended && !backlog.first.isSync && backlog.first.due == nil
                    && model.chain(of: backlog.queue).last == pool.root
                    && held.isDisjoint(with: model.serialQueues(of: backlog.queue))
            }
            return backlogs.isEmpty ? nil : Self.finding(pool, waits, backlogs, in: model)
        }
    }
}

// MARK: - Texts

extension PoolDeadlock {
    private static func finding(
        _ pool: WaitForGraph.Pool, _ waits: [BlockedWait], _ backlogs: [WaitForGraph.Backlog], in model: DispatchModel
    ) -> Finding {
        let root = model.name(of: pool.root)
        var objects = Frequencies<String>()
        var codes = Frequencies<CodeIndex>()
        for wait in waits {
            objects.add(model.kindName(of: wait.object))
            if wait.code != .unknown { codes.add(wait.code) }
        }
        let object = objects.mostFrequent(1).first ?? "something"
        let place = model.place(of: codes.mostFrequent(1).first)
        let items = backlogs.reduce(0) { $0 + $1.count }
        let since = waits[waits.count - 1].begin
        return Finding(
            detector: id, severity: .error,
            summary:
                "All \(Figures.plural(pool.alive, "worker")) of \(root) are blocked, most in \(object)\(place), and "
                + "\(Figures.plural(items, "item")) wait\(items == 1 ? "s" : "") for a worker: no worker has run for "
                + "\(model.end - since).",
            queues: backlogs.map(\.queue), begin: since, end: model.end, cost: model.end - since, occurrences: 1,
            measures: [
                .count("workers", pool.alive), .count("blocked", waits.count),
                .count("items that wait for a worker", items),
                .count("queues of these items", backlogs.count), .duration("stuck for", model.end - since),
            ],
            evidence: waits.suffix(8).map { wait in
                Evidence(
                    time: wait.begin, thread: wait.thread, event: "worker_start",
                    detail: "\(model.name(of: wait.thread)) has waited \(model.end - wait.begin) in "
                        + "\(model.kindName(of: wait.object))\(model.place(of: wait.code)).")
            }
                + backlogs.prefix(4).map { backlog in
                    Evidence(
                        time: backlog.first.enqueuedAt, thread: backlog.first.enqueuedOn ?? waits[0].thread,
                        event: "item_enqueue",
                        detail:
                            "Waiting for a worker: \(Figures.plural(backlog.count, "item")) of "
                            + "\(model.name(of: backlog.queue))\(model.place(of: backlog.first.code)).")
                },
            code: codes.mostFrequent(2) + backlogs.prefix(1).map(\.first.code),
            advice: Advice(
                .doNotWait, "Do not block a worker\(place) for the work of another item: submit the rest from that ",
                "item, or use the group's notify. Run items that must block on one serial queue."),
            caveat: "A thread outside the pool may still wake a worker.")
    }
}
