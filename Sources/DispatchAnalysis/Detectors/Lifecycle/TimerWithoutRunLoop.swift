import DispatchModel

/// A timer is added to a run loop that no thread runs.
///
/// ## Definition
///
/// A timer is added to a run loop (`Timer.scheduledTimer`, `RunLoop.add(_:forMode:)`) that does not run at that time.
/// The run loop does not run later either, the timer is not invalidated, and it has been due for at least 250 ms, or
/// 10 % of the recording, when the trace ends. Timers of one place are one finding.
///
/// ```
///   worker   ├─ item ── scheduledTimer ─┤   ├─ item ─┤   ├─ item ─┤     runs items, not its run loop
///   timer                     ├─ 150 ms ─┤ due ························ never fires
/// ```
///
/// ## Thresholds
///
/// - late = 50ms: The smallest reported time since the timer was due. In a short recording, a tenth of it may be less
///   than the delay of a busy machine.
///
/// ## Why it matters
///
/// The timer never fires, and no error reports it. Each thread has a run loop, also a worker of libdispatch and a
/// thread of Swift's pool, but only the main thread of an application, and threads that call `RunLoop.run`, run it.
///
/// ## What it cannot see
///
/// Programs that link Foundation statically. Whether the thread would have run its run loop after the end of the trace.
///
/// ## Advice
///
/// Use a timer source on the queue (`DispatchSource.makeTimerSource(queue:)`), `Task.sleep` in a task, or add the timer
/// to the run loop of the main thread if that thread runs it.
///
/// ## Source
///
/// `Timer.scheduledTimer(withTimeInterval:repeats:block:)` "schedules it on the current run loop in the default mode".
public struct TimerWithoutRunLoop: Detector {
    public static let id = "timer-without-run-loop"
    public static let title = "A timer is added to a run loop that no thread runs"
    public static let follows: ObservationKinds = []

    private static let late = Threshold("late", Nanoseconds.milliseconds(50))
    public static let thresholds: [any ThresholdDeclaration] = [late]

    private let late: Nanoseconds
    private var cases = MistakeGroups()

    public init(thresholds: Thresholds) { late = thresholds[Self.late] }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        guard !model.hasOpenEnd else { return [] }
        for timer in model.runLoopTimers {
            let overdue = model.end - timer.due
            guard overdue >= late, LargeCase.includes(overdue, in: model) else { continue }
            let queue = timer.queue.map { " in an item of \(model.name(of: $0))" } ?? ""
            cases.add(
                MistakeGroups.Key(subject: "timer", code: timer.place), at: timer.addedAt, queue: timer.queue,
                stacks: [("Stack of the addition", timer.stack)], cost: overdue, until: model.end
            ) {
                MistakeGroups.Case(
                    time: timer.addedAt, thread: timer.thread, event: "run_loop_timer",
                    detail:
                        "\(model.name(of: timer.thread)) adds a timer to a run loop\(queue). The timer is due after "
                        + "\(timer.due - timer.addedAt), and no thread runs the run loop until the end.")
            }
        }
        return cases.groups.map { group in
            let queue = group.queues.elements.first
            let place = queue.map { " on a thread that runs an item of \(model.name(of: $0))" } ?? ""
            return group.finding(
                Self.id, .warning,
                summary: "\(group.count == 1 ? "A timer" : "\(Figures.count(group.count)) timers") added to a run loop"
                    + "\(group.place(in: model))\(place) never fire\(group.count == 1 ? "s" : ""): no thread runs this "
                    + "run loop, and the timer has been due for \(group.longest).",
                measures: [.duration("longest overdue", group.longest)],
                advice: Advice(
                    .useTimerSource, "Use a timer source on \(queue.map { model.name(of: $0) } ?? "a queue", .queue) ",
                    "(DispatchSource.makeTimerSource) instead of the Timer\(group.place(in: model)), or add the Timer ",
                    "to a run loop that runs."),
                cost: group.longest)
        }
    }
}
