import DispatchModel
import Testing
import TraceBuilder

@Suite struct InvariantTests {
    @Test("Conflicting items may overlap by the clock's tolerance and no more", arguments: [(9.8, 0), (9.799, 1)])
    func overlap(begin: Double, violations: Int) {
        var trace = TraceBuilder()
        let target = trace.serialQueue("target")
        let left = trace.serialQueue("left", target: target)
        let right = trace.serialQueue("right", target: target)
        trace.async(on: left, at: 0, begin: 1, end: 10, thread: 2)
        trace.async(on: right, at: 0, begin: begin, end: 20, thread: 3)
        #expect(ObservationLog.read(trace.events).model.invariants.exclusion.violations == violations)
    }

    @Test("Readers overlap without a violation, a writer does not")
    func readersAndWriter() {
        var trace = TraceBuilder()
        let queue = trace.concurrentQueue("cache")
        trace.async(on: queue, at: 0, begin: 1, end: 10, thread: 2)
        trace.async(on: queue, at: 0, begin: 2, end: 9, thread: 3)
        #expect(ObservationLog.read(trace.events).model.invariants.exclusion.violations == 0)
        trace.async(on: queue, at: 0, begin: 8, end: 20, thread: 4, barrier: true)
        #expect(ObservationLog.read(trace.events).model.invariants.exclusion.violations > 0)
    }

    @Test("An item that overtakes one submitted before it on the same thread is a violation")
    func order() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        trace.async(on: queue, at: 1, begin: 20, end: 21, thread: 2)
        trace.async(on: queue, at: 2, begin: 10, end: 11, thread: 2)
        let order = ObservationLog.read(trace.events).model.invariants.order
        #expect(order.violations == 1)
        #expect(order.checked == 1)
    }

    @Test("Submissions that race on two threads may come out in either order")
    func racing() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        // The first submitter records no event until its item has begun, so its submission may have completed that
        // late.
        trace.async(on: queue, at: 1, begin: 20, end: 21, thread: 2, from: 8)
        trace.async(on: queue, at: 2, begin: 10, end: 11, thread: 2, from: 9)
        #expect(ObservationLog.read(trace.events).model.invariants.order.violations == 0)
    }

    @Test("A submission that was surely over is not racing")
    func confirmed() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let other = trace.serialQueue("other")
        trace.async(on: queue, at: 1, begin: 20, end: 21, thread: 2, from: 8)
        trace.sync(on: other, at: 1.5, begin: 1.6, end: 1.7, thread: 8)
        trace.async(on: queue, at: 2, begin: 10, end: 11, thread: 2, from: 9)
        #expect(ObservationLog.read(trace.events).model.invariants.order.violations == 1)
    }

    @Test("Delayed items are not bound to the order of submission")
    func delayed() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        trace.asyncAfter(on: queue, at: 1, delay: 50, begin: 60, end: 61, thread: 2)
        trace.async(on: queue, at: 2, begin: 10, end: 11, thread: 2)
        #expect(ObservationLog.read(trace.events).model.invariants.order.violations == 0)
    }

    @Test("An item that begins though nobody submitted it is counted, and observed without a wait")
    func unknownBegin() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let item = trace.item()
        trace.run(item, on: queue, begin: 3, end: 5, thread: 2)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(model.invariants.enqueues.violations == 1)
        #expect(try #require(log.item(item)).wait == .zero)
        #expect(log.items[0].enqueuedOn == nil)
    }

    @Test("A submission stamped shortly after the begin belongs to it and is no violation")
    func lateSubmission() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let item = trace.async(on: queue, at: 3.1, begin: 3, end: 5, thread: 2, from: 9, code: "App/A.swift:4")
        let (model, log) = ObservationLog.read(trace.events)
        #expect(model.invariants.enqueues.violations == 0)
        #expect(model.invariants.times.violations == 0)
        #expect(model[try #require(log.item(item)).code].line == 4)
    }

    @Test("A lost end is noticed when its thread takes the same queue again")
    func lostEnd() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let first = trace.async(on: queue, at: 0, begin: 1, thread: 2)
        trace.async(on: queue, at: 2, begin: 10, end: 11, thread: 2)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(try #require(log.item(first)).isFinished == false)
        #expect(log.items.count == 2)
        #expect(model.invariants.exclusion.violations == 0)
    }

    @Test("What is open when the trace ends is observed as unfinished, or counted as never begun")
    func openAtTheEnd() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let running = trace.async(on: queue, at: 0, begin: 1, thread: 2)
        trace.async(on: queue, at: 2, thread: 2)
        let lock = trace.lock("lock", fair: true)
        trace.hold(lock, thread: 3, granted: 4, released: nil)
        trace.add(.threadExit(.init(tid: 9)), at: 10)
        let (model, log) = ObservationLog.read(trace.events)
        let item = try #require(log.item(running))
        #expect(!item.isFinished)
        #expect(item.endedAt == model.end)
        #expect(model.loads[0].neverBegun == 1)
        #expect(model.loads[0].maxDepth == 1)
        #expect(log.acquisitions.contains { $0.domain == .lock(LockIndex(0)) && $0.releasedAt == model.end })
        #expect(model.invariants.littlesLaw.violations == 0)
    }

    @Test("Items of a thread that exits are unfinished at its exit")
    func threadExit() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let item = trace.async(on: queue, at: 0, begin: 1, thread: 2)
        trace.add(.threadExit(.init(tid: 2)), at: 5, thread: 2)
        trace.async(on: queue, at: 6, begin: 7, end: 8, thread: 3)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(try #require(log.item(item)).endedAt == Timestamp(nanoseconds: 5_000))
        #expect(model.invariants.exclusion.violations == 0)
    }
}
