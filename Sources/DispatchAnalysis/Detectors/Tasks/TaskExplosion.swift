import DispatchModel

/// Thousands of tasks are made at once that only a few threads can run.
///
/// ## Definition
///
/// The tasks that run one function are *alive* from their creation to their end. They explode when at least 1000 of
/// them are alive at once although there was no need: nine in ten awaited nothing but a thread or an actor, and
/// together they spent at least 90 % of their lives waiting for that. Tasks that wait for something else, such as a
/// connection each, are what tasks are for, however many.
///
/// ```
///   alive   ▂▅█████████▇▆▅▄▃▂▁     10,000 made in a loop
///   ran     ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁     as many as there are processors
/// ```
///
/// The cost is how long the one that waited longest was ready without running: what everything else behind them waits.
///
/// ## Thresholds
///
/// - alive = 1000: Tasks alive at once. A task takes some hundred bytes and an allocation or two.
/// - idle = 90%: The least share of their lives in which they were ready and did not run.
/// - lost = 10ms: The least time that one of them waited. A burst that is over sooner hurts nobody.
///
/// ## Why it matters
///
/// They take memory for as long as they wait, with all that their closures captured, and whatever becomes ready
/// meanwhile, such as an answer to a person, runs when all of them have.
///
/// ## What it cannot see
///
/// Tasks whose creation was not recorded. What the closures keep alive. The number alive is counted in steps of time, a
/// ten thousandth of the recording or longer: tasks that live for less than a step are not among them.
///
/// ## Advice
///
/// Add the next task to the group when one ends (`group.next()`), so that a few per processor are alive, or give each
/// task a part of the elements.
///
/// ## Source
///
/// "Beyond the basics of structured concurrency" (WWDC 2023, session 10170) limits the tasks of a group in this way.
public struct TaskExplosion: Detector {
    public static let id = "task-explosion"
    public static let title = "Thousands of tasks are made at once that only a few threads can run"
    public static let follows: ObservationKinds = .tasks

    private static let alive = Threshold("alive", 1000)
    private static let idle = Threshold("idle", Share(percent: 90))
    private static let lost = Threshold("lost", Nanoseconds.milliseconds(10))
    public static let thresholds: [any ThresholdDeclaration] = [alive, idle, lost]

    /// The share of tasks that wait for nothing but a thread or an actor.
    private static let plain = 0.9

    private let limits: Thresholds
    private var places = PlaceTable()
    private var groups: [LivingTasks] = []

    public init(thresholds: Thresholds) { limits = thresholds }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .task(let task) = observation, task.kind != .unknown, task.kind != .main else { return }
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

/// The tasks that run one function: how many were alive, and what they did.
struct LivingTasks {
    let code: CodeIndex
    private(set) var count = 0
    /// Tasks that waited for nothing but a thread or an actor.
    private(set) var plain = 0
    private(set) var curve = AliveCurve()
    /// By how long each was ready without running.
    private(set) var tally = CaseTally<SwiftTask>()
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

    /// The share of their lives in which they were ready and did not run.
    var idle: Double { Double(tally.cost.count) / Double(max(1, lives.count)) }
}

/// How many of something were alive at a time, in bounded memory: in steps that double when there are too many.
struct AliveCurve {
    private static let limit = 16_384

    private var step: Int64 = 100_000
    private var changes: [Int64: Int] = [:]

    mutating func add(_ begin: Timestamp, _ end: Timestamp) {
        changes[begin.nanoseconds / step, default: 0] += 1
        // Gone in the step in which it ends: what lives within one step is never counted.
        changes[end.nanoseconds / step, default: 0] -= 1
        while changes.count > Self.limit { coarsen() }
    }

    private mutating func coarsen() {
        step *= 2
        var coarse: [Int64: Int] = [:]
        for (place, change) in changes { coarse[place / 2, default: 0] += change }
        changes = coarse.filter { $0.value != 0 }
    }

    /// The most that were alive at once, and when.
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
                + "\(group.tally.worst): they spend \(Figures.percent(group.idle)) of their lives ready to run.",
            queues: [], begin: group.tally.begin, end: group.tally.end, cost: group.tally.worst,
            occurrences: group.count,
            measures: [
                ("tasks", Figures.count(group.count)), ("alive at once", Figures.count(peak.count)),
                ("most alive", "at \(peak.time - .zero)"),
                ("longest wait for a thread", "\(group.tally.worst)"), ("ran in all", "\(group.ran)"),
                ("ready, of their lives", Figures.percent(group.idle)),
            ],
            evidence: group.tally.costliest.elements.sorted { $0.createdAt < $1.createdAt }.map { task in
                Evidence(
                    time: task.createdAt, thread: task.createdOn ?? ThreadIndex(0), event: "task_create",
                    detail: "Task \(task.number) is ready for \(task.parts.thread + task.parts.actor), and runs for "
                        + "\(task.parts.running).")
            },
            code: [group.code].filter { $0 != .unknown },
            advice: "Make the tasks\(place) as others end: add a few per processor to the group, and one more after "
                + "each group.next(); or give each task a part of the elements.")
    }
}
