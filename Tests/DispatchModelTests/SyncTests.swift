import DispatchModel
import Testing
import TraceBuilder

@Suite struct SyncTests {
    //   caller    a b c ── sync_enter ···············├─ d ─┤
    //   worker           ├─1─┤├─2─┤├─3─┤
    @Test("Asyncs and then a sync run in order, and the sync is handed over by the worker")
    func order() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let asyncs = [
            trace.async(on: queue, at: 1, begin: 5, end: 10, thread: 2),
            trace.async(on: queue, at: 2, begin: 11, end: 14, thread: 2),
            trace.async(on: queue, at: 3, begin: 15, end: 20, thread: 2),
        ]
        let sync = trace.sync(on: queue, at: 4, begin: 24, end: 26, thread: 1, from: 2)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(log.items.map(\.id) == asyncs + [sync])
        let handoff = try #require(log.handoffs.first)
        #expect(log.handoffs.count == 1)
        #expect(model[handoff.from].tid == 2)
        #expect(model[handoff.to].tid == 1)
        #expect(handoff.requestedAt == Timestamp(nanoseconds: 4_000))
        #expect(handoff.releasedAt == Timestamp(nanoseconds: 20_000))
        #expect(handoff.grantedAt == Timestamp(nanoseconds: 24_000))
        let item = try #require(log.item(sync))
        #expect(item.handedOverBy == handoff.from)
        #expect(item.waitParts.ownBacklog == .microseconds(5 + 3 + 5))
        let acquisition = try #require(log.acquisitions.last)
        #expect(acquisition.blocksThread)
        #expect(acquisition.requestedAt == item.enqueuedAt)
        #expect(model.invariants.order.violations == 0)
    }

    @Test("A sync that finds its queue free waits for nothing, and its request is its grant")
    func uncontended() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        trace.sync(on: queue, at: 1, begin: 1.1, end: 2, thread: 1)
        let log = ObservationLog.read(trace.events).log
        let acquisition = try #require(log.acquisitions.first)
        #expect(!acquisition.blocksThread)
        #expect(acquisition.requestedAt == acquisition.grantedAt)
        #expect(log.handoffs.isEmpty)
    }

    @Test(
        "A sync that returns before its item ended is a violation beyond the tolerance",
        arguments: [(0.2, 0), (0.201, 1)])
    func earlyReturn(late: Double, violations: Int) {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let item = trace.sync(on: queue, at: 1, begin: 2, thread: 1)
        trace.add(.syncReturn(.init(item: item)), at: 3, thread: 1)
        trace.add(.itemEnd(.init(item: item)), at: 3 + late, thread: 1)
        let invariants = ObservationLog.read(trace.events).model.invariants
        #expect(invariants.syncReturns.checked == 1)
        #expect(invariants.syncReturns.violations == violations)
    }

    //   thread 2   ├─ outer ─ sync ······├── sync ··········├─┤ ──────┤ ───┤
    //   thread 3 ├─ middle ───────┤
    //   thread 4 ├─ inner ────────────────────────┤
    @Test("An item tells what its syncs cost it, and what those waited for themselves")
    func cost() throws {
        var trace = TraceBuilder()
        let outer = trace.serialQueue("outer")
        let (middle, inner) = (trace.serialQueue("middle"), trace.serialQueue("inner"))
        trace.async(on: middle, at: 0, begin: 1, end: 10, thread: 3)
        trace.async(on: inner, at: 0, begin: 1, end: 20, thread: 4)
        let item = trace.async(on: outer, at: 0, begin: 2, end: 40, thread: 2)
        let sync = trace.sync(on: middle, at: 5, begin: 12, end: 30, thread: 2, from: 3)
        let nested = trace.sync(on: inner, at: 14, begin: 23, end: 25, thread: 2, from: 4)
        let log = ObservationLog.read(trace.events).log
        func cost(_ id: UInt64) throws -> [Int64] {
            let syncs = try #require(log.item(id)).syncs
            return [syncs.blocked.count, syncs.waking.count]
        }
        #expect(try cost(nested) == [0, 0])
        #expect(try cost(sync) == [9_000, 3_000])
        #expect(try cost(item) == [9_000 + 7_000, 3_000 + 2_000])
    }

    @Test("A sync that another thread runs costs its caller all its time")
    func costOfForeign() throws {
        var trace = TraceBuilder()
        let (outer, inner) = (trace.serialQueue("outer"), trace.serialQueue("inner"))
        let item = trace.async(on: outer, at: 0, begin: 2, end: 40, thread: 2)
        let sync = trace.item()
        trace.add(
            .syncEnter(.init(item: sync, queue: inner, code: 0, kind: .asyncAndWait, qos: .default)), at: 5, thread: 2)
        // The item itself waits for another queue.
        let third = trace.serialQueue("third")
        trace.async(on: third, at: 0, begin: 1, end: 10, thread: 4)
        let nested = trace.sync(on: third, at: 9, begin: 11, end: 12, thread: 3, from: 4)
        trace.run(sync, on: inner, begin: 8, end: 13, thread: 3)
        let log = ObservationLog.read(trace.events).log
        #expect(try #require(log.item(item)).syncs.blocked == .microseconds(8))
        #expect(try #require(log.item(sync)).syncs.blocked == .microseconds(2))
        #expect(try #require(log.item(nested)).syncs == SyncCost())
    }

    @Test("Where another thread runs a sync, nothing was handed to it")
    func foreignHandoff() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let sync = trace.item()
        trace.add(
            .syncEnter(.init(item: sync, queue: queue, code: 0, kind: .asyncAndWait, qos: .default)), at: 5, thread: 2)
        trace.add(.syncHandoff(.init(item: sync, queue: queue, fromTid: 3)), at: 8, thread: 2)
        trace.run(sync, on: queue, begin: 8, end: 13, thread: 3)
        #expect(ObservationLog.read(trace.events).log.handoffs.isEmpty)
    }

    @Test("An item submitted from within another has that one as its parent")
    func parent() throws {
        var trace = TraceBuilder()
        let outer = trace.serialQueue("outer")
        let inner = trace.serialQueue("inner")
        let first = trace.async(on: outer, at: 0, begin: 1, end: 9, thread: 2)
        let second = trace.sync(on: inner, at: 3, begin: 3.1, end: 4, thread: 2)
        let third = trace.async(on: inner, at: 5, begin: 6, end: 7, thread: 3, from: 2)
        let log = ObservationLog.read(trace.events).log
        let parent = try #require(log.item(first)).number
        #expect(log.item(second)?.parent == parent)
        #expect(log.item(third)?.parent == parent)
        #expect(log.item(first)?.parent == nil)
    }
}
