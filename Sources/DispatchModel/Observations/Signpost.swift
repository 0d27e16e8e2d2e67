/// A signpost interval or event.
public struct Signpost: Sendable {
    /// The recorder's id.
    public let id: UInt64
    /// The signposter's subsystem.
    public let subsystem: String
    /// The signposter's category.
    public let category: String
    /// What the interval or event is called.
    public let name: String
    /// Free text.
    public let message: String
    /// The code site.
    public let code: CodeIndex
    /// Where it began.
    public let beginThread: ThreadIndex
    /// Where it ended, which may be another thread.
    public let endThread: ThreadIndex
    /// When it began.
    public let begin: Timestamp
    /// When it ended.
    public let end: Timestamp
    /// True for a point of interest rather than an interval.
    public let isEvent: Bool
    /// False for an interval that was open when the trace ended; `end` is then the trace's end.
    public internal(set) var isFinished = true
    /// The number of the task that it began on; nil for none.
    public internal(set) var task: UInt64?
}
