/// A whole concurrentPerform. Its iterations come before it, as observations of their own.
public struct ApplyCall: Sendable {
    /// The recorder's id of the concurrentPerform, the same as ``ApplyIteration/apply``.
    public let id: UInt64
    /// The queue asked for; nil where libdispatch was to choose.
    public let queue: QueueIndex?
    /// The code that it runs.
    public let code: CodeIndex
    /// The thread that called, and which runs iterations too.
    public let thread: ThreadIndex
    /// The item that called; nil outside of items.
    public let item: ItemNumber?
    /// When it was called.
    public let begin: Timestamp
    /// When it returned, or the trace's end.
    public let end: Timestamp
    /// Iterations asked for.
    public let iterations: Int
    /// Iterations whose end was recorded.
    public let ended: Int
    /// The sum of the times of the iterations.
    public let busy: Nanoseconds
    /// Threads that ran at least one iteration; 0 when unknown.
    public let threads: Int
    /// When its first iteration began; nil when none was recorded.
    public let firstBegan: Timestamp?
    /// False when the trace ended first.
    public let isFinished: Bool
    /// Workers that libdispatch had asked for, for this call or another, and that had not come when it returned.
    public let absentWorkers: Int
    /// For how long, while it went on, at least one worker had been asked for and had not come.
    public let absence: Nanoseconds
}
