/// The critical path of an interval: a chain of causes, followed backwards from its end.
///
/// ```
///   thread 1   ├─ a ── async ┄┄┄┄┄┤                     wait ├──┤ end
///   thread 2                  start ├─ b ── signal ┄┄┄┄┄┄┄┄╯
///   path       ├─── run a ───┤─start─┤──── run b ───┤─ wake ─┤run┤
/// ```
///
/// The path leads from the begin of an item to its submission, from a hand-off to the item that held the queue, and
/// from the end of a wait to its signal. The segments have no gaps or overlaps, so they sum to the interval exactly.
///
/// It does not mean that a shorter segment shortens the interval by the same amount. Another chain can be nearly as
/// long.
public struct CriticalPath: Sendable {
    /// The interval whose path was requested.
    public enum Target: Sendable, Hashable {
        /// From the begin of the trace to its last activity.
        case wholeRun
        /// An item, from its submission to its end.
        case item(ItemNumber)
        /// The item with the longest time from submission to end.
        case slowestItem
        /// The longest interval of the signposts with this name.
        case signpost(name: String)

        /// Whether the interval is the time of an item.
        var isOfAnItem: Bool {
            switch self {
            case .item, .slowestItem: true
            case .wholeRun, .signpost: false
            }
        }
    }

    /// A part of the path.
    public struct Segment: Sendable, Hashable {
        /// The kind of activity or wait.
        public let kind: Kind
        /// When it began.
        public let begin: Timestamp
        /// When it ended, which is the begin of the next segment.
        public let end: Timestamp
        /// The code that ran, or that waited to run; unknown outside of items.
        public let code: CodeIndex
        /// The queue of the item; nil outside of items.
        public let queue: QueueIndex?
        /// The item; nil outside of items.
        public let item: ItemNumber?
        /// The thread that ran, or that waited to run; nil when unknown.
        public let thread: ThreadIndex?

        /// Duration of the segment.
        public var duration: Nanoseconds { end - begin }
    }

    /// The kinds of segments.
    public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
        /// An item ran.
        case run
        /// The program ran outside of items, or in items that were not recorded.
        case outside
        /// An item waited on a free queue for a worker or the scheduler.
        case start
        /// An item had not begun although the item that held its queue had ended.
        case queued
        /// A queue was handed off from its holder to a sync.
        case handoff
        /// A thread was signalled, or got a lock, and did not run yet.
        case wake
        /// The due time of an `asyncAfter` or of a timer had not been reached.
        case notDue
        /// A thread or a source waited, and the cause of the end was not recorded, such as a time-out or external data.
        case blocked
        /// The time before the first known cause, such as before the recording.
        case before
        /// A queue of the item's hierarchy was suspended or inactive.
        case suspended
        /// An item of a concurrent queue waited for a barrier, or a barrier waited for earlier items.
        case barrier
        /// A task awaited, for example a continuation, and the cause of its end was not recorded.
        case awaits
    }

    /// The sum of all segments with the same kind, code and queue.
    public struct Total: Sendable, Hashable {
        /// The kind of the segments.
        public let kind: Kind
        /// The code that ran, or that waited to run.
        public let code: CodeIndex
        /// The queue of the items; nil outside of items.
        public let queue: QueueIndex?
        /// Sum of the durations.
        public internal(set) var time: Nanoseconds
        /// Number of segments.
        public internal(set) var count: Int
    }

    /// The requested target.
    public let target: Target
    /// The begin of the interval.
    public let begin: Timestamp
    /// The end of the interval.
    public let end: Timestamp
    /// The last segments of the path, the earliest first. Complete if ``omittedSegments`` is 0.
    public let segments: [Segment]
    /// Number of segments that precede ``segments``. They are included in ``totals`` only.
    public let omittedSegments: Int
    /// Sums over the whole path, the longest first. They sum to the interval exactly.
    public let totals: [Total]

    /// Duration of the interval.
    public var duration: Nanoseconds { end - begin }
}
