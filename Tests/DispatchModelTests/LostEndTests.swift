import Testing
import TraceBuilder

@testable import DispatchModel

/// Items whose begins or ends are missing from the trace.
@Suite struct LostEndTests {
    //   a   ├── ?
    //   b             ├──┤     a ended before b began
    //   c                 ···├┤
    @Test("The next item of a serial queue shows that the one before has ended: later waits are not booked to it")
    func serialQueue() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        trace.async(on: queue, at: 0, begin: 10, thread: 2)
        trace.async(on: queue, at: 50, begin: 100, end: 150, thread: 3)
        trace.async(on: queue, at: 200, begin: 240, end: 250, thread: 3)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(log.items.map(\.isFinished) == [false, true, true])
        #expect(log.items[2].waitParts.scheduler == .microseconds(40))
        let interval = try #require(model.unknownIntervals.first)
        #expect(model.unknownIntervals.count == 1)
        #expect(interval.begin == Timestamp(nanoseconds: 10_000))
        #expect(interval.end == Timestamp(nanoseconds: 150_000))
    }

    @Test("A worker that parks, or begins another item, has ended the one before", arguments: [true, false])
    func worker(parks: Bool) {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let (queue, other) = (
            trace.serialQueue("app.state", target: root), trace.serialQueue("app.other", target: root)
        )
        trace.worker(2, of: root, made: 1, started: 5)
        trace.async(on: queue, at: 0, begin: 10, thread: 2)
        if parks {
            trace.park(2, of: root, at: 100)
        } else {
            trace.async(on: other, at: 50, begin: 100, end: 120, thread: 2)
        }
        trace.async(on: queue, at: 200, begin: 240, end: 250, thread: 3)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(model.unknownIntervals.map(\.end) == [Timestamp(nanoseconds: 100_000)])
        #expect(log.items.last?.waitParts.ownBacklog == .zero)
        #expect(model.invariants.exclusion.violations == 0)
    }

    @Test("A thread that ends in the middle of an item loses nothing, nor does the end of the trace")
    func complete() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        trace.async(on: queue, at: 0, begin: 10, thread: 2)
        trace.add(.threadExit(.init(tid: 2)), at: 100, thread: 2)
        trace.async(on: queue, at: 200, begin: 240, thread: 3)
        #expect(ObservationLog.read(trace.events).model.unknownIntervals.isEmpty)
    }

    //   a   ▲ submitted   (its begin and its end were lost)
    //   b      ▲ submitted          ├──┤    on the same serial queue: a ran before
    @Test("An item that a later one of its serial queue overtook has run, and waits no more")
    func lostBegin() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        trace.async(on: queue, at: 10, thread: 2)
        trace.async(on: queue, at: 20, begin: 100, end: 150, thread: 3)
        trace.async(on: queue, at: 30, begin: 160, end: 170, thread: 3)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(log.pending.isEmpty)
        #expect(model.invariants.order.violations == 1)
        #expect(model.invariants.littlesLaw.violations == 1)
        #expect(model.unknownIntervals.map(\.begin) == [Timestamp(nanoseconds: 10_000)])
        #expect(model.unknownIntervals.map(\.end) == [Timestamp(nanoseconds: 100_000)])
    }
}
