import DispatchModel

/// A task is suspended on a continuation that is never resumed.
///
/// ## Definition
///
/// A task that awaits a continuation at the end of the trace is reported in three cases. *Dropped*: the runtime
/// reported that the continuation was deallocated without a resume, as it does for a `CheckedContinuation`. *Left
/// behind*: the task has waited for at least 250 ms, and at least 10 other continuations were awaited later at the same
/// place, called by the same functions, and were resumed within a tenth of this time. No continuation at this place
/// ever took more than half of this time. *Awaited*: the task has waited for at least 250 ms, and another task awaits
/// it, directly or as a child of its task group. Then no 10 other continuations are needed: it is enough that the task
/// was cancelled at least 250 ms before the end, or that another task was resumed at the same place within a tenth of
/// the time. Tasks that wait at one place are one finding.
///
/// ```
///   task 1  ├ awaits ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ end     never resumed
///   task 2     ├ awaits ░┤     ├ awaits ░┤
///   task 3        ├ awaits ░┤     ├ awaits ░┤                    the same place, resumed
///
///   task 4  ├ awaits task 5 ░░░░░░░░░░░░░░░░░░░░░░░░░░░░ end
///   task 5    ├ awaits ░░░░░░▲ cancelled ░░░░░░░░░░░░░░░ end     never resumed, and task 4 waits for it
/// ```
///
/// Continuations of the runtime itself, for example in `Task.sleep` and `AsyncStream`, are never *left behind*,
/// because they wait until an event occurs. For the same reason, continuations in a function `next`, which awaits the
/// next element of a sequence, are excluded. If the other continuations were mostly awaited by the same tasks again and
/// again, the finding is a note: in a server whose connections each read in a loop, this task may have nothing to read.
/// An awaited task that was not cancelled is a note as well, and is not reported when it was resumed at this place
/// before.
///
/// ## Thresholds
///
/// - wait = 250ms: The time for which the task has waited. Answers over a network take some 10 to 100 ms.
/// - others = 10: Later continuations of the same place that were resumed. A smaller number may be chance. The number
///   does not apply to a task that another task awaits.
///
/// ## Why it matters
///
/// The task never ends. It keeps its memory and resources, its awaiters wait forever, and each further occurrence adds
/// another such task.
///
/// ## What it cannot see
///
/// An `UnsafeContinuation` that is dropped at a place that is used once. A continuation that the program still keeps
/// and resumes after the end of the trace. If several tasks wait at the same place, which of them was left behind.
///
/// ## Advice
///
/// Resume the continuation exactly once on every path, including errors, early returns, cancellation and deallocation.
///
/// ## Source
///
/// SE-0300: a continuation must be resumed exactly once, and `CheckedContinuation` reports a missing resume.
public struct ContinuationNeverResumed: Detector {
    public static let id = "continuation-never-resumed"
    public static let title = "A task is suspended on a continuation that is never resumed"
    public static let follows: ObservationKinds = [.taskWaits, .tasks]
    public static let focus = FindingFocus(.unresumedTasks, callout: .unresumed)

    private static let wait = Threshold("wait", Nanoseconds.milliseconds(250))
    private static let others = Threshold("others", 10)
    public static let thresholds: [any ThresholdDeclaration] = [wait, others]

    /// Limits of the places and of the open waits that are followed. More are not needed for a finding.
    private static let placeLimit = 4096
    private static let openLimit = 4096
    /// A resumed wait counts only if it took at most one tenth of the open wait.
    private static let sooner: Int64 = 10

    private let wait: Nanoseconds
    private let others: Int
    private var places: [StackIndex: ResumedPlace] = [:]
    private var open: [TaskWait] = []
    private var awaiters = OpenAwaiters()

    public init(thresholds: Thresholds) {
        wait = thresholds[Self.wait]
        others = thresholds[Self.others]
    }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        if case .task(let task) = observation { return awaiters.add(task) }
        guard case .taskWait(let wait) = observation, wait.kind == .continuation else { return }
        if wait.resumedAt == nil, !wait.isFinished {
            if open.count < Self.openLimit { open.append(wait) }
        } else if wait.stack != .none, places[wait.stack] != nil || places.count < Self.placeLimit {
            places[wait.stack, default: ResumedPlace()].add(wait)
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        var groups: [AbandonedAwaits.Key: AbandonedAwaits] = [:]
        var dropped = DroppedContinuation.all(in: model)
        let places = Set(open.lazy.filter { !Self.isRuntimes($0, in: model) }.map(\.awaiter))
        for position in dropped.indices {
            let named = places.filter { dropped[position].isAwaited(in: model[$0].symbol) }
            // An inlined function has the name of its caller. The awaiter is still certain if only one place awaits
            // continuations.
            let awaiters = named.isEmpty && places.count == 1 ? places : named
            dropped[position].awaiters = awaiters
            dropped[position].waiting = open.count { awaiters.contains($0.awaiter) }
        }
        for wait in open {
            let drop = dropped.first { $0.mayBe(wait) }
            if let drop, !Self.isRuntimes(wait, in: model) {
                groups[.init(code: wait.awaiter, isDropped: true), default: AbandonedAwaits(drop)].add(wait)
            } else if let proof = proof(that: wait, in: model) {
                groups[.init(code: wait.awaiter, isDropped: false), default: AbandonedAwaits(nil)].add(wait, proof)
            }
        }
        let found = Set(groups.values.compactMap { $0.drop?.function })
        return groups.sorted { $0.key < $1.key }.map { Self.finding($0.value, in: model) }
            + dropped.filter { !found.contains($0.function) }.map { Self.finding($0, in: model) }
    }

    /// The proof that a continuation will not be resumed; nil if there is none.
    private func proof(that open: TaskWait, in model: DispatchModel) -> AbandonedAwaits.Proof? {
        guard !model.continuesAfterEnd, open.duration >= wait, !Self.awaitsEvents(open, in: model),
            !model.lacksEvents(from: open.began, to: open.ended)
        else { return nil }
        let awaiter = awaiters.awaiter(of: open.task)
        if let awaiter, let cancelled = awaiters.cancellation(of: open.task), open.ended - cancelled >= wait {
            return .cancelled(open.ended - cancelled, awaiter: awaiter)
        }
        guard let place = places[open.stack], place.longest.count * 2 <= open.duration.count else { return nil }
        let later = resumed(since: open)
        if later.count >= others { return later.areRepeated ? .repeated : .others }
        guard let awaiter, LargeCase.includes(open.duration, in: model),
            !place.recent.contains(where: { $0.task == open.task }),
            place.recent.contains(where: { $0.length.count * Self.sooner <= open.duration.count })
        else { return nil }
        return .awaited(by: awaiter)
    }

    /// Returns how many continuations of the same place were awaited later and resumed much sooner, and whether the
    /// same tasks awaited most of them.
    private func resumed(since open: TaskWait) -> (count: Int, areRepeated: Bool) {
        let resumed = (places[open.stack]?.recent ?? []).filter {
            $0.began > open.began && $0.length.count * Self.sooner <= open.duration.count
        }
        return (resumed.count, Set(resumed.map(\.task)).count * 2 <= resumed.count)
    }

    /// Whether a task may wait until an event occurs: it waits for the runtime, or for the next element of a sequence.
    /// Code without a name may be either, so the result is true.
    static func awaitsEvents(_ wait: TaskWait, in model: DispatchModel) -> Bool {
        model[wait.awaiter].symbol.isEmpty || isRuntimes(wait, in: model)
            || [wait.awaiter, wait.awaited].contains { isOfEvents(model[$0].symbol) }
    }

    /// Functions that wait for the next element, for a time, or for the shutdown of a group of swift-service-lifecycle.
    private static let eventFunctions = ["next(", "sleep(", "gracefulShutdown(", "CancellationWaiter.wait("]

    private static func isOfEvents(_ symbol: String) -> Bool {
        eventFunctions.contains {
            symbol.hasPrefix($0) || symbol.contains(".\($0)") || symbol.contains(" \($0)")
        }
    }

    /// Whether the continuation belongs to the runtime, such as the continuation of a sleeping task. Without
    /// optimisation, `withCheckedContinuation` is a function of the runtime as well, so it is excluded here.
    private static func isRuntimes(_ wait: TaskWait, in model: DispatchModel) -> Bool {
        guard wait.awaiter != .unknown else { return true }
        guard SystemCode.library(of: wait.code, in: model) != nil else { return false }
        return !["withChecked", "withUnsafe"].contains(where: model[wait.code].symbol.hasPrefix)
    }
}

/// Resumed continuations of one place: the last ones, and the length of the longest of all.
struct ResumedPlace {
    private static let limit = 64

    private(set) var longest = Nanoseconds.zero
    private(set) var recent: [(task: UInt64, began: Timestamp, length: Nanoseconds)] = []
    private var count = 0

    mutating func add(_ wait: TaskWait) {
        let length = (wait.resumedAt ?? wait.ended) - wait.began
        longest = max(longest, length)
        if recent.count < Self.limit {
            recent.append((wait.task, wait.began, length))
        } else {
            recent[count % Self.limit] = (wait.task, wait.began, length)
        }
        count += 1
    }
}

/// The tasks that await other tasks at the end of the trace.
private struct OpenAwaiters {
    private struct Waiting {
        let parent: UInt64?
        let group: UInt64
        let cancelledAt: Timestamp?
    }

    private static let limit = 4096

    private var tasks: [UInt64: Waiting] = [:]
    /// The awaiting task, by the number of the awaited task, and by the id of the awaited task group.
    private var ofTask: [UInt64: UInt64] = [:]
    private var ofGroup: [UInt64: UInt64] = [:]
    /// Tasks that await one of their task groups.
    private var inGroups: Set<UInt64> = []

    /// Adds a task that ended, or that is open at the end of the trace.
    mutating func add(_ task: SwiftTask) {
        guard !task.isFinished, let wait = task.openWait, tasks.count < Self.limit else { return }
        tasks[task.number] = Waiting(parent: task.parent, group: task.group, cancelledAt: task.cancelledAt)
        switch wait.kind {
        case .task: ofTask[wait.object] = task.number
        case .group:
            ofGroup[wait.object] = task.number
            inGroups.insert(task.number)
        default: break
        }
    }

    /// The task that awaits a task, directly or through its task group; nil if there is none.
    func awaiter(of number: UInt64) -> UInt64? {
        if let direct = ofTask[number] { return direct }
        guard let task = tasks[number], task.group != 0 else { return nil }
        return ofGroup[task.group] ?? task.parent.flatMap { inGroups.contains($0) ? $0 : nil }
    }

    /// When a waiting task was cancelled; nil if it was not.
    func cancellation(of number: UInt64) -> Timestamp? { tasks[number]?.cancelledAt }
}

// MARK: - Texts

extension ContinuationNeverResumed {
    private static func finding(_ group: AbandonedAwaits, in model: DispatchModel) -> Finding {
        let longest = group.tally.costliest.elements[0]
        let place = model.place(of: longest.awaiter)
        // Other tasks that wait at the same place may still be resumed.
        let number = min(group.tally.count, group.drop?.count ?? .max)
        let reason =
            group.drop == nil
            ? Self.reason(group.proof ?? .others, tasks: number)
            : "the runtime reports that \(group.drop?.count == 1 ? "it was" : "they were") dropped without a resume."
        return Finding(
            detector: id, severity: group.mayBeIdle ? .info : .warning,
            summary:
                "\(Figures.plural(number, "task")) \(number == 1 ? "awaits a continuation" : "await continuations")"
                + "\(place) that \(number == 1 ? "is" : "are") not resumed, for up to \(group.tally.worst): \(reason)",
            // The tasks wait concurrently, so the cost is the longest wait.
            queues: [], begin: group.tally.begin, end: group.tally.end, cost: group.tally.worst, occurrences: number,
            measures: [.count("tasks", number), .duration("longest wait", group.tally.worst)]
                + (group.drop.map { [Measure.count("continuations reported as dropped", $0.count)] } ?? []),
            evidence: group.tally.costliest.elements.sorted { $0.began < $1.began }.map { wait in
                Evidence(
                    time: wait.began, thread: wait.beganOn, task: wait.task, event: "task_suspend",
                    detail: "Task \(wait.task) has awaited a continuation\(model.place(of: wait.awaiter)) for "
                        + "\(wait.duration).")
            },
            code: [longest.awaiter],
            stacks: longest.stack == .none ? [] : [("Functions that await, innermost first", longest.stack)],
            advice: advice(place))
    }

    /// The proof in words, as the end of the summary.
    private static func reason(_ proof: AbandonedAwaits.Proof, tasks: Int) -> String {
        let these = tasks == 1 ? "this task" : "these tasks"
        return switch proof {
        case .repeated:
            "the same tasks were resumed there again and again during this time. Possibly no event occurred for "
                + "\(these)."
        case .awaited(let awaiter):
            "task \(awaiter) waits for \(tasks == 1 ? "it" : "one of them"), and other tasks were resumed there soon. "
                + "Possibly no event occurred for \(these)."
        case .others: "other tasks were resumed there during this time."
        case .cancelled(let time, let awaiter):
            "\(tasks == 1 ? "it was" : "one of them was") cancelled \(time) before the end, and task \(awaiter) waits "
                + "for it."
        }
    }

    /// Returns the finding for a report of the runtime that fits no suspended task.
    private static func finding(_ drop: DroppedContinuation, in model: DispatchModel) -> Finding {
        Finding(
            detector: id, severity: .warning,
            summary: "\(drop.function) dropped \(Figures.plural(drop.count, "continuation")) without resuming "
                + "\(drop.count == 1 ? "it" : "them"), as the runtime reports. A task that awaits "
                + "\(drop.count == 1 ? "it" : "them") waits forever.",
            queues: [], begin: drop.time, end: drop.time, cost: .zero, occurrences: drop.count,
            measures: [.count("continuations reported as dropped", drop.count)],
            evidence: [
                Evidence(
                    time: drop.time, thread: drop.thread, event: "dispatch_log",
                    detail: "The runtime reports that \(drop.function) leaked its continuation.")
            ],
            code: [], advice: advice(CodePlace(" in \(drop.function)")))
    }

    private static func advice(_ place: CodePlace) -> Advice {
        Advice(
            .balanceCalls, "Resume the continuation\(place) exactly once on every path, including errors, early ",
            "returns, cancellation and the deallocation of the object that stores it. Otherwise its task never ends.")
    }
}
