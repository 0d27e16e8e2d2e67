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
struct OpenItem {
    enum State: UInt8 {
        /// The slot holds no item.
        case free
        /// Known before it is submitted: its source fired, or it waits for a group.
        case announced
        case waiting
        case running
    }

    // What a submission writes and a begin reads comes first: of a long backlog, each line of memory costs.
    var id: UInt64 = 0
    var number: Int64 = 0
    var enqueuedAt: Int64 = 0
    var state = State.free
    var kind = ItemKind.async
    var qos = QoSClass.unspecified
    var isBarrier = false
    /// Whether it was submitted by an event that the trace has.
    var isEnqueueKnown = false
    /// Its id finds it. A callout gives its id back when it begins, a `sync_begin` never has one.
    var hasID = false
    /// A `callout_end` ends it.
    var isCallout = false
    /// For a job of Swift Concurrency: the task that it runs has told its code.
    var isJobNamed = false
    /// Its place in the queue is up to a little earlier than its submission was recorded.
    var isRecordedLate = false
    /// In the queue's ordered list rather than the unordered one.
    var isOrdered = false
    /// Its due time has not come.
    var isDelayed = false
    /// A `sync_block` or `sync_handoff` was recorded.
    var hadToWait = false
    /// ``prepareParts()`` was called.
    var isSettled = false
    var wake = Item.Wake.none
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
    /// When its submitting thread was seen to do something else, so that the submission was surely over.
    var confirmedAt = Int64.max
    var source: Int32 = -1
    var enqueuedOn: Int32 = -1
    /// The group that was entered just before it was submitted, -1 for none.
    var group: Int32 = -1
    var parent: Int64 = -1
    /// The root of its async chain, and how many submissions it is away from there.
    var operation: Int64 = -1
    var hops: Int32 = 0
    var parentQueue: Int32 = -1
    /// What is known of its wait up to `settledAt`, where the queue's clocks showed `snapshot`.
    var settledAt: Int64 = 0
    var snapshot = WaitSnapshot()

    /// For an item behind a barrier: the barrier's slot, and the neighbours among those behind it.
    var barrier: Int32 = -1
    var previousFollower: Int32 = -1
    var nextFollower: Int32 = -1
    /// For a waiting barrier: the first of the items behind it.
    var firstFollower: Int32 = -1
    /// When it is due, -1 when it was not delayed.
    var dueAt: Int64 = -1
    var handedOverBy: Int32 = -1
    var handedOverLevel: Int32 = -1
    /// For a sync: the level of the hierarchy that was held when it came, and the thread that held it.
    var blockedLevel: Int32 = -1
    var blockedBy: Int32 = -1
    /// When its sync returned although it had not ended, else `Int64.max`.
    var returnedAt = Int64.max

    // What comes with its begin; before that, it is what an earlier item left behind.
    var beganAt: Int64 = 0
    var thread: Int32 = -1
    /// The exclusion queue that it holds while it runs, -1 for none.
    var domain: Int32 = -1
    /// For a running item: the one that runs around it on the same thread.
    var enclosing: Int32 = -1
    var parts = WaitParts()
    /// What its submissions took, at most.
    var submitting: Int64 = 0
    /// For a sync that was handed over: what it took to wake its thread.
    var waking: Int64 = 0
    /// What it lost to the syncs that it made and that have ended.
    var syncs = SyncCost()
    /// With context switches: how long its thread had no processor at the end of the wait, and what its thread's times
    /// were at the begin.
    var waitOffProcessor: Nanoseconds?
    var timesAtBegin: ProcessorTimes?

    /// What a new item has, but for what ``prepareParts()`` sets.
    struct Fresh: ~Copyable {
        private let item = UnsafeMutablePointer<OpenItem>.allocate(capacity: 1)
        let size = MemoryLayout<OpenItem>.offset(of: \.beganAt)!

        init() { item.initialize(to: OpenItem()) }

        deinit { item.deallocate() }

        /// Makes a new item in place of one that ended: half of it, as a backlog of 100,000 items does not fit into the
        /// caches.
        @inline(__always)
        func replace(_ old: UnsafeMutablePointer<OpenItem>) {
            UnsafeMutableRawPointer(old).copyMemory(from: item, byteCount: size)
        }
    }

    /// The item has waited, or begins.
    @inline(__always)
    mutating func prepareParts() {
        guard !isSettled else { return }
        isSettled = true
        domain = -1
        parts = WaitParts()
        submitting = 0
        waking = 0
        syncs = SyncCost()
        waitOffProcessor = nil
        timesAtBegin = nil
    }

    var isSync: Bool { kind == .sync || kind == .asyncAndWait }
    var isStretch: Bool { kind.isStretch }

    /// Whether libdispatch starts it in the order of submission, and the submission is what the trace shows. The others
    /// are enqueued later, by libdispatch, at a time that nobody records.
    var obeysOrder: Bool { !isRecordedLate && (kind == .async || kind == .sync || kind == .asyncAndWait) }
}
