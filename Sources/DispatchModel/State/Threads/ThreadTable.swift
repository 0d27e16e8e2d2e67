/// Tracks the threads and the current activity of each thread.
struct ThreadTable: ~Copyable {
    /// The current activity of a thread.
    struct Activity {
        /// The innermost item that runs on it.
        var innermost = Slot.none
        /// When the outermost item that runs on it began; `Int64.max` for none.
        var outermostBegan = Int64.max
        /// Slot and number of the item that it submitted last, until its next record.
        var submitted = Slot.none
        var submittedNumber: Int64 = -1
        var submittedAt: Int64 = 0
        var startedAt: Int64
        /// When its last item ended.
        var lastEnded: Int64 = 0
        /// The number of its last item; -1 if that item cannot be in a group.
        var lastEndedNumber: Int64 = -1
        var lastEndedCode = CodeIndex.unknown
        var lastEndedQueue = QueueIndex.none
        var lastEndedHops: Int32 = 0
        var lastEndedOperation: Int64 = -1
        /// The group that it entered last, until it submits or runs an item.
        var enteredGroup = GroupIndex.none
        /// For a worker: its pool (-1 for none), its state, and since when it is awake.
        var pool: Int32 = -1
        var worker = RootPool.Activity.none
        var awakeSince: Int64 = 0
        /// Whether it has not parked since its start.
        var isNew = false
        /// Whether it is a worker of libdispatch.
        var isWorker = false
        var hasExited = false
    }

    private let model: DispatchModel
    private var tids = IdentifierTable()
    /// Parallel to ``DispatchModel/threads``.
    private var activity = RowTable<Activity>()
    /// Whether the trace has records that identify workers.
    private(set) var hasWorkers = false
    private var lastTID: UInt32 = 0
    private var lastIndex = ThreadIndex.none

    init(model: DispatchModel) { self.model = model }

    /// The threads in the order of their first records.
    var indices: some Sequence<ThreadIndex> { activity.indices.lazy.map { ThreadIndex($0) } }

    subscript(thread: ThreadIndex) -> Activity {
        @inline(__always)
        unsafeAddress { activity.address(of: thread.position) }
        @inline(__always)
        unsafeMutableAddress { activity.place(of: thread.position) }
    }

    /// The address of the activity of a thread, for code that accesses many of its fields. Valid until a thread is
    /// added.
    @inline(__always)
    func place(of thread: ThreadIndex) -> UnsafeMutablePointer<Activity> { activity.place(of: thread.position) }

    /// The thread with this kernel id. Created at its first record.
    @inline(__always)
    mutating func thread(tid: UInt32, at time: Int64) -> ThreadIndex {
        if tid == lastTID, !lastIndex.isNone { return lastIndex }
        lastIndex = ThreadIndex(tids[UInt64(tid)] ?? add(tid: tid, at: time))
        lastTID = tid
        return lastIndex
    }

    /// The thread with this kernel id; nil when it has no record.
    func known(tid: UInt32) -> ThreadIndex? { tids[UInt64(tid)].map { ThreadIndex($0) } }

    @inline(never)
    private mutating func add(tid: UInt32, at time: Int64) -> Int {
        let position = activity.count
        tids.insert(UInt64(tid), position)
        activity.append(Activity(startedAt: time))
        model.change(
            .madeThread(
                Thread(
                    index: ThreadIndex(position), tid: tid, name: "", startedAt: Timestamp(nanoseconds: time),
                    endedAt: nil)))
        return position
    }

    /// The record of a thread's identity. After its exit, the kernel can reuse its id for a new thread.
    mutating func start(tid: UInt32, name: String, at time: Int64) {
        if let known = tids[UInt64(tid)], activity[known].hasExited {
            tids.remove(UInt64(tid))
            lastIndex = .none
        }
        let index = thread(tid: tid, at: time)
        guard !name.isEmpty else { return }
        // A thread that a worker creates inherits the worker's name until it gets its own.
        let isNamedWorker = WorkerName.isWorker(kernelName: name)
        let isWorker = activity[index].isWorker || isNamedWorker && !hasWorkers
        let shown = isWorker ? WorkerName.displayed : isNamedWorker ? "" : name
        model.change(.named(thread: index.position, kernelName: name, name: shown))
    }

    /// Marks the thread as a worker of libdispatch that serves this root queue.
    mutating func markWorker(_ thread: ThreadIndex, root: QueueIndex) {
        activity[thread].isWorker = true
        hasWorkers = true
        model.change(.worker(thread: thread.position, root: root))
    }

    /// Whether the thread is a worker of libdispatch, or may be one because the trace has no events of workers.
    func mayBeWorker(_ thread: ThreadIndex) -> Bool { !hasWorkers || activity[thread].isWorker }

    mutating func exit(at moment: Moment) {
        activity[moment.thread].hasExited = true
        model.change(.exited(thread: moment.thread.position, at: moment.timestamp))
    }

    /// When the earliest running item began; `Int64.max` for none. Complexity: O(threads).
    func earliestBegin() -> Int64 { activity.indices.reduce(.max) { Swift.min($0, activity[$1].outermostBegan) } }
}
