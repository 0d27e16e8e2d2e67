import DispatchModel
import Testing
import TraceBuilder

/// Each part of a wait separately. Times in µs.
@Suite struct WaitPartitionTests {
    private func parts(_ trace: TraceBuilder, of item: UInt64) throws -> WaitParts {
        try #require(ObservationLog.read(trace.events).log.item(item)).waitParts
    }

    //   first    ├──run──┤
    //   second    ╰─wait──┤╰sched.╯├──run──┤
    //            0  2     10       13
    @Test("An item behind another of its queue waits for own backlog, then for the scheduler")
    func ownBacklog() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        trace.async(on: queue, at: 0, begin: 0, end: 10, thread: 2)
        let second = trace.async(on: queue, at: 2, begin: 13, end: 14, thread: 2)
        let parts = try parts(trace, of: second)
        #expect(parts.ownBacklog == .microseconds(8))
        #expect(parts.scheduler == .microseconds(3))
        #expect(parts.total == .microseconds(11))
    }

    @Test("An item waits for hierarchy while a sibling holds the shared serial target")
    func hierarchy() throws {
        var trace = TraceBuilder()
        let target = trace.serialQueue("target")
        let left = trace.serialQueue("left", target: target)
        let right = trace.serialQueue("right", target: target)
        trace.async(on: left, at: 0, begin: 0, end: 10, thread: 2)
        let second = trace.async(on: right, at: 4, begin: 10, end: 12, thread: 2)
        let parts = try parts(trace, of: second)
        #expect(parts.hierarchy == .microseconds(6))
        #expect(parts.total == .microseconds(6))
    }

    @Test("A suspended target comes before backlog")
    func suspension() throws {
        var trace = TraceBuilder()
        let target = trace.serialQueue("target")
        let queue = trace.serialQueue("q", target: target)
        trace.async(on: queue, at: 0, begin: 0, end: 10, thread: 2)
        trace.suspend(target, at: 6, until: 20)
        let second = trace.async(on: queue, at: 2, begin: 21, end: 22, thread: 2)
        let parts = try parts(trace, of: second)
        #expect(parts.ownBacklog == .microseconds(4))
        #expect(parts.suspended == .microseconds(14))
        #expect(parts.scheduler == .microseconds(1))
    }

    @Test("A queue created inactive counts as suspended until its activation")
    func inactive() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q", inactive: true)
        let item = trace.async(on: queue, at: 1, begin: 9, end: 10, thread: 2)
        trace.add(.objectActivate(.init(object: UInt64(queue), kind: .queue, code: 0, stack: 0)), at: 8, thread: 1)
        #expect(try parts(trace, of: item).suspended == .microseconds(7))
    }

    @Test("The time before the due time is not due, even while the queue is held")
    func notDue() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        trace.async(on: queue, at: 0, begin: 0, end: 60, thread: 2)
        let item = trace.asyncAfter(on: queue, at: 10, delay: 40, begin: 65, end: 66, thread: 2)
        let parts = try parts(trace, of: item)
        #expect(parts.notDue == .microseconds(40))
        #expect(parts.ownBacklog == .microseconds(10))
        #expect(parts.scheduler == .microseconds(5))
    }

    @Test("A thread that started during the wait splits the free time into thread start and scheduler")
    func threadStart() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        trace.add(.threadStart(.init(tid: 7, name: "worker")), at: 25)
        let item = trace.async(on: queue, at: 5, begin: 28, end: 30, thread: 7)
        let parts = try parts(trace, of: item)
        #expect(parts.threadStart == .microseconds(20))
        #expect(parts.scheduler == .microseconds(3))
    }

    //   reader 1   ├────────┤
    //   writer       ╰─wait─┤├──run──┤
    //   reader 2       ╰────wait─────┤├─┤
    @Test("A writer waits for readers to drain, and a reader behind it for both")
    func barrier() throws {
        var trace = TraceBuilder()
        let queue = trace.concurrentQueue("cache")
        trace.async(on: queue, at: 0, begin: 0, end: 10, thread: 2)
        let writer = trace.async(on: queue, at: 2, begin: 11, end: 20, thread: 2, barrier: true)
        let reader = trace.async(on: queue, at: 4, begin: 22, end: 23, thread: 2)
        let writerParts = try parts(trace, of: writer)
        #expect(writerParts.barrier == .microseconds(8))
        #expect(writerParts.scheduler == .microseconds(1))
        let readerParts = try parts(trace, of: reader)
        #expect(readerParts.barrier == .microseconds(15))
        #expect(readerParts.scheduler == .microseconds(3))
    }

    @Test("A reader ahead of a barrier does not wait for it")
    func readerAheadOfBarrier() throws {
        var trace = TraceBuilder()
        let queue = trace.concurrentQueue("cache")
        trace.async(on: queue, at: 0, begin: 0, end: 10, thread: 2)
        let reader = trace.async(on: queue, at: 1, begin: 6, end: 8, thread: 3)
        trace.async(on: queue, at: 2, begin: 12, end: 20, thread: 3, barrier: true)
        #expect(try parts(trace, of: reader).barrier == .zero)
    }

    @Test("A barrier on a global queue holds nobody up")
    func barrierOnGlobal() throws {
        var trace = TraceBuilder()
        let queue = trace.globalQueue()
        trace.async(on: queue, at: 0, begin: 0, end: 10, thread: 2, barrier: true)
        let reader = trace.async(on: queue, at: 1, begin: 6, end: 8, thread: 3)
        #expect(try parts(trace, of: reader).barrier == .zero)
        #expect(ObservationLog.read(trace.events).model.invariants.exclusion.violations == 0)
    }

    @Test("A wait across a change of target is split at the change")
    func retarget() throws {
        var trace = TraceBuilder()
        let target = trace.serialQueue("target")
        let sibling = trace.serialQueue("sibling", target: target)
        let queue = trace.serialQueue("q", inactive: true)
        trace.async(on: sibling, at: 0, begin: 0, end: 30, thread: 2)
        let item = trace.async(on: queue, at: 2, begin: 31, end: 32, thread: 2)
        trace.add(.queueSetTarget(.init(queue: queue, target: target, code: 0)), at: 10, thread: 1)
        trace.add(.objectActivate(.init(object: UInt64(queue), kind: .queue, code: 0, stack: 0)), at: 12, thread: 1)
        let parts = try parts(trace, of: item)
        #expect(parts.suspended == .microseconds(10))
        #expect(parts.hierarchy == .microseconds(18))
        #expect(parts.scheduler == .microseconds(1))
    }

    //   store (concurrent)   W  ├───────── barrier ─────────┤
    //   session (serial)     a     ▲ enqueued                   ├ begins 5 µs after the barrier
    @Test("A serial queue that targets a concurrent one waits for its barriers, not for workers")
    func barrierOfTarget() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let store = trace.concurrentQueue("app.store", target: root)
        let session = trace.serialQueue("app.session", target: store)
        trace.worker(2, of: root, made: 0, started: 1)
        trace.async(on: store, at: 2, begin: 10, end: 100, thread: 2, barrier: true)
        let waiting = trace.async(on: session, at: 20, begin: 105, end: 110, thread: 2)
        let item = try #require(ObservationLog.read(trace.events).log.item(waiting))
        #expect(item.waitParts.barrier == .microseconds(80))
        #expect(item.waitParts.pool + item.waitParts.scheduler == .microseconds(5))
        #expect(item.waitParts.total == item.wait)
    }

    //   low (concurrent)      ├──── barrier ────┤
    //   high (concurrent)        waits, reader or barrier    ├ begins 5 µs after the barrier
    @Test("A concurrent queue waits for the barriers of all those below, also with barriers", arguments: [false, true])
    func barrierTwoLevelsBelow(isBarrier: Bool) throws {
        var trace = TraceBuilder()
        let low = trace.concurrentQueue("app.low", target: trace.globalQueue())
        let middle = trace.concurrentQueue("app.middle", target: low)
        let high = trace.concurrentQueue("app.high", target: middle)
        trace.async(on: low, at: 2, begin: 10, end: 100, thread: 2, barrier: true)
        let waiting = trace.async(on: high, at: 20, begin: 105, end: 110, thread: 2, barrier: isBarrier)
        let item = try #require(ObservationLog.read(trace.events).log.item(waiting))
        #expect(item.waitParts.barrier == .microseconds(80))
        #expect(item.waitParts.scheduler == .microseconds(5))
    }
}
