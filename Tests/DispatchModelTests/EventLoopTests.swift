import DispatchModel
import Testing
import TraceBuilder

@Suite("Event loops are serial queues, and iterations their items")
struct EventLoopTests {
    private func iterations(_ log: ObservationLog) -> [Item] { log.items.filter { $0.kind == .loopIteration } }

    //   loop   poll ── 10 ├─────┤ 30 ── poll ── 50 ├──┤ 60
    //   main        5 wake     20 wake
    @Test("An iteration waits from the wake-up on, and one that nobody woke the loop for does not wait")
    func wakes() throws {
        var trace = TraceBuilder()
        let loop = trace.loop("NIO-ELT-0-#1", thread: 7)
        trace.wake(loop, at: 5)
        trace.iterate(loop, begin: 10, end: 30, thread: 7)
        trace.wake(loop, at: 20)
        trace.wake(loop, at: 25, thread: 2)
        trace.iterate(loop, begin: 50, end: 60, thread: 7)
        trace.iterate(loop, begin: 80, end: 81, thread: 7)
        let (model, log) = ObservationLog.read(trace.events)
        let items = iterations(log)
        #expect(items.map(\.wait.count) == [5_000, 30_000, 0])
        #expect(items.map(\.service.count) == [20_000, 10_000, 1_000])
        #expect(items.map(\.isFinished) == [true, true, true])
        // The loop was busy for the first 10 µs of the second wait.
        #expect(items[1].waitParts.ownBacklog == .microseconds(10))
        #expect(items[1].waitParts.total == items[1].wait)
        #expect(items.map { $0.enqueuedOn.map { model[$0].tid } } == [1, 1, 7])
        let queue = model[items[0].queue]
        #expect(queue.kind == .eventLoop && queue.label == "NIO-ELT-0-#1" && queue.isSerial && !queue.isDispatch)
        let entity = try #require(model.loops.first)
        #expect(model.loops.count == 1 && entity.queue == queue.index && entity.kind == .epoll && !entity.isShared)
        #expect(entity.thread.map { model[$0].tid } == 7)
        #expect(model.invariants.ends.violations == 0 && model.invariants.order.violations == 0)
    }

    @Test(
        "A loop has the last name of its thread", arguments: [(LoopKind.epoll, "late"), (.runLoop, "run loop of late")])
    func renamed(kind: LoopKind, label: String) {
        var trace = TraceBuilder()
        let loop = trace.loop("app", kind: kind, thread: 7)
        trace.iterate(loop, begin: 10, end: 30, thread: 7)
        trace.add(.threadStart(.init(tid: 7, name: "late", maker: 0, age: 0)), at: 40)
        trace.add(.threadStart(.init(tid: 8, name: "other", maker: 0, age: 0)), at: 50)
        #expect(ObservationLog.read(trace.events).model.queues.contains { $0.kind == .eventLoop && $0.label == label })
    }

    @Test("What runs on the loop's thread is inside of the iteration, and no child of it")
    func nesting() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let loop = trace.loop("loop", thread: 7)
        trace.add(.loopPollEnd(.init(loop: loop, ready: 1)), at: 10, thread: 7)
        trace.sync(on: queue, at: 11, begin: 12, end: 14, thread: 7)
        trace.add(.loopPollBegin(.init(loop: loop)), at: 20, thread: 7)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(log.items.map { model[$0.queue].label } == ["q", "loop"])
        #expect(log.items[0].parent == nil)
        #expect(log.items[1].service == .microseconds(10))
    }

    //   item              10 ├──────────────────────┤ 40
    //   loop   poll ── 5 ├─────┤ 20 ── poll ── 30 ├──── 40: its end was not recorded
    @Test("A nested run loop polls inside of an item: the iteration around it ends there")
    func nestedRunLoop() throws {
        var trace = TraceBuilder()
        let main = trace.serialQueue("main")
        let loop = trace.loop("app", kind: .runLoop, thread: 1)
        trace.add(.loopPollEnd(.init(loop: loop, ready: 1)), at: 5, thread: 1)
        trace.callout(on: main, at: 6, begin: 10, end: 40, thread: 1)
        trace.add(.loopPollBegin(.init(loop: loop)), at: 20, thread: 1)
        trace.add(.loopPollEnd(.init(loop: loop, ready: 1)), at: 30, thread: 1)
        trace.add(.loopPollBegin(.init(loop: loop)), at: 50, thread: 1)
        let (model, log) = ObservationLog.read(trace.events)
        let items = iterations(log)
        #expect(items.map(\.service.count) == [15_000, 10_000])
        #expect(items.map(\.isFinished) == [true, false])
        #expect(model[items[0].queue].label == "run loop of app")
        let item = try #require(log.items.first { $0.kind != .loopIteration })
        #expect(item.service == .microseconds(30) && item.isFinished)
    }

    @Test("A thread that goes to another loop has left the first one: the end of its iteration is not known")
    func otherLoop() throws {
        var trace = TraceBuilder()
        let first = trace.loop("first", thread: 7)
        trace.add(.loopPollEnd(.init(loop: first, ready: 1)), at: 10, thread: 7)
        let second = trace.loop("second", at: 20, thread: 7)
        trace.iterate(second, begin: 30, end: 40, thread: 7)
        trace.add(.loopPollBegin(.init(loop: first)), at: 50, thread: 7)
        let (_, log) = ObservationLog.read(trace.events)
        #expect(iterations(log).map(\.isFinished) == [false, true])
        #expect(iterations(log).map(\.service.count) == [10_000, 10_000])
    }

    @Test("Threads that wait for one set know of each other")
    func shared() {
        var trace = TraceBuilder()
        let first = trace.loop("first", thread: 7)
        _ = trace.loop("second", thread: 8, shares: first)
        _ = trace.loop("alone", thread: 9)
        let (model, _) = ObservationLog.read(trace.events)
        #expect(model.loops.map(\.isShared) == [true, true, false])
    }

    @Test("Any loss of events leaves a model: begins and ends that come alone, wake-ups of unknown loops")
    func losses() {
        var trace = TraceBuilder()
        trace.wake(9, at: 1)
        trace.add(.loopPollEnd(.init(loop: 9, ready: 1)), at: 2, thread: 7)
        trace.add(.loopPollEnd(.init(loop: 9, ready: 1)), at: 4, thread: 7)
        trace.add(.loopPollBegin(.init(loop: 9)), at: 6, thread: 7)
        trace.add(.loopPollBegin(.init(loop: 9)), at: 7, thread: 7)
        trace.wake(9, at: 8)
        trace.add(.loopPollEnd(.init(loop: 9, ready: 1)), at: 9, thread: 7)
        trace.add(.threadExit(.init(tid: 7)), at: 10, thread: 7)
        trace.wake(9, at: 11)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(iterations(log).map(\.isFinished) == [false, true, false])
        #expect(log.pending.allSatisfy { $0.isForeign })
        #expect(model.loops.count == 1 && model.loops[0].kind == .epoll)
    }
}
