import DispatchModel

/// A deadline of a timer passes while its source is suspended.
///
/// ## Definition
///
/// A timer source is suspended, and its next deadline plus its leeway passes before it is resumed (or before the trace
/// ends). Each suspension counts once, because libdispatch removes the timer from its heap at the first missed
/// deadline. A suspension does not count if the previous deadline had already passed when it began, because then the
/// event was pending. Timers suspended at one place are one finding.
///
/// Where events are missing from the trace, the missing events may include firings. A deadline before the suspension
/// without a recorded firing is then treated as fired, and the following deadlines are computed from the schedule.
///
/// ```
///   timer   ──┬──────┬────│suspend ░░░░░░░░░░░░░░░░░░ resume│──┬──
///            fires  fires          ▲ due: wakes libdispatch,   ╰ the missed ones, as one event
///                                    runs no handler
/// ```
///
/// ## Thresholds
///
/// - times = 1: Suspensions with a missed deadline. One is a mistake.
///
/// ## Why it matters
///
/// The processor wakes for an event that no handler receives. After the resume, the handler runs at once for all missed
/// deadlines, at a time that is not in the schedule. A program that pauses a timer rarely intends this.
///
/// ## What it cannot see
///
/// Timers whose schedule was set before the recording, unless their firings show the interval. Suspensions of the
/// timer's queue instead of the timer. `asyncAfter`, which cannot be suspended.
///
/// ## Advice
///
/// Pause a timer by scheduling it for `.distantFuture`, or cancel it and create a new one when it is needed again.
///
/// ## Source
///
/// `suspended_timer_fire`, one of the events of Apple's GCD Performance instrument;
/// `_dispatch_timer_unote_needs_rearm`.
public struct SuspendedTimerFire: Detector {
    public static let id = "suspended-timer-fire"
    public static let title = "A deadline of a timer passes while the timer is suspended"
    public static let follows: ObservationKinds = [.objectChanges, .timers]

    private static let times = Threshold("times", 1)
    public static let thresholds: [any ThresholdDeclaration] = [times]

    private struct Schedule {
        /// The first deadline for which the handler has not run; nil if there is none.
        var due: Timestamp?
        /// Zero for a one-shot timer.
        var interval = Nanoseconds.zero
        var leeway = Nanoseconds.zero
        /// Whether the schedule is derived from the firings.
        var isEstimated = false
        /// A firing proves that the timer is active, even if its activation was not recorded.
        var hasFired = false
        /// The current suspension.
        var suspension: ObjectChange?
        var depth = 0
    }

    /// A suspension that counts only if the firing of the previous deadline was lost.
    private struct UncertainSuspension {
        let source: SourceIndex
        let suspension: ObjectChange
        /// The last deadline before the suspension, and the first one during it.
        let before: Timestamp
        let due: Timestamp
        let end: Timestamp
    }

    /// Most uncertain suspensions kept. They are decided at the end of the trace, when its gaps are recorded.
    private static let uncertainLimit = 1024

    private let times: Int
    private var schedules: [SourceIndex: Schedule] = [:]
    private var cases = MistakeGroups()
    private var uncertain: [UncertainSuspension] = []
    /// Number of cases per group that depend on a derived schedule or on missing firings.
    private var estimates: [MistakeGroups.Key: Int] = [:]

    public init(thresholds: Thresholds) { times = thresholds[Self.times] }

    public mutating func observe(_ observation: Observation, in model: DispatchModel) {
        switch observation {
        case .timer(let change): follow(change)
        case .objectChange(let change):
            guard case .source(let source) = change.object, model[source].type == .timer else { return }
            follow(change, of: source, in: model)
        default: break
        }
    }

    private mutating func follow(_ change: TimerChange) {
        var schedule = schedules[change.source] ?? Schedule()
        schedule.interval = change.interval
        schedule.leeway = change.leeway
        schedule.isEstimated = change.isEstimated
        switch change.kind {
        case .configured(let due, _, _): schedule.due = due
        case .fired(let due, let deadlines):
            schedule.hasFired = true
            // For a derived schedule, `due` becomes the latest possible next deadline.
            let last = change.isEstimated ? change.time : due
            let step = change.interval.count.multipliedReportingOverflow(
                by: change.isEstimated ? 1 : Int64(deadlines))
            schedule.due =
                change.interval > .zero && !step.overflow ? last.map { $0 + Nanoseconds(step.partialValue) } : nil
        }
        schedules[change.source] = schedule
    }

    private mutating func follow(_ change: ObjectChange, of source: SourceIndex, in model: DispatchModel) {
        switch change.kind {
        case .suspended:
            schedules[source, default: Schedule()].depth += 1
            if schedules[source]?.depth == 1 { schedules[source]?.suspension = change }
        case .resumed:
            guard let schedule = schedules[source], schedule.depth > 0 else { return }
            schedules[source]?.depth -= 1
            if schedule.depth == 1 { end(source, at: change.time, in: model) }
        case .cancelled, .disposed:
            end(source, at: change.time, in: model)
            schedules[source] = nil
        default: break
        }
    }

    /// Ends the current suspension of a timer: at a resume, at its cancellation or release, or at the end of the trace.
    private mutating func end(_ source: SourceIndex, at time: Timestamp, in model: DispatchModel) {
        guard let schedule = schedules[source], let suspension = schedule.suspension else { return }
        schedules[source]?.suspension = nil
        // libdispatch has no entry for a timer that is not active.
        let isActive = model[source].activatedAt.map { $0 <= suspension.time } ?? schedule.hasFired
        guard let due = schedule.due, isActive else { return }
        if due >= suspension.time {
            guard due + schedule.leeway < time else { return }
            add(source, suspension, due: due, until: time, isEstimated: schedule.isEstimated, in: model)
        } else if schedule.interval > .zero, !schedule.isEstimated, uncertain.count < Self.uncertainLimit {
            let passed = (suspension.time - due).count / schedule.interval.count + 1
            let next = due + Nanoseconds(passed * schedule.interval.count)
            guard next + schedule.leeway < time else { return }
            uncertain.append(
                UncertainSuspension(source: source, suspension: suspension, before: due, due: next, end: time))
        }
    }

    private mutating func add(
        _ source: SourceIndex, _ suspension: ObjectChange, due: Timestamp, until time: Timestamp, isEstimated: Bool,
        in model: DispatchModel
    ) {
        let timer = NamedSource(source, in: model)
        let stacks = [
            (title: "Stack of the suspension", stack: suspension.stack),
            (title: "Stack of the activation", stack: timer.source.activationStack),
        ]
        let key = MistakeGroups.Key(subject: LabelPattern.of(timer.name), code: suspension.code)
        if isEstimated { estimates[key, default: 0] += 1 }
        cases.add(
            key, at: due, queue: timer.source.queue, codes: [timer.source.creationCode, timer.source.activationCode],
            stacks: stacks, since: suspension.time, until: time
        ) {
            .init(
                time: suspension.time, thread: suspension.thread, event: "object_suspend",
                detail: "\(timer.name) was due \(due - suspension.time) after its suspension, \(time - due) before the "
                    + "suspension ended.")
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        for source in schedules.keys.sorted() { end(source, at: model.end, in: model) }
        for entry in uncertain where model.lacksEvents(from: entry.before, to: entry.suspension.time) {
            add(entry.source, entry.suspension, due: entry.due, until: entry.end, isEstimated: true, in: model)
        }
        return cases.groups.filter { $0.count >= times }.map { group in
            var finding = group.finding(
                Self.id, .warning,
                summary: "\(group.key.subject) is suspended\(group.place(in: model)) while a deadline passes"
                    + "\(group.times): libdispatch wakes up and runs no handler.",
                advice: Advice(
                    .pauseTimer, "Pause \(group.key.subject, .object)\(group.place(in: model)) with ",
                    "schedule(deadline: .distantFuture), or cancel it: a suspended timer still wakes libdispatch for ",
                    "its next deadline."))
            finding.caveat = estimates[group.key].map { _ in Self.caveat }
            return finding
        }
    }

    private static let caveat =
        "The trace lacks the call that set the timer, or an earlier firing. Its deadline in the suspension is computed "
        + "from the rest of its schedule."
}
