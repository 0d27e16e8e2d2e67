import DispatchModel

/// All workers of a root queue wait, and what could wake them waits for a worker.
///
/// ## Definition
///
/// When the trace ends, or a snapshot was taken, every worker of a root queue is blocked, none is on its way, and items
/// wait that only one of these workers can run. It is *certain* when each worker waits for a group or a work item of
/// which an item is among those, or for something that another of the workers has: then nobody else can wake it, and
/// 100 ms are enough to tell it from a passing moment. Where a worker waits for a semaphore, or for a lock that somebody
/// else holds, it takes 2 s.
///
/// ```
///   workers      1 ░░░░  2 ░░░░  3 ░░░░  …  255 ░░░░       all wait for a semaphore
///   submitted    the item that would signal it ············ no worker is left to run it
/// ```
///
/// ## Thresholds
///
/// - certain = 100ms: For how long no worker has gone on, when only queued work can wake them. What libdispatch does
///   by itself takes less.
/// - stuck = 2s: For how long, when something else may wake one. libdispatch looks once a second whether its workers
///   are stuck, and adds one if it may.
///
/// ## Why it matters
///
/// The program stands still. On the global queues libdispatch adds a worker each second, so that a small knot comes
/// loose in the end, one item a second; but it makes no more than 255 for a root queue, and with these blocked nothing
/// comes back.
///
/// ## What it cannot see
///
/// Workers are recorded by the interposer only. Whether a thread outside of the pool will still wake one of them.
///
/// ## Advice
///
/// Never block a worker for what another item has to do: let that item submit the rest, or use the group's `notify`.
/// What has to block belongs on one serial queue, or on a thread of its own.
///
/// ## Source
///
/// "Thread explosion" in Apple's "Building Responsive and Efficient Apps with GCD" (WWDC 2015, session 718): "your
/// application deadlocks".
public struct PoolDeadlock: Detector {
    public static let id = "pool-deadlock"
    public static let title = "All workers of a root queue wait for what only queued work can do"
    public static let follows: ObservationKinds = .pendingItems
    public static let explains: Set<String> = [
        "deadlock", "thread-explosion", "pool-starvation", "long-sync-wait", "item-never-ran",
        "semaphore-never-signalled",
    ]

    private static let certain = Threshold("certain", Nanoseconds.milliseconds(100))
    private static let stuck = Threshold("stuck", Nanoseconds.seconds(2))
    public static let thresholds: [any ThresholdDeclaration] = [certain, stuck]

    private let limits: Thresholds
    /// Groups and items of which something waits for a worker, by the root queue that it waits for.
    private var queued: [QueueIndex: Set<BlockedWait.Object>] = [:]

    public init(thresholds: Thresholds) { limits = thresholds }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .pending(let item) = observation, !item.isCancelled, !item.isSync,
            let root = model.chain(of: item.queue).last
        else { return }
        queued[root, default: []].insert(.item(item.id))
        if let group = item.group { queued[root, default: []].insert(.group(model[group].id)) }
    }

    /// Whether nobody but the workers and what is queued can end a wait.
    private func isCertain(_ wait: BlockedWait, root: QueueIndex, in model: DispatchModel) -> Bool {
        switch wait.object {
        case .group, .item: queued[root]?.contains(wait.object) ?? false
        case .queue, .lock: wait.holder.map { model[$0].root == root } ?? false
        case .semaphore: false
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        let graph = model.waitForGraph
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
        let place = codes.mostFrequent(1).first.map { model.place(of: $0) } ?? ""
        let items = backlogs.reduce(0) { $0 + $1.count }
        let since = waits[waits.count - 1].begin
        return Finding(
            detector: id, severity: .error,
            summary:
                "All \(Figures.plural(pool.alive, "worker")) of \(root) are blocked, most in \(object)\(place), and "
                + "\(Figures.plural(items, "item")) wait\(items == 1 ? "s" : "") for a worker: nothing has moved for "
                + "\(model.end - since).",
            queues: backlogs.map(\.queue), begin: since, end: model.end, cost: model.end - since, occurrences: 1,
            measures: [
                ("workers", Figures.count(pool.alive)), ("blocked", Figures.count(waits.count)),
                ("items that wait for a worker", Figures.count(items)),
                ("queues they wait on", Figures.count(backlogs.count)), ("stuck for", "\(model.end - since)"),
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
                            "\(Figures.plural(backlog.count, "item")) of \(model.name(of: backlog.queue)) wait for a "
                            + "worker\(model.place(of: backlog.first.code)).")
                },
            code: codes.mostFrequent(2) + backlogs.prefix(1).map(\.first.code).filter { $0 != .unknown },
            advice:
                "Do not block a worker\(place) for what another item has to do: let that item submit the rest, or use "
                + "the group's notify. What has to block belongs on one serial queue.",
            caveat: "A thread outside of the pool may still wake a worker.")
    }
}
