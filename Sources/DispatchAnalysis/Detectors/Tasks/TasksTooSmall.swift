import DispatchModel

/// Tasks do less than it costs to make them.
///
/// ## Definition
///
/// Of the tasks that run one function, S is the sum of what they ran, and O what it took to make and to start them: 1.5
/// µs each. The *overhead share* is O / (O + S). It is reported above 50 %, for at least 1000 tasks that came at 20,000
/// or more a second while they came, of which nine in ten awaited nothing, with an overhead of at least 10 ms. Tasks
/// that wait for something run side by side, however short, and are worth it. Runs of 100 µs and more are left out of S
/// where they are no more than one in a thousand: their threads lost the processor.
///
/// ```
///   made       ▲▲▲▲▲▲▲▲
///   overhead   ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒     ▒ create, enqueue, start, finish
///   work         █  █  █  █  █  █  █  █       █ ran
/// ```
///
/// The advice names the number of elements that as one task would bring the share under 10 %: 9 × O / S.
///
/// ## Thresholds
///
/// - share = 50%: The overhead above which a task is too small: more is spent on getting there than on the work.
/// - tasks = 1000: Fewer tasks cost nothing that matters.
/// - rate = 20000: Tasks in a second, while they come. Below that they take a thirtieth of a processor at most.
/// - lost = 10ms: The least overhead in all.
///
/// ## Why it matters
///
/// The processors are busy with making tasks, queueing them and freeing their memory: one loop would be faster than all
/// of them together.
///
/// ## What it cannot see
///
/// What collecting the results costs, and the threads that wake for the tasks: the share is rather higher.
///
/// ## Advice
///
/// Give each task a part of the elements, as many parts as there are processors, or do the work in a loop.
///
/// ## Source
///
/// A million empty children of a task group, made, run and collected, took 1.7 to 2.2 s of processor time, not counting
/// the kernel's, on a virtual machine of two processors. "Explore structured concurrency in Swift" (WWDC 2021, session
/// 10134) makes a task for each picture, not for each pixel.
public struct TasksTooSmall: Detector {
    public static let id = "tasks-too-small"
    public static let title = "Tasks do less than it costs to make them"
    public static let follows: ObservationKinds = .tasks
    public static let explains: Set<String> = ["task-explosion", "work-too-small", "useless-wakeups"]

    private static let share = Threshold("share", Share(percent: 50))
    private static let tasks = Threshold("tasks", 1000)
    private static let rate = Threshold("rate", 20_000)
    private static let lost = Threshold("lost", Nanoseconds.milliseconds(10))
    public static let thresholds: [any ThresholdDeclaration] = [share, tasks, rate, lost]

    private static let costOfTask = Nanoseconds(1_500)
    /// The share of tasks that await nothing.
    private static let plain = 0.9

    private let limits: Thresholds
    private var places = PlaceTable()
    private var groups: [SmallTasks] = []

    public init(thresholds: Thresholds) { limits = thresholds }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .task(let task) = observation, task.isFinished, task.kind != .unknown, task.kind != .main else {
            return
        }
        var place = places[task.code.position]
        if place < 0 {
            place = groups.count
            places[task.code.position] = place
            groups.append(SmallTasks(code: task.code))
        }
        groups[place].add(task)
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        groups.compactMap { group in
            let overhead = Nanoseconds(Self.costOfTask.count * Int64(group.count))
            let share = Double(overhead.count) / Double(max(1, (overhead + group.ran).count))
            guard group.count >= limits[Self.tasks], share > limits[Self.share].fraction,
                group.rate >= Double(limits[Self.rate]), overhead >= limits[Self.lost],
                Double(group.plain) >= Self.plain * Double(group.count)
            else { return nil }
            return Self.finding(group, overhead: overhead, share: share, in: model)
        }
    }
}

/// The tasks that run one function.
struct SmallTasks {
    /// A pause this long is no part of the time in which they came.
    private static let pause = Nanoseconds.milliseconds(10)
    /// Small work does not take longer, unless its thread loses the processor.
    private static let longRun = Nanoseconds.microseconds(100)

    let code: CodeIndex
    private(set) var count = 0
    /// Tasks that awaited nothing.
    private(set) var plain = 0
    /// What all ran, and those of them that ran for very long.
    private var ranInAll = Nanoseconds.zero
    private var ranLong = Nanoseconds.zero
    private var long = 0
    private(set) var runs = LatencyRecorder()
    private(set) var tally = CaseTally<SwiftTask>()
    private var active = Nanoseconds.zero
    private var last = Timestamp.zero

    init(code: CodeIndex) { self.code = code }

    mutating func add(_ task: SwiftTask) {
        count += 1
        ranInAll += task.parts.running
        if task.parts.running >= Self.longRun {
            ranLong += task.parts.running
            long += 1
        }
        runs.record(task.parts.running)
        if task.suspensions == 0 { plain += 1 }
        tally.add(
            task, cost: task.life - task.parts.running, from: task.createdAt, to: task.endedAt,
            thread: task.createdOn ?? ThreadIndex(0))
        if task.endedAt > last {
            active += min(Self.pause, task.endedAt - (last == .zero ? task.createdAt : last))
            last = task.endedAt
        }
    }

    /// What they ran, without the few that lost their processor.
    var ran: Nanoseconds { long * 1000 <= count ? ranInAll - ranLong : ranInAll }

    /// Tasks in a second, while they came.
    var rate: Double { Double(count) * 1e9 / Double(max(1, active.count)) }
}

// MARK: - Texts

extension TasksTooSmall {
    private static func finding(
        _ group: SmallTasks, overhead: Nanoseconds, share: Double, in model: DispatchModel
    ) -> Finding {
        let place = model.place(of: group.code)
        let batch = Int((9 * Double(overhead.count) / Double(max(1, group.ran.count))).rounded(.up))
        return Finding(
            detector: id, severity: .warning,
            summary: "\(Figures.count(group.count)) tasks\(place) run for \(group.runs.median) each: "
                + "\(Figures.percent(share)) of their cost is making them, \(overhead).",
            queues: [], begin: group.tally.begin, end: group.tally.end, cost: overhead, occurrences: group.count,
            measures: [
                ("tasks", Figures.count(group.count)), ("tasks per second", Figures.count(Int(group.rate.rounded()))),
                ("median run", "\(group.runs.median)"), ("ran in all", "\(group.ran)"),
                ("overhead", "\(overhead), \(Figures.percent(share))"),
                ("elements of a task for less than 10 %", Figures.count(batch)),
            ],
            evidence: group.tally.costliest.elements.sorted { $0.createdAt < $1.createdAt }.map { task in
                Evidence(
                    time: task.createdAt, thread: task.createdOn ?? ThreadIndex(0), event: "task_create",
                    detail: "Task \(task.number) runs for \(task.parts.running) of the \(task.life) that it lives.")
            },
            code: [group.code].filter { $0 != .unknown },
            advice: "Give each task\(place) \(Figures.count(batch)) elements instead of one, or do the work in a loop: "
                + "it takes \(group.runs.median).")
    }
}
