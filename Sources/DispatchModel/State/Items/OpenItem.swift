/// An item between its submission and its end.
///
/// ```
///   source_fire          item_begin
///   group_notify ─► announced ─────────────┐
///                      │ item_enqueue      ▼
///   item_enqueue ─► waiting ──────────► running ──► (slot is free again)
///   sync_enter            item_begin      ▲     item_end
///                                         │
///   item_begin of an unknown item ────────┤
///   sync_begin ───────────────────────────┘
/// ```
///
/// `callout_begin` and `callout_end` are short forms of `item_begin` and `item_end`.
///
/// With a backlog of 100,000 items, each cache line per item matters, so a waiting item has two. Fields that are used
/// after the begin, or only by some waiting items (a group, an enclosing item, a due time), are in its ``Details``. An
/// item without details of its own (``ItemSlots/giveDetails(to:)``) shares them: either with other items that the same
/// item submitted, or the immutable default.
@dynamicMemberLookup
struct OpenItem {
    enum State: UInt8 {
        /// The slot holds no item.
        case free
        /// Recorded before its submission: its source fired, or it waits for a group.
        case announced
        case waiting
        case running
    }

    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let barrier = Flags(rawValue: 1 << 0)
        static let enqueueKnown = Flags(rawValue: 1 << 1)
        static let hasID = Flags(rawValue: 1 << 2)
        static let recordedLate = Flags(rawValue: 1 << 3)
        static let ordered = Flags(rawValue: 1 << 4)
        static let delayed = Flags(rawValue: 1 << 5)
        static let hasOwnDetails = Flags(rawValue: 1 << 6)
        static let sharesDetails = Flags(rawValue: 1 << 7)
    }

    var id: UInt64 = 0
    var number: Int64 = 0
    var enqueuedAt: Int64 = 0
    /// The time of the next record of the submitting thread. The submission was complete by then.
    var confirmedAt = Int64.max
    private(set) var details = Details.shared
    var state = State.free
    var kind = ItemKind.async
    var qos = QoSClass.unspecified
    private var flags = Flags()
    var queue = QueueIndex.none
    var code = CodeIndex.unknown
    /// Neighbours in the queue's list of waiting items.
    var previous = Slot.none
    var next = Slot.none
    /// The next item in its bucket of ``ItemIndex``; -1 for none.
    var bucketNext: Int32 = -1
    /// Position in ``BlameTracker`` of the hierarchy that it waits for; -1 for none.
    var contendedDomain: Int32 = -1
    /// The code to which this wait is attributed.
    var contendingCode: Int32 = 0
    var source = SourceIndex.none
    var enqueuedOn = ThreadIndex.none
    /// The queue's clocks when the item was submitted or last settled.
    var snapshot = WaitSnapshot()

    /// The fields that an item needs once it runs. Most waiting items do without it, which saves memory for long
    /// queues.
    struct Details {
        var beganAt: Int64 = 0
        var thread = ThreadIndex.none
        /// The exclusion queue that it holds while it runs.
        var domain = QueueIndex.none
        /// For a running item: the item that encloses it on the same thread.
        var enclosing = Slot.none
        var wake = Item.Wake.none
        /// A `callout_end` ends it, rather than an `item_end`.
        var isCallout = false
        /// For a job of Swift Concurrency: `code` is the code of the task that it runs.
        var isJobNamed = false
        /// Whether it occupies the ``MainExecutor``.
        var isOnMain = false
        /// For an item on an actor: its task is recorded at every rate, so it represents no other item.
        var isWhole = false
        /// A `sync_block` or `sync_handoff` was recorded.
        var hadToWait = false
        /// Its thread has waited in libdispatch as an idle worker does, so its end may be lost.
        var mayHaveEnded = false
        /// The parts of its wait up to `settledAt`.
        var parts = WaitParts()
        var settledAt: Int64 = 0
        /// Upper bound of the time that it spent submitting other items.
        var submitting: Int64 = 0
        /// For a sync after a hand-off: the time that it took to wake its thread.
        var waking: Int64 = 0
        /// The cost of the syncs that it called and that have ended.
        var syncs = SyncCost()
        /// With context switches: how long its thread was off-CPU at the end of the wait, and the thread's times at the
        /// begin.
        var waitOffProcessor: Nanoseconds?
        var timesAtBegin: ProcessorTimes?

        /// The number of the parent, the item that submitted this item; -1 for none. With a parent, the next three
        /// fields are the root of the async chain, the number of submissions from the root, and the parent's queue.
        var parent: Int64 = -1
        fileprivate(set) var root: Int64 = -1
        var hops: Int32 = 0
        var parentQueue = QueueIndex.none
        /// The shared details of the items that it has submitted, except the first one; and for shared details the
        /// number of references to them.
        var childDetails: UnsafeMutablePointer<Details>?
        var references: Int32 = 0
        var hasSubmitted = false
        /// The group that was entered just before its submission.
        var group = GroupIndex.none
        /// For an item behind a barrier: the barrier, and the neighbours in the list of its followers.
        var barrier = Slot.none
        var previousFollower = Slot.none
        var nextFollower = Slot.none
        /// For a waiting barrier: the first of its followers.
        var firstFollower = Slot.none
        var handedOverBy = ThreadIndex.none
        var handedOverLevel = QueueIndex.none
        /// For a sync: the queue of the hierarchy that was held when the caller arrived, and the thread that held it.
        var blockedLevel = QueueIndex.none
        var blockedBy = ThreadIndex.none
        /// For a waiting sync: an item ahead of it waits for a worker.
        var isBehindWorker = false
        /// When it is due; -1 for an item without delay.
        var dueAt: Int64 = -1
        /// When its sync returned although its end was not recorded; otherwise `Int64.max`.
        var returnedAt = Int64.max

        /// Shared, immutable `Details` for items that need none of the fields. They are never written, so concurrent
        /// access is safe.
        fileprivate nonisolated(unsafe) static let shared: UnsafeMutablePointer<Details> = {
            let details = UnsafeMutablePointer<Details>.allocate(capacity: 1)
            details.initialize(to: Details())
            return details
        }()
    }

    /// A field of its details. Writing requires details of its own.
    subscript<Value>(dynamicMember field: WritableKeyPath<Details, Value>) -> Value {
        @inline(__always) _read { yield details.pointee[keyPath: field] }
        @inline(__always) nonmutating _modify {
            precondition(hasOwnDetails)
            yield &details.pointee[keyPath: field]
        }
    }

    /// Whether it has details of its own.
    var hasOwnDetails: Bool { flags.contains(.hasOwnDetails) }

    /// Whether it shares its details with other items of the same parent.
    var sharesDetails: Bool { flags.contains(.sharesDetails) }

    /// Takes ownership of details, which are new or a copy of the shared ones.
    @inline(__always)
    mutating func take(_ own: UnsafeMutablePointer<Details>) {
        own.pointee.settledAt = enqueuedAt
        details = own
        flags.remove(.sharesDetails)
        flags.insert(.hasOwnDetails)
    }

    /// Shares the details of its parent's children.
    @inline(__always)
    mutating func share(_ common: UnsafeMutablePointer<Details>) {
        common.pointee.references += 1
        details = common
        flags.insert(.sharesDetails)
    }

    /// Clears the flags of its details. The caller releases the memory.
    @inline(__always)
    mutating func clearDetails() { flags.subtract([.hasOwnDetails, .sharesDetails]) }

    /// The root of its async chain.
    var operation: Int64 {
        @inline(__always) get { self.parent >= 0 ? self.root : number }
    }

    var isBarrier: Bool {
        get { flags.contains(.barrier) }
        set { set(.barrier, newValue) }
    }
    /// Whether the event that submitted it was recorded.
    var isEnqueueKnown: Bool {
        get { flags.contains(.enqueueKnown) }
        set { set(.enqueueKnown, newValue) }
    }
    /// Whether ``ItemIndex`` has its id. A callout releases its id when it begins, and a `sync_begin` has none.
    var hasID: Bool {
        get { flags.contains(.hasID) }
        set { set(.hasID, newValue) }
    }
    /// Whether its submission was recorded after it took its place in the queue (`sync_wait`).
    var isRecordedLate: Bool {
        get { flags.contains(.recordedLate) }
        set { set(.recordedLate, newValue) }
    }
    /// Whether it is in the queue's ordered list and not in the unordered one.
    var isOrdered: Bool {
        get { flags.contains(.ordered) }
        set { set(.ordered, newValue) }
    }
    /// Whether its due time is in the future.
    var isDelayed: Bool {
        get { flags.contains(.delayed) }
        set { set(.delayed, newValue) }
    }

    @inline(__always)
    private mutating func set(_ flag: Flags, _ isSet: Bool) {
        if isSet { flags.insert(flag) } else { flags.remove(flag) }
    }

    var isSync: Bool { kind == .sync || kind == .asyncAndWait }
    var isForeign: Bool { kind.isForeign }

    /// Whether libdispatch starts it in the order of submission, and its submission was recorded. libdispatch enqueues
    /// other kinds later, at a time that is not recorded.
    var obeysOrder: Bool { !isRecordedLate && (kind == .async || kind == .sync || kind == .asyncAndWait) }
}

extension OpenItem.Details {
    /// Sets the parent to the item that submitted this one.
    @inline(__always)
    mutating func join(_ parent: borrowing OpenItem) {
        self.parent = parent.number
        parentQueue = parent.queue
        root = parent.operation
        hops = parent.hops &+ 1
    }

    /// Sets the parent to the item that the thread ran last.
    mutating func join(_ ended: ThreadTable.Activity) {
        parent = ended.lastEndedNumber
        parentQueue = ended.lastEndedQueue
        root = ended.lastEndedOperation
        hops = ended.lastEndedHops &+ 1
    }
}
