/// A part of a trace's time, to be read without the rest.
///
/// ```
///            ┌ run-up ┐
///   packet   │ 0 │ 1 │ 2 │ 3 │ 4 │ 5 │ 6 │      0: only what says what there is, and what is open
///   window             ├───────────┤            1, 2: decoded, for what goes on when the window begins
///                                               2 to 5: the window; 6: only names
/// ```
public struct TraceWindow: Hashable, Sendable {
    /// The first instant that belongs to it, in nanoseconds from the clock's origin.
    public var begin: Int64
    /// The last instant that belongs to it.
    public var end: Int64
    /// The times of the first and of the last record of the whole trace.
    public var whole: ClosedRange<Int64>

    /// Creates a window.
    ///
    /// - Parameters:
    ///   - begin: its first instant, in nanoseconds from the clock's origin.
    ///   - end: its last instant.
    ///   - whole: the times of the first and of the last record of the whole trace.
    public init(begin: Int64, end: Int64, of whole: ClosedRange<Int64>) {
        self.begin = begin
        self.end = end
        self.whole = whole
        let length = min(max(end.clamped(minus: begin) / 2, Self.shortestRunUp), Self.longestRunUp)
        runUpBegin = max(whole.lowerBound, begin.clamped(minus: length))
    }

    /// Records from here on are delivered before the window begins, so that what goes on then is known: a run-up half as
    /// long as the window, but at least 5 ms, and at most 5 s.
    public internal(set) var runUpBegin: Int64
    /// The run-up begins earlier, with the first submission of an item that begins in the window, when that takes not more
    /// than so many bytes of packets.
    var submissionReach = 4 << 20

    private static let shortestRunUp: Int64 = 5_000_000
    private static let longestRunUp: Int64 = 5_000_000_000
}

/// What a window needs of the records of an event class that lie outside of it and of its run-up.
public enum RecordRole: UInt8, Sendable {
    /// Nothing.
    case passing
    /// All of them that lie before: they say what there is.
    case state
    /// All of them that lie before, and those recorded a little late: they say what something is called.
    case name
    /// Those that lie before and have not been closed. They nest in the stream of their thread.
    case opening
    /// None; it closes the innermost open one.
    case closing
    /// The last one of each thread.
    case latest
    /// One after which its thread recorded nothing: it waits.
    case waiting
}

/// What a window wants of the records of an event class, and what these say of an item of work.
public struct WindowRole: Hashable, Sendable {
    /// What is wanted of a record that lies outside of the window and its run-up.
    public var role = RecordRole.passing
    /// The field of the payload that identifies an item, -1 for none. The record is one with which the item begins,
    /// unless one of the two below is true.
    public var item = -1
    /// The item is submitted, or announced: wanted when it begins in the window or runs at its begin.
    public var submits = false
    /// The record adds to the item's submission, behind which it stands.
    public var describesItem = false

    /// Creates the role of an event class.
    ///
    /// - Parameters:
    ///   - role: what is wanted of those outside.
    ///   - item: the field of the payload that identifies an item, -1 for none.
    ///   - submits: whether the item is submitted.
    ///   - describesItem: whether the record adds to a submission.
    public init(_ role: RecordRole, item: Int = -1, submits: Bool = false, describesItem: Bool = false) {
        self.role = role
        self.item = item
        self.submits = submits
        self.describesItem = describesItem
    }
}

/// A window, and how records outside of it are treated: what a pass over a part of a trace needs to know.
struct WindowPlan {
    var window: TraceWindow
    /// By position of the event class. Empty when nothing before the window matters, not even for what is open.
    var roles: [WindowRole]

    var needsState: Bool { !roles.isEmpty }
}
