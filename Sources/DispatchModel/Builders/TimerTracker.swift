/// Follows the schedules of timers: when each is due next.
///
/// ```
///   timer_configure            due        due+interval    due+2·interval
///        ├──────── delay ───────┤───────────────┤────────────────┤
///                                                     timer_fire, fires = 2
/// ```
struct TimerTracker {
    private struct Schedule {
        /// The first deadline that the handler has not run for; nil when none is to come, or it is not known.
        var due: Int64?
        var interval: Int64 = 0
        var leeway: Int64 = 0
    }

    /// By position of the source.
    private var schedules: [Int: Schedule] = [:]

    mutating func configure(
        _ event: DispatchEvent.TimerConfigure, source: SourceIndex, at time: Int64, thread: Int,
        in state: inout ModelState
    ) {
        // A timer that is never due has a delay beyond all times.
        let (due, isNever) = time.addingReportingOverflow(Int64(clamping: event.delay))
        let schedule = Schedule(
            due: isNever || due == .max ? nil : due, interval: Int64(clamping: event.interval),
            leeway: Int64(clamping: event.leeway))
        schedules[source.position] = schedule
        let kind = TimerChange.Kind.configured(
            due: schedule.due.map { Timestamp(nanoseconds: $0) }, interval: Nanoseconds(schedule.interval),
            leeway: Nanoseconds(schedule.leeway))
        emit(kind, source, schedule, at: time, thread: thread, code: state.codes.code(event.code), in: &state)
    }

    mutating func fire(
        _ event: DispatchEvent.TimerFire, source: SourceIndex, at time: Int64, thread: Int, in state: inout ModelState
    ) {
        let schedule = schedules[source.position] ?? Schedule()
        let deadlines = max(1, Int(clamping: event.fires))
        if let due = schedule.due {
            let (step, isTooFar) = schedule.interval.multipliedReportingOverflow(by: Int64(deadlines))
            let (next, isNever) = due.addingReportingOverflow(step)
            schedules[source.position]?.due = schedule.interval == 0 || isTooFar || isNever ? nil : next
        }
        let kind = TimerChange.Kind.fired(
            due: schedule.due.map { Timestamp(nanoseconds: $0) }, deadlines: deadlines)
        emit(kind, source, schedule, at: time, thread: thread, code: .unknown, in: &state)
    }

    /// The source is gone, and its place may be another's.
    mutating func forget(_ source: SourceIndex) { schedules[source.position] = nil }

    private func emit(
        _ kind: TimerChange.Kind, _ source: SourceIndex, _ schedule: Schedule, at time: Int64, thread: Int,
        code: CodeIndex, in state: inout ModelState
    ) {
        state.emit(
            .timer(
                TimerChange(
                    kind: kind, source: source, time: Timestamp(nanoseconds: time), thread: ThreadIndex(thread),
                    code: code, interval: Nanoseconds(schedule.interval), leeway: Nanoseconds(schedule.leeway))))
    }
}
