import DispatchModel
import Testing
import TraceBuilder

/// The workers of a root queue, and the parts of waits that depend on them. Times in µs.
@Suite struct PoolTests {
    private func parts(_ trace: TraceBuilder, of item: UInt64) throws -> WaitParts {
        let parts = try #require(ObservationLog.read(trace.events).log.item(item))
        #expect(parts.waitParts.total == parts.wait)
        return parts.waitParts
    }

    //   item     ├────── thread start ──────┤ sched. ├─run─┤
    //   worker   created                    starts
    //            2                          12       15
    @Test("Until a worker that was made for it starts, an item waits for the start of a thread")
    func threadStart() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let queue = trace.serialQueue("q", target: root)
        trace.worker(7, of: root, made: 2, started: 12)
        let item = trace.callout(on: queue, at: 2, begin: 15, end: 16, thread: 7)
        let parts = try parts(trace, of: item)
        #expect(parts.threadStart == .microseconds(10))
        #expect(parts.scheduler == .microseconds(3))
    }

    @Test("A parked worker that was asked to wake counts as starting until it wakes")
    func unpark() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        trace.worker(7, of: root, made: 0, started: 1)
        trace.park(7, of: root, at: 2, asked: 20, until: 24)
        let item = trace.callout(on: root, at: 20, begin: 26, end: 27, thread: 7)
        let parts = try parts(trace, of: item)
        #expect(parts.threadStart == .microseconds(4))
        #expect(parts.scheduler == .microseconds(2))
    }

    //   worker 7   ├──── first ────┤├ second ┤
    //   second        ╰─── pool ───╯
    @Test("While every worker is busy, an item of a free queue waits for the pool")
    func pool() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let busy = trace.serialQueue("busy", target: root)
        let queue = trace.serialQueue("q", target: root)
        trace.worker(7, of: root, made: 0, started: 1)
        trace.callout(on: busy, at: 0, begin: 2, end: 30, thread: 7)
        let item = trace.callout(on: queue, at: 5, begin: 30, end: 31, thread: 7)
        #expect(try parts(trace, of: item).pool == .microseconds(25))
    }

    @Test("A queue that is held does not wait for the pool, and one behind a suspension neither")
    func heldAndSuspended() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let busy = trace.serialQueue("busy", target: root)
        let queue = trace.serialQueue("q", target: root)
        trace.worker(7, of: root, made: 0, started: 1)
        trace.worker(8, of: root, made: 0, started: 1)
        trace.callout(on: busy, at: 0, begin: 2, end: 50, thread: 7)
        trace.callout(on: queue, at: 2, begin: 3, end: 20, thread: 8)
        trace.suspend(queue, at: 25, until: 32)
        let item = trace.callout(on: queue, at: 5, begin: 40, end: 41, thread: 8)
        let parts = try parts(trace, of: item)
        #expect(parts.ownBacklog == .microseconds(15))
        #expect(parts.suspended == .microseconds(7))
        #expect(parts.pool == .microseconds(13))
    }

    @Test("A second worker on its way ends the wait for the pool")
    func secondWorker() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        trace.worker(7, of: root, made: 0, started: 1)
        trace.callout(on: root, at: 0, begin: 2, end: 60, thread: 7)
        let item = trace.callout(on: root, at: 10, begin: 45, end: 46, thread: 8)
        trace.worker(8, of: root, made: 30, started: 42)
        let parts = try parts(trace, of: item)
        #expect(parts.pool == .microseconds(20))
        #expect(parts.threadStart == .microseconds(12))
        #expect(parts.scheduler == .microseconds(3))
    }

    @Test("Each root queue has workers of its own, and a sync or the main queue needs none")
    func otherRoots() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let other = trace.globalQueue("com.apple.root.utility-qos")
        let held = trace.serialQueue("held", target: root)
        let main = trace.queue("com.apple.main-thread", width: 1, target: root, flags: 1, at: 0)
        trace.worker(7, of: root, made: 0, started: 1)
        trace.callout(on: root, at: 0, begin: 2, end: 60, thread: 7)
        let items = [
            trace.callout(on: other, at: 10, begin: 20, end: 21, thread: 9),
            trace.sync(on: held, at: 10, begin: 20, end: 21, thread: 9),
            trace.callout(on: main, at: 10, begin: 20, end: 21, thread: 1),
        ]
        for item in items {
            let parts = try parts(trace, of: item)
            #expect(parts.scheduler == .microseconds(10))
        }
    }

    //   item 1   ├ t. start ┤├run┤
    //   item 2      ├t. start┤├own ┤├run┤
    //   item 3                                   ├ t. start ┤├run┤
    //   worker   asked       starts       parks  asked       wakes
    //            10  12      20 22  30    50     60          64
    @Test("After dispatch_main, items of the main queue wait for the start of a worker")
    func mainQueueOnWorkers() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let main = trace.queue("com.apple.main-thread", width: 1, target: root, flags: 1, at: 0)
        trace.worker(7, of: root, made: 10, started: 20)
        let items = [
            trace.callout(on: main, at: 5, begin: 22, end: 30, thread: 7),
            trace.callout(on: main, at: 12, begin: 30, end: 31, thread: 7),
            trace.callout(on: main, at: 60, begin: 64, end: 65, thread: 7),
        ]
        trace.park(7, of: root, at: 50, asked: 60, until: 64)
        let waits = try items.map { try parts(trace, of: $0) }
        #expect(waits.map(\.threadStart) == [.microseconds(10), .microseconds(8), .microseconds(4)])
        #expect(waits.map(\.scheduler) == [.microseconds(7), .microseconds(2), .zero])
        #expect(waits[1].ownBacklog == .microseconds(8))
    }

    //   async     ├ thread start ┤├run┤
    //   syncs        ├ t. start ─┤├own┤ sched.├run┤ own ├run┤
    //             2  4          12   20       23  25   27
    @Test("Syncs behind an async wait for its worker until it begins, and for each other's threads after that")
    func behindAsync() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let queue = trace.serialQueue("q", target: root)
        trace.worker(7, of: root, made: 2, started: 12)
        trace.worker(8, of: root, made: 20, started: 40)
        trace.callout(on: queue, at: 2, begin: 12, end: 20, thread: 7)
        let syncs = [
            trace.sync(on: queue, at: 4, begin: 23, end: 25, thread: 1),
            trace.sync(on: queue, at: 5, begin: 27, end: 28, thread: 2),
        ]
        let waits = try syncs.map { try parts(trace, of: $0) }
        #expect(waits.map(\.threadStart) == [.microseconds(8), .microseconds(7)])
        #expect(waits.map(\.ownBacklog) == [.microseconds(8), .microseconds(10)])
        #expect(waits.map(\.scheduler) == [.microseconds(3), .microseconds(5)])
    }

    //   barrier   ├──── pool ────┤├run┤
    //   reader       ├── pool ───┤├b. ┤ sched. ├run┤
    //             5  8           30   40       42
    @Test("A sync behind a barrier that waits for a worker waits for it, too")
    func behindBarrier() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let busy = trace.serialQueue("busy", target: root)
        let queue = trace.concurrentQueue("q", target: root)
        trace.worker(7, of: root, made: 0, started: 1)
        trace.callout(on: busy, at: 0, begin: 2, end: 30, thread: 7)
        trace.callout(on: queue, at: 5, begin: 30, end: 40, thread: 7, barrier: true)
        let sync = trace.sync(on: queue, at: 8, begin: 42, end: 43, thread: 1)
        let wait = try parts(trace, of: sync)
        #expect((wait.pool, wait.barrier, wait.scheduler) == (.microseconds(22), .microseconds(10), .microseconds(2)))
    }

    /// A pool with one worker that is busy until 30.
    private func busyPool() -> (trace: TraceBuilder, root: TraceBuilder.QueueID) {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        trace.worker(7, of: root, made: 0, started: 1)
        trace.callout(on: trace.serialQueue("busy", target: root), at: 0, begin: 2, end: 30, thread: 7)
        return (trace, root)
    }

    //   async     ├──── pool ────┤├run┤
    //   sync         ├── pool ───┤├own┤ sched. ├run┤     found its queue free at first
    //             5  8           30   40       42
    @Test("So does a sync that looked free, as no worker had come for the async ahead of it")
    func lateBehindAsync() throws {
        var (trace, root) = busyPool()
        let queue = trace.serialQueue("q", target: root)
        trace.callout(on: queue, at: 5, begin: 30, end: 40, thread: 7)
        let sync = trace.lateSync(on: queue, slept: 8, begin: 42, end: 43, thread: 1, holder: 0)
        let wait = try parts(trace, of: sync)
        #expect((wait.pool, wait.ownBacklog) == (.microseconds(22), .microseconds(10)))
        #expect(wait.scheduler == .microseconds(2))
    }

    //   barrier   ├──── pool ────┤├run┤
    //   sync         ├── pool ───┤├b. ┤ sched. ├run┤     also a barrier, or a sync to a serial queue that targets it
    //             5  8           30   40       42
    @Test("So do a sync that is a barrier itself, and one to a serial queue above", arguments: [false, true])
    func behindBarrierBelow(isAbove: Bool) throws {
        var (trace, root) = busyPool()
        let queue = trace.concurrentQueue("q", target: root)
        let above = isAbove ? trace.serialQueue("above", target: queue) : queue
        trace.callout(on: queue, at: 5, begin: 30, end: 40, thread: 7, barrier: true)
        let syncs = [
            trace.sync(on: above, at: 8, begin: 42, end: 43, thread: 1, barrier: !isAbove),
            trace.sync(on: above, at: 9, begin: 44, end: 45, thread: 2, barrier: !isAbove),
        ]
        let waits = try syncs.map { try parts(trace, of: $0) }
        #expect(waits.map(\.pool) == [.microseconds(22), .microseconds(21)])
        #expect(waits[0].barrier == .microseconds(10) && waits[0].scheduler == .microseconds(2))
    }

    @Test("A queue with a barrier that waits may become a serial one")
    func barrierOfSerialQueue() throws {
        var (trace, root) = busyPool()
        let queue = trace.concurrentQueue("q", target: root)
        trace.callout(on: queue, at: 5, begin: 30, end: 40, thread: 7, barrier: true)
        let serial = trace.serialQueue("serial", target: root)
        trace.add(.queueSetTarget(.init(queue: queue, target: serial, code: 0)), at: 6, thread: 1)
        let sync = trace.lateSync(on: queue, slept: 8, begin: 42, end: 43, thread: 1, holder: 0)
        #expect(try parts(trace, of: sync).pool == .microseconds(22))
    }

    @Test("Workers are counted per root queue, and threads know which they serve")
    func counts() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        for thread in 7...9 as ClosedRange<UInt32> {
            trace.worker(thread, of: root, made: 1, started: Double(thread))
        }
        trace.add(.workerExit(.init(root: root)), at: 20, thread: 8)
        trace.worker(8, of: root, made: 30, started: 31)
        let model = ObservationLog.read(trace.events).model
        let workers = try #require(model.workers.first)
        #expect(model[workers.root].label == "com.apple.root.default-qos")
        #expect((workers.made, workers.most) == (4, 3))
        let thread = try #require(model.threads.first { $0.tid == 7 })
        #expect(thread.root == workers.root && thread.name == "worker")
    }
}
