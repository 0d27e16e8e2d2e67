import DispatchModel

/// A timer's deadline passes while its source is suspended.
///
/// ## Definition
///
/// A timer source is suspended, and its next deadline, with its leeway, lies between the suspension and the resumption
/// (or the trace's end). It counts once per suspension, as libdispatch takes the timer out of its heap then, and not
/// when the deadline before had passed already, whose event was pending. Timers of one place are one finding.
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
/// Timers whose schedule was set before the recording. Suspensions of the timer's queue rather than of the timer.
/// `asyncAfter`, which cannot be suspended.
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
        var leeway = Nanoseconds.zero
        /// The suspension in force.
        var suspension: ObjectChange?
        var depth = 0
    }

    private let times: Int
    private var schedules: [SourceIndex: Schedule] = [:]
    private var cases = CaseGroups()

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
        schedule.leeway = change.leeway
        switch change.kind {
        case .configured(let due, _, _): schedule.due = due
        case .fired(let due, let deadlines):
            schedule.due =
                change.interval > .zero ? due.map { $0 + Nanoseconds(change.interval.count * Int64(deadlines)) } : nil
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
        guard let due = schedule.due, let activatedAt = model[source].activatedAt, activatedAt <= suspension.time,
            due >= suspension.time, due + schedule.leeway < time
        else { return }
        let timer = SourceCase(source, in: model)
        let stacks = [
            (title: "Stack of the suspension", stack: suspension.stack),
            (title: "Stack of the activation", stack: timer.source.activationStack),
        ]
        let key = CaseGroups.Key(subject: LabelPattern.of(timer.name), code: suspension.code)
        cases.add(
            key, at: due, queue: timer.source.queue, codes: [timer.source.creationCode, timer.source.activationCode],
            stacks: stacks
        ) {
            .init(
                time: due, thread: suspension.thread, event: "object_suspend",
                detail: "\(timer.name) was due \(due - suspension.time) after its suspension, \(time - due) before "
                    + "that ended.")
        }
    }

    public mutating func findings(in model: DispatchModel) -> [Finding] {
        for source in schedules.keys.sorted() { end(source, at: model.end, in: model) }
        return cases.groups.filter { $0.count >= times }.map { group in
            group.finding(
                Self.id, .warning,
                summary: "\(group.key.subject) is suspended\(group.place(in: model)) and falls due meanwhile"
                    + "\(group.times): libdispatch wakes up and calls nobody.",
                advice: "Pause \(group.key.subject)\(group.place(in: model)) with schedule(deadline: .distantFuture), "
                    + "or cancel it; a suspended timer stays armed for its next deadline.")
        }
    }
}
