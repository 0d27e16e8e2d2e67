import Glibc

/// What the programs do instead of decoding images and answering requests: it takes the time that the scenario says.
enum Work {
    /// Computes for this long: what takes longer than a turn of the scheduler for as much time on a processor, as a
    /// computation takes longer on a machine that is busy. To ask for that takes too long where it is about microseconds.
    static func compute(for duration: Duration) {
        compute(for: duration, of: duration < .milliseconds(1) ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID)
    }

    /// Computes until this much time has gone by, for what must take equally long on every thread, however busy the
    /// machine is.
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

    /// Waits for something outside of the process, such as a disk or a server, for this long.
    @inline(never)
    static func block(for duration: Duration) {
        usleep(UInt32(duration.microseconds))
    }
}
