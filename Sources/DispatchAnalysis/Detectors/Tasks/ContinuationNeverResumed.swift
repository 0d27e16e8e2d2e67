import DispatchModel

/// A task is suspended on a continuation that nobody resumed.
///
/// ## Definition
///
/// A task that awaits a continuation when the trace ends is reported in two cases. *Dropped*: the runtime said that the
/// continuation went away without having been resumed, as it does of a `CheckedContinuation`. *Left behind*: it has
/// waited for at least 250 ms, and since it began at least 10 other continuations were awaited in the same place,
/// called by the same functions, and resumed, each within a tenth of its time; none ever took half as long. Tasks that
/// wait in one place are one finding.
///
/// ```
///   task 1  ├ awaits ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ end     nobody resumes it
///   task 2     ├ awaits ░┤     ├ awaits ░┤
///   task 3        ├ awaits ░┤     ├ awaits ░┤                    the same place, resumed
/// ```
///
/// A continuation of the runtime's own, such as that of `Task.sleep` or of `AsyncStream`, and one in a function `next`,
/// which is what awaits the next element of a sequence, are not *left behind*: they wait for as long as nothing comes.
/// Where the others were mostly the same tasks again, as in a server whose connections each read in a loop, it is told as
/// a note: the one that waits may have nothing to read.
///
/// ## Thresholds
///
/// - wait = 250ms: How long the task has waited. Answers over a network take some 10 to 100 ms.
/// - others = 10: Continuations of the same place that were resumed since. Fewer may be chance.
///
/// ## Why it matters
///
/// The task never ends. It keeps what it holds, whoever awaits it waits for ever, and each time it happens there is one
/// more.
///
/// ## What it cannot see
///
/// An `UnsafeContinuation` that is dropped in a place that is used once. One that is kept somewhere and would have been
/// resumed after the trace's end. Which of several tasks was left behind, where they all wait for the same.
///
/// ## Advice
///
/// Resume the continuation exactly once on every path: errors, early returns, cancellation and deallocation too.
///
/// ## Source
///
/// SE-0300: a continuation must be resumed exactly once, and `CheckedContinuation` says when it was not.
public struct ContinuationNeverResumed: Detector {
    public static let id = "continuation-never-resumed"
    public static let title = "A task is suspended on a continuation that nobody resumed"
    public static let follows: ObservationKinds = .taskWaits

    private static let wait = Threshold("wait", Nanoseconds.milliseconds(250))
    private static let others = Threshold("others", 10)
    public static let thresholds: [any ThresholdDeclaration] = [wait, others]

    /// A program awaits in few places, and many tasks in one of them prove no more than these.
    private static let placeLimit = 4096
    private static let openLimit = 4096
    /// What is longer than this part of the open wait is not much sooner.
    private static let sooner: Int64 = 10

    private let wait: Nanoseconds
    private let others: Int
    private var places: [StackIndex: ResumedPlace] = [:]
    private var open: [TaskWait] = []

    public init(thresholds: Thresholds) {
        wait = thresholds[Self.wait]
        others = thresholds[Self.others]
    }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
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
            // A function that was inlined is named by its caller: certain where nobody else awaits a continuation.
            let awaiters = named.isEmpty && places.count == 1 ? places : named
            dropped[position].awaiters = awaiters
            dropped[position].waiting = open.count { awaiters.contains($0.awaiter) }
        }
        for wait in open {
            let drop = dropped.first { $0.mayBe(wait) }
            if let drop, !Self.isRuntimes(wait, in: model) {
                groups[.init(code: wait.awaiter, isDropped: true), default: AbandonedAwaits(drop)].add(wait)
            } else if !model.continuesAfterEnd, isLeftBehind(wait, in: model) {
                let mayBeIdle = resumed(since: wait).areRepeated
                groups[.init(code: wait.awaiter, isDropped: false), default: AbandonedAwaits(nil)]
                    .add(wait, mayBeIdle: mayBeIdle)
            }
        }
        let found = Set(groups.values.compactMap { $0.drop?.function })
        return groups.sorted { $0.key < $1.key }.map { Self.finding($0.value, in: model) }
            + dropped.filter { !found.contains($0.function) }.map { Self.finding($0, in: model) }
    }

    private func isLeftBehind(_ open: TaskWait, in model: DispatchModel) -> Bool {
        guard open.duration >= wait, let place = places[open.stack],
            place.longest.count * 2 <= open.duration.count, !Self.awaitsEvents(open, in: model),
            !model.lacksEvents(from: open.began, to: open.ended)
        else { return false }
        return resumed(since: open).count >= others
    }

    /// How many continuations of the same place were resumed, much sooner, since one began to be awaited; and whether
    /// these were mostly awaits of the same tasks.
    private func resumed(since open: TaskWait) -> (count: Int, areRepeated: Bool) {
        let resumed = (places[open.stack]?.recent ?? []).filter {
            $0.began > open.began && $0.length.count * Self.sooner <= open.duration.count
        }
        return (resumed.count, Set(resumed.map(\.task)).count * 2 <= resumed.count)
    }

    /// Whether a task may wait for as long as nothing happens: for the runtime itself, or for the next element of a
    /// sequence. Code without a name may be either.
    static func awaitsEvents(_ wait: TaskWait, in model: DispatchModel) -> Bool {
        model[wait.awaiter].symbol.isEmpty || isRuntimes(wait, in: model)
            || [wait.awaiter, wait.awaited].contains { isOfEvents(model[$0].symbol) }
    }

    private static func isOfEvents(_ symbol: String) -> Bool {
        ["next(", "sleep("].contains {
            symbol.hasPrefix($0) || symbol.contains(".\($0)") || symbol.contains(" \($0)")
        }
    }

    /// Whether the continuation is one of the runtime's own, such as that of a sleeping task. In a program that was
    /// built without optimisation `withCheckedContinuation` is a function of the runtime's as well.
    private static func isRuntimes(_ wait: TaskWait, in model: DispatchModel) -> Bool {
        guard wait.awaiter != .unknown else { return true }
        guard SystemCode.library(of: wait.code, in: model) != nil else { return false }
        return !["withChecked", "withUnsafe"].contains(where: model[wait.code].symbol.hasPrefix)
    }
}

/// Continuations of one place that were resumed: the last ones, and the longest of all.
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

/// A continuation of which the runtime said that nobody resumed it.
struct DroppedContinuation {
    private static let beginning = "SWIFT TASK CONTINUATION MISUSE: "
    private static let middle = " leaked its continuation"

    /// The function that awaits it, as `#function` names it.
    let function: String
    let count: Int
    let time: Timestamp
    let lastTime: Timestamp
    let thread: ThreadIndex
    /// The functions, of those in which tasks await continuations, that may be the one.
    var awaiters: Set<CodeIndex> = []
    /// How many tasks await a continuation there when the trace ends.
    var waiting = 0

    /// Those of a trace.
    static func all(in model: DispatchModel) -> [Self] {
        model.messages.compactMap { message in
            guard message.text.hasPrefix(beginning) else { return nil }
            let rest = message.text.dropFirst(beginning.count)
            guard let end = rest.firstRange(of: middle)?.lowerBound else { return nil }
            return Self(
                function: String(rest[..<end]), count: message.count, time: message.time,
                lastTime: message.lastTime, thread: message.thread)
        }
    }

    /// Whether a task may await one of them: the runtime may say so before the task suspends, as where the continuation
    /// goes no further than the closure that it is given to.
    func mayBe(_ wait: TaskWait) -> Bool {
        awaiters.contains(wait.awaiter) && (waiting <= count || wait.began <= lastTime)
    }

    /// Whether a function may be the one.
    func isAwaited(in symbol: String) -> Bool {
        symbol == function || symbol.hasSuffix(".\(function)") || symbol.hasSuffix(" \(function)")
    }
}

/// Tasks that wait in one place for a continuation.
struct AbandonedAwaits {
    struct Key: Hashable, Comparable {
        let code: CodeIndex
        let isDropped: Bool

        static func < (left: Self, right: Self) -> Bool {
            (left.code, left.isDropped ? 0 : 1) < (right.code, right.isDropped ? 0 : 1)
        }
    }

    /// What the runtime said of it; nil when it said nothing, and the continuation was left behind.
    let drop: DroppedContinuation?
    /// All of them may wait for what seldom comes.
    private(set) var mayBeIdle = true
    private(set) var tally = CaseTally<TaskWait>()

    init(_ drop: DroppedContinuation?) { self.drop = drop }

    mutating func add(_ wait: TaskWait, mayBeIdle: Bool = false) {
        if !mayBeIdle { self.mayBeIdle = false }
        tally.add(wait, cost: wait.duration, from: wait.began, to: wait.ended, thread: wait.beganOn)
    }
}

// MARK: - Texts

extension ContinuationNeverResumed {
    private static func finding(_ group: AbandonedAwaits, in model: DispatchModel) -> Finding {
        let longest = group.tally.costliest.elements[0]
        let place = model.place(of: longest.awaiter)
        // Others that wait in the same place may yet be resumed.
        let number = min(group.tally.count, group.drop?.count ?? .max)
        let others =
            group.mayBeIdle
            ? "the same tasks were resumed there again and again in the meantime; it may be that nothing came for "
                + (number == 1 ? "this one." : "these.")
            : "others were resumed there in the meantime."
        let reason =
            group.drop == nil
            ? others
            : "the runtime says that \(group.drop?.count == 1 ? "it was" : "they were") dropped without being resumed."
        return Finding(
            detector: id, severity: group.mayBeIdle ? .info : .warning,
            summary:
                "\(Figures.plural(number, "task")) \(number == 1 ? "awaits a continuation" : "await continuations")"
                + "\(place) that nobody resumed, for up to \(group.tally.worst): \(reason)",
            // They wait side by side: the longest wait is what it cost.
            queues: [], begin: group.tally.begin, end: group.tally.end, cost: group.tally.worst, occurrences: number,
            measures: [("tasks", Figures.count(number)), ("longest wait", "\(group.tally.worst)")]
                + (group.drop.map { [("continuations that the runtime saw dropped", Figures.count($0.count))] } ?? []),
            evidence: group.tally.costliest.elements.sorted { $0.began < $1.began }.map { wait in
                Evidence(
                    time: wait.began, thread: wait.beganOn, event: "task_suspend",
                    detail: "Task \(wait.task) awaits a continuation\(model.place(of: wait.awaiter)), and has for "
                        + "\(wait.duration).")
            },
            code: [longest.awaiter].filter { $0 != .unknown },
            stacks: longest.stack == .none ? [] : [("Functions that await, innermost first", longest.stack)],
            advice: advice(place))
    }

    /// What the runtime said, where no suspended task can be told to be the one.
    private static func finding(_ drop: DroppedContinuation, in model: DispatchModel) -> Finding {
        Finding(
            detector: id, severity: .warning,
            summary: "\(drop.function) dropped \(Figures.plural(drop.count, "continuation")) without resuming "
                + "\(drop.count == 1 ? "it" : "them"): the runtime says so, and what awaits "
                + "\(drop.count == 1 ? "it" : "them") waits for ever.",
            queues: [], begin: drop.time, end: drop.time, cost: .zero, occurrences: drop.count,
            measures: [("continuations that the runtime saw dropped", Figures.count(drop.count))],
            evidence: [
                Evidence(
                    time: drop.time, thread: drop.thread, event: "dispatch_log",
                    detail: "The runtime says that \(drop.function) leaked its continuation.")
            ],
            code: [], advice: advice(" in \(drop.function)"))
    }

    private static func advice(_ place: String) -> String {
        "Resume the continuation\(place) exactly once on every path that its task relies on: errors, early "
            + "returns, cancellation, and when the object that keeps it goes away."
    }
}
