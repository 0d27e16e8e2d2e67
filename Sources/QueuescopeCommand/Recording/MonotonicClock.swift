import DispatchModel
import Glibc

/// The clock for intervals: it never jumps.
enum MonotonicClock {
    /// The time since some instant.
    static var now: Nanoseconds {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
