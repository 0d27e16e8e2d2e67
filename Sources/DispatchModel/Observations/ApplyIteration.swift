/// One iteration of a concurrentPerform.
public struct ApplyIteration: Sendable {
    /// The recorder's id of the concurrentPerform.
    public let apply: UInt64
    /// Number of the iteration.
    public let index: UInt64
    /// The thread concerned.
    public let thread: ThreadIndex
    /// The queue concerned.
    public let queue: QueueIndex
    /// The code site.
    public let code: CodeIndex
    /// When it began.
    public let begin: Timestamp
    /// When it ended.
    public let end: Timestamp
    /// Its thread is in an item, whose time it is part of.
    public let isInItem: Bool
    /// With context switches: for how much of it its thread could have run and others had the processors; zero without.
    public let preempted: Nanoseconds
    /// With context switches: for how much of it its thread waited for something; zero without.
    public let blocked: Nanoseconds
    /// For how long its thread could not begin it, since the call began or since its last iteration of the call: it was
    /// asked for and had not come, or, as far as context switches were recorded, it had no processor.
    public let late: Nanoseconds
}
