import DispatchModel

/// Code runs again at once, thousands of times per second, without anything to do.
///
/// ## Definition
///
/// - The event handler of a read or write source runs at least 1,000 times in sequence, and the data that is pending
///   does not change. Two runs are less than 20 ms apart.
/// - Or a task suspends, or switches to another executor, at least 1,000 times after its cancellation.
///
/// In both cases the loop lasts at least 250 ms, or 10 % of the recording. It is a warning for a read source when no
/// byte is pending: the input has ended, and the kernel reports the end again and again. It is also a warning for a
/// cancelled task. Otherwise it is a note, because messages of constant size look the same.
///
/// ```
///   pending bytes     7   9   0 0 0 0 0 0 0 0 0 0 0 0 0 0
///   event handler     █   █   ▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪    50,000 runs per second
///                             ╰ the other side closes
/// ```
///
/// ## Thresholds
///
/// - runs = 1000: The smallest number of runs in sequence.
/// - rate = 2000: The smallest number of runs per second with no byte pending, and of steps of a cancelled task. A timer
///   or a polling loop with a period of a millisecond is slower.
/// - same = 10000: The smallest number of runs per second with the same data pending. A dialogue of short messages is
///   slower.
///
/// ## Why it matters
///
/// The loop takes a processor, and often two: libdispatch's manager thread wakes for each event. It delays all other
/// work, and the program makes no progress with it.
///
/// ## What it cannot see
///
/// Loops that never leave their thread, such as a spin lock. Children of a cancelled task or task group, because only
/// the cancellation of the parent is recorded. A handler that reads a part of the data each time.
///
/// ## Advice
///
/// Cancel the source at the end of the input, and remove the handler of a file handle. Leave the loop when
/// `Task.isCancelled`, and do not discard the `CancellationError` of a sleep with `try?`.
///
/// ## Source
///
/// `dispatch_source_create(3)`: a read source stays readable at the end of the file. `Task.sleep(for:)`: it throws at
/// once in a cancelled task.
public struct BusyLoop: Detector {
    public static let id = "busy-loop"
    public static let title = "Code runs again at once, without anything to do"
    public static let follows: ObservationKinds = .tasks

    private static let runs = Threshold("runs", 1000)
    private static let rate = Threshold("rate", 2000)
    private static let same = Threshold("same", 10_000)
    public static let thresholds: [any ThresholdDeclaration] = [runs, rate, same]

    private let limits: Thresholds
    private var places = PlaceTable()
    private var loops: [CancelledLoop] = []

    public init(thresholds: Thresholds) { limits = thresholds }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        guard case .task(let task) = observation, let loop = CancelledLoop(task), loop.steps >= limits[Self.runs],
            loop.rate >= Double(limits[Self.rate])
        else { return }
        let place = places[loop.code.position]
        if place < 0 {
            places[loop.code.position] = loops.count
            loops.append(loop)
        } else {
            loops[place].add(loop)
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        handlers(in: model) + loops.filter { model.isLargeCase($0.longest) }.map { Self.finding($0, in: model) }
    }

    private func handlers(in model: DispatchModel) -> [Finding] {
        var empty = MistakeGroups()
        var unchanged = MistakeGroups()
        for source in model.sources {
            let (runs, isRead) = (source.repeated, source.type == .read)
            guard isRead || source.type == .write, runs.count >= limits[Self.runs] else { continue }
            let isEmpty = isRead && runs.data == 0
            guard runs.rate >= Double(limits[isEmpty ? Self.rate : Self.same]), model.isLargeCase(runs.duration) else {
                continue
            }
            let named = NamedSource(source.index, in: model)
            let key = named.key(isEmpty ? "empty" : "unchanged")
            let entry = {
                MistakeGroups.Case(
                    time: runs.begin, thread: named.thread, event: "source_fire",
                    detail: "The handler of \(named.name) runs \(Figures.count(runs.count)) times in \(runs.duration), "
                        + "each time with \(Figures.plural(Int(clamping: runs.data), "byte")) pending.")
            }
            if isEmpty {
                empty.add(
                    key, at: runs.begin, queue: source.queue, stacks: named.stacks, cost: runs.duration,
                    until: runs.end, entry: entry)
            } else {
                unchanged.add(
                    key, at: runs.begin, queue: source.queue, stacks: named.stacks, cost: runs.duration,
                    until: runs.end, entry: entry)
            }
        }
        return empty.groups.map { Self.finding(empty: $0, in: model) }
            + unchanged.groups.map { Self.finding(unchanged: $0, in: model) }
    }
}

/// The steps of cancelled tasks that run one function.
private struct CancelledLoop {
    let code: CodeIndex
    private(set) var tasks = 1
    private(set) var steps: Int
    private(set) var lasted: Nanoseconds
    private(set) var longest: Nanoseconds
    private(set) var first: SwiftTask
    private(set) var end: Timestamp

    /// - Returns: nil for a task that was not cancelled by itself.
    init?(_ task: SwiftTask) {
        guard let cancelled = task.cancelledAt, let before = task.stepsBeforeCancellation else { return nil }
        code = task.code
        steps = task.steps - before
        lasted = task.endedAt - cancelled
        longest = lasted
        first = task
        end = task.endedAt
    }

    mutating func add(_ other: CancelledLoop) {
        tasks += 1
        steps += other.steps
        lasted += other.lasted
        longest = max(longest, other.longest)
        end = max(end, other.end)
    }

    /// Steps per second.
    var rate: Double { Double(steps) * 1e9 / Double(max(1, lasted.count)) }
}

// MARK: - Texts

extension BusyLoop {
    private static func finding(empty group: MistakeGroups.Group, in model: DispatchModel) -> Finding {
        group.finding(
            id, .warning,
            summary: "The handler of \(group.key.subject)\(group.making(in: model)) runs again and again at the end of "
                + "its input\(group.times), for \(group.longest): nothing is pending.",
            measures: [("longest", "\(group.longest)")],
            advice: "Cancel \(group.key.subject) when a read returns no byte. For a FileHandle, set readabilityHandler "
                + "to nil when availableData is empty.")
    }

    private static func finding(unchanged group: MistakeGroups.Group, in model: DispatchModel) -> Finding {
        group.finding(
            id, .info,
            summary: "The handler of \(group.key.subject)\(group.making(in: model)) runs again and again"
                + "\(group.times), for \(group.longest), and the pending data does not change.",
            measures: [("longest", "\(group.longest)")],
            advice: "Check that the handler reads all pending data. Suspend a write source when there is nothing to "
                + "write.")
    }

    private static func finding(_ loop: CancelledLoop, in model: DispatchModel) -> Finding {
        let cancelled = loop.first.cancelledAt ?? loop.first.createdAt
        let steps = "\(Figures.count(loop.steps)) times in \(loop.lasted)"
        let subject = loop.tasks == 1 ? "A cancelled task" : "\(Figures.count(loop.tasks)) cancelled tasks"
        return Finding(
            detector: id, severity: .warning,
            summary: "\(subject)\(model.place(of: loop.code)) \(loop.tasks == 1 ? "continues" : "continue"), and "
                + "\(loop.tasks == 1 ? "suspends" : "suspend") or \(loop.tasks == 1 ? "switches" : "switch") executors "
                + "\(steps).",
            queues: [], begin: cancelled, end: loop.end, cost: loop.lasted, occurrences: loop.tasks,
            measures: [
                ("tasks", Figures.count(loop.tasks)), ("steps after the cancellation", Figures.count(loop.steps)),
                ("steps per second", Figures.count(Int(loop.rate.rounded()))), ("longest", "\(loop.longest)"),
            ],
            evidence: [
                Evidence(
                    time: cancelled, thread: loop.first.createdOn ?? ThreadIndex(0), event: "task_cancel",
                    detail: "Task \(loop.first.number) is cancelled, and continues for \(loop.first.endedAt - cancelled).")
            ],
            code: [loop.code].filter { $0 != .unknown },
            advice: "End the loop\(model.place(of: loop.code)) when Task.isCancelled. Do not discard the "
                + "CancellationError with try?: Task.sleep returns at once in a cancelled task.")
    }
}
