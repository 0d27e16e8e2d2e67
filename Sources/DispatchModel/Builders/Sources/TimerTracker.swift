/// Follows the schedules of timers: when each is due next.
///
/// ```
///   timer_configure            due        due+interval    due+2·interval
///        ├──────── delay ───────┤───────────────┤────────────────┤
///                                                     timer_fire, fires = 2
/// ```
struct TimerTracker {
    fileprivate struct Schedule {
        /// The first deadline that the handler has not run for; nil when none is to come, or it is not known.
        var due: Int64?
        var interval: Int64 = 0
        var leeway: Int64 = 0
        /// The timer's setting was recorded.
        var isRecorded = true
        /// What the firings tell of the schedule where its setting was not recorded.
        var spacing = FiringSpacing()
    }

    /// How far the clock's readings of a deadline and of its firing may be apart.
    fileprivate static let tolerance: Int64 = 1_000_000

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
        var schedule = schedules[source.position] ?? Schedule(isRecorded: false)
        // No timer fires early: it was set anew, and the record of that was lost.
        if let due = schedule.due, due - Self.tolerance > time { schedule = Schedule(isRecorded: false) }
        let deadlines = max(1, Int(clamping: event.fires))
        let due = schedule.isRecorded ? schedule.fire(deadlines, at: time) : schedule.estimate(deadlines, at: time)
        schedules[source.position] = schedule
        if state.paths.isFollowed { state.paths.dueTimes[source.rawValue] = due }
        let kind = TimerChange.Kind.fired(due: due.map { Timestamp(nanoseconds: $0) }, deadlines: deadlines)
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
                    code: code, interval: Nanoseconds(schedule.interval), leeway: Nanoseconds(schedule.leeway),
                    isEstimated: !schedule.isRecorded)))
    }
}

extension TimerTracker.Schedule {
    /// The handler runs for so many deadlines. Returns the first of them; nil when it is not known.
    ///
    /// libdispatch counts every deadline that has passed. One that passed and is counted by no firing belongs to a
    /// firing whose record was lost.
    ///
    /// ```
    ///   deadlines   ┬     ┬     ┬     ┬
    ///   firings     ▲     ×     ×     ▲ 1: the first two of the three that have passed are those of lost records
    /// ```
    fileprivate mutating func fire(_ deadlines: Int, at time: Int64) -> Int64? {
        guard let first = due else { return nil }
        guard interval > 0 else {
            due = nil
            return first
        }
        func deadline(_ count: Int64, after first: Int64) -> Int64? {
            let (step, isTooFar) = interval.multipliedReportingOverflow(by: count)
            let (sum, isNever) = first.addingReportingOverflow(step)
            return isTooFar || isNever ? nil : sum
        }
        due = deadline(Int64(deadlines), after: first)
        guard let next = due, next < time - TimerTracker.tolerance else { return first }
        let lost = (time - next) / interval + 1
        due = deadline(lost, after: next)
        return deadline(lost, after: first)
    }

    /// The same where the schedule's setting is not in the trace: the latest that the first deadline can have been. The
    /// schedule becomes what is known so far.
    fileprivate mutating func estimate(_ deadlines: Int, at time: Int64) -> Int64? {
        let due = spacing.fire(deadlines, at: time)
        interval = spacing.longest ?? 0
        // What libdispatch allows itself at most. Of a timer that fires once too many things are possible.
        leeway = (spacing.longest ?? 0) / 2
        return due
    }
}

/// What a row of firings of a timer tells of its schedule.
///
/// Each firing counts the deadlines that passed since the one before. So the time between two firings is longer than
/// one deadline less makes it, and shorter than one more:
///
/// ```
///   deadlines   ┬     ┬     ┬     ┬     ┬
///   firings      ▲                   ▲ 3: the interval is more than a fourth of the time between, less than a half
/// ```
///
/// The bounds come close to the interval with the number of deadlines, and hold whatever the firings were late for.
private struct FiringSpacing {
    private var first: Int64?
    private var last: Int64 = 0
    /// Deadlines since the first firing.
    private var deadlines: Int64 = 0
    /// The interval is at least so long.
    private var shortest: Int64 = 0
    /// It is at most so long; nil while that is not known.
    private(set) var longest: Int64?

    /// Takes in a firing. Returns the latest that the first of its deadlines can have been; nil while nothing is known.
    mutating func fire(_ count: Int, at time: Int64) -> Int64? {
        guard let first else {
            first = time
            last = time
            return nil
        }
        let count = Int64(clamping: count)
        deadlines = deadlines.addingReportingOverflow(count).partialValue
        bound(by: time - last, count)
        bound(by: time - first, deadlines)
        // The last of them has passed, and the one before the first of them had when the timer fired before.
        let (passed, isTooFar) = shortest.multipliedReportingOverflow(by: count - 1)
        defer { last = time }
        guard !isTooFar else { return nil }
        return min(time - passed, longest.map { last + $0 } ?? time)
    }

    private mutating func bound(by span: Int64, _ count: Int64) {
        guard count > 0, count < .max, span >= 0 else { return }
        shortest = max(shortest, span / (count + 1))
        if count > 1 { longest = min(longest ?? .max, span / (count - 1)) }
    }
}
