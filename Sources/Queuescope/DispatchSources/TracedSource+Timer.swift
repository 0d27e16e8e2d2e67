import CTraceRecorder
import Dispatch

// For sources created by `makeTimerSource`, like `DispatchSourceTimer`.
extension TracedSource {
    /// Sets when a timer fires, by the clock that stops while the machine sleeps.
    ///
    /// - Parameters:
    ///   - deadline: the time of the first firing.
    ///   - interval: the time between firings; `.never` to fire once.
    ///   - leeway: the time by which a firing may be late.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func schedule(
        deadline: DispatchTime, repeating interval: DispatchTimeInterval = .never,
        leeway: DispatchTimeInterval = .nanoseconds(0), file: StaticString = #fileID, line: UInt = #line
    ) {
        recordSchedule(
            delay: deadline.delay, interval: interval == .never ? 0 : interval.nanoseconds, leeway: leeway,
            CallSite(file: file, line: line))
        underlying.schedule(deadline: deadline, repeating: interval, leeway: leeway)
    }

    /// Sets when a timer fires, by the clock that stops while the machine sleeps.
    ///
    /// - Parameters:
    ///   - deadline: the time of the first firing.
    ///   - interval: seconds between firings.
    ///   - leeway: the time by which a firing may be late.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func schedule(
        deadline: DispatchTime, repeating interval: Double, leeway: DispatchTimeInterval = .nanoseconds(0),
        file: StaticString = #fileID, line: UInt = #line
    ) {
        recordSchedule(
            delay: deadline.delay, interval: Self.nanoseconds(of: interval), leeway: leeway,
            CallSite(file: file, line: line))
        underlying.schedule(deadline: deadline, repeating: interval, leeway: leeway)
    }

    /// Sets when a timer fires, by the wall clock.
    ///
    /// - Parameters:
    ///   - wallDeadline: the time of the first firing.
    ///   - interval: the time between firings; `.never` to fire once.
    ///   - leeway: the time by which a firing may be late.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func schedule(
        wallDeadline: DispatchWallTime, repeating interval: DispatchTimeInterval = .never,
        leeway: DispatchTimeInterval = .nanoseconds(0), file: StaticString = #fileID, line: UInt = #line
    ) {
        recordSchedule(
            delay: wallDeadline.delay, interval: interval == .never ? 0 : interval.nanoseconds, leeway: leeway,
            CallSite(file: file, line: line))
        underlying.schedule(wallDeadline: wallDeadline, repeating: interval, leeway: leeway)
    }

    /// Sets when a timer fires, by the wall clock.
    ///
    /// - Parameters:
    ///   - wallDeadline: the time of the first firing.
    ///   - interval: seconds between firings.
    ///   - leeway: the time by which a firing may be late.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func schedule(
        wallDeadline: DispatchWallTime, repeating interval: Double,
        leeway: DispatchTimeInterval = .nanoseconds(0), file: StaticString = #fileID, line: UInt = #line
    ) {
        recordSchedule(
            delay: wallDeadline.delay, interval: Self.nanoseconds(of: interval), leeway: leeway,
            CallSite(file: file, line: line))
        underlying.schedule(wallDeadline: wallDeadline, repeating: interval, leeway: leeway)
    }

    private func recordSchedule(delay: UInt64, interval: UInt64, leeway: DispatchTimeInterval, _ site: CallSite) {
        guard qs_records_wrapper() else { return }
        qs_record_timer_configure(identity.id, delay, interval, leeway.nanoseconds, site.code)
    }

    /// Converts an interval in seconds like Dispatch: a value that is not finite and positive means no further firing.
    private static func nanoseconds(of seconds: Double) -> UInt64 {
        guard seconds.isFinite, seconds > 0 else { return 0 }
        return UInt64(min(seconds * 1e9, Double(Int64.max / 2)))
    }
}
