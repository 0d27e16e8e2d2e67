import Glibc

/// Ends a program that makes no progress, as a supervisor of services does.
public enum Watchdog {
    /// The exit status of a program that ended itself.
    public static let status: Int32 = 75

    /// Ends the process `patience` after `count` milestones are reached. The program cannot reach any more.
    static func giveUp(after patience: Duration, having count: Int, of milestones: Milestones) -> Never {
        milestones.wait(for: count)
        usleep(UInt32(patience.microseconds))
        exit(status)
    }
}
