import Dispatch

extension DispatchTime {
    /// Nanoseconds from now; 0 if the time has passed.
    @usableFromInline var delay: UInt64 {
        let now = DispatchTime.now().uptimeNanoseconds
        return uptimeNanoseconds > now ? uptimeNanoseconds - now : 0
    }
}

extension DispatchWallTime {
    /// Nanoseconds from now; 0 if the time has passed.
    @usableFromInline var delay: UInt64 {
        guard self != .distantFuture else { return .max }
        // libdispatch stores wall times negated, so a later time has a smaller value.
        let difference = Int64(bitPattern: DispatchWallTime.now().rawValue &- rawValue)
        return difference > 0 ? UInt64(difference) : 0
    }
}

extension DispatchTime {
    /// The time in nanoseconds of the clock that stops while the machine sleeps.
    @usableFromInline var due: UInt64 { uptimeNanoseconds }
}

extension DispatchWallTime {
    /// The time in nanoseconds of the clock that stops while the machine sleeps. It is wrong if the wall clock is set.
    @usableFromInline var due: UInt64 {
        // Read before the delay, so that the result is never later than the time that libdispatch computes.
        let now = DispatchTime.now().uptimeNanoseconds
        let (due, overflow) = now.addingReportingOverflow(delay)
        return overflow ? .max : due
    }
}

extension DispatchTimeInterval {
    /// The interval in nanoseconds; `.never` is the largest value, as in Dispatch.
    var nanoseconds: UInt64 {
        let (value, scale): (Int, Int) =
            switch self {
            case .seconds(let seconds): (seconds, 1_000_000_000)
            case .milliseconds(let milliseconds): (milliseconds, 1_000_000)
            case .microseconds(let microseconds): (microseconds, 1_000)
            case .nanoseconds(let nanoseconds): (nanoseconds, 1)
            case .never: (.max, 1)
            @unknown default: (0, 1)
            }
        let (product, overflow) = value.multipliedReportingOverflow(by: scale)
        return overflow ? UInt64(Int.max) : UInt64(max(0, product))
    }
}
