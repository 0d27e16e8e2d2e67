import DispatchModel

/// Code runs again at once, thousands of times a second, although there is nothing to do.
///
/// ## Definition
///
/// - The event handler of a read source ran at least 1,000 times in a row without available data, and at least 1,000
///   times a second. Sources of one place are one finding.
/// - Or a task suspended, or switched to another executor, at least 1,000 times after its cancellation, at least 1,000
///   times a second, for at least 250 ms or 10 % of the recording. The number of times does not apply to a task
///   that did so for 250 ms. Tasks of one function are one finding.
/// - Or a task ran for at least 250 ms after its cancellation without a suspension. This is a note: a sleep that
///   returns at once is no suspension, and the trace does not distinguish a loop of such sleeps from a computation.
/// - Or tasks awaited `Task.yield()` at one place at least 1,000 times, at least 1,000 times a second, and ran for less
///   than 10 µs between two yields, for 250 ms or 10 % of the recording.
///
/// ```
///   peer      write ── close
///   source       ├┤      ├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤ …      no data: the handler runs again at once
///
///   cancel           ▼
///   task      sleeps   ├┤├┤├┤├┤├┤├┤├┤├┤ …      each sleep returns at once
///   task      sleeps   ├────────────────── …      the same, if nothing suspends the task
///
///   task      ├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤ …      polls with Task.yield()
/// ```
///
/// ## Thresholds
///
/// - firings = 1000: Consecutive firings without data, steps of a cancelled task, or yields. A handler that cancels the
///   source at the end of the file runs once or twice without data. A cancelled task that ends takes few steps.
/// - rate = 1000: Firings, steps or yields a second. Below it the loop takes little of a processor.
/// - run = 250ms: The shortest time for which a cancelled task runs without a suspension. A task may finish its work
///   after its cancellation, but a user notices a delay of this length.
///
/// ## Why it matters
///
/// A descriptor at its end stays readable. libdispatch runs the handler again as soon as it has returned, so the loop
/// occupies a processor until the source is cancelled. A cancelled task that discards the error of a sleep, and a task
/// that yields until a flag is set, poll without a pause.
///
/// ## What it cannot see
///
/// A handler that leaves data unread, which looks like a handler that has much to read. Loops that never leave their
/// thread, such as a spin lock. Tasks whose cancellation was not recorded. Firings that were not recorded, such as
/// the firings of Foundation's run loops.
///
/// ## Advice
///
/// Cancel the source when a read returns 0 bytes or an error. For a `FileHandle`, set `readabilityHandler` to nil when
/// `availableData` is empty. Leave the loop of a task when `Task.isCancelled`, and do not discard the
/// `CancellationError` of a sleep with `try?`. Await the event itself instead of a flag: the value of a task, the next
/// element of an `AsyncStream`, or a continuation.
///
/// ## Source
///
/// `dispatch_source_create(3)` about `DISPATCH_SOURCE_TYPE_READ`: the source fires while the descriptor is readable,
/// and a descriptor at its end is readable. `Task.sleep(for:)` about cancellation: it throws at once.
public struct BusyLoop: Detector {
    public static let id = "busy-loop"
    public static let title = "Code runs again at once although there is nothing to do"
    public static let follows: ObservationKinds = [.tasks, .taskRuns, .taskWaits]

    private static let firings = Threshold("firings", 1000)
    private static let rate = Threshold("rate", 1000)
    private static let run = Threshold("run", Nanoseconds.milliseconds(250))
    public static let thresholds: [any ThresholdDeclaration] = [firings, rate, run]

    /// The time of one firing: the manager's poll, the start of the handler and its read, about 20 µs.
    private static let costOfFiring = Nanoseconds.microseconds(20)

    private let limits: Thresholds
    private var cases = MistakeGroups()
    private var places = PlaceTable()
    private var loops: [CancelledLoop] = []
    /// The last long run of each task that has not ended.
    private var longRuns: [UInt64: TaskRun] = [:]
    private var cancelledRuns = MistakeGroups()
    private var yields = YieldLoops()

    public init(thresholds: Thresholds) { limits = thresholds }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .taskRun(let run) where run.inner == nil && run.end - run.begin >= limits[Self.run]:
            longRuns[run.task] = run
        case .taskWait(let wait): yields.add(wait)
        case .task(let task):
            if let run = longRuns.removeValue(forKey: task.number) { addRun(run, of: task) }
            addLoop(of: task)
        default: break
        }
    }

    private mutating func addRun(_ run: TaskRun, of task: SwiftTask) {
        guard let cancelled = task.cancelledAt, case let begin = max(run.begin, cancelled),
            run.end - begin >= limits[Self.run]
        else { return }
        let code = run.code == .unknown ? task.code : run.code
        cancelledRuns.add(
            .init(subject: "cancelled task", code: code), at: begin, queue: nil, cost: run.end - begin, until: run.end
        ) {
            .init(
                time: begin, thread: run.thread, event: "task_cancel",
                detail: "Task \(task.number) was cancelled, and runs for \(run.end - begin) without a suspension.")
        }
    }

    private mutating func addLoop(of task: SwiftTask) {
        guard let loop = CancelledLoop(task), loop.rate >= Double(limits[Self.rate]),
            loop.steps >= limits[Self.firings] || loop.lasted >= LargeCase.time
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
        handlers(in: model)
            + loops.filter { LargeCase.includes($0.longest, in: model) }.map { Self.finding($0, in: model) }
            + cancelledRuns.groups.map { Self.finding($0, in: model) }
            + yields.findings(
                of: Self.id, yields: limits[Self.firings], rate: Double(limits[Self.rate]), in: model)
    }

    private mutating func handlers(in model: DispatchModel) -> [Finding] {
        var counts: [MistakeGroups.Key: Int] = [:]
        var codes: [MistakeGroups.Key: CodeIndex] = [:]
        for source in model.sources {
            guard let run = source.emptyFirings, run.count >= limits[Self.firings],
                case let length = run.end - run.begin,
                Double(run.count) >= Double(limits[Self.rate]) * Double(length.count) / 1e9
            else { continue }
            let entry = NamedSource(source.index, in: model)
            let key = Self.key(of: entry, in: model)
            counts[key, default: 0] += run.count
            codes[key] = run.code
            cases.add(
                key, at: run.begin, queue: source.queue, codes: [run.code], stacks: entry.stacks,
                cost: min(length, Nanoseconds(Self.costOfFiring.count * Int64(run.count))), since: run.begin,
                until: run.end
            ) {
                .init(
                    time: run.begin, thread: entry.thread, event: "source_fire",
                    detail: "\(entry.name) begins to fire without data, \(Figures.count(run.count)) times in "
                        + "\(length).")
            }
        }
        return cases.groups.map { group in
            let handler = model.place(of: codes[group.key])
            return group.finding(
                Self.id, .warning,
                summary: "\(group.key.subject)\(group.making(in: model)) runs its handler\(handler) "
                    + "\(Figures.count(counts[group.key] ?? 0)) times without data: its descriptor is at the end, and "
                    + "the source is not cancelled.",
                advice: Advice(
                    .cancel, "Cancel \(group.key.subject, .object) when a read returns 0 bytes or an ",
                    "error\(group.place(in: model)). For a FileHandle, set readabilityHandler to nil when ",
                    "availableData is empty."))
        }
    }
}

extension BusyLoop {
    /// The key of sources of one place. A source that a system library created, such as the one of a `FileHandle`,
    /// belongs to the function of the program that called the library.
    private static func key(of entry: NamedSource, in model: DispatchModel) -> MistakeGroups.Key {
        let source = entry.source
        guard source.creator != .unknown, SystemCode.library(of: source.creationCode, in: model) != nil else {
            return entry.key()
        }
        return MistakeGroups.Key(subject: LabelPattern.of(entry.name), code: source.creator)
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
    private static let keptError: Phrase =
        "Do not discard the CancellationError with try?: Task.sleep returns at once in a cancelled task."

    private static func finding(_ runs: MistakeGroups.Group, in model: DispatchModel) -> Finding {
        let place = runs.place(in: model)
        return runs.finding(
            id, .info,
            summary: runs.count == 1
                ? "A cancelled task\(place) runs for \(runs.longest) after its cancellation without a suspension."
                : "\(Figures.count(runs.count)) cancelled tasks\(place) run for up to \(runs.longest) after their "
                    + "cancellation without a suspension.",
            measures: [.duration("longest", runs.longest)],
            advice: Advice(.cancel, "Check Task.isCancelled in the loop\(place), and end it. ", keptError))
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
                .count("tasks", loop.tasks), .count("steps after the cancellation", loop.steps),
                .rate("steps per second", loop.rate), .duration("longest", loop.longest),
            ],
            evidence: [
                Evidence(
                    time: cancelled, thread: loop.first.createdOn ?? ThreadIndex(0), task: loop.first.number,
                    event: "task_cancel",
                    detail:
                        "Task \(loop.first.number) is cancelled, and continues for \(loop.first.endedAt - cancelled).")
            ],
            code: [loop.code],
            advice: Advice(.cancel, "End the loop\(model.place(of: loop.code)) when Task.isCancelled. ", keptError))
    }
}
