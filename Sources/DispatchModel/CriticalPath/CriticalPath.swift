/// What an interval of time went by with: a chain of causes, followed backwards from its end.
///
/// ```
///   thread 1   ├─ a ── async ┄┄┄┄┄┤                     wait ├──┤ end
///   thread 2                  start ├─ b ── signal ┄┄┄┄┄┄┄┄╯
///   path       ├─── run a ───┤─start─┤──── run b ───┤─ wake ─┤run┤
/// ```
///
/// Backwards over an item's begin to its submission, over a hand-off to the item that held the queue, over the end of a
/// wait to the signal. The segments follow one another without gap or overlap, so they sum to the interval exactly.
///
/// What it does not mean: that making a segment shorter makes the interval as much shorter. Another chain may be nearly
/// as long.
public struct CriticalPath: Sendable {
    /// What the path was asked for.
    public enum Target: Sendable, Hashable {
        /// From the trace's begin to the last thing that ended.
        case wholeRun
        /// An item, from its submission to its end.
        case item(ItemNumber)
        /// The item that took longest, from its submission to its end.
        case slowestItem
        /// The longest interval of the signposts with this name.
        case signpost(name: String)

        /// The path leads to the end of an item.
        var isOfAnItem: Bool {
            switch self {
            case .item, .slowestItem: true
            case .wholeRun, .signpost: false
            }
        }
    }

    /// A part of the path.
    public struct Segment: Sendable, Hashable {
        /// What went on.
        public let kind: Kind
        /// When it began.
        public let begin: Timestamp
        /// When it ended; the begin of the next one.
        public let end: Timestamp
        /// The code that ran, or that was to run; unknown outside of items.
        public let code: CodeIndex
        /// The queue of the item; nil outside of items.
        public let queue: QueueIndex?
        /// The item; nil outside of items.
        public let item: ItemNumber?
        /// The thread that ran, or that was to; nil where nothing is known.
        public let thread: ThreadIndex?

        /// How long it was.
        public var duration: Nanoseconds { end - begin }
    }

    /// What may go on.
    public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
        /// An item ran.
        case run
        /// The program ran outside of items, as far as the trace tells.
        case outside
        /// An item had been submitted to a free queue and had not begun: workers and the scheduler.
        case start
        /// An item of a held queue had not begun although its holder had ended.
        case queued
        /// A queue passed from its holder to a sync.
        case handoff
        /// A thread had been signalled, or given a lock, and did not run yet.
        case wake
        /// The due time of an `asyncAfter`, or of a timer, had not come.
        case notDue
        /// A thread or a source waited for something whose cause was not recorded, such as a time-out, or data from
        /// outside.
        case blocked
        /// Before the first cause that is known, such as the begin of the recording.
        case before
        /// A queue of the item's hierarchy was suspended or inactive.
        case suspended
        /// An item of a concurrent queue waited for a barrier, or a barrier for the items before it.
        case barrier
        /// A task awaited something, such as a continuation, and what led to its end was not recorded.
        case awaits
    }

    /// The sum of all segments of a kind, with the same code and queue.
    public struct Total: Sendable, Hashable {
        /// What went on.
        public let kind: Kind
        /// The code that ran, or that was to run.
        public let code: CodeIndex
        /// The queue of the items; nil outside of items.
        public let queue: QueueIndex?
        /// How long, all together.
        public internal(set) var time: Nanoseconds
        /// How many segments.
        public internal(set) var count: Int
    }

    /// What was asked for.
    public let target: Target
    /// Where the interval begins.
    public let begin: Timestamp
    /// Where it ends.
    public let end: Timestamp
    /// The last segments of the path, the earliest first; all of them unless ``omittedSegments`` says otherwise.
    public let segments: [Segment]
    /// Segments before those in ``segments``, which only ``totals`` tells of.
    public let omittedSegments: Int
    /// Sums over the whole path: the longest first. They sum to the interval exactly.
    public let totals: [Total]

    /// How long the interval is.
    public var duration: Nanoseconds { end - begin }
}
