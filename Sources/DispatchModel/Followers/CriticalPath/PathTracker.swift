/// Follows the causes that lead to the current position of each thread, one step of the model after another.
///
/// Every thread has a head: the segment that it is in. An action of the thread (a submission, the end of an item, a
/// signal) stores the head as the cause of its effect. The effect (a begin, the end of a wait) makes a segment after
/// that cause the head of its own thread.
struct PathTracker: ~Copyable {
    struct Head {
        var node: Int32 = -1
        /// Whether the thread was woken and has not been observed running since.
        var isWoken = false
        /// Whether the thread has recorded only its start.
        var isNew = false
    }

    /// Additional fields of the next step, see ``PathStep/Kind/more``, and the obstacles of the next item that begins.
    private struct More {
        var since: Int64 = 0
        var domain: Int32 = -1
        var source: Int32 = -1
        var thread: Int32 = -1
        var suspended: Int64 = 0
        var notDue: Int64 = 0
        var barrier: Int64 = 0
        var due = Int64.min
        var hasObstacles = false

        mutating func beginNext() { (suspended, notDue, barrier, due, hasObstacles) = (0, 0, 0, .min, false) }
    }

    private let target: CriticalPath.Target?
    private let isOfAnItem: Bool
    var nodes = PathNodes()
    var heads = RowTable<Head>()
    // The paths to the begins of waits and to the ends of holds.
    /// Path to the submission, by slot of the item.
    private var items = PathTable()
    /// Path to the end of the last item that held a queue, by position of the queue.
    private var queues = PathTable()
    /// Path to the time from which a source waits for its event, by position of the source.
    private var sources = PathTable()
    private var marks = PathTable()
    /// Path to the suspension of each task that is open at the end of the trace.
    private(set) var openTasks: [UInt64: Int32] = [:]
    private var more = More()
    private var best: CriticalPath?

    init(target: CriticalPath.Target?) {
        self.target = target
        isOfAnItem = target?.isOfAnItem ?? false
    }

    // MARK: Steps

    mutating func follow(_ steps: borrowing RowTable<PathStep>) {
        for position in steps.indices { follow(steps.address(of: position)) }
    }

    @inline(__always)
    private mutating func follow(_ step: UnsafePointer<PathStep>) {
        switch step.pointee.kind {
        case .more:
            more.since = step.pointee.time
            more.domain = step.pointee.code
            more.source = step.pointee.queue
            more.thread = step.pointee.place
        case .waits:
            more.suspended = step.pointee.time
            more.notDue = step.pointee.number
            more.hasObstacles = true
        case .barrier:
            more.barrier = step.pointee.time
            more.hasObstacles = true
        case .due:
            more.due = step.pointee.time
            more.hasObstacles = true
        case .submit: items.exchange(step.pointee.place, for: reach(step), in: &nodes)
        case .submitAtMark:
            let cause = marks[Int32(truncatingIfNeeded: step.pointee.number)]
            if cause >= 0 { items.exchange(step.pointee.place, for: cause, in: &nodes) }
        case .begin: begin(step, afterHolder: .queued)
        case .beginSync: begin(step, afterHolder: .handoff)
        case .beginUncontendedSync:
            _ = reach(step)
            head(thread(step)).pointee.isWoken = false
        case .end: end(step, awaitedBy: step.pointee.place)
        case .uncontendedSync:
            let begin = step.pointee.time &- Int64(step.pointee.place)
            _ = reach(thread: thread(step), at: begin, item: PathItem())
            head(thread(step)).pointee.isWoken = false
            end(step, awaitedBy: -1)
        case .forgetItem: items.forget(step.pointee.place, in: &nodes)
        case .startThread: start(step, isMakerBusy: false)
        case .startThreadByBusy: start(step, isMakerBusy: true)
        case .startMadeThread:
            start(
                thread(step), at: step.pointee.time, madeBy: Int(step.pointee.place), at: more.since,
                item: step.pointee.item)
        case .stop: _ = reach(step)
        case .mark: marks.exchange(step.pointee.place, for: reach(step), in: &nodes)
        case .release: marks.forget(step.pointee.place, in: &nodes)
        case .wake: wake(step)
        case .poll:
            arrive(step, because: reach(thread: thread(step), at: more.since, item: step.pointee.item), kind: .poll)
        case .absence: leaveProcessor(step)
        case .resume: resume(step)
        case .beginFirstIteration: arrive(step, because: mark(step), kind: .start)
        case .beginIteration:
            // Later iterations of a thread follow its earlier iterations.
            if nodes.end(of: mark(step)) == step.pointee.time { arrive(step, because: mark(step), kind: .start) }
        case .endApply: arrive(step, because: mark(step), kind: .wake)
        case .activate: sources.exchange(step.pointee.place, for: reach(step), in: &nodes)
        case .forgetSource: sources.forget(step.pointee.place, in: &nodes)
        case .forgetQueue: queues.forget(step.pointee.place, in: &nodes)
        case .openTask:
            let suspension = mark(step)
            guard suspension >= 0 else { break }
            nodes.retain(suspension)
            openTasks[UInt64(bitPattern: step.pointee.number)] = suspension
        case .interval:
            if let target, wants(target, since: more.since, step) { keep(reach(step), step, for: target) }
        }
    }

    @inline(__always)
    private func thread(_ step: UnsafePointer<PathStep>) -> Int {
        step.pointee.traits.contains(.hasMore) ? Int(more.thread) : Int(step.pointee.thread)
    }

    @inline(__always)
    private func source(_ step: UnsafePointer<PathStep>) -> Int32 {
        step.pointee.traits.contains(.hasMore) ? more.source : -1
    }

    /// The exclusion queue that the item of a step holds; -1 for none.
    @inline(__always)
    private func domain(_ step: UnsafePointer<PathStep>) -> Int32 {
        if step.pointee.traits.contains(.hasMore) { return more.domain }
        return step.pointee.traits.contains(.holdsQueue) ? step.pointee.queue : -1
    }

    /// The node of the mark of a step; -1 for none.
    private func mark(_ step: UnsafePointer<PathStep>) -> Int32 { marks[step.pointee.place] }

    @inline(__always)
    private mutating func reach(_ step: UnsafePointer<PathStep>) -> Int32 {
        reach(thread: thread(step), at: step.pointee.time, item: step.pointee.item)
    }

    /// The thread continues because of `cause`.
    private mutating func arrive(_ step: UnsafePointer<PathStep>, because cause: Int32, kind: CriticalPath.Kind) {
        if cause >= 0 { nodes.retain(cause) }
        arrive(thread: thread(step), at: step.pointee.time, item: step.pointee.item, because: cause, kind: kind)
    }

    /// An item begins. The cause is the later of its submission and the end of the last holder of its hierarchy.
    ///
    /// ```
    ///   submitted ────────────────────────┤ begin       holder ──┤ end
    ///                start ╰──────────────╯             queued   ╰───╯ begin
    /// ```
    @inline(__always)
    private mutating func begin(_ step: UnsafePointer<PathStep>, afterHolder kind: CriticalPath.Kind) {
        // Ownership of the reference passes to the thread.
        var submission = items.take(step.pointee.place)
        defer { if more.hasObstacles { more.beginNext() } }
        if submission < 0 {
            // A source waits for its event since its last handler run or its activation. A timer waits until it is due.
            submission = sources[source(step)]
            guard submission >= 0 else { return arrive(step, because: -1, kind: .before) }
            guard more.due > .min else {
                return arrive(step, because: latest(submission, queues[domain(step)]), kind: .source)
            }
            nodes.retain(submission)
            more.notDue = max(0, min(more.due, step.pointee.time) - nodes.end(of: submission))
        }
        let holder = queues[domain(step)]
        // A holder is irrelevant while the item was not due or suspended.
        let ready = nodes.end(of: submission) + (more.hasObstacles ? more.suspended + more.notDue : 0)
        if holder >= 0, nodes.end(of: holder) > ready {
            arrive(step, because: holder, kind: kind)
            return nodes.release(submission)
        }
        if step.pointee.time - ready >= Self.longStart, more.barrier == 0, case let work = work(of: step, since: ready),
            work >= 0
        {
            arrive(step, because: work, kind: .start)
            return nodes.release(submission)
        }
        let cause = more.hasObstacles ? addObstacles(step, since: submission) : submission
        arrive(thread: thread(step), at: step.pointee.time, item: step.pointee.item, because: cause, kind: .start)
    }

    /// The cause from which on a source waited for its event: its last handler run, or what its queue ran later. A
    /// connection waits for its next request since it has sent the last answer.
    private func latest(_ handler: Int32, _ holder: Int32) -> Int32 {
        holder >= 0 && nodes.end(of: holder) > nodes.end(of: handler) ? holder : handler
    }

    /// In nanoseconds: after a wait of this length for a thread, the path follows the thread and not the submission.
    private static let longStart: Int64 = 1_000_000

    /// The last work of the thread on which an item begins, if the thread ended it after the item was ready; otherwise
    /// -1.
    ///
    /// ```
    ///   item      ready ───────────────────┤ begin
    ///   thread    ──── work ────┤ end      ├ item       all threads of the pool were busy
    /// ```
    private mutating func work(of step: UnsafePointer<PathStep>, since ready: Int64) -> Int32 {
        let head = head(thread(step))
        guard head.pointee.node >= 0, !head.pointee.isNew, nodes.end(of: head.pointee.node) > ready else { return -1 }
        let kind = nodes.place(of: head.pointee.node).pointee.kind
        return kind == .run || kind == .outside ? head.pointee.node : -1
    }

    /// Adds the obstacles since the submission of an item as segments, in the order of ``WaitPartition``. The rest of
    /// the wait is the start.
    private mutating func addObstacles(_ step: UnsafePointer<PathStep>, since submission: Int32) -> Int32 {
        var (cause, until) = (submission, nodes.end(of: submission))
        let waits = [(CriticalPath.Kind.suspended, more.suspended), (.notDue, more.notDue), (.barrier, more.barrier)]
        for (kind, wait) in waits where wait > 0 {
            until = min(until + wait, step.pointee.time)
            cause = nodes.make(kind, item: step.pointee.item, thread: thread(step), end: until, after: cause)
        }
        return cause
    }

    /// An item ends. `caller` is the thread that waits for its sync; -1 for none.
    @inline(__always)
    private mutating func end(_ step: UnsafePointer<PathStep>, awaitedBy caller: Int32) {
        let end = reach(step)
        let (domain, source) = (domain(step), source(step))
        if domain >= 0 { queues.exchange(domain, for: end, in: &nodes) }
        if source >= 0 { sources.exchange(source, for: end, in: &nodes) }
        if caller >= 0 {
            // The next step of the caller shows that it has woken.
            nodes.retain(end)
            setHead(Int(caller), end, isWoken: true)
        }
        guard isOfAnItem else { return }
        for target in [CriticalPath.Target.item(ItemNumber(step.pointee.number)), .slowestItem]
        where wants(target, since: more.since, step) {
            keep(end, step, for: target)
        }
    }

    /// A thread continues after a wait. The path leads to the thread that woke it, with one exception: if the history
    /// of that thread begins after the wait began, and is shorter than the waiter's history by more than the wait, the
    /// path follows the waiter through its wait.
    private mutating func wake(_ step: UnsafePointer<PathStep>) {
        let cause = mark(step)
        var isKnown = cause >= 0 && nodes.end(of: cause) >= more.since
        if isKnown, case let own = head(thread(step)).pointee.node, own >= 0 {
            let unknown = nodes.knownSince(cause) - nodes.knownSince(own)
            isKnown = nodes.knownSince(cause) <= more.since || unknown <= step.pointee.time - more.since
        }
        if isKnown { return arrive(step, because: cause, kind: .wake) }
        let kind = CriticalPath.Kind(rawValue: UInt8(truncatingIfNeeded: more.source)) ?? .blocked
        let begin = reach(thread: thread(step), at: more.since, item: step.pointee.item)
        nodes.retain(begin)
        arrive(
            thread: thread(step), at: step.pointee.time, item: item(in: more.domain, of: step), because: begin,
            kind: kind)
    }

    /// The item of a step, in the code that waits; 0 when unknown.
    private func item(in code: Int32, of step: UnsafePointer<PathStep>) -> PathItem {
        var item = step.pointee.item
        if code > 0 { item.code = code }
        return item
    }

    /// In nanoseconds: the longest time from the call that makes a thread to the first record of the thread.
    static let longestThreadStart: Int64 = 2_000_000

    /// A thread starts. Its path continues the path of the thread that made it. If that thread is unknown, it begins
    /// here, unless the thread recorded an event before.
    private mutating func start(_ step: UnsafePointer<PathStep>, isMakerBusy: Bool) {
        let thread = thread(step)
        let maker = Int(step.pointee.place)
        let known = maker >= 0 ? openNode(of: maker) : -1
        let isRecent = known >= 0 && step.pointee.time - nodes.end(of: known) <= Self.longestThreadStart
        if isMakerBusy || isRecent {
            let cause =
                isMakerBusy ? reach(thread: maker, at: step.pointee.time, item: step.pointee.item) : known
            nodes.retain(cause)
            arrive(thread: thread, at: step.pointee.time, item: PathItem(), because: cause, kind: .start)
        } else if head(thread).pointee.node < 0 {
            _ = reach(thread: thread, at: step.pointee.time, item: PathItem())
        }
        head(thread).pointee.isNew = true
    }

    /// A thread was off-CPU. It ran until then.
    private mutating func leaveProcessor(_ step: UnsafePointer<PathStep>) {
        guard let kind = CriticalPath.Kind(rawValue: UInt8(truncatingIfNeeded: step.pointee.place)) else { return }
        let begin = reach(thread: thread(step), at: more.since, item: step.pointee.item)
        guard step.pointee.time > nodes.end(of: begin) else { return }
        nodes.retain(begin)
        arrive(
            thread: thread(step), at: step.pointee.time, item: item(in: more.domain, of: step), because: begin,
            kind: kind)
    }

    /// A task becomes runnable by an action of a thread. If the history of that thread begins after the task suspended,
    /// for example because the thread was created for a callback, the path follows the task through its await.
    private mutating func resume(_ step: UnsafePointer<PathStep>) {
        let suspension = mark(step)
        let node = head(thread(step)).pointee.node
        if node >= 0, nodes.knownSince(node) <= nodes.end(of: suspension) { return }
        let kind = CriticalPath.Kind(rawValue: UInt8(truncatingIfNeeded: step.pointee.queue)) ?? .awaits
        if suspension >= 0 { nodes.retain(suspension) }
        arrive(
            thread: thread(step), at: step.pointee.time, item: PathItem(code: step.pointee.code), because: suspension,
            kind: kind)
    }

    /// Whether an interval was requested and is longer than the longest one so far.
    private func wants(_ target: CriticalPath.Target, since begin: Int64, _ step: UnsafePointer<PathStep>) -> Bool {
        let duration = step.pointee.time - begin
        return self.target == target && duration >= 0 && (best.map { $0.duration.count < duration } ?? true)
    }

    private mutating func keep(_ end: Int32, _ step: UnsafePointer<PathStep>, for target: CriticalPath.Target) {
        best = path(to: end, for: target, from: more.since, to: step.pointee.time)
    }

    /// Whether the path of the whole run was requested.
    var isOfWholeRun: Bool { target == .wholeRun }
    /// The path of the item or the interval that was requested; nil when there is none.
    var requested: CriticalPath? { best }

    /// The thread with the last activity after its start that satisfies a condition, the first of several; nil for
    /// none.
    func latestThread(where isWanted: (Int) -> Bool) -> Int? {
        let known = heads.indices.filter { heads[$0].node >= 0 && !heads[$0].isNew && isWanted($0) }
        return known.max { (nodes.end(of: heads[$0].node), $1) < (nodes.end(of: heads[$1].node), $0) }
    }

    /// The end of the path to a thread; -1 for none.
    func openNode(of thread: Int) -> Int32 { thread < heads.count ? heads[thread].node : -1 }
}
