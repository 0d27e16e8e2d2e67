import Glibc

/// Ends a program that can no longer make progress, as a supervisor of services would.
public enum Watchdog {
    /// The exit status of a program that gave up.
    public static let status: Int32 = 75

    /// Ends the process this long after it came as far as it ever comes.
    static func giveUp(after patience: Duration, having count: Int, of milestones: Milestones) -> Never {
        milestones.wait(for: count)
        usleep(UInt32(patience.microseconds))
        exit(status)
    }
}
