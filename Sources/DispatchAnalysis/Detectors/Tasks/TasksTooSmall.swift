import DispatchModel

/// Tasks do less work than their creation costs.
///
/// ## Definition
///
/// For the tasks that run one function, S is the sum of their running times, and O is the cost of creating and starting
/// them: 1.5 µs per task. The *overhead share* is O / (O + S). The function is reported when the share is above 50 %,
/// the overhead is at least 10 ms, at least 1000 tasks were created at a rate of at least 20,000 per second, and nine
/// of ten tasks awaited nothing. Tasks that wait for something run concurrently, so they are useful even if they are
/// short. Runs of 100 µs and more are excluded from S if they are at most one in a thousand: their threads lost the
/// processor.
///
/// ```
///   created    ▲▲▲▲▲▲▲▲
///   overhead   ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒     ▒ create, enqueue, start, finish
///   work         █  █  █  █  █  █  █  █       █ ran
/// ```
///
/// The rate counts only the time in which tasks ended; pauses of more than 10 ms count as 10 ms. The advice contains
/// the number of elements per task that brings the share under 10 %: 9 × O / S. It is a warning when the overhead is at
/// least 10 % of that time, and otherwise a note: tasks for jobs that arrive one by one cannot be larger.
///
/// ## Thresholds
///
/// - share = 50%: The overhead share above which a task is too small: it spends more time on overhead than on work.
/// - tasks = 1000: Fewer tasks cost too little to matter.
/// - rate = 20000: Tasks per second while tasks are created. A lower rate uses at most a thirtieth of a processor.
/// - lost = 10ms: The smallest reported overhead.
///
/// ## Why it matters
///
/// The processors create tasks, enqueue them and free their memory. One loop would be faster than all of them together.
///
/// ## What it cannot see
///
/// The cost of collecting the results, and of the threads that wake for the tasks. The true share is higher.
///
/// ## Advice
///
/// Give each task a part of the elements, with one part per processor, or do the work in a loop.
///
/// ## Source
///
/// A million empty children of a task group, created, run and collected, took 1.7 to 2.2 s of processor time, without
/// the time in the kernel, on a virtual machine with two processors. "Explore structured concurrency in Swift" (WWDC
/// 2021, session 10134) creates a task for each picture, not for each pixel.
public struct TasksTooSmall: Detector {
    public static let id = "tasks-too-small"
    public static let title = "Tasks do less work than their creation costs"
    public static let follows: ObservationKinds = .tasks
    public static let explains: Set<String> = ["task-explosion", "work-too-small", "useless-wakeups"]
    public static let focus = FindingFocus(.shortTasks, callout: .shortTasks)

    private static let share = Threshold("share", Share(percent: 50))
    private static let tasks = Threshold("tasks", 1000)
    private static let rate = Threshold("rate", 20_000)
    private static let lost = Threshold("lost", Nanoseconds.milliseconds(10))
    public static let thresholds: [any ThresholdDeclaration] = [share, tasks, rate, lost]

    private static let costOfTask = Nanoseconds(1_500)
    /// The smallest share of tasks that await nothing.
    private static let plain = 0.9

    private let limits: Thresholds
    private var places = PlaceTable()
    private var groups: [SmallTasks] = []

    public init(thresholds: Thresholds) { limits = thresholds }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .task(let task) = observation, task.isFinished, task.kind != .unknown, task.kind != .main,
            !task.isDeinit
        else { return }
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
    /// The longest pause between two tasks that counts as active time.
    private static let pause = Nanoseconds.milliseconds(10)
    /// Runs at least this long are rare for small work: the thread lost the processor.
    private static let longRun = Nanoseconds.microseconds(100)

    let code: CodeIndex
    private(set) var count = 0
    /// Tasks that awaited nothing.
    private(set) var plain = 0
    /// The running time of all tasks, and of the tasks with long runs.
    private var ranInAll = Nanoseconds.zero
    private var ranLong = Nanoseconds.zero
    private var long = 0
    private(set) var runs = LatencyRecorder()
    private(set) var tally = CaseStatistics<SwiftTask>()
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

    /// The running time of the tasks, without rare runs whose threads lost the processor.
    var ran: Nanoseconds { long * 1000 <= count ? ranInAll - ranLong : ranInAll }

    /// Whether the creation of the tasks takes at least a tenth of one processor in their active time.
    func isBusy(with overhead: Nanoseconds) -> Bool { overhead.count * 10 >= active.count }

    /// Tasks per second of active time.
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
            detector: id, severity: group.isBusy(with: overhead) ? .warning : .info,
            summary: "\(Figures.count(group.count)) tasks\(place) run for \(group.runs.median) each: "
                + "\(Figures.percent(share)) of their cost is their creation, \(overhead).",
            queues: [], begin: group.tally.begin, end: group.tally.end, cost: overhead, occurrences: group.count,
            measures: [
                .count("tasks", group.count), .rate("tasks per second", group.rate),
                .duration("median run", group.runs.median), .duration("ran in all", group.ran),
                Measure("overhead", "\(overhead), \(.share(share))"),
                .count("elements per task for a share under 10 %", batch),
            ],
            evidence: group.tally.costliest.elements.sorted { $0.createdAt < $1.createdAt }.map { task in
                Evidence(
                    time: task.createdAt, thread: task.createdOn ?? ThreadIndex(0), task: task.number,
                    event: "task_create",
                    detail: "Task \(task.number) runs for \(task.parts.running) and exists for \(task.life).")
            },
            code: [group.code],
            advice: Advice(
                .batchWork, "Give each task\(place) \(batch) elements instead of one, or do the work in a loop, which ",
                "takes \(group.runs.median) per element."))
    }
}
