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

        /// Creates a segment.
        public init(
            kind: Kind, begin: Timestamp, end: Timestamp, code: CodeIndex = .unknown, queue: QueueIndex? = nil,
            item: ItemNumber? = nil, thread: ThreadIndex? = nil
        ) {
            (self.kind, self.begin, self.end) = (kind, begin, end)
            (self.code, self.queue, self.item, self.thread) = (code, queue, item, thread)
        }
    }

    /// The kinds of segments.
    ///
    /// The waits from ``StepKind/lock`` on are segments of a waiter whose release led to no earlier cause, such as a
    /// time-out, or whose end is the end of the trace. Otherwise the path continues with the thread that ended the
    /// wait.
    public typealias Kind = StepKind

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
    /// The part of the duration with a recorded cause, see ``Kind/isNamed``.
    public var explained: Nanoseconds { totals.reduce(.zero) { $1.kind.isNamed ? $0 + $1.time : $0 } }
}
