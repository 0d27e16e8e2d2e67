import DispatchModel

/// Work waits while the workers that should run it are blocked.
///
/// ## Definition
///
/// An item is *starved* while its queue is free and its root queue has no free worker. Starved times of at least 50 ms
/// that overlap are one *episode*. An episode is reported when at least half of the workers of that root queue were
/// blocked for most of it: in a sync, for a lock, a semaphore, a group or a work item, or, where context switches were
/// recorded, in system calls. If the workers were busy instead, the processors were the limit, which is not a fault of
/// the program.
///
/// Items that a limit of the program holds back are not starved: the blocked workers run items of the same code, and at
/// least two of them wait for one lock or semaphore, or as many of them as a semaphore of this code admits are blocked
/// elsewhere. With a worker, the items would wait for that lock or semaphore.
///
/// ```
///   worker 1   ░░░░░░░░ blocked ░░░░░░░░░░░░░░░░
///   worker 2   ░░░░░░░░ blocked ░░░░░░░░░░░░░░░░
///   worker 3                  ├ made after a second: the ladder
///   item       ▲ submitted      ├─┤ begins
/// ```
///
/// ## Thresholds
///
/// - wait = 50ms: The shortest starvation that counts. Starting a thread takes less than a hundredth of that.
/// - blocked = 50%: The least share of the workers that were blocked.
///
/// ## Why it matters
///
/// libdispatch checks once a second whether its workers are stuck, and then starts one more. A backlog behind blocked
/// workers is served by one more thread per second, while the processors are idle.
///
/// ## What it cannot see
///
/// Workers are recorded by the interposer only. Without context switches, a worker that is blocked in a system call
/// counts as busy. A blocked item is ignored where its submission is missing, because other items may have waited for
/// its queue. An item that is blocked in system calls is also ignored where it has not ended and events are missing,
/// because its end may be among them. Items of serial hierarchies are ignored where items without a recorded submission
/// ran for half of the time.
///
/// A sampled trace (`record --budget`): a worker that runs an item that was not recorded would count as idle.
///
/// ## Advice
///
/// Do not wait on a queue for the work of another queue. Limit the number of items that wait at the same time: run
/// items that block on one serial queue.
///
/// ## Source
///
/// The monitor in libdispatch's `event/workqueue.c`, which adds a worker each second.
public struct PoolStarvation: Detector {
    public static let id = "pool-starvation"
    public static let title = "Work waits while the workers that should run it are blocked"
    public static let needsAllItems = true
    public static let follows: ObservationKinds = [.items, .pendingItems, .workers, .blockedWaits, .lockAcquisitions]
    public static let focus = FindingFocus(
        callout: .starvation, showsWorkers: true,
        hint: "The dashed line is the number of processors. Hatched: blocked workers. Amber: items wait for a free "
            + "worker.")

    private static let wait = Threshold("wait", Nanoseconds.milliseconds(50))
    private static let blocked = Threshold("blocked", Share(percent: 50))
    public static let thresholds: [any ThresholdDeclaration] = [wait, blocked]

    /// Shorter waits of workers are ignored, because they starve no item.
    private static let shortestBlock = Nanoseconds.milliseconds(1)

    private let limits: Thresholds
    private let minimum: Nanoseconds
    /// By position of the root queue.
    private var alive: [Int] = []
    private var episodes: [StarvationEpisode] = []
    /// The longest waits of the workers. They are compared with the episodes at the end of the trace.
    private var blockedWaits = LongestWaits()
    /// The items of the workers. They show which code a wait belongs to.
    private var workerItems = LongestWaits()
    /// Items without a recorded submission. Their queue is unknown, and other items may have waited for it.
    private var itemsOfUnknownQueues = LongestWaits()

    public init(thresholds: Thresholds) {
        limits = thresholds
        minimum = thresholds[Self.wait]
    }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .pending(let item):
            guard item.waitParts.pool >= minimum else { return }
            let begin = Timestamp(
                nanoseconds: max(item.enqueuedAt.nanoseconds, item.until.nanoseconds - item.waitParts.pool.count))
            starve(
                item.queue, item.code, submitted: item.enqueuedAt, from: begin, to: item.until, isFinished: false,
                in: model)
        case .blockedWait(let wait):
            guard wait.end - wait.begin >= Self.shortestBlock, model.root(of: wait.thread) != nil else { return }
            addWait(
                wait.thread, model.kindName(of: wait.object), wait.code, from: wait.begin, to: wait.end,
                for: wait.object)
        case .acquisition(let acquisition):
            guard acquisition.blocksThread, case .lock(let lock) = acquisition.domain,
                acquisition.grantedAt - acquisition.requestedAt >= Self.shortestBlock,
                model.root(of: acquisition.thread) != nil
            else { return }
            addWait(
                acquisition.thread, "lock \(model.name(of: lock))", acquisition.code, from: acquisition.requestedAt,
                to: acquisition.grantedAt, for: .lock(lock))
        default: break
        }
    }

    public mutating func observe(_ change: WorkerChange, in model: DispatchModel) {
        alive.reach(change.root.position, 0)
        alive[change.root.position] = change.alive
    }

    public var wanted: ItemTraits { .lasting(min(minimum, Self.shortestBlock)) }

    @inline(__always)
    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {
        if item.isSync, let caller = item.enqueuedOn, item.wait >= Self.shortestBlock, model.root(of: caller) != nil {
            let end = caller == item.thread ? item.beganAt : item.endedAt
            addWait(caller, "sync to \(model.name(of: item.queue))", item.code, from: item.enqueuedAt, to: end)
        }
        if item.endedAt - item.beganAt >= Self.shortestBlock, model.root(of: item.thread) != nil {
            workerItems.add(
                .init(
                    thread: item.thread, object: "", code: item.code, begin: item.beganAt, end: item.endedAt,
                    length: item.endedAt - item.beganAt))
        }
        if model.kind(of: item.queue) == .unknown, item.endedAt - item.beganAt >= Self.shortestBlock {
            itemsOfUnknownQueues.add(
                .init(
                    thread: item.thread, object: "", code: item.code, begin: item.beganAt, end: item.endedAt,
                    length: item.endedAt - item.beganAt))
        } else if let times = item.processorTimes, times.blocked >= Self.shortestBlock,
            model.root(of: item.thread) != nil
        {
            // The position of the blocked time in the item is unknown, so only its length is used.
            let wait = LongestWaits.Wait(
                thread: item.thread, object: "system calls", code: item.code, begin: item.beganAt,
                end: item.endedAt, length: times.blocked, isOffProcessor: true, isOpen: !item.isFinished)
            blockedWaits.add(wait)
        }
        guard item.waitParts.pool >= minimum else { return }
        // Only the length of the wait for a worker is recorded. It ended when the item began.
        let begin = Timestamp(
            nanoseconds: max(item.enqueuedAt.nanoseconds, item.beganAt.nanoseconds - item.waitParts.pool.count))
        starve(
            item.queue, item.code, submitted: item.enqueuedAt, from: begin, to: item.beganAt, isFinished: true,
            in: model)
    }

    private mutating func addWait(
        _ thread: ThreadIndex, _ object: String, _ code: CodeIndex, from begin: Timestamp, to end: Timestamp,
        for identity: BlockedWait.Object? = nil
    ) {
        var wait = LongestWaits.Wait(
            thread: thread, object: object, code: code, begin: begin, end: end, length: end - begin)
        wait.identity = identity
        blockedWaits.add(wait)
    }

    private mutating func starve(
        _ queue: QueueIndex, _ code: CodeIndex, submitted: Timestamp, from begin: Timestamp, to end: Timestamp,
        isFinished: Bool, in model: DispatchModel
    ) {
        guard let root = model.chain(of: queue).last else { return }
        let workers = root.position < alive.count ? alive[root.position] : 0
        let item = StarvationEpisode.Item(
            queue: queue, code: code, begin: begin, end: end, isFinished: isFinished, submitted: submitted,
            isExclusive: model.exclusionQueue(of: queue) != nil)
        StarvationEpisode.add(item, root: root, workers: workers, to: &episodes)
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        let roots = DistinctValues(episodes.map(\.root)).elements
        let admitted = episodes.isEmpty ? [:] : itemsAdmitted(in: model)
        return roots.compactMap { root in
            let starved = episodes.filter { $0.root == root }.compactMap { episode in
                let blocked = blockedWaits.blocking(episode, in: model).filter { !itemsOfUnknownQueues.cover($0) }
                let isStarved =
                    !blocked.isEmpty
                    && Double(blocked.count) >= limits[Self.blocked].fraction * Double(max(1, episode.workers))
                let isReported =
                    isStarved && !mayBeExcluded(episode, in: model) && !isHeldBack(episode, by: blocked, admitted)
                return isReported ? (episode, blocked) : nil
            }
            return starved.isEmpty ? nil : Self.finding(root, starved, in: model)
        }
    }

    /// The code that a worker ran during a wait; unknown when its item was not kept.
    private func itemCode(of wait: LongestWaits.Wait) -> CodeIndex {
        wait.isOffProcessor ? wait.code : workerItems.first(around: wait)?.code ?? .unknown
    }

    /// By code: the number of its items that a semaphore admits at a time. Several semaphores admit the smallest
    /// number.
    private func itemsAdmitted(in model: DispatchModel) -> [CodeIndex: Int] {
        let values = Dictionary(model.semaphores.map { ($0.id, $0.firstValue ?? 0) }) { $1 }
        var admitted: [CodeIndex: Int] = [:]
        for wait in blockedWaits.all {
            guard case .semaphore(let id)? = wait.identity, let value = values[id], value > 0,
                case let code = itemCode(of: wait), code != .unknown
            else { continue }
            admitted[code] = min(admitted[code] ?? .max, value)
        }
        return admitted
    }

    /// Whether the items of an episode would wait for a lock or semaphore of the program, also with a worker.
    ///
    /// ```
    ///   worker 1   ├ item: took the semaphore, sleeps ░░░░░┤
    ///   worker 2   ├ item: waits for the semaphore ░░░░░░░░┤
    ///   item           ▲ submitted: would wait for the semaphore too
    /// ```
    private func isHeldBack(
        _ episode: StarvationEpisode, by blocked: [LongestWaits.Wait], _ admitted: [CodeIndex: Int]
    ) -> Bool {
        let code = itemCode(of: blocked[0])
        guard code != .unknown, blocked.allSatisfy({ itemCode(of: $0) == code }),
            episode.items.allSatisfy({ $0.code == code })
        else { return false }
        let inLine = Dictionary(grouping: blocked.compactMap { $0.identity }.filter { $0.isExclusive }) { $0 }
        if inLine.values.contains(where: { $0.count > 1 }) { return true }
        return admitted[code].map { blocked.count(where: \.isOffProcessor) >= $0 } ?? false
    }

    /// Whether all items of an episode may have waited for an item of their serial hierarchy instead of a worker: items
    /// with an unknown queue ran for at least half of their waits.
    ///
    /// ```
    ///   worker    ├ ? ┤├ ? ┤├ ? ┤├ a ┤├ b ┤       ? an item whose queue is unknown
    ///   a, b      ░░░ waited ░░░░                   no recorded item of their hierarchy ran
    /// ```
    private func mayBeExcluded(_ episode: StarvationEpisode, in model: DispatchModel) -> Bool {
        episode.items.allSatisfy { item in
            guard item.isExclusive else { return false }
            let unknown = itemsOfUnknownQueues.total(
                of: episode.root, from: item.submitted, to: item.end, in: model)
            return unknown.count * 2 >= (item.end - item.begin).count
        }
    }
}

// MARK: - Texts

extension PoolStarvation {
    private static func finding(
        _ root: QueueIndex, _ starved: [(episode: StarvationEpisode, waits: [LongestWaits.Wait])],
        in model: DispatchModel
    ) -> Finding {
        let cost = starved.reduce(Nanoseconds.zero) { $0 + ($1.episode.end - $1.episode.begin) }
        let items = starved.reduce(0) { $0 + $1.episode.count }
        let worst = starved.max { $0.episode.end - $0.episode.begin < $1.episode.end - $1.episode.begin } ?? starved[0]
        var codes = Frequencies<CodeIndex>()
        var objects = Frequencies<String>()
        for wait in starved.flatMap(\.waits) {
            if wait.code != .unknown { codes.add(wait.code) }
            objects.add(wait.object)
        }
        let object = objects.mostFrequent(1).first ?? "something"
        let sites = codes.mostFrequent(3)
        let place = model.place(of: sites.first)
        let queues = DistinctValues(starved.flatMap { $0.episode.items.map(\.queue) }).elements
        return Finding(
            detector: id, severity: .warning,
            summary: "\(Figures.plural(items, "item")) waited while "
                + "\(Figures.plural(worst.waits.count, "worker")) of \(model.name(of: root)) "
                + "\(worst.waits.count == 1 ? "was" : "were") blocked in \(object)\(place): for \(cost) "
                + "\(items == 1 ? "it" : "these items") could not begin.",
            queues: queues, begin: starved.map(\.episode.begin).min() ?? .zero,
            end: starved.map(\.episode.end).max() ?? .zero, cost: cost, occurrences: starved.count,
            measures: [
                .count("episodes", starved.count), .duration("time in which they could not begin", cost),
                .count("items that waited", items),
                Measure(
                    "workers blocked in the longest episode", "\(worst.waits.count) of \(worst.episode.workers)"),
            ],
            evidence: worst.waits.prefix(8).map { wait in
                Evidence(
                    time: wait.begin, thread: wait.thread, event: "worker_start",
                    detail: "\(model.name(of: wait.thread)) is blocked for \(wait.length) in "
                        + "\(wait.object)\(model.place(of: wait.code)).")
            }
                + worst.episode.items.prefix(4).map { item in
                    Evidence(
                        time: item.begin, thread: worst.waits[0].thread, event: "item_enqueue",
                        detail: "An item of \(model.name(of: item.queue))\(model.place(of: item.code)) finds no worker "
                            + "for \(item.end - item.begin)\(item.isFinished ? "" : ", and still waits").")
                },
            code: sites,
            advice: Advice(
                .doNotWait, "Do not wait\(place) on a worker: submit the next step with async or notify when the ",
                "awaited work is done. Where the wait cannot be avoided, put the items that wait on one serial queue, ",
                "so that they block one worker only."))
    }
}
