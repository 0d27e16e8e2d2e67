/// One iteration of a concurrentPerform.
public struct ApplyIteration: Sendable {
    /// The recorder's id of the concurrentPerform.
    public let apply: UInt64
    /// Number of the iteration.
    public let index: UInt64
    /// The thread that ran it.
    public let thread: ThreadIndex
    /// The queue of the call.
    public let queue: QueueIndex
    /// The code that it ran.
    public let code: CodeIndex
    /// When it began.
    public let begin: Timestamp
    /// When it ended.
    public let end: Timestamp
    /// Whether it ran inside an item, whose time includes it.
    public let isInItem: Bool
    /// With context switches: how long its thread was runnable without a processor; otherwise zero.
    public let preempted: Nanoseconds
    /// With context switches: how long its thread was blocked; otherwise zero.
    public let blocked: Nanoseconds
    /// How long its thread could not begin it, since the begin of the call or its last iteration of the call, because
    /// the thread was requested and had not started, or (with context switches) was off-CPU.
    public let late: Nanoseconds
}
