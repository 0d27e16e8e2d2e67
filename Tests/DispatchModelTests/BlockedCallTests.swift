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

    //   thread 2  ├ item ··· captured: in libdispatch only ··· ├ item ┤
    @Test(
        "has ended its item when it is in nothing but libdispatch",
        arguments: [(UInt64(0x9100), true), (0x1310, false)])
    func waitForWork(caller: UInt64, hasEnded: Bool) {
        var trace = trace()
        trace.add(.image(.init(base: 0, begin: 0x9000, end: 0xA000, buildId: "", path: "/lib/libdispatch.so")), at: 0)
        let queue = trace.concurrentQueue("app.work")
        trace.async(on: queue, at: 1, begin: 2, thread: 2)
        trace.off(2, from: 10, until: 50)
        trace.ask(2, at: 30, call: "futex", frames: [0x7100, caller, 0x9200, 0x7180])
        trace.end(at: 90)
        let (_, log) = ObservationLog.read(trace.events)
        #expect(log.blockedCalls.map(\.waitsForWork) == [hasEnded])
        #expect(log.items.map(\.endedAt.nanoseconds) == [hasEnded ? 50_000 : 90_000])
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
