import DispatchModel

// The compact records of an interposed program, its workers, and context switches.
extension TraceBuilder {
    /// An item of `async` as recorded by the interposer. Without `begin` it does not run, without `end` it runs until
    /// the end of the trace.
    ///
    /// - Returns: the id of the item; `id` when it is given.
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

    /// A sync whose queue is taken by `holder` after the check of the fast path. The caller blocks at `slept` on queue
    /// `level` of the hierarchy.
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

    /// Creates a worker of `root`. It runs from `started` on.
    public mutating func worker(_ thread: UInt32, of root: QueueID, made: Double, started: Double) {
        add(.workerRequest(.init(root: root, count: 1)), at: made, thread: Self.main)
        add(.workerCreate(.init(root: root)), at: made, thread: Self.main)
        add(.workerStart(.init(root: root)), at: started, thread: thread)
    }

    /// Parks a worker. It wakes at `until`, on a request at `asked`.
    public mutating func park(
        _ thread: UInt32, of root: QueueID, at time: Double, asked: Double? = nil, until: Double? = nil
    ) {
        add(.workerPark(.init(root: root)), at: time, thread: thread)
        if let asked { add(.workerRequest(.init(root: root, count: 1)), at: asked, thread: Self.main) }
        if let until { add(.workerUnpark(.init(root: root)), at: until, thread: thread) }
    }

    /// Takes the processor from a thread. Without `until` the thread does not run again.
    public mutating func off(_ thread: UInt32, from time: Double, until: Double? = nil, preempted: Bool = false) {
        add(.switchOut(.init(tid: thread, preempted: preempted ? 1 : 0)), at: time)
        if let until { add(.switchIn(.init(tid: thread)), at: until) }
    }

    /// Maps the program at 0x1000, libFoundation at 0x3000 and libc at 0x7000, each of 4 KiB.
    public mutating func mapImages() {
        for (begin, path) in [(0x1000, "/srv/app"), (0x3000, "/lib/libFoundation.so"), (0x7000, "/lib/libc.so.6")] {
            let (begin, end) = (UInt64(begin), UInt64(begin) + 0x1000)
            add(.image(.init(base: 0, begin: begin, end: end, buildId: "", path: path)), at: 0)
        }
    }

    /// Records the system call and the stack of a thread that is off-CPU.
    ///
    /// - Parameters:
    ///   - descriptor: the kind of the descriptor of the call.
    ///   - frames: the program counter, then the return addresses.
    public mutating func ask(
        _ thread: UInt32, at time: Double, call: String, on descriptor: DescriptorKind = .unknown, frames: [UInt64]
    ) {
        let stack = stack(frames)
        add(.blockedCall(.init(tid: thread, call: call, stack: stack, descriptor: descriptor)), at: time)
    }
}
