import DispatchModel

/// Workers wake, find nothing to do, and go back to sleep.
///
/// ## Definition
///
/// A wake-up of a worker is *useless* when it parks again without having run an item. One that was parked for less than
/// 2 µs did not sleep, and so was not woken. The workers of a root queue are reported when they woke in vain at least
/// 100 times in bad seconds: those in which at least 10 wake-ups, and at least half of all, were useless. A quiet hour
/// does not hide a bad second.
///
/// ```
///   worker 1   park ·····▲ unpark ── item ── park
///   worker 2   park ·····▲ unpark ─ looks ─ park        useless
///                        │
///   submitted            ╰ one item, two workers asked for
/// ```
///
/// It is a warning when it costs at least 1 % of one processor in those seconds, of which a shorter run has one, else a
/// note. The cost is the time awake, and a wake for each, measured as in `bouncing-work`.
///
/// ## Thresholds
///
/// - wakeups = 100: Useless wake-ups. A few happen in every program.
/// - share = 50%: The least share of useless ones among the wake-ups of a bad second. Below that they are the price of
///   being quick.
/// - rate = 10: Useless wake-ups in a bad second. Less often it costs nothing that could be measured.
///
/// ## Why it matters
///
/// Each one is two context switches and a processor that leaves its idle state for nothing: time taken from others, and
/// on a battery the most expensive way to do nothing.
///
/// ## What it cannot see
///
/// Workers that run nothing but tasks and actors: which of them Swift's runtime wakes is not the program's choice;
/// tasks that are too small are another detector's. Workers are recorded by the interposer only. Work that libdispatch
/// does between items, such as handing a queue to a waiting sync, leaves no item: a worker that was woken for that
/// counts as woken in vain.
///
/// ## Advice
///
/// Submit to fewer queues: a worker is asked for whenever a queue that was empty gets an item. Batch small items, and
/// let queues that are active together share a serial target.
///
/// ## Source
///
/// "Too many wake-ups" in Apple's Energy Efficiency Guide, and "Modernizing Grand Central Dispatch Usage" (WWDC 2017,
/// session 706).
public struct UselessWakeups: Detector {
    public static let id = "useless-wakeups"
    public static let title = "Workers wake, find nothing to do, and go back to sleep"
    public static let follows: ObservationKinds = [.workers, .items]

    private static let wakeups = Threshold("wakeups", 100)
    private static let share = Threshold("share", Share(percent: 50))
    private static let rate = Threshold("rate", 10)
    public static let thresholds: [any ThresholdDeclaration] = [wakeups, share, rate]

    /// The share of one processor, in bad seconds, from which on it is a warning.
    private static let noticed = 0.01
    /// Going to sleep and waking up takes longer.
    private static let shortestSleep = Nanoseconds.microseconds(2)

    private let limits: Thresholds
    private let facts: SharedFacts
    /// By position of the thread: when it parked.
    private var parked: [Timestamp?] = []
    /// By position of the thread: since when a worker is awake without having run an item; nil when it has.
    private var awake: [Timestamp?] = []
    /// How many are awake so.
    private var awakeCount = 0
    /// By position of the root queue.
    private var roots: [RootWakes] = []

    private struct RootWakes {
        var wakeups = 0
        /// By second of the recording.
        var seconds: [Int64: (wakeups: Int, useless: Int)] = [:]
        var useless = CaseStatistics<(time: Timestamp, length: Nanoseconds, thread: ThreadIndex)>()
        /// Who submitted just before: the queues to look at.
        var queues = Frequencies<QueueIndex>()
        /// They ran tasks, and nothing else.
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
        // What runs inside of another item ends before it.
        guard thread < awake.count, awake[thread] != nil, !item.isNested else { return }
        setAwake(thread, nil)
        guard let root = model.root(of: item.thread), root.position < roots.count else { return }
        // Without its submission a job looks like any other item.
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
            let isNoticed = Double(cost.count) >= Self.noticed * Double(seconds.count)
            return Self.finding(
                QueueIndex(position), root, bad: (bad.count, bad.map(\.useless).max() ?? 0), wake: wake, cost: cost,
                isNoticed: isNoticed, in: model)
        }
    }

    private static func finding(
        _ root: QueueIndex, _ wakes: RootWakes, bad: (seconds: Int, most: Int), wake: WakeCost.Estimate,
        cost: Nanoseconds, isNoticed: Bool, in model: DispatchModel
    ) -> Finding {
        let useless = wakes.useless
        let name = model.name(of: root)
        let queues = wakes.queues.mostFrequent(3)
        let names = model.retargetableNames(queues.filter { model[$0].isSerial }) ?? ""
        return Finding(
            detector: id, severity: isNoticed ? .warning : .info,
            summary: "\(Figures.count(useless.count)) of \(Figures.count(wakes.wakeups)) wake-ups of the workers of "
                + "\(name) were for nothing: they ran no item before they parked again.",
            queues: [root] + queues.filter { $0 != root }, begin: useless.begin, end: useless.end,
            cost: cost, occurrences: useless.count,
            measures: [
                ("wake-ups", Figures.count(wakes.wakeups)), ("useless", Figures.count(useless.count)),
                ("bad seconds", "\(Figures.count(bad.seconds)), up to \(Figures.count(bad.most)) useless in one"),
                ("workers", Figures.count(useless.threads.count)), ("time awake for nothing", "\(useless.cost)"),
                ("longest", "\(useless.worst)"), ("cost of a wake", "\(wake)"),
            ],
            evidence: useless.costliest.elements.sorted { $0.time < $1.time }.map { wake in
                Evidence(
                    time: wake.time, thread: wake.thread, event: "worker_unpark",
                    detail: "\(model.name(of: wake.thread)) wakes, runs nothing, and parks \(wake.length) later.")
            },
            code: [],
            advice: names.isEmpty
                ? "Submit to fewer queues at a time, and several small items as one."
                : "Give the queues that are active together one serial target, and submit several small items as one: "
                    + "most items here were on \(names).")
    }
}
