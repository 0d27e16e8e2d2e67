/// A complete concurrentPerform. Its iterations are separate observations, which come first.
public struct ApplyCall: Sendable {
    /// The recorder's id of the concurrentPerform, equal to ``ApplyIteration/apply``.
    public let id: UInt64
    /// The requested queue; nil if libdispatch chooses the queue.
    public let queue: QueueIndex?
    /// The code that it runs.
    public let code: CodeIndex
    /// The calling thread, which also runs iterations.
    public let thread: ThreadIndex
    /// The item that the caller ran; nil outside of items.
    public let item: ItemNumber?
    /// When it was called.
    public let begin: Timestamp
    /// When it returned, or the end of the trace.
    public let end: Timestamp
    /// Number of requested iterations.
    public let iterations: Int
    /// Number of iterations whose end was recorded.
    public let ended: Int
    /// Sum of the durations of the iterations.
    public let busy: Nanoseconds
    /// Number of threads that ran at least one iteration; 0 when unknown.
    public let threads: Int
    /// When its first iteration began; nil when none was recorded.
    public let firstBegan: Timestamp?
    /// False when the trace ended first.
    public let isFinished: Bool
    /// Workers that libdispatch had requested, for this call or for other work, and that had not started when it
    /// returned.
    public let absentWorkers: Int
    /// How long, during the call, at least one requested worker had not started.
    public let absence: Nanoseconds
}
