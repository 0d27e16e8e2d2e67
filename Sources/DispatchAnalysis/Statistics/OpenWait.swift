import DispatchModel

/// A wait that was open when the trace ended: of a thread, of a task, or of the items of a queue.
public struct OpenWait: Sendable {
    /// The waiter.
    public enum Waiter: Sendable, Hashable {
        /// A thread, blocked in a call.
        case thread(ThreadIndex)
        /// A task of Swift Concurrency, by its number.
        case task(UInt64)
        /// The items that were submitted to a queue and did not begin.
        case items(QueueIndex, count: Int)
    }

    /// The object or event that the waiter waits for.
    public enum Cause: Sendable, Hashable {
        /// A lock, group, semaphore or work item, or a queue in a sync.
        case object(BlockedWait.Object)
        /// A continuation that was not resumed.
        case continuation
        /// Another task, by its number.
        case task(UInt64)
        /// The children of a task group, by the id of the group.
        case taskGroup(UInt64)
        /// An actor or another serial executor that another task occupies.
        case actor(QueueIndex)
        /// A queue that is suspended or was never activated.
        case suspendedQueue(QueueIndex)
        /// A queue that another item holds.
        case heldQueue(QueueIndex)
        /// A free thread.
        case thread
        /// A system call outside of all recorded waits, and the library function that makes it.
        case call(String, CodeIndex)
        /// A reason that was not recorded.
        case unknown
    }

    /// The part of the program that would have to act to end the wait.
    public struct Releaser: Sendable, Hashable {
        /// How it is related to the wait.
        public enum Kind: String, Sendable, CaseIterable {
            /// The thread or the task that holds the object.
            case owner
            /// The item or the task that the waiter waits for. It runs, or waits itself.
            case awaited
            /// An item that has not begun. Its end would end the wait.
            case pendingItem = "pending_item"
            /// The code that signalled the semaphore last.
            case lastSignal = "last_signal"
        }

        /// How it is related to the wait.
        public let kind: Kind
        /// Its thread; nil without one.
        public internal(set) var thread: ThreadIndex?
        /// Its task; nil without one.
        public internal(set) var task: UInt64?
        /// The queue on which it waits to begin; nil for none.
        public internal(set) var queue: QueueIndex?
        /// Its code: of the call in which its thread is blocked, otherwise of the item that it runs or of its signal.
        public internal(set) var code = CodeIndex.unknown
        /// The system call in which its thread is blocked, such as `waitpid`; empty when unknown.
        public internal(set) var call = ""
        /// The kind of the descriptor of that call.
        public internal(set) var descriptor = DescriptorKind.unknown
        /// Number of tasks or items of this kind that the waiter waits for.
        public internal(set) var count = 1
    }

    /// The waiter.
    public let waiter: Waiter
    /// The object or event that the waiter waits for.
    public let cause: Cause
    /// The code that waits, or the code of the first item.
    public let code: CodeIndex
    /// When the wait began.
    public let begin: Timestamp
    /// The end of the trace.
    public let end: Timestamp
    /// The thread that recorded the begin; nil when unknown.
    public let thread: ThreadIndex?
    /// The kind of the descriptor of the system call in which it waits; unknown for other waits.
    public internal(set) var descriptor = DescriptorKind.unknown
    /// The part of the program that would end the wait; nil when unknown.
    public internal(set) var releaser: Releaser?
    /// The number of the cycle of waits that it belongs to, from 1; nil for none. No wait of a cycle ends before
    /// another one of the cycle.
    public internal(set) var cycle: Int?
    /// Whether an idle program waits like this: for the next element of a sequence, the end of a sleep, in code of a
    /// system library, or as a thread of NIOThreadPool without work.
    public let mayBeIdle: Bool

    /// How long it has waited.
    public var duration: Nanoseconds { end - begin }

    /// Whether the waiter waits for another waiter of the list, so that this wait is a consequence.
    public var isConsequence: Bool {
        switch cause {
        case .task, .taskGroup: true
        default: false
        }
    }

    /// The waiter that would have to act to end the wait; nil when unknown.
    var blocker: Waiter? {
        guard let releaser, releaser.kind == .owner || releaser.kind == .awaited else { return nil }
        if let task = releaser.task { return .task(task) }
        return releaser.thread.map { .thread($0) }
    }
}

/// The waits that were open when the trace ended, and the most important of them.
public struct StillWaiting: Sendable {
    /// All waits: the cycles first, then the longest first.
    public internal(set) var waits: [OpenWait] = []
    /// Tasks and queues that also wait and are not in ``waits``, because there were too many.
    public internal(set) var omitted = 0
    /// The shortest wait that a reader wants to know about: 250 ms, or 10 % of the recording.
    public internal(set) var limit = LargeCase.time
    /// The wait to mention in the verdict; nil when the program ended by itself, when no wait reaches the limit, or
    /// when a finding already reports it.
    public internal(set) var headline: OpenWait?

    /// Creates an empty list.
    public init() {}

    /// The waits for a section of the report: waits for a queue or a lock of any length, and other waits that reach the
    /// limit.
    public var notable: [OpenWait] {
        waits.filter { wait in
            if wait.duration >= limit { return true }
            guard case .object(let object) = wait.cause else { return false }
            return switch object {
            case .queue, .lock: true
            case .group, .semaphore, .item: false
            }
        }
    }
}

extension Analysis {
    /// The open waits that a report shows without a request: none for a program that ended by itself, because it was
    /// not stuck, unless its threads wait for each other.
    package var shownOpenWaits: [OpenWait] {
        if case .exited? = trace.ending {
            let mayBeCycle = openWaits.contains { wait in
                switch wait.object {
                case .queue, .lock: true
                case .group, .semaphore, .item: false
                }
            }
            guard mayBeCycle else { return [] }
        }
        return stillWaiting.notable
    }
}
