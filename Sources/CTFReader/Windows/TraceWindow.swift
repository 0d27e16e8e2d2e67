/// A window of time of a trace, which is read without the rest.
///
/// ```
///            ┌ run-up ┐
///   packet   │ 0 │ 1 │ 2 │ 3 │ 4 │ 5 │ 6 │      0: definitions and unfinished operations only
///   window             ├───────────┤            1, 2: decoded, for operations in progress at the start
///                                               2 to 5: the window; 6: names only
/// ```
public struct TraceWindow: Hashable, Sendable {
    /// The first time in the window, in nanoseconds from the origin of the clock.
    public var begin: Int64
    /// The last time in the window.
    public var end: Int64
    /// The times of the first and the last record of the whole trace.
    public var whole: ClosedRange<Int64>

    /// Creates a window.
    ///
    /// - Parameters:
    ///   - begin: the first time, in nanoseconds from the origin of the clock.
    ///   - end: the last time.
    ///   - whole: the times of the first and the last record of the whole trace.
    public init(begin: Int64, end: Int64, of whole: ClosedRange<Int64>) {
        self.begin = begin
        self.end = end
        self.whole = whole
        let length = min(max(end.clamped(minus: begin) / 2, Self.shortestRunUp), Self.longestRunUp)
        runUpBegin = max(whole.lowerBound, begin.clamped(minus: length))
    }

    /// The start of the run-up. Records of the run-up are delivered before the window, so that the model
    /// includes operations in progress. Its length is half of the window, at least 5 ms and at most 5 s.
    public internal(set) var runUpBegin: Int64
    /// Maximum number of bytes by which the run-up is extended. It is extended to the first submission of an item that
    /// begins in the window.
    var submissionReach = 4 << 20

    private static let shortestRunUp: Int64 = 5_000_000
    private static let longestRunUp: Int64 = 5_000_000_000
}

/// The records of an event class that a window needs from outside the window and its run-up.
public enum RecordRole: UInt8, Sendable {
    /// None.
    case passing
    /// All earlier records. They define objects and their state.
    case state
    /// All earlier records, and later ones up to a limit. They define names.
    case name
    /// Earlier records that were not closed. They nest in the stream of their thread.
    case opening
    /// None. The record closes the innermost open record.
    case closing
    /// The last record of each thread.
    case latest
    /// The last record of a thread, if it is of this class: the thread is waiting.
    case waiting
}

/// The use of an event class for a window, and its relation to items of work.
public struct WindowRole: Hashable, Sendable {
    /// The records that are needed from outside the window and its run-up.
    public var role = RecordRole.passing
    /// Index of the payload field with the item id; -1 for none. The record begins the item, unless ``submits`` or
    /// ``describesItem`` is true.
    public var item = -1
    /// Whether the record submits or announces the item. It is needed when the item begins in the window or runs at its
    /// start.
    public var submits = false
    /// Whether the record describes the item. It follows the submission of the item.
    public var describesItem = false

    /// Creates the role of an event class.
    ///
    /// - Parameters:
    ///   - role: the records that are needed from outside the window.
    ///   - item: index of the payload field with the item id; -1 for none.
    ///   - submits: whether the record submits the item.
    ///   - describesItem: whether the record describes the item.
    public init(_ role: RecordRole, item: Int = -1, submits: Bool = false, describesItem: Bool = false) {
        self.role = role
        self.item = item
        self.submits = submits
        self.describesItem = describesItem
    }
}

/// A window and the roles of event classes, for a pass over a part of a trace.
struct WindowPlan {
    var window: TraceWindow
    /// The roles by index of the event class; empty when no earlier record is needed.
    var roles: [WindowRole]

    var needsState: Bool { !roles.isEmpty }
}
