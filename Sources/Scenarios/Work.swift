import Glibc

/// What the programs do instead of decoding images and answering requests: it takes the time that the scenario says.
enum Work {
    /// Computes for this long.
    @inline(never)
    static func compute(for duration: Duration) {
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: duration)
        var digest: UInt64 = 14_695_981_039_346_656_037
        repeat {
            for byte in 0..<UInt64(64) { digest = (digest ^ byte) &* 1_099_511_628_211 }
        } while clock.now < end
        withExtendedLifetime(digest) {}
    }

    /// Waits for something outside of the process, such as a disk or a server, for this long.
    @inline(never)
    static func block(for duration: Duration) {
        usleep(UInt32(duration.microseconds))
    }
}
