import DispatchModel
import Glibc

/// The clock for intervals: it never jumps.
enum MonotonicClock {
    /// The nanoseconds since some instant.
    static var nanoseconds: UInt64 { read(CLOCK_MONOTONIC) }

    /// The time since some instant.
    static var now: Nanoseconds { Nanoseconds(Int64(nanoseconds)) }

    /// The processor time that this process has used.
    static var processorTime: Nanoseconds { Nanoseconds(Int64(read(CLOCK_PROCESS_CPUTIME_ID))) }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
