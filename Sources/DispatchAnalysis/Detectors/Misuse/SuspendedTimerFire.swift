import DispatchModel

/// A timer's deadline passes while its source is suspended.
///
/// ## Definition
///
/// A timer source is suspended, and its next deadline, with its leeway, lies between the suspension and the resumption
/// (or the trace's end). It counts once per suspension, as libdispatch takes the timer out of its heap then, and not
/// when the deadline before had passed already, whose event was pending. Timers of one place are one finding.
///
/// Where events are missing, the firings may be among them: a deadline that passed before the suspension, and that no
/// firing is known for, then counts as fired, and those of the schedule go on from it.
///
/// ```
///   timer   ──┬──────┬────│suspend ░░░░░░░░░░░░░░░░░░ resume│──┬──
///            fires  fires          ▲ due: wakes libdispatch,   ╰ the missed ones, as one event
///                                    calls nobody
/// ```
///
/// ## Thresholds
///
/// - times = 1: Suspensions with a missed deadline from which on it is reported.
///
/// ## Why it matters
///
/// The processor wakes for an event that nobody gets. On resumption the handler runs at once for all deadlines that it
/// missed, whatever the time: rarely what was meant by a pause.
///
/// ## What it cannot see
///
/// Timers whose schedule was set before the recording, unless their firings tell the interval. Suspensions of the timer's
/// queue rather than of the timer. `asyncAfter`, which cannot be suspended.
///
/// ## Advice
///
/// Pause a timer by scheduling it for `.distantFuture`, or cancel it and make a new one when it is needed again.
///
/// ## Source
///
/// `suspended_timer_fire`, one of the events of Apple's GCD Performance instrument; `_dispatch_timer_unote_needs_rearm`.
public struct SuspendedTimerFire: Detector {
    public static let id = "suspended-timer-fire"
    public static let title = "A timer's deadline passes while it is suspended"
    public static let follows: ObservationKinds = [.objectChanges, .timers]

    private static let times = Threshold("times", 1)
    public static let thresholds: [any ThresholdDeclaration] = [times]

    private struct Schedule {
        /// The first deadline that the handler did not run for; nil for none.
        var due: Timestamp?
        /// Zero for once.
        var interval = Nanoseconds.zero
        var leeway = Nanoseconds.zero
        /// It is worked out from the firings.
        var isEstimated = false
        /// So it is active, whether or not the trace says since when.
        var hasFired = false
        /// The suspension in force.
        var suspension: ObjectChange?
        var depth = 0
    }

    /// A suspension that counts if the firing for the deadline before it was lost.
    private struct Doubt {
        let source: SourceIndex
        let suspension: ObjectChange
        /// The deadline before the suspension, and the first one in it.
        let before: Timestamp
        let due: Timestamp
        let end: Timestamp
    }

    /// Kept until it is known where events are missing.
    private static let doubtLimit = 1024

    private let times: Int
    private var schedules: [SourceIndex: Schedule] = [:]
    private var cases = CaseGroups()
    private var doubts: [Doubt] = []
    /// Cases that rest on a schedule which the trace does not have, or on firings that it lacks.
    private var estimates: [CaseGroups.Key: Int] = [:]

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
            // Of an estimate the latest that the next deadline can be.
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

    /// A suspension is over, or as good as over.
    private mutating func end(_ source: SourceIndex, at time: Timestamp, in model: DispatchModel) {
        guard let schedule = schedules[source], let suspension = schedule.suspension else { return }
        schedules[source]?.suspension = nil
        // Not active: libdispatch does not know the timer yet.
        let isActive = model[source].activatedAt.map { $0 <= suspension.time } ?? schedule.hasFired
        guard let due = schedule.due, isActive else { return }
        if due >= suspension.time {
            guard due + schedule.leeway < time else { return }
            add(source, suspension, due: due, until: time, isEstimated: schedule.isEstimated, in: model)
        } else if schedule.interval > .zero, !schedule.isEstimated, doubts.count < Self.doubtLimit {
            let passed = (suspension.time - due).count / schedule.interval.count + 1
            let next = due + Nanoseconds(passed * schedule.interval.count)
            guard next + schedule.leeway < time else { return }
            doubts.append(Doubt(source: source, suspension: suspension, before: due, due: next, end: time))
        }
    }

    private mutating func add(
        _ source: SourceIndex, _ suspension: ObjectChange, due: Timestamp, until time: Timestamp, isEstimated: Bool,
        in model: DispatchModel
    ) {
        let timer = SourceCase(source, in: model)
        let stacks = [
            (title: "Stack of the suspension", stack: suspension.stack),
            (title: "Stack of the activation", stack: timer.source.activationStack),
        ]
        let key = CaseGroups.Key(subject: LabelPattern.of(timer.name), code: suspension.code)
        if isEstimated { estimates[key, default: 0] += 1 }
        cases.add(
            key, at: due, queue: timer.source.queue, codes: [timer.source.creationCode, timer.source.activationCode],
            stacks: stacks, since: suspension.time, until: time
        ) {
            .init(
                time: suspension.time, thread: suspension.thread, event: "object_suspend",
                detail: "\(timer.name) was due \(due - suspension.time) after its suspension, \(time - due) before "
                    + "that ended.")
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        for source in schedules.keys.sorted() { end(source, at: model.end, in: model) }
        for doubt in doubts where model.lacksEvents(from: doubt.before, to: doubt.suspension.time) {
            add(doubt.source, doubt.suspension, due: doubt.due, until: doubt.end, isEstimated: true, in: model)
        }
        return cases.groups.filter { $0.count >= times }.map { group in
            var finding = group.finding(
                Self.id, .warning,
                summary: "\(group.key.subject) is suspended\(group.place(in: model)) and falls due meanwhile"
                    + "\(group.times): libdispatch wakes up and calls nobody.",
                advice: "Pause \(group.key.subject)\(group.place(in: model)) with schedule(deadline: .distantFuture), "
                    + "or cancel it; a suspended timer stays armed for its next deadline.")
            finding.caveat = estimates[group.key].map { _ in Self.caveat }
            return finding
        }
    }

    private static let caveat =
        "When the timer was set, or that it fired before, is not in the trace: its deadline in the suspension is worked out "
        + "from the rest of its schedule."
}
