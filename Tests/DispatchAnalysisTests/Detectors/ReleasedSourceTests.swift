import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct ReleasedSourceTests {
    private func findings(_ trace: TraceBuilder) throws -> [Finding] {
        try DetectorRun.findings(of: ReleasedSource.self, in: trace)
    }

    //   timer   create ── activate ── release ·················· end
    /// A timer that is activated at 20 µs and released at `released`. The trace ends after 2 s.
    private func trace(
        released: Double, handler: Bool = true, activated: Double? = 20, end: Double = 2_000_000,
        _ more: (inout TraceBuilder, UInt64, TraceBuilder.QueueID) -> Void = { _, _, _ in }
    ) -> TraceBuilder {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.clock")
        let timer = trace.setUpSource(
            .timer, on: queue, at: 10, handler: handler, activated: activated, created: "App/Clock.swift:8")
        more(&trace, timer, queue)
        trace.add(.sourceDispose(.init(source: timer)), at: released, thread: TraceBuilder.main)
        trace.end(at: end)
        return trace
    }

    @Test(
        "A source that is released up to 50 ms after its activation is a warning",
        arguments: [(50_020.0, 1), (50_021, 0)])
    func found(released: Double, count: Int) throws {
        let found = try findings(trace(released: released))
        #expect(found.count == count)
        #expect(
            found.allSatisfy {
                $0.summary == "timer source on app.clock created at App/Clock.swift:8 is released right after its "
                    + "activation, which cancels it: its handler never runs."
            }, "\(found.map(\.summary))")
        #expect(found.allSatisfy { $0.severity == .warning && $0.stacks.count == 2 })
    }

    @Test("A source that fired, was cancelled, has no handler or was not activated is no case")
    func others() throws {
        let fired = trace(released: 5_000) { trace, timer, queue in
            trace.fireTimer(timer, on: queue, begin: 1_000, end: 1_100, thread: 2)
        }
        let cancelled = trace(released: 5_000) { trace, timer, _ in
            trace.add(.sourceCancel(.init(source: timer, code: 0)), at: 1_000, thread: 1)
        }
        for trace in [
            fired, cancelled, trace(released: 5_000, handler: false), trace(released: 5_000, activated: nil),
        ] {
            #expect(try findings(trace).isEmpty)
        }
    }

    @Test("A program that ends soon after the release needs no more events", arguments: [(255_000.0, 1), (5_100, 0)])
    func endsSoon(end: Double, count: Int) throws {
        #expect(try findings(trace(released: 5_000, end: end)).count == count)
    }
}
