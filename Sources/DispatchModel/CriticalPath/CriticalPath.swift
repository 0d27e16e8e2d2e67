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
    /// The waits from ``lock`` on are segments of a waiter whose release led to no earlier cause, such as a time-out,
    /// or whose end is the end of the trace. Otherwise the path continues with the thread that ended the wait.
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
        /// A thread was blocked, and the call in which it was blocked is unknown.
        case blocked
        /// The time before the first known cause, such as before the recording.
        case before
        /// A queue of the item's hierarchy was suspended or inactive.
        case suspended
        /// An item of a concurrent queue waited for a barrier, or a barrier waited for earlier items.
        case barrier
        /// A task awaited, and the kind of the await was not recorded.
        case awaits
        /// A thread was runnable, and had no processor.
        case preempted
        /// A thread waited for a lock.
        case lock
        /// A thread waited for a queue in a sync.
        case sync
        /// A thread waited for a semaphore.
        case semaphore
        /// A thread waited for a group.
        case group
        /// A thread waited for a work item.
        case workItem
        /// A task awaited a continuation.
        case continuation
        /// A task awaited another task.
        case task
        /// A task awaited the children of a task group.
        case taskGroup
        /// A task waited for an actor.
        case actor
        /// A thread waited for a child process.
        case childProcess
        /// A thread was blocked in a call that opens a file, or that reads or writes a file, a pipe or another
        /// descriptor. The trace does not contain the kind of the descriptor.
        case file
        /// A thread was blocked in a call of a socket, such as `accept` or `recv`.
        case socket
        /// A thread slept until a time.
        case sleep
        /// A thread waited for a lock or a condition of which only the futex was recorded.
        case futex
        /// A thread was blocked in another system call.
        case systemCall
        /// A thread was blocked so shortly, less than 10 ms, that the recorder did not look at the call.
        case shortCall
        /// An event loop, or a thread in `poll`, waited for events of descriptors or for a time-out.
        case poll
        /// A source waited for its event.
        case source

        /// Whether the kind is a cause. Otherwise the trace does not contain the cause of the segment.
        public var isNamed: Bool {
            switch self {
            case .before, .blocked, .awaits: false
            default: true
            }
        }
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
    /// The part of the duration with a recorded cause, see ``Kind/isNamed``.
    public var explained: Nanoseconds { totals.reduce(.zero) { $1.kind.isNamed ? $0 + $1.time : $0 } }
}
