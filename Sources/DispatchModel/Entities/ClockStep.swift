/// The processor's counter, which timestamps the trace, diverged from the system clock: the system was suspended, or a
/// virtual machine moved to another host.
public struct ClockStep: Sendable, Equatable {
    /// When the recorder detected the step. It happened at most one second earlier.
    public let foundAt: Timestamp
    /// Advance of the counter minus advance of the system clock; negative when the counter advanced less.
    public let by: Nanoseconds
}
