import DispatchModel
import Testing
import TraceBuilder

/// The short records of an interposed program are equivalent to the long ones.
@Suite struct CalloutTests {
    @Test("A callout is the item that was enqueued, with the same wait and service as item_begin and item_end give it")
    func callout() throws {
        var short = TraceBuilder()
        let queue = short.serialQueue("q")
        let id = short.callout(on: queue, at: 1, begin: 5, end: 9, thread: 2)
        var long = TraceBuilder()
        let same = long.serialQueue("q")
        long.async(on: same, at: 1, begin: 5, end: 9, thread: 2)
        let item = try #require(ObservationLog.read(short.events).log.item(id))
        let other = try #require(ObservationLog.read(long.events).log.items.first)
        #expect((item.enqueuedAt, item.beganAt, item.endedAt) == (other.enqueuedAt, other.beganAt, other.endedAt))
        #expect(item.waitParts == other.waitParts)
        #expect(item.kind == .async && item.isFinished)
    }

    //   thread 2   ├ callout ── ├ sync_begin ─ ├ item ┤ ─┤ ──┤
    @Test("Callouts, free syncs and items nest, and each end is that of the innermost")
    func nesting() throws {
        var trace = TraceBuilder()
        let outer = trace.serialQueue("outer")
        let middle = trace.serialQueue("middle")
        let inner = trace.serialQueue("inner")
        let first = trace.callout(on: outer, at: 0, begin: 1, thread: 2)
        trace.uncontendedSync(on: middle, begin: 2, thread: 2)
        let last = trace.sync(on: inner, at: 3, begin: 3, end: 4, thread: 2)
        trace.add(.calloutEnd(.init()), at: 5, thread: 2)
        trace.add(.calloutEnd(.init()), at: 6, thread: 2)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(log.items.map { model[$0.queue].label } == ["inner", "middle", "outer"])
        #expect(log.items.map(\.endedAt.nanoseconds) == [4_000, 5_000, 6_000])
        let parent = try #require(log.item(first)).number
        #expect(log.items[1].parent == parent)
        #expect(log.item(last)?.parent == log.items[1].number)
        #expect(model.invariants.ends.violations == 0)
    }

    @Test("A sync that finds its queue free waits for nothing, holds its exclusion queue, and has no id")
    func uncontendedSync() throws {
        var trace = TraceBuilder()
        let target = trace.serialQueue("target")
        let queue = trace.serialQueue("q", target: target)
        trace.uncontendedSync(on: queue, begin: 2, end: 7, thread: 3, code: "App/Main.swift:9")
        let waiting = trace.async(on: target, at: 3, begin: 8, end: 9, thread: 2)
        let (model, log) = ObservationLog.read(trace.events)
        let item = try #require(log.items.first)
        #expect(item.id == 0 && item.kind == .sync && item.wait == .zero && item.service == .microseconds(5))
        #expect(item.enqueuedOn == item.thread && model[item.thread].tid == 3)
        #expect(model[item.code].line == 9)
        let acquisition = try #require(log.acquisitions.first)
        #expect(acquisition.domain == .queue(QueueIndex(0)) && !acquisition.blocksThread)
        #expect(acquisition.requestedAt == acquisition.grantedAt)
        #expect(log.item(waiting)?.waitParts.hierarchy == .microseconds(4))
        #expect(model.loads[1].begun == 1)
    }

    @Test("Two items at once on one exclusion queue are a violation, also when both are free syncs")
    func exclusion() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        trace.uncontendedSync(on: queue, begin: 2, end: 7, thread: 3)
        trace.uncontendedSync(on: queue, begin: 4, end: 6, thread: 4)
        #expect(ObservationLog.read(trace.events).model.invariants.exclusion.violations > 0)
    }

    @Test("A free barrier sync holds up readers, a free sync of a reader does not")
    func barrier() throws {
        var trace = TraceBuilder()
        let cache = trace.concurrentQueue("cache")
        trace.uncontendedSync(on: cache, begin: 0, end: 10, thread: 2, barrier: true)
        let first = trace.callout(on: cache, at: 4, begin: 11, end: 12, thread: 3)
        trace.uncontendedSync(on: cache, begin: 20, end: 30, thread: 2)
        let second = trace.callout(on: cache, at: 24, begin: 26, end: 27, thread: 3)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(log.item(first)?.waitParts.barrier == .microseconds(6))
        #expect(log.item(second)?.waitParts.barrier == .zero)
        #expect(log.items.first?.isBarrier == true)
        #expect(model.invariants.exclusion.violations == 0)
    }

    @Test("A free sync that passes items which wait in its queue is no violation of their order")
    func noOvertaking() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        trace.callout(on: queue, at: 0, begin: 10, end: 11, thread: 2)
        trace.uncontendedSync(on: queue, begin: 5, end: 6, thread: 3)
        let order = ObservationLog.read(trace.events).model.invariants.order
        #expect(order.checked == 1 && order.violations == 0)
    }

    //   thread 3   takes its place ···· sync_wait ········ hand-off ├ item ┤
    //   thread 1            async a enqueued ·· a begins after it
    @Test("A late sync neither overtakes what was submitted before its record, nor is it overtaken")
    func lateSync() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        trace.callout(on: queue, at: 0, begin: 0, end: 10, thread: 2)
        trace.callout(on: queue, at: 1, begin: 13, end: 14, thread: 2)
        let sync = trace.lateSync(on: queue, slept: 3, begin: 11, end: 12, thread: 3, holder: 2)
        trace.callout(on: queue, at: 2, begin: 15, end: 16, thread: 2)
        let early = trace.lateSync(on: queue, slept: 20, begin: 40, end: 41, thread: 3, holder: 2)
        trace.callout(on: queue, at: 25, begin: 30, end: 31, thread: 2)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(model.invariants.order.violations == 0)
        #expect(model.invariants.order.checked == 4)
        let item = try #require(log.item(sync))
        #expect(item.handedOverBy == item.blockedBy)
        #expect(log.item(early)?.wait == .microseconds(20))
    }

    @Test("A sync that blocks tells the level that was held and the thread that held it, however it was recorded")
    func blockingLevel() throws {
        var trace = TraceBuilder()
        let target = trace.serialQueue("target")
        let queue = trace.serialQueue("q", target: target)
        trace.callout(on: target, at: 0, begin: 0, end: 10, thread: 2)
        let late = trace.lateSync(on: queue, slept: 3, begin: 11, end: 12, thread: 3, holder: 2, level: target)
        let early = trace.item()
        trace.add(
            .syncEnter(.init(item: early, queue: queue, code: 0, kind: .sync, qos: .default)), at: 4, thread: 4)
        trace.add(.syncBlock(.init(item: early, queue: target, holderTid: 2)), at: 4, thread: 4)
        trace.run(early, on: queue, begin: 13, end: 14, thread: 4)
        let free = trace.sync(on: queue, at: 20, begin: 20, end: 21, thread: 4)
        let (model, log) = ObservationLog.read(trace.events)
        for id in [late, early] {
            let item = try #require(log.item(id))
            #expect(item.blockedOn.map { model[$0].label } == "target")
            #expect(item.blockedBy.map { model[$0].tid } == 2)
        }
        #expect(log.item(free)?.blockedOn == nil)
        #expect(log.handoffs.map { model[$0.queue].label } == ["target"])
    }

    @Test("An address is another item's as soon as the callout has begun")
    func reusedAddress() {
        var trace = TraceBuilder()
        let queue = trace.concurrentQueue("q")
        trace.callout(on: queue, id: 0x5000, at: 0, begin: 1, end: 9, thread: 2)
        trace.callout(on: queue, id: 0x5000, at: 2, begin: 3, end: 4, thread: 3)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(log.items.map(\.service) == [.microseconds(1), .microseconds(8)])
        #expect(log.items.allSatisfy { $0.isFinished })
        #expect(model.invariants.ends.violations == 0 && model.invariants.enqueues.violations == 0)
    }

    @Test("An end without a begin is counted, and ends nothing")
    func lostBegin() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let item = trace.async(on: queue, at: 0, begin: 1, end: 5, thread: 2)
        trace.add(.calloutEnd(.init()), at: 3, thread: 2)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(log.item(item)?.service == .microseconds(4))
        #expect(model.invariants.ends.violations == 1)
    }

    @Test("The end of a callout ends what ran inside of it, whose own end was lost")
    func lostInnerEnd() {
        var trace = TraceBuilder()
        let outer = trace.serialQueue("outer")
        let inner = trace.serialQueue("inner")
        trace.callout(on: outer, at: 0, begin: 1, end: 9, thread: 2)
        let lost = trace.sync(on: inner, at: 2, begin: 3, thread: 2)
        let log = ObservationLog.read(trace.events).log
        #expect(log.item(lost)?.isFinished == false)
        #expect(log.items.map(\.isFinished) == [false, true])
        #expect(log.items.allSatisfy { $0.endedAt.nanoseconds == 9_000 })
    }

    @Test("A callout whose submission was lost is counted, and one that was submitted late gets its submission")
    func lostSubmission() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        trace.add(.calloutBegin(.init(item: 7)), at: 1, thread: 2)
        trace.add(.calloutEnd(.init()), at: 2, thread: 2)
        trace.add(.calloutBegin(.init(item: 8)), at: 3, thread: 2)
        trace.add(
            .itemEnqueue(.init(item: 8, queue: queue, code: 0, kind: .async, qos: .utility)), at: 3.1, thread: 1)
        trace.add(.calloutEnd(.init()), at: 4, thread: 2)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(model.invariants.enqueues.violations == 1)
        #expect(log.items.map(\.qos) == [.unspecified, .utility])
    }

    @Test(
        "What a thread ran is over when it ends, or when it is a worker and parks",
        arguments: [
            DispatchEvent.threadExit(.init(tid: 2)), .workerPark(.init(root: 4)), .workerExit(.init(root: 4)),
        ])
    func interrupted(by event: DispatchEvent) throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let item = trace.callout(on: queue, at: 0, begin: 1, thread: 2)
        trace.add(event, at: 5, thread: 2)
        trace.callout(on: queue, at: 8, begin: 9, end: 10, thread: 3)
        let (model, log) = ObservationLog.read(trace.events)
        let lost = try #require(log.item(item))
        #expect(!lost.isFinished && lost.endedAt.nanoseconds == 5_000)
        #expect(model.invariants.exclusion.violations == 0)
    }
}
