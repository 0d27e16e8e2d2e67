import Glibc

/// Simulated work, such as decoding images or answering requests. It takes the given time.
enum Work {
    /// Computes for `duration`. From 1 ms on it measures CPU time of the thread, so that it takes longer on a busy
    /// machine, as real computations do. Reading that clock is too slow for shorter durations.
    static func compute(for duration: Duration) {
        compute(for: duration, of: duration < .milliseconds(1) ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID)
    }

    /// Computes for `duration` of wall-clock time. For work that must take equally long on every thread, also on a busy
    /// machine.
    static func occupy(for duration: Duration) { compute(for: duration, of: CLOCK_MONOTONIC) }

    @inline(never)
    private static func compute(for duration: Duration, of clock: Int32) {
        let end = time(clock) + Int(duration.microseconds) * 1000
        var digest: UInt64 = 14_695_981_039_346_656_037
        repeat {
            for byte in 0..<UInt64(64) { digest = (digest ^ byte) &* 1_099_511_628_211 }
        } while time(clock) < end
        withExtendedLifetime(digest) {}
    }

    /// The time of a clock in nanoseconds.
    private static func time(_ clock: Int32) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Waits for `duration`, as for a disk or a server.
    @inline(never)
    static func block(for duration: Duration) {
        usleep(UInt32(duration.microseconds))
    }
}
