/// Tracks the schedules of timers and their next deadlines.
///
/// ```
///   timer_configure            due        due+interval    due+2·interval
///        ├──────── delay ───────┤───────────────┤────────────────┤
///                                                     timer_fire, fires = 2
/// ```
struct TimerTracker {
    fileprivate struct Schedule {
        /// The first deadline for which the handler has not run; nil when there is none, or it is unknown.
        var due: Int64?
        var interval: Int64 = 0
        /// The time after a deadline in which libdispatch may fire.
        var leeway: Int64 = 0
        /// Whether the configuration of the timer was recorded.
        var isRecorded = true
        /// The estimate of the interval from the firings, used when the configuration was not recorded.
        var spacing = FiringSpacing()
    }

    /// Largest difference, in nanoseconds, between the clock readings of a deadline and of its firing.
    fileprivate static let tolerance: Int64 = 1_000_000

    /// By position of the source.
    private var schedules: [Int: Schedule] = [:]

    mutating func configure(
        _ event: DispatchEvent.TimerConfigure, source: SourceIndex, at moment: Moment,
        in state: inout ModelState
    ) {
        // The delay of a timer that never fires overflows the time.
        let (due, isNever) = moment.time.addingReportingOverflow(Int64(clamping: event.delay))
        let interval = Int64(clamping: event.interval)
        let leeway = Int64(clamping: event.leeway)
        let schedule = Schedule(
            due: isNever || due == .max ? nil : due, interval: interval,
            // libdispatch limits the leeway of a repeating timer to half of the interval, also for its first deadline.
            leeway: interval > 0 ? min(leeway, interval / 2) : leeway)
        schedules[source.position] = schedule
        let kind = TimerChange.Kind.configured(
            due: schedule.due.map { Timestamp(nanoseconds: $0) }, interval: Nanoseconds(schedule.interval),
            leeway: Nanoseconds(schedule.leeway))
        emit(kind, source, schedule, at: moment, code: state.codes.code(event.code), in: &state)
    }

    mutating func fire(
        _ event: DispatchEvent.TimerFire, source: SourceIndex, at moment: Moment, in state: inout ModelState
    ) {
        var schedule = schedules[source.position] ?? Schedule(isRecorded: false)
        // A timer never fires early, so it was reconfigured and that record was lost.
        if let due = schedule.due, due - Self.tolerance > moment.time { schedule = Schedule(isRecorded: false) }
        let deadlines = max(1, Int(clamping: event.fires))
        let due =
            schedule.isRecorded
            ? schedule.fire(deadlines, at: moment.time) : schedule.estimate(deadlines, at: moment.time)
        schedules[source.position] = schedule
        if state.paths.isFollowed { state.paths.dueTimes[source.rawValue] = due }
        let kind = TimerChange.Kind.fired(due: due.map { Timestamp(nanoseconds: $0) }, deadlines: deadlines)
        emit(kind, source, schedule, at: moment, code: .unknown, in: &state)
    }

    /// The source was disposed. Another source can take its position.
    mutating func forget(_ source: SourceIndex) { schedules[source.position] = nil }

    private func emit(
        _ kind: TimerChange.Kind, _ source: SourceIndex, _ schedule: Schedule, at moment: Moment,
        code: CodeIndex, in state: inout ModelState
    ) {
        state.emit(
            .timer(
                TimerChange(
                    kind: kind, source: source, time: moment.timestamp, thread: moment.thread,
                    code: code, interval: Nanoseconds(schedule.interval), leeway: Nanoseconds(schedule.leeway),
                    isEstimated: !schedule.isRecorded)))
    }
}

extension TimerTracker.Schedule {
    /// The handler runs for a number of deadlines. Returns the first of them; nil when it is unknown.
    ///
    /// libdispatch counts every deadline that has passed. A passed deadline that no recorded firing counts belongs to a
    /// firing whose record was lost.
    ///
    /// ```
    ///   deadlines   ┬     ┬     ┬     ┬
    ///   firings     ▲     ×     ×     ▲ 1: three deadlines have passed; the first two belong to lost records
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

    /// As `fire`, for a schedule whose configuration was not recorded. Returns the latest possible time of the first
    /// deadline, and stores the current estimate of the interval.
    fileprivate mutating func estimate(_ deadlines: Int, at time: Int64) -> Int64? {
        let due = spacing.fire(deadlines, at: time)
        interval = spacing.longest ?? 0
        // Upper bound of libdispatch's own leeway: half the interval. Zero while no upper bound of the interval is
        // known.
        leeway = (spacing.longest ?? 0) / 2
        return due
    }
}

/// Estimates the interval of a timer from its firings.
///
/// Each firing counts the deadlines since the previous one. So the time between two firings is longer than the interval
/// times the count minus one, and shorter than the interval times the count plus one:
///
/// ```
///   deadlines   ┬     ┬     ┬     ┬     ┬
///   firings      ▲                   ▲ 3: the interval is between 1/4 and 1/2 of the time between the firings
/// ```
///
/// The bounds get closer to the interval with more deadlines, and hold for any delay of the firings.
private struct FiringSpacing {
    private var first: Int64?
    private var last: Int64 = 0
    /// Number of deadlines since the first firing.
    private var deadlines: Int64 = 0
    /// Lower bound of the interval.
    private var shortest: Int64 = 0
    /// Upper bound of the interval; nil while it is unknown.
    private(set) var longest: Int64?

    /// Adds a firing. Returns the latest possible time of the first of its deadlines; nil while it is unknown.
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
        // The last of the deadlines has passed. The deadline before the first of them had passed at the previous
        // firing.
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
