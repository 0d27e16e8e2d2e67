import CTraceRecorder
import Dispatch

// For sources made by `makeTimerSource`, as with `DispatchSourceTimer`.
extension TracedSource {
    /// Sets when a timer fires, by the clock that stops while the machine sleeps.
    ///
    /// - Parameters:
    ///   - deadline: the first time.
    ///   - interval: the time between firings; `.never` to fire once.
    ///   - leeway: how much later it may fire.
    ///   - file: where the call is made.
    ///   - line: where the call is made.
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
    ///   - deadline: the first time.
    ///   - interval: seconds between firings.
    ///   - leeway: how much later it may fire.
    ///   - file: where the call is made.
    ///   - line: where the call is made.
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
    ///   - wallDeadline: the first time.
    ///   - interval: the time between firings; `.never` to fire once.
    ///   - leeway: how much later it may fire.
    ///   - file: where the call is made.
    ///   - line: where the call is made.
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
    ///   - wallDeadline: the first time.
    ///   - interval: seconds between firings.
    ///   - leeway: how much later it may fire.
    ///   - file: where the call is made.
    ///   - line: where the call is made.
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

    /// As Dispatch reads an interval in seconds: what is not finite means never again.
    private static func nanoseconds(of seconds: Double) -> UInt64 {
        guard seconds.isFinite, seconds > 0 else { return 0 }
        return UInt64(min(seconds * 1e9, Double(Int64.max / 2)))
    }
}
