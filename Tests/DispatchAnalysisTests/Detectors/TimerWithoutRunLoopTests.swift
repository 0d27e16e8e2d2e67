import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct TimerWithoutRunLoopTests {
    private let loop: UInt64 = 0x8000
    private let timer: UInt64 = 0x8100

    //   worker   ├ item ┤  timer due ···········► end
    /// A worker that adds a timer of 150 ms to its run loop, in an item of a queue.
    private func trace(until milliseconds: Double, _ more: (inout TraceBuilder) -> Void = { _ in }) -> TraceBuilder {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("telemetry.client")
        let code = trace.code("App/Client.swift:34")
        trace.async(on: queue, at: 10, begin: 20, end: 60, thread: 4)
        trace.add(
            .runLoopTimer(.init(runLoop: loop, timer: timer, due: 150_000_000, code: code, stack: 0)), at: 40, thread: 4
        )
        more(&trace)
        trace.async(
            on: queue, at: milliseconds * 1000 - 3, begin: milliseconds * 1000 - 2, end: milliseconds * 1000, thread: 4)
        return trace
    }

    private func findings(_ trace: TraceBuilder) throws -> [Finding] {
        try DetectorRun.findings(of: TimerWithoutRunLoop.self, in: trace)
    }

    @Test("A timer that is due and cannot fire is a warning with the place, the queue and the time", arguments: [2, 9])
    func found(seconds: Double) throws {
        let finding = try #require(try findings(trace(until: seconds * 1000)).first)
        #expect(finding.severity == .warning)
        #expect(
            finding.summary.hasPrefix(
                "A timer added to a run loop at App/Client.swift:34 on a thread that runs an item of telemetry.client "
                    + "never fires: no thread runs this run loop, and the timer has been due for "))
        #expect(finding.queues.count == 1 && finding.code.count == 1)
    }

    @Test(
        "At least 50 ms must have passed since it was due",
        arguments: [(100.0, 0), (200, 0), (201, 1), (2_600, 1)])
    func due(milliseconds: Double, count: Int) throws {
        #expect(try findings(trace(until: milliseconds)).count == count)
    }

    @Test(
        "A run loop that runs later, on any thread, and an invalidated timer are not reported",
        arguments: [true, false])
    func ended(runs: Bool) throws {
        let trace = trace(until: 2_000) { trace in
            if runs {
                trace.add(.runLoopRun(.init(runLoop: loop)), at: 500_000, thread: 5)
            } else {
                trace.add(.runLoopTimerEnd(.init(timer: timer)), at: 500_000, thread: 4)
            }
        }
        #expect(try findings(trace).isEmpty)
    }

    @Test("A run before the addition, or of another run loop, does not fire the timer")
    func others() throws {
        let trace = trace(until: 2_000) { trace in
            trace.add(.runLoopRun(.init(runLoop: loop)), at: 5, thread: 4)
            trace.add(.runLoopRun(.init(runLoop: loop + 0x100)), at: 500_000, thread: 5)
        }
        #expect(try findings(trace).count == 1)
    }
}
