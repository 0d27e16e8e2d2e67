import DispatchModel
import Testing
import TraceBuilder

// Open operations at the end, and requests for domains while other domains are held.
@Suite("Domain orders and the graph of waits")
struct WaitForGraphTests {
    // thread 2   ├─ A ── sync B ·······
    // thread 3   ├─ B ── sync A ·······
    @Test("Two queues that wait for each other are in the graph with their holders")
    func deadlock() throws {
        var trace = TraceBuilder()
        let a = trace.serialQueue("A")
        let b = trace.serialQueue("B")
        trace.async(on: a, at: 1, begin: 2, thread: 2)
        trace.async(on: b, at: 1, begin: 2, thread: 3)
        trace.sync(on: b, at: 5, thread: 2, from: 3)
        trace.sync(on: a, at: 6, thread: 3, from: 2)
        let (model, log) = ObservationLog.read(trace.events)
        let graph = model.waitForGraph
        #expect(graph.running.map { model[$0.queue].label } == ["A", "B"])
        #expect(graph.running.map { model[$0.thread].tid } == [2, 3])
        #expect(graph.waits.compactMap { $0.holder.map { model[$0].tid } } == [3, 2])
        #expect(graph.waits.map { model[$0.thread].tid } == [2, 3])
        #expect(graph.backlogs.map(\.count) == [1, 1])
        #expect(log.pending.map(\.isSync) == [true, true])
        #expect(log.orders.map { $0.held.map(\.domain) } == [[.queue(QueueIndex(0))], [.queue(QueueIndex(1))]])
        #expect(log.orders.map(\.wanted) == [.queue(QueueIndex(1)), .queue(QueueIndex(0))])
    }

    @Test("Requests of one shape are one order, with their count, times and threads")
    func repeatedOrder() throws {
        var trace = TraceBuilder()
        let a = trace.serialQueue("A")
        let b = trace.serialQueue("B")
        for round in 0..<3 {
            let start = Double(round * 100)
            let thread = UInt32(2 + round / 2)
            trace.async(on: a, at: start + 1, begin: start + 2, end: start + 20, thread: thread, code: "A.swift:1")
            trace.uncontendedSync(on: b, begin: start + 5, end: start + 6, thread: thread, code: "A.swift:2")
        }
        let (model, log) = ObservationLog.read(trace.events)
        let order = try #require(log.orders.first)
        #expect(log.orders.count == 1)
        #expect(order.count == 3)
        #expect(order.isOnSeveralThreads)
        #expect(!order.isOneOperation)
        #expect((order.first, order.last) == (Timestamp(nanoseconds: 5_000), Timestamp(nanoseconds: 205_000)))
        #expect(order.held.map { model[$0.code].line } == [1])
        #expect(model[order.code].line == 2)
    }

    @Test("Locks and semaphores used as locks are held and wanted; a semaphore that others signal is neither")
    func locksAndSemaphores() {
        func orders(signaller: UInt32) -> [DomainOrder] {
            var trace = TraceBuilder()
            let lock = trace.lock("L", fair: true)
            let semaphore = trace.object()
            trace.add(.semaphoreCreate(.init(semaphore: semaphore, value: 1, code: 0)), at: 1, thread: 2)
            trace.add(.lockAcquire(.init(lock: lock, code: 0)), at: 2, thread: 2)
            trace.add(.semaphoreWaitBegin(.init(semaphore: semaphore, code: 0)), at: 3, thread: 2)
            trace.add(.semaphoreWaitEnd(.init(semaphore: semaphore, timedOut: 0)), at: 4, thread: 2)
            trace.add(.semaphoreSignal(.init(semaphore: semaphore, code: 0)), at: 5, thread: signaller)
            trace.add(.lockRelease(.init(lock: lock)), at: 6, thread: 2)
            return ObservationLog.read(trace.events).log.orders
        }
        #expect(orders(signaller: 2).map(\.wanted) == [.semaphore(SemaphoreIndex(0))])
        #expect(orders(signaller: 2).map { $0.held.map(\.domain) } == [[.lock(LockIndex(0))]])
        #expect(orders(signaller: 3).isEmpty)
    }

    @Test("A sync outside of everything, and one from a concurrent queue, order nothing")
    func nothingHeld() {
        var trace = TraceBuilder()
        let global = trace.globalQueue()
        let b = trace.serialQueue("B")
        trace.async(on: global, at: 1, begin: 2, end: 20, thread: 2)
        trace.uncontendedSync(on: b, begin: 5, end: 6, thread: 2)
        trace.uncontendedSync(on: b, begin: 7, end: 8, thread: 3)
        #expect(ObservationLog.read(trace.events).log.orders.isEmpty)
    }

    @Test("What waits at the end is pending, with its due time; what is cancelled is pending until then")
    func pending() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.work")
        trace.async(on: queue, at: 1, begin: 2, end: 30, thread: 2)
        let cancelled = trace.async(on: queue, at: 5, thread: 2)
        trace.add(.itemCancel(.init(item: cancelled)), at: 9, thread: 1)
        let late = trace.asyncAfter(on: queue, at: 6, delay: 1000, thread: 2)
        let (_, log) = ObservationLog.read(trace.events)
        #expect(log.pending.map(\.id) == [cancelled, late])
        #expect(log.pending.map(\.isCancelled) == [true, false])
        #expect(log.pending.map(\.wait) == [.microseconds(4), .microseconds(24)])
        #expect(log.pending.map(\.due) == [nil, Timestamp(nanoseconds: 1_006_000)])
        #expect(log.pending.allSatisfy { $0.waitParts.total == $0.wait })
    }
}
