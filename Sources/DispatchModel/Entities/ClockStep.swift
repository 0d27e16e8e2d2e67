/// The processor's counter, by which the trace tells time, lost the pace of the system's clock: the system was suspended, or
/// a virtual machine moved to another host.
public struct ClockStep: Sendable, Equatable {
    /// When the recorder found it. It had happened within the second before.
    public let foundAt: Timestamp
    /// By how much more than the system's clock the counter had advanced; negative: less.
    public let by: Nanoseconds
}
