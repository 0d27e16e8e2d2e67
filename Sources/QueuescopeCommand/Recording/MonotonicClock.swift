import DispatchModel
import Glibc

/// The clock for intervals: it never jumps.
enum MonotonicClock {
    /// The nanoseconds since some instant.
    static var nanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The time since some instant.
    static var now: Nanoseconds { Nanoseconds(Int64(nanoseconds)) }
}
