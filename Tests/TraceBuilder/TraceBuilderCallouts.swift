import DispatchModel

// The short records of an interposed program, its workers, and context switches.
extension TraceBuilder {
    /// An item of `async` as the interposer records it. Without `begin` it never runs, without `end` it runs until the
    /// trace ends.
    ///
    /// - Returns: its id; `id` when that is given.
    @discardableResult
    public mutating func callout(
        on queue: QueueID, id: UInt64? = nil, at enqueued: Double, begin: Double? = nil, end: Double? = nil,
        thread: UInt32, from caller: UInt32 = main, barrier: Bool = false, kind: ItemKind = .async
    ) -> UInt64 {
        let id = id ?? item()
        add(
            .itemEnqueue(.init(item: id, queue: queue, code: 0, kind: kind, qos: .default)), at: enqueued,
            thread: caller)
        if barrier { add(.itemBarrier(.init(item: id)), at: enqueued, thread: caller) }
        if let begin { add(.calloutBegin(.init(item: id)), at: begin, thread: thread) }
        if let end { add(.calloutEnd(.init()), at: end, thread: thread) }
        return id
    }

    /// A sync that finds its queue free.
    public mutating func uncontendedSync(
        on queue: QueueID, begin: Double, end: Double? = nil, thread: UInt32, barrier: Bool = false,
        code site: String? = nil
    ) {
        let code = code(site)
        add(.syncBegin(.init(queue: queue, code: code, barrier: barrier ? 1 : 0)), at: begin, thread: thread)
        if let end { add(.calloutEnd(.init()), at: end, thread: thread) }
    }

    /// A sync that looked free, and goes to sleep at `slept` because `holder` has the queue `level` of its hierarchy.
    @discardableResult
    public mutating func lateSync(
        on queue: QueueID, slept: Double, begin: Double? = nil, end: Double? = nil, thread: UInt32, holder: UInt32,
        level: QueueID? = nil, code site: String? = nil
    ) -> UInt64 {
        let id = item()
        let code = code(site)
        let level = level ?? queue
        add(
            .syncWait(
                .init(
                    item: id, queue: queue, code: code, kind: .sync, qos: .default, level: level, holderTid: holder)),
            at: slept, thread: thread)
        if let begin {
            add(.syncHandoff(.init(item: id, queue: level, fromTid: holder)), at: begin, thread: thread)
        }
        run(id, on: queue, begin: begin, end: end, thread: thread)
        if let end { add(.syncReturn(.init(item: id)), at: end, thread: thread) }
        return id
    }

    /// A worker of `root` is made, and runs from `started` on.
    public mutating func worker(_ thread: UInt32, of root: QueueID, made: Double, started: Double) {
        add(.workerRequest(.init(root: root, count: 1)), at: made, thread: Self.main)
        add(.workerCreate(.init(root: root)), at: made, thread: Self.main)
        add(.workerStart(.init(root: root)), at: started, thread: thread)
    }

    /// A worker parks, and wakes `until` when that is given, asked to at `asked`.
    public mutating func park(
        _ thread: UInt32, of root: QueueID, at time: Double, asked: Double? = nil, until: Double? = nil
    ) {
        add(.workerPark(.init(root: root)), at: time, thread: thread)
        if let asked { add(.workerRequest(.init(root: root, count: 1)), at: asked, thread: Self.main) }
        if let until { add(.workerUnpark(.init(root: root)), at: until, thread: thread) }
    }

    /// The thread has no processor between two times; it does not come back without `until`.
    public mutating func off(_ thread: UInt32, from time: Double, until: Double? = nil, preempted: Bool = false) {
        add(.switchOut(.init(tid: thread, preempted: preempted ? 1 : 0)), at: time)
        if let until { add(.switchIn(.init(tid: thread)), at: until) }
    }

    /// The thread, which has no processor, is asked where it is.
    ///
    /// - Parameter frames: where it is, then return addresses.
    public mutating func ask(_ thread: UInt32, at time: Double, call: String, frames: [UInt64]) {
        let stack = stack(frames)
        add(.blockedCall(.init(tid: thread, call: call, stack: stack)), at: time)
    }
}
