import DispatchModel

/// Thousands of tasks are alive at once, but only a few threads can run them.
///
/// ## Definition
///
/// The tasks that run one function are *alive* from their creation to their end. The function is reported when at least
/// 1000 of its tasks are alive at once without need: nine of ten tasks waited only for a thread or an actor, and all
/// tasks together spent at least 90 % of their lives in such waits. Tasks that wait for something else, such as one
/// connection each, are a normal use of tasks, whatever their number.
///
/// ```
///   alive   ▂▅█████████▇▆▅▄▃▂▁     10,000 created in a loop
///   ran     ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁     one per processor
/// ```
///
/// The cost is the longest time for which one of the tasks was ready and did not run: work that is enqueued behind the
/// tasks waits for this time.
///
/// ## Thresholds
///
/// - alive = 1000: Tasks alive at once. A task takes some hundred bytes and one or two allocations.
/// - idle = 90%: The smallest share of their lives in which the tasks were ready and did not run.
/// - lost = 10ms: The longest wait of one of the tasks must be at least this long. A shorter burst delays nothing
///   noticeably.
///
/// ## Why it matters
///
/// The tasks keep their memory while they wait, with all values that their closures captured. A job that becomes ready
/// during this time, such as the answer to a user, runs only after all of them.
///
/// ## What it cannot see
///
/// Tasks whose creation was not recorded. The memory that the closures keep alive. The number of tasks alive is counted
/// in time steps of 100 µs, and in longer steps when more than 16,384 steps have changes. Tasks that live for less than
/// one step are not counted.
///
/// ## Advice
///
/// Add the next task to the group when another one ends (`group.next()`), so that a few tasks per processor are alive.
/// Or give each task a part of the elements.
///
/// ## Source
///
/// "Beyond the basics of structured concurrency" (WWDC 2023, session 10170) limits the number of tasks of a group in
/// this way.
public struct TaskExplosion: Detector {
    public static let id = "task-explosion"
    public static let title = "Thousands of tasks are alive at once, but only a few threads can run them"
    public static let follows: ObservationKinds = .tasks
    public static let focus = FindingFocus(.taskCount, callout: .mostTasks)

    private static let alive = Threshold("alive", 1000)
    private static let idle = Threshold("idle", Share(percent: 90))
    private static let lost = Threshold("lost", Nanoseconds.milliseconds(10))
    public static let thresholds: [any ThresholdDeclaration] = [alive, idle, lost]

    /// The smallest share of tasks that wait only for a thread or an actor.
    private static let plain = 0.9

    private let limits: Thresholds
    private var places = PlaceTable()
    private var groups: [LivingTasks] = []

    public init(thresholds: Thresholds) { limits = thresholds }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .task(let task) = observation, task.kind != .unknown, task.kind != .main, !task.isDeinit else {
            return
        }
        var place = places[task.code.position]
        if place < 0 {
            place = groups.count
            places[task.code.position] = place
            groups.append(LivingTasks(code: task.code))
        }
        groups[place].add(task)
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        groups.compactMap { group in
            guard group.count >= limits[Self.alive],
                Double(group.plain) >= Self.plain * Double(group.count),
                group.idle >= limits[Self.idle].fraction, group.tally.worst >= limits[Self.lost]
            else { return nil }
            let peak = group.curve.peak
            guard peak.count >= limits[Self.alive] else { return nil }
            return Self.finding(group, peak, in: model)
        }
    }
}

/// The tasks that run one function, with the number alive over time and their waits.
struct LivingTasks {
    let code: CodeIndex
    private(set) var count = 0
    /// Tasks that waited only for a thread or an actor.
    private(set) var plain = 0
    private(set) var curve = AliveCurve()
    /// The cost of a task is the time for which it was ready and did not run.
    private(set) var tally = CaseStatistics<SwiftTask>()
    private(set) var ran = Nanoseconds.zero
    private var lives = Nanoseconds.zero
    private(set) var makers = Frequencies<ThreadIndex>()

    init(code: CodeIndex) { self.code = code }

    mutating func add(_ task: SwiftTask) {
        count += 1
        let parts = task.parts
        let ready = parts.thread + parts.actor
        if parts.continuation + parts.task + parts.group + parts.unknown == .zero { plain += 1 }
        lives += task.life
        ran += parts.running
        curve.add(task.createdAt, task.endedAt)
        tally.add(
            task, cost: ready, from: task.createdAt, to: task.endedAt, thread: task.createdOn ?? ThreadIndex(0))
    }

    /// The share of their lives in which the tasks were ready and did not run.
    var idle: Double { Double(tally.cost.count) / Double(max(1, lives.count)) }
}

/// The number of objects alive over time, in bounded memory: the length of a time step doubles when there are too many
/// steps.
struct AliveCurve {
    private static let limit = 16_384

    private var step: Int64 = 100_000
    private var changes: [Int64: Int] = [:]

    mutating func add(_ begin: Timestamp, _ end: Timestamp) {
        changes[begin.nanoseconds / step, default: 0] += 1
        // The end is counted in its own step, so an object that lives within one step never counts.
        changes[end.nanoseconds / step, default: 0] -= 1
        while changes.count > Self.limit { coarsen() }
    }

    private mutating func coarsen() {
        step *= 2
        var coarse: [Int64: Int] = [:]
        for (place, change) in changes { coarse[place / 2, default: 0] += change }
        changes = coarse.filter { $0.value != 0 }
    }

    /// The largest number alive at once, and its time.
    var peak: (count: Int, time: Timestamp) {
        var alive = 0
        var peak = (count: 0, time: Timestamp.zero)
        for (place, change) in changes.sorted(by: { $0.key < $1.key }) {
            alive += change
            if alive > peak.count { peak = (alive, Timestamp(nanoseconds: place * step)) }
        }
        return peak
    }
}

// MARK: - Texts

extension TaskExplosion {
    private static func finding(
        _ group: LivingTasks, _ peak: (count: Int, time: Timestamp), in model: DispatchModel
    ) -> Finding {
        let place = model.place(of: group.code)
        return Finding(
            detector: id, severity: .warning,
            summary: "\(Figures.count(peak.count)) tasks\(place) are alive at once, and wait for a thread for up to "
                + "\(group.tally.worst): they spend \(Figures.percent(group.idle)) of their lives ready, not running.",
            queues: [], begin: group.tally.begin, end: group.tally.end, cost: group.tally.worst,
            occurrences: group.count,
            measures: [
                .count("tasks", group.count), .count("alive at once", peak.count),
                Measure("most alive", "at \(peak.time)"),
                .duration("longest wait for a thread", group.tally.worst), .duration("ran in all", group.ran),
                .share("share of their lives ready and not running", group.idle),
            ],
            evidence: group.tally.costliest.elements.sorted { $0.createdAt < $1.createdAt }.map { task in
                Evidence(
                    time: task.createdAt, thread: task.createdOn ?? ThreadIndex(0), task: task.number,
                    event: "task_create",
                    detail: "Task \(task.number) is ready for \(task.parts.thread + task.parts.actor) without running, "
                        + "and runs for \(task.parts.running).")
            },
            code: [group.code],
            advice: Advice(
                .limitTasks, "Create the tasks\(place) when others end: add a few per processor to the group, and one ",
                "more after each group.next(). Or give each task a part of the elements. Then other work does not ",
                "wait behind them."))
    }
}
