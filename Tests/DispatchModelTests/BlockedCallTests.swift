import DispatchModel
import Testing
import TraceBuilder

@Suite("Where a thread was that had no processor")
struct BlockedCallTests {
    private final class Functions: FunctionKinds {
        func isCopied(_ address: UInt64, in image: Image) -> Bool { address / 0x100 == 0x12 }
        func takesLock(_ address: UInt64, in image: Image) -> Bool { address / 0x100 == 0x11 }
    }

    private func trace() -> TraceBuilder {
        var trace = TraceBuilder()
        trace.add(.image(.init(base: 0, begin: 0x7000, end: 0x8000, buildId: "", path: "/lib/libc.so.6")), at: 0)
        trace.add(.image(.init(base: 0, begin: 0x1000, end: 0x2000, buildId: "", path: "/srv/app")), at: 0)
        return trace
    }

    private func calls(_ trace: TraceBuilder) -> (model: DispatchModel, calls: [BlockedCall]) {
        let (model, log) = ObservationLog.read(trace.events, options: ModelOptions(functions: Functions()))
        return (model, log.blockedCalls)
    }

    //   thread 2  ─┤ out ··· captured ··· in ├─
    @Test("is told with what lies between its two switches, and the innermost function that is the program's own")
    func caller() {
        var trace = trace()
        trace.off(2, from: 10, until: 50)
        trace.ask(2, at: 30, call: "read", frames: [0x7100, 0x7180, 0x1110, 0x1210, 0x1310, 0x1410])
        let (model, calls) = calls(trace)
        #expect(calls.map(\.call) == ["read"])
        #expect(calls.map { $0.begin.nanoseconds } == [10_000])
        #expect(calls.map { $0.end.nanoseconds } == [50_000])
        #expect(calls.map { model[$0.code].address } == [0x1310])
        #expect(calls.map(\.isFinished) == [true])
    }

    @Test("is told with the kind of the descriptor of its call")
    func descriptor() {
        var trace = trace()
        trace.off(2, from: 10, until: 50)
        trace.ask(2, at: 30, call: "recvfrom", on: .tcpSocket, frames: [0x7100, 0x1310])
        trace.off(2, from: 60, until: 90)
        trace.ask(2, at: 80, call: "epoll_wait", frames: [0x7100, 0x1310])
        #expect(calls(trace).calls.map(\.descriptor) == [.tcpSocket, .unknown])
    }

    @Test(
        "is told with the outermost function that is the program's own, up to where Swift's runtime runs a job",
        arguments: [("libswift_Concurrency.so", UInt64(0x1410)), ("libswiftCore.so", 0x1510)])
    func outermost(library: String, function: UInt64) {
        var trace = trace()
        trace.add(.image(.init(base: 0, begin: 0x5000, end: 0x6000, buildId: "", path: "/lib/" + library)), at: 0)
        trace.off(2, from: 10, until: 50)
        trace.ask(2, at: 30, call: "read", frames: [0x7100, 0x5100, 0x1310, 0x1410, 0x1210, 0x5200, 0x1510])
        let (model, calls) = calls(trace)
        #expect(calls.map { model[$0.code].address } == [0x1310])
        #expect(calls.map { model[$0.outermost].address } == [function])
    }

    @Test("is not known where the stack has nothing of the program's, and goes on when the trace ends")
    func unknown() {
        var trace = trace()
        trace.off(2, from: 10)
        trace.ask(2, at: 30, call: "futex", frames: [0x7100, 0x7180, 0x1110])
        trace.end(at: 90)
        let calls = calls(trace).calls
        #expect(calls.map(\.code) == [.unknown])
        #expect(calls.map(\.isFinished) == [false])
    }

    /// A trace with libdispatch at 0x9000.
    private func traceWithDispatch() -> TraceBuilder {
        var trace = trace()
        trace.add(.image(.init(base: 0, begin: 0x9000, end: 0xA000, buildId: "", path: "/lib/libdispatch.so")), at: 0)
        return trace
    }

    /// The thread has no processor from 10 to 50 µs, and its stack then has no frame of the program.
    private func blockInDispatch(_ thread: UInt32, in trace: inout TraceBuilder) {
        trace.off(thread, from: 10, until: 50)
        trace.ask(thread, at: 30, call: "futex", frames: [0x7100, 0x9100, 0x9200, 0x7180])
    }

    //   thread 2  ├ item ··· asked: in libdispatch only ··· ├ item ┤
    @Test(
        "ends the item if the stack has only frames of libdispatch, the trace has no workers and an async begins",
        arguments: [(UInt64(0x9100), true), (0x1310, false)])
    func waitForWork(caller: UInt64, hasEnded: Bool) {
        var trace = traceWithDispatch()
        let queue = trace.concurrentQueue("app.work")
        let item = trace.async(on: queue, at: 1, begin: 2, thread: 2)
        trace.off(2, from: 10, until: 50)
        trace.ask(2, at: 30, call: "futex", frames: [0x7100, caller, 0x9200, 0x7180])
        trace.async(on: queue, at: 51, begin: 52, end: 60, thread: 2)
        trace.end(at: 90)
        let (_, log) = ObservationLog.read(trace.events)
        #expect(log.blockedCalls.map(\.waitsForWork) == [hasEnded])
        #expect(log.item(item)?.endedAt.nanoseconds == (hasEnded ? 52_000 : 90_000))
    }

    //   thread 2  ├ item ··· asked: in libdispatch only, in a wait that is not recorded ··· item ┤
    @Test("keeps the item if its end is recorded after the wait, and the trace has no workers")
    func waitOfItem() {
        var trace = traceWithDispatch()
        let item = trace.async(on: trace.concurrentQueue("app.work"), at: 1, begin: 2, end: 60, thread: 2)
        blockInDispatch(2, in: &trace)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(log.item(item)?.endedAt.nanoseconds == 60_000)
        #expect(model.invariants.ends.violations == 0)
    }

    @Test(
        "is parked in libdispatch if the outer frames are the preloaded recorder's, and not if the recorder waits",
        arguments: [
            ([UInt64(0x7100), 0x9100, 0xB200, 0x9200, 0x7180], true), ([0x7100, 0x9100, 0x7180], true),
            ([0x7100, 0xB100, 0x9200, 0x7180], false), ([0x7100, 0x9100, 0x1310, 0x9200], false), ([0x7100], false),
        ])
    func parked(frames: [UInt64], isParked: Bool) {
        var trace = traceWithDispatch()
        trace.add(
            .image(.init(base: 0, begin: 0xB000, end: 0xC000, buildId: "", path: "/lib/libqueuescope_preload.so")),
            at: 0)
        trace.off(2, from: 10)
        trace.ask(2, at: 30, call: "futex", frames: frames)
        trace.end(at: 90)
        #expect(calls(trace).calls.map(\.isParked) == [isParked])
    }

    enum Wait: CaseIterable { case sync, semaphore, group }

    //   thread 2  ├ item ── wait begins ··· asked: in libdispatch only ··· wait ends ── item ┤
    //   The frame pointer walk omits the program's frames if they have no frame pointer.
    @Test("keeps the item of a thread that waits in libdispatch", arguments: Wait.allCases, [false, true])
    func recordedWait(wait: Wait, hasWorkers: Bool) {
        var trace = traceWithDispatch()
        if hasWorkers { trace.worker(2, of: trace.globalQueue(), made: 0, started: 1) }
        let queue = trace.concurrentQueue("app.work")
        let item = trace.async(on: queue, at: 1, begin: 2, end: 60, thread: 2)
        switch wait {
        case .sync:
            let state = trace.serialQueue("app.state")
            trace.sync(on: state, at: 3, begin: 4, end: 49, thread: 3)
            trace.sync(on: state, at: 8, begin: 51, end: 52, thread: 2, from: 3)
        case .semaphore: trace.wait(for: trace.semaphore(value: 0), thread: 2, at: 8, until: 51)
        case .group: trace.wait(forGroup: trace.group(), thread: 2, at: 8, until: 51)
        }
        blockInDispatch(2, in: &trace)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(log.blockedCalls.map(\.waitsForWork) == [false])
        #expect(log.item(item)?.endedAt.nanoseconds == 60_000)
        #expect(model.invariants.ends.violations == 0)
    }

    @Test(
        "keeps the item of a thread that is no worker, or that does not unpark afterwards", arguments: [UInt32(2), 3])
    func unrecordedWait(worker: UInt32) {
        var trace = traceWithDispatch()
        trace.worker(worker, of: trace.globalQueue(), made: 0, started: 1)
        let item = trace.sync(on: trace.serialQueue("app.state"), at: 2, begin: 3, end: 60, thread: 2)
        blockInDispatch(2, in: &trace)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(log.item(item)?.endedAt.nanoseconds == 60_000)
        #expect(model.invariants.ends.violations == 0)
    }

    //   thread 2  ├ item (its end and the park are lost) ··· asked ··· unpark ── item ┤
    @Test("of an idle worker ends the item whose end was lost when the worker unparks, or with the trace")
    func idleWorker() {
        for isBack in [true, false] {
            var trace = traceWithDispatch()
            let root = trace.globalQueue()
            trace.worker(2, of: root, made: 0, started: 1)
            let item = trace.async(on: trace.concurrentQueue("app.work"), at: 1, begin: 2, thread: 2)
            trace.off(2, from: 10, until: isBack ? 50 : nil)
            trace.ask(2, at: 30, call: "futex", frames: [0x7100, 0x9100, 0x9200, 0x7180])
            if isBack { trace.add(.workerUnpark(.init(root: root)), at: 52, thread: 2) }
            trace.end(at: 90)
            let (_, log) = ObservationLog.read(trace.events)
            #expect(log.item(item)?.endedAt.nanoseconds == (isBack ? 52_000 : 90_000))
            #expect(log.blockedCalls.map(\.waitsForWork) == [true])
        }
    }

    //   thread 2  ─ runs ─┤ out ··· in ├┤ out ····· in ├─
    //                        ▲ captured while it ran, and in the first absence only
    @Test("counts for the absence in which it was asked only")
    func otherAbsence() {
        var trace = trace()
        trace.ask(2, at: 5, call: "read", frames: [0x7100, 0x1300])
        trace.off(2, from: 10, until: 20)
        trace.ask(2, at: 15, call: "poll", frames: [0x7100, 0x1300])
        trace.off(2, from: 30, until: 40)
        #expect(calls(trace).calls.map { $0.begin.nanoseconds } == [10_000])
    }
}
