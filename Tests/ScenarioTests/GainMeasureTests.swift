import DispatchAnalysis
import DispatchModel
import Scenarios
import Testing
import TraceBuilder

@testable import Evaluator

@Suite("The measure of a gain")
struct GainMeasureTests {
    private func values(_ trace: TraceBuilder, hasFailed: Bool = false) -> (Gain) -> Double {
        let measure = GainMeasure()
        let options = AnalysisOptions(detectors: [BarrierOnGlobal.id])
        let analysis = AnalysisSession(options: options).analyze(events: trace.events, observers: [measure])
        return { measure.value(of: $0, for: BarrierOnGlobal.id, in: analysis, hasFailed: hasFailed) }
    }

    //   main queue   ├──────── 300 ms ────────┤├┤
    //   submitted        ▲ waits 250 ms
    @Test("is the time of items, their longest wait and their number")
    func items() {
        var trace = TraceBuilder()
        let main = trace.mainQueue()
        trace.async(on: main, at: 0, begin: 0, end: 300_000, thread: 1)
        trace.async(on: main, at: 50_000, begin: 300_000, end: 301_000, thread: 1)
        trace.async(on: trace.serialQueue("app.store"), at: 0, begin: 10, end: 400_000, thread: 2)
        trace.end(at: 500_000)
        let values = values(trace)
        #expect(values(.mainQueue) == 300e6 && values(.longestWait) == 250e6 && values(.work) == 3)
        #expect(values(.duration) == 500e6 && values(.failedRuns) == 0 && values(.findings) == 0)
        #expect(values(.workers) == 0 && values(.keptChildren) == 0 && values(.idleTime) == 0)
    }

    //   thread 2   ├──── 100 ms ────┤
    //   thread 3   ├─ 40 ms ─┤           idle for 60 ms
    @Test("is the time for which the threads of concurrentPerform are idle")
    func idleTime() {
        var trace = TraceBuilder()
        trace.apply(
            on: trace.globalQueue(), at: 0, end: 100_000, thread: 2, iterations: [(2, 0, 100_000), (3, 0, 40_000)])
        #expect(values(trace)(.idleTime) == 60e6)
    }

    @Test("is the number of findings of the detector, and of runs that failed")
    func findings() {
        var trace = TraceBuilder()
        let global = trace.globalQueue()
        trace.async(on: global, at: 0, begin: 1, end: 5, thread: 2, barrier: true, code: "App/A.swift:1")
        trace.end(at: 60)
        let values = values(trace, hasFailed: true)
        #expect(values(.findings) == 1 && values(.failedRuns) == 1)
    }
}
