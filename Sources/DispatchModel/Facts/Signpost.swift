/// A signpost interval or event.
public struct Signpost: Sendable {
    /// The recorder's id.
    public let id: UInt64
    /// The signposter's subsystem.
    public let subsystem: String
    /// The signposter's category.
    public let category: String
    /// The name of the interval or event.
    public let name: String
    /// The message of the interval or event.
    public let message: String
    /// The code that began the interval or emitted the event.
    public let code: CodeIndex
    /// The thread on which it began.
    public let beginThread: ThreadIndex
    /// The thread on which it ended, possibly another one.
    public let endThread: ThreadIndex
    /// When it began.
    public let begin: Timestamp
    /// When it ended.
    public let end: Timestamp
    /// Whether it is an event rather than an interval.
    public let isEvent: Bool
    /// False for an interval that was open at the end of the trace. `end` is then the end of the trace.
    public internal(set) var isFinished = true
    /// The number of the task that ran on the thread at its begin; nil for none.
    public internal(set) var task: UInt64?
}
