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
/// `callout_begin` and `callout_end` are `item_begin` and `item_end` in short.
///
/// Of a backlog of 100,000 items, each line of memory costs, so an item that waits has two. What comes with its begin,
/// and what only some have before that (a group, an item around them, a due time), is its ``Rest``. Until it needs one
/// of its own (``ItemSlots/giveRest(to:)``) it shares one: with the others that the same item has submitted, or with
/// all that no item has.
@dynamicMemberLookup
struct OpenItem {
    enum State: UInt8 {
        /// The slot holds no item.
        case free
        /// Known before it is submitted: its source fired, or it waits for a group.
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
        static let hasRest = Flags(rawValue: 1 << 6)
        static let sharesRest = Flags(rawValue: 1 << 7)
    }

    var id: UInt64 = 0
    var number: Int64 = 0
    var enqueuedAt: Int64 = 0
    /// When its submitting thread was seen to do something else, so that the submission was surely over.
    var confirmedAt = Int64.max
    private(set) var rest = Rest.shared
    var state = State.free
    var kind = ItemKind.async
    var qos = QoSClass.unspecified
    private var flags = Flags()
    var queue: Int32 = -1
    var code: Int32 = 0
    /// Neighbours in the queue's list of waiting items.
    var previous: Int32 = -1
    var next: Int32 = -1
    /// The next one in its bucket of ``ItemIndex``, -1 for none.
    var bucketNext: Int32 = -1
    /// The place of the hierarchy that it waits for in the tracker of blame, -1 for none.
    var contends: Int32 = -1
    /// The code that this is booked to.
    var contendsAs: Int32 = 0
    var source: Int32 = -1
    var enqueuedOn: Int32 = -1
    /// What its queue's clocks showed when it was submitted, or settled last.
    var snapshot = WaitSnapshot()

    /// What an item needs once it runs. Most items that wait do without it, which saves memory where many wait.
    struct Rest {
        var beganAt: Int64 = 0
        var thread: Int32 = -1
        /// The exclusion queue that it holds while it runs, -1 for none.
        var domain: Int32 = -1
        /// For a running item: the one that runs around it on the same thread.
        var enclosing: Int32 = -1
        var wake = Item.Wake.none
        /// A `callout_end` ends it.
        var isCallout = false
        /// For a job of Swift Concurrency: the task that it runs has told its code.
        var isJobNamed = false
        /// A `sync_block` or `sync_handoff` was recorded.
        var hadToWait = false
        /// What is known of its wait up to `settledAt`.
        var parts = WaitParts()
        var settledAt: Int64 = 0
        /// What its submissions took, at most.
        var submitting: Int64 = 0
        /// For a sync that was handed over: what it took to wake its thread.
        var waking: Int64 = 0
        /// What it lost to the syncs that it made and that have ended.
        var syncs = SyncCost()
        /// With context switches: how long its thread had no processor at the end of the wait, and what its thread's
        /// times were at the begin.
        var waitOffProcessor: Nanoseconds?
        var timesAtBegin: ProcessorTimes?

        /// The item inside of which it was submitted, -1 for none. With that, the root of their async chain, how many
        /// submissions it is away from there, and the queue of the item.
        var parent: Int64 = -1
        fileprivate(set) var root: Int64 = -1
        var hops: Int32 = 0
        var parentQueue: Int32 = -1
        /// The rest of the items that it has submitted, but for the first one; and by how many that is kept.
        var ofChildren: UnsafeMutablePointer<Rest>?
        var keepers: Int32 = 0
        var hasSubmitted = false
        /// The group that was entered just before it was submitted, -1 for none.
        var group: Int32 = -1
        /// For an item behind a barrier: the barrier's slot, and the neighbours among those behind it.
        var barrier: Int32 = -1
        var previousFollower: Int32 = -1
        var nextFollower: Int32 = -1
        /// For a waiting barrier: the first of the items behind it.
        var firstFollower: Int32 = -1
        var handedOverBy: Int32 = -1
        var handedOverLevel: Int32 = -1
        /// For a sync: the level of the hierarchy that was held when it came, and the thread that held it.
        var blockedLevel: Int32 = -1
        var blockedBy: Int32 = -1
        /// For a waiting sync: what is ahead of it waits for a worker.
        var isBehindWorker = false
        /// When it is due, -1 when it was not delayed.
        var dueAt: Int64 = -1
        /// When its sync returned although it had not ended, else `Int64.max`.
        var returnedAt = Int64.max

        /// That of the items that share one with no other's: nobody writes to it.
        fileprivate nonisolated(unsafe) static let shared: UnsafeMutablePointer<Rest> = {
            let rest = UnsafeMutablePointer<Rest>.allocate(capacity: 1)
            rest.initialize(to: Rest())
            return rest
        }()
    }

    /// A field of its rest. To write to one, it must have a rest of its own.
    subscript<Value>(dynamicMember field: WritableKeyPath<Rest, Value>) -> Value {
        @inline(__always) _read { yield rest.pointee[keyPath: field] }
        @inline(__always) nonmutating _modify {
            precondition(hasRest)
            yield &rest.pointee[keyPath: field]
        }
    }

    /// It has a rest of its own.
    var hasRest: Bool { flags.contains(.hasRest) }

    /// It shares its rest with others of the same parent.
    var sharesRest: Bool { flags.contains(.sharesRest) }

    /// Takes over a rest of its own, which is as new, or a copy of the one that it shares.
    @inline(__always)
    mutating func take(_ own: UnsafeMutablePointer<Rest>) {
        own.pointee.settledAt = enqueuedAt
        rest = own
        flags.remove(.sharesRest)
        flags.insert(.hasRest)
    }

    /// Shares the rest of its parent's children.
    @inline(__always)
    mutating func share(_ common: UnsafeMutablePointer<Rest>) {
        common.pointee.keepers += 1
        rest = common
        flags.insert(.sharesRest)
    }

    /// Gives its rest up.
    @inline(__always)
    mutating func dropRest() { flags.subtract([.hasRest, .sharesRest]) }

    /// The root of its async chain.
    var operation: Int64 {
        @inline(__always) get { self.parent >= 0 ? self.root : number }
    }

    var isBarrier: Bool {
        get { flags.contains(.barrier) }
        set { set(.barrier, newValue) }
    }
    /// Whether it was submitted by an event that the trace has.
    var isEnqueueKnown: Bool {
        get { flags.contains(.enqueueKnown) }
        set { set(.enqueueKnown, newValue) }
    }
    /// Its id finds it. A callout gives its id back when it begins, a `sync_begin` never has one.
    var hasID: Bool {
        get { flags.contains(.hasID) }
        set { set(.hasID, newValue) }
    }
    /// Its place in the queue is up to a little earlier than its submission was recorded.
    var isRecordedLate: Bool {
        get { flags.contains(.recordedLate) }
        set { set(.recordedLate, newValue) }
    }
    /// In the queue's ordered list rather than the unordered one.
    var isOrdered: Bool {
        get { flags.contains(.ordered) }
        set { set(.ordered, newValue) }
    }
    /// Its due time has not come.
    var isDelayed: Bool {
        get { flags.contains(.delayed) }
        set { set(.delayed, newValue) }
    }

    @inline(__always)
    private mutating func set(_ flag: Flags, _ isSet: Bool) {
        if isSet { flags.insert(flag) } else { flags.remove(flag) }
    }

    var isSync: Bool { kind == .sync || kind == .asyncAndWait }
    var isStretch: Bool { kind.isStretch }

    /// Whether libdispatch starts it in the order of submission, and the submission is what the trace shows. The others
    /// are enqueued later, by libdispatch, at a time that nobody records.
    var obeysOrder: Bool { !isRecordedLate && (kind == .async || kind == .sync || kind == .asyncAndWait) }
}

extension OpenItem.Rest {
    /// Its item was submitted by another one.
    @inline(__always)
    mutating func join(_ parent: borrowing OpenItem) {
        self.parent = parent.number
        parentQueue = parent.queue
        root = parent.operation
        hops = parent.hops &+ 1
    }

    /// The item that a thread ran last has submitted this one.
    mutating func join(_ ended: ThreadTable.Activity) {
        parent = ended.lastEndedNumber
        parentQueue = ended.lastEndedQueue
        root = ended.lastEndedOperation
        hops = ended.lastEndedHops &+ 1
    }
}
