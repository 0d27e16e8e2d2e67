import DispatchModel

/// Workers wake, find nothing to do, and go back to sleep.
///
/// ## Definition
///
/// A wake-up of a worker is *useless* when the worker parks again without having run an item. A worker that was parked
/// for less than 2 µs did not sleep, so its return is not a wake-up. The workers of a root queue are reported when they
/// had at least 100 useless wake-ups in bad seconds. A second is bad when at least 10 wake-ups, and at least half of
/// all wake-ups, were useless. So a quiet hour does not hide a bad second.
///
/// ```
///   worker 1   park ·····▲ unpark ── item ── park
///   worker 2   park ·····▲ unpark ─ looks ─ park        useless
///                        │
///   submitted            ╰ one item, two workers requested
/// ```
///
/// It is a warning when the cost is at least 1 % of one processor in those seconds, otherwise a note. A trace shorter
/// than a second counts as one second. The cost is the time awake, and one wake for each useless wake-up, measured as
/// in `bouncing-work`.
///
/// ## Thresholds
///
/// - wakeups = 100: Useless wake-ups in bad seconds. A few occur in every program.
/// - share = 50%: The least share of useless wake-ups among the wake-ups of a bad second. A smaller share is the price
///   of a quick response.
/// - rate = 10: Useless wake-ups in a bad second. A smaller number has no measurable cost.
///
/// ## Why it matters
///
/// Each useless wake-up costs two context switches and takes a processor out of its idle state. The time is taken from
/// other threads, and on a battery the energy is wasted.
///
/// ## What it cannot see
///
/// Workers that run only tasks and actors: Swift's runtime decides which of them wake, and `tasks-too-small` reports
/// tasks that are too small. Workers are recorded by the interposer only. Work that libdispatch does between items,
/// such as the hand-off of a queue to a waiting sync, leaves no item. The wake-up of a worker for that counts as
/// useless.
///
/// A sampled trace (`record --budget`): a wake-up for an item that was not recorded would count as useless.
///
/// ## Advice
///
/// Submit to fewer queues: libdispatch requests a worker whenever an empty queue gets an item. Batch small items, and
/// give queues that are active together one serial target.
///
/// ## Source
///
/// "Too many wake-ups" in Apple's Energy Efficiency Guide, and "Modernizing Grand Central Dispatch Usage" (WWDC 2017,
/// session 706).
public struct UselessWakeups: Detector {
    public static let id = "useless-wakeups"
    public static let title = "Workers wake, find nothing to do, and go back to sleep"
    public static let needsAllItems = true
    public static let follows: ObservationKinds = [.workers, .items]

    private static let wakeups = Threshold("wakeups", 100)
    private static let share = Threshold("share", Share(percent: 50))
    private static let rate = Threshold("rate", 10)
    public static let thresholds: [any ThresholdDeclaration] = [wakeups, share, rate]

    /// The share of one processor in bad seconds from which it is a warning.
    private static let warningShare = 0.01
    /// Shortest time parked that counts as sleep. Falling asleep and waking up take longer.
    private static let shortestSleep = Nanoseconds.microseconds(2)

    private let limits: Thresholds
    private let facts: SharedFacts
    /// By position of the thread: when it parked.
    private var parked: [Timestamp?] = []
    /// By position of the thread: the wake-up of a worker that has not run an item since; otherwise nil.
    private var awake: [Timestamp?] = []
    /// Number of these workers.
    private var awakeCount = 0
    /// By position of the root queue.
    private var roots: [RootWakes] = []

    private struct RootWakes {
        var wakeups = 0
        /// By second of the recording.
        var seconds: [Int64: (wakeups: Int, useless: Int)] = [:]
        var useless = CaseStatistics<(time: Timestamp, length: Nanoseconds, thread: ThreadIndex)>()
        /// Queues of the items that woken workers ran: the queues to look at.
        var queues = Frequencies<QueueIndex>()
        /// Whether the workers ran only tasks; nil before the first item.
        var runsOnlyTasks: Bool?

        mutating func countWake(at time: Timestamp, isUseless: Bool) {
            let second = (time - .zero).count / Nanoseconds.seconds(1).count
            if isUseless {
                seconds[second, default: (0, 0)].useless += 1
            } else {
                wakeups += 1
                seconds[second, default: (0, 0)].wakeups += 1
            }
        }
    }

    public init(thresholds: Thresholds) {
        limits = thresholds
        facts = thresholds.shared
    }

    public mutating func observe(sumsOf batch: borrowing ObservationBatch) { facts.observe(batch) }

    public var wanted: ItemTraits { awakeCount > 0 ? .any : [] }

    @inline(__always)
    public mutating func observe(_ item: ItemRow, in model: DispatchModel) {
        let thread = item.thread.position
        // A nested item ends before the item that contains it, so it is ignored.
        guard thread < awake.count, awake[thread] != nil, !item.isNested else { return }
        setAwake(thread, nil)
        guard let root = model.root(of: item.thread), root.position < roots.count else { return }
        // A job without a recorded submission looks like any other item.
        if item.enqueuedOn != nil {
            let isTask = item.kind == .swiftJob
            roots[root.position].runsOnlyTasks = isTask && roots[root.position].runsOnlyTasks != false
        }
        if item.kind == .async { roots[root.position].queues.add(item.queue) }
    }

    private mutating func setAwake(_ thread: Int, _ since: Timestamp?) {
        awakeCount += (since == nil ? 0 : 1) - (awake[thread] == nil ? 0 : 1)
        awake[thread] = since
    }

    public mutating func observe(_ change: WorkerChange, in model: DispatchModel) {
        while awake.count <= change.thread.position {
            awake.append(nil)
            parked.append(nil)
        }
        roots.reach(change.root.position, RootWakes())
        let (thread, root) = (change.thread.position, change.root.position)
        switch change.kind {
        case .unparked:
            guard let since = parked[thread], change.time - since >= Self.shortestSleep else { return }
            setAwake(thread, change.time)
            roots[root].countWake(at: change.time, isUseless: false)
        case .parked:
            parked[thread] = change.time
            guard let since = awake[thread] else { return }
            setAwake(thread, nil)
            roots[root].countWake(at: since, isUseless: true)
            roots[root].useless.add(
                (since, change.time - since, change.thread), cost: change.time - since, from: since, to: change.time,
                thread: change.thread)
        case .exited, .started: setAwake(thread, nil)
        case .requested, .created: break
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        roots.indices.compactMap { position in
            let root = roots[position]
            guard root.runsOnlyTasks != true else { return nil }
            let bad = root.seconds.values.filter {
                $0.useless >= limits[Self.rate]
                    && Double($0.useless) >= limits[Self.share].fraction * Double($0.wakeups)
            }
            guard bad.reduce(0, { $0 + $1.useless }) >= max(1, limits[Self.wakeups]) else { return nil }
            let wake = facts.allWakes.estimate(of: QueueIndex(position))
            let cost = root.useless.cost + Nanoseconds(wake.usual.count * Int64(root.useless.count))
            let seconds = Nanoseconds.seconds(Int64(bad.count))
            let isWarning = Double(cost.count) >= Self.warningShare * Double(seconds.count)
            return Self.finding(
                QueueIndex(position), root, bad: (bad.count, bad.map(\.useless).max() ?? 0), wake: wake, cost: cost,
                isWarning: isWarning, in: model)
        }
    }

    private static func finding(
        _ root: QueueIndex, _ wakes: RootWakes, bad: (seconds: Int, most: Int), wake: WakeCost.Estimate,
        cost: Nanoseconds, isWarning: Bool, in model: DispatchModel
    ) -> Finding {
        let useless = wakes.useless
        let name = model.name(of: root)
        let queues = wakes.queues.mostFrequent(3)
        let names = model.retargetableNames(queues.filter { model[$0].isSerial }) ?? ""
        return Finding(
            detector: id, severity: isWarning ? .warning : .info,
            summary: "\(Figures.count(useless.count)) of \(Figures.count(wakes.wakeups)) wake-ups of the workers of "
                + "\(name) were useless: the workers ran no item before they parked again.",
            queues: [root] + queues.filter { $0 != root }, begin: useless.begin, end: useless.end,
            cost: cost, occurrences: useless.count,
            measures: [
                .count("wake-ups", wakes.wakeups), .count("useless", useless.count),
                Measure("bad seconds", "\(bad.seconds), up to \(bad.most) useless in one"),
                .count("workers", useless.threads.count), .duration("time awake without an item", useless.cost),
                .duration("longest", useless.worst), wake.measure,
            ],
            evidence: useless.costliest.elements.sorted { $0.time < $1.time }.map { wake in
                Evidence(
                    time: wake.time, thread: wake.thread, event: "worker_unpark",
                    detail: "\(model.name(of: wake.thread)) wakes, runs nothing, and parks \(wake.length) later.")
            },
            code: [],
            advice: names.isEmpty
                ? Advice(
                    .batchWork, "Submit to fewer queues at a time, and submit several small items as one: an item on ",
                    "an empty queue wakes a worker.")
                : Advice(
                    .shareTargetQueue, "Give the queues that are active together one serial target, and submit ",
                    "several small items as one: most items here were on \(names, .queue)."))
    }
}
