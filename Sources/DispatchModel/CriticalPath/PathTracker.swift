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
    private var heads = RowTable<Head>()
    // The paths to the begins of waits and to the ends of holds; -1 for none. The tables can be shorter than the
    // entities.
    /// Path to the submission, by slot of the item.
    private var items = RowTable<Int32>()
    /// Path to the end of the last item that held a queue, by position of the queue.
    private var queues = RowTable<Int32>()
    /// Path to the time from which a source waits for its event, by position of the source.
    private var sources = RowTable<Int32>()
    private var marks = RowTable<Int32>()
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
        case .submit: Self.exchange(&items, step.pointee.place, for: reach(step), in: &nodes)
        case .submitAtMark:
            let cause = Self.value(marks, Int32(truncatingIfNeeded: step.pointee.number))
            if cause >= 0 { Self.exchange(&items, step.pointee.place, for: cause, in: &nodes) }
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
        case .forgetItem: Self.forget(&items, step.pointee.place, in: &nodes)
        case .stop: _ = reach(step)
        case .mark: Self.exchange(&marks, step.pointee.place, for: reach(step), in: &nodes)
        case .release: Self.forget(&marks, step.pointee.place, in: &nodes)
        case .wake: wake(step)
        case .poll:
            arrive(step, because: reach(thread: thread(step), at: more.since, item: step.pointee.item), kind: .blocked)
        case .resume: resume(step)
        case .beginFirstIteration: arrive(step, because: mark(step), kind: .start)
        case .beginIteration:
            // Later iterations of a thread follow its earlier iterations.
            if nodes.end(of: mark(step)) == step.pointee.time { arrive(step, because: mark(step), kind: .start) }
        case .endApply: arrive(step, because: mark(step), kind: .wake)
        case .activate: Self.exchange(&sources, step.pointee.place, for: reach(step), in: &nodes)
        case .forgetSource: Self.forget(&sources, step.pointee.place, in: &nodes)
        case .forgetQueue: Self.forget(&queues, step.pointee.place, in: &nodes)
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
    private func mark(_ step: UnsafePointer<PathStep>) -> Int32 { Self.value(marks, step.pointee.place) }

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
        var submission = Self.take(&items, step.pointee.place)
        defer { if more.hasObstacles { more.beginNext() } }
        if submission < 0 {
            // A source waits for its event since its last handler run or its activation. A timer waits until it is due.
            submission = Self.value(sources, source(step))
            guard submission >= 0, more.due > .min else {
                return arrive(step, because: submission, kind: submission >= 0 ? .blocked : .before)
            }
            nodes.retain(submission)
            more.notDue = max(0, min(more.due, step.pointee.time) - nodes.end(of: submission))
        }
        let holder = Self.value(queues, domain(step))
        // A holder is irrelevant while the item was not due or suspended.
        let ready = nodes.end(of: submission) + (more.hasObstacles ? more.suspended + more.notDue : 0)
        if holder >= 0, nodes.end(of: holder) > ready {
            arrive(step, because: holder, kind: kind)
            return nodes.release(submission)
        }
        let cause = more.hasObstacles ? addObstacles(step, since: submission) : submission
        arrive(thread: thread(step), at: step.pointee.time, item: step.pointee.item, because: cause, kind: .start)
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
        if domain >= 0 { Self.exchange(&queues, domain, for: end, in: &nodes) }
        if source >= 0 { Self.exchange(&sources, source, for: end, in: &nodes) }
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
    /// path follows the waiter and the wait counts as blocked.
    private mutating func wake(_ step: UnsafePointer<PathStep>) {
        let cause = mark(step)
        var isKnown = cause >= 0 && nodes.end(of: cause) >= more.since
        if isKnown, case let own = head(thread(step)).pointee.node, own >= 0 {
            let unknown = nodes.knownSince(cause) - nodes.knownSince(own)
            isKnown = nodes.knownSince(cause) <= more.since || unknown <= step.pointee.time - more.since
        }
        let start = isKnown ? cause : reach(thread: thread(step), at: more.since, item: step.pointee.item)
        arrive(step, because: start, kind: isKnown ? .wake : .blocked)
    }

    /// A task becomes runnable by an action of a thread. If the history of that thread begins after the task suspended,
    /// for example because the thread was created for a callback, the path follows the task and its wait counts as
    /// awaits.
    private mutating func resume(_ step: UnsafePointer<PathStep>) {
        let suspension = mark(step)
        let node = head(thread(step)).pointee.node
        if node >= 0, nodes.knownSince(node) <= nodes.end(of: suspension) { return }
        arrive(step, because: suspension, kind: .awaits)
    }

    /// Whether an interval was requested and is longer than the longest one so far.
    private func wants(_ target: CriticalPath.Target, since begin: Int64, _ step: UnsafePointer<PathStep>) -> Bool {
        let duration = step.pointee.time - begin
        return self.target == target && duration >= 0 && (best.map { $0.duration.count < duration } ?? true)
    }

    private mutating func keep(_ end: Int32, _ step: UnsafePointer<PathStep>, for target: CriticalPath.Target) {
        best = path(to: end, for: target, from: more.since, to: step.pointee.time)
    }

    /// The requested path. Call at the end of the trace, before open operations are closed.
    func result(from begin: Int64, to end: Int64) -> CriticalPath? {
        guard target == .wholeRun else { return best }
        // The thread whose path ends last.
        let known = heads.indices.filter { heads[$0].node >= 0 }
        let latest = known.max { (nodes.end(of: heads[$0].node), $1) < (nodes.end(of: heads[$1].node), $0) }
        guard let latest else { return nil }
        let head = heads[latest].node
        return path(to: head, for: .wholeRun, from: begin, to: max(begin, min(end, nodes.end(of: head))))
    }

    // MARK: Tables

    /// The entry of a table at a position; -1 for none.
    @inline(__always)
    private static func value(_ table: borrowing RowTable<Int32>, _ position: Int32) -> Int32 {
        position >= 0 && Int(position) < table.count ? table[Int(position)] : -1
    }

    /// Removes a node from a table and passes the reference to the caller.
    @inline(__always)
    private static func take(_ table: inout RowTable<Int32>, _ position: Int32) -> Int32 {
        guard Int(position) < table.count else { return -1 }
        let place = table.place(of: Int(position))
        let node = place.pointee
        place.pointee = -1
        return node
    }

    @inline(__always)
    private static func exchange(
        _ table: inout RowTable<Int32>, _ position: Int32, for node: Int32, in nodes: inout PathNodes
    ) {
        nodes.retain(node)
        table.reach(Int(position)) { _ in -1 }
        let place = table.place(of: Int(position))
        let old = place.pointee
        place.pointee = node
        if old >= 0 { nodes.release(old) }
    }

    private static func forget(_ table: inout RowTable<Int32>, _ position: Int32, in nodes: inout PathNodes) {
        let old = take(&table, position)
        if old >= 0 { nodes.release(old) }
    }

    // MARK: Heads

    /// The path to the current position of a thread, which runs `item`. The thread holds the reference.
    mutating func reach(thread: Int, at time: Int64, item: PathItem) -> Int32 {
        let head = head(thread)
        let node = head.pointee.node
        guard node >= 0 else {
            let kind = head.pointee.isWoken ? .wake : item.kind
            head.pointee = Head(node: nodes.make(kind, item: item, thread: thread, end: time, after: -1))
            return head.pointee.node
        }
        let segment = nodes.place(of: node)
        guard time > segment.pointee.end else { return node }
        let kind = head.pointee.isWoken ? .wake : item.kind
        head.pointee.isWoken = false
        if segment.pointee.references == 1, segment.pointee.isSame(kind, item, thread: thread) {
            segment.pointee.end = time
            return node
        }
        // The new segment takes ownership of the thread's reference.
        head.pointee.node = nodes.make(kind, item: item, thread: thread, end: time, after: node)
        return head.pointee.node
    }

    /// A thread continues because of `cause`, -1 for an external event. Takes ownership of the caller's reference to
    /// it.
    mutating func arrive(
        thread: Int, at time: Int64, item: PathItem, because cause: Int32, kind: CriticalPath.Kind
    ) {
        let isImmediate = cause >= 0 && time <= nodes.end(of: cause)
        setHead(thread, isImmediate ? cause : nodes.make(kind, item: item, thread: thread, end: time, after: cause))
    }

    /// Takes ownership of the caller's reference to a node.
    @inline(__always)
    private mutating func setHead(_ thread: Int, _ node: Int32, isWoken: Bool = false) {
        let head = head(thread)
        let old = head.pointee.node
        head.pointee = Head(node: node, isWoken: isWoken)
        if old >= 0 { nodes.release(old) }
    }

    /// The address of the head of a thread.
    @inline(__always)
    private mutating func head(_ thread: Int) -> UnsafeMutablePointer<Head> {
        heads.reach(thread) { _ in Head() }
        return heads.place(of: thread)
    }
}
