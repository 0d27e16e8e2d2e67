import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

/// Quality checks that only some traces have. Times are in µs.
@Suite("The quality of a trace")
struct QualityTests {
    private func check(_ id: String, of trace: TraceBuilder) -> Quality.Check? {
        AnalysisSession().analyze(events: trace.events).quality.checks.first { $0.id == id }
    }

    private func addReading(at time: Double, strayed: Int64 = 0, to trace: inout TraceBuilder) {
        trace.add(.clockSync(.init(ticks: 0, monotonic: 0, realtime: 0, boottime: 0, strayed: strayed)), at: time)
    }

    @Test("states the share of the time in which the switches of paused threads were recorded")
    func pauses() throws {
        var trace = TraceBuilder()
        trace.off(2, from: 100, until: 200)
        #expect(check("switches-complete", of: trace) == nil)
        trace.add(.switchesPauseBegin(.init(tid: 2)), at: 12_000)
        trace.add(.switchesPauseEnd(.init(tid: 2)), at: 87_000)
        trace.off(3, from: 99_000, until: 100_000)
        let found = try #require(check("switches-complete", of: trace))
        #expect(found.passed && found.isLimited)
        #expect(found.detail.contains("of 1 thread were recorded for 25% of the time"))
        #expect(found.detail.hasSuffix("would have exceeded the recorder's budget."))
        #expect((found.checked, found.violations) == (100, 0))
        #expect(AnalysisSession().analyze(events: trace.events).quality.score == 1)
    }

    @Test("counts the events of groups, semaphores and locks that exceed the limits of the analysis")
    func limits() throws {
        var trace = TraceBuilder()
        let lock = trace.lock("app.lock", fair: false)
        func takeLock(in number: Int) {
            let queue = trace.serialQueue("app.queue.\(number)")
            let begin = Double(number * 100)
            trace.sync(on: queue, at: begin, begin: begin + 1, end: begin + 50, thread: 2, code: "App/Main.swift:1")
            trace.hold(lock, thread: 2, granted: begin + 10, released: begin + 20, code: "App/Main.swift:2")
        }
        for number in 1...256 { takeLock(in: number) }
        #expect(check("objects-followed", of: trace) == nil)
        for number in 257...258 { takeLock(in: number) }
        for _ in 1...100_001 {
            _ = trace.group()
            _ = trace.semaphore(value: 1)
        }
        let found = try #require(check("objects-followed", of: trace))
        #expect((found.passed, found.isLimited, found.checked) == (true, true, 4))
        #expect(
            found.detail.hasSuffix(
                "exclude 1 event of groups, 1 event of semaphores and 2 nested requests for locks and queues."))
    }

    @Test("states that the clock had a constant rate, or the times of its steps")
    func clock() throws {
        var trace = TraceBuilder()
        trace.off(2, from: 1, until: 2)
        #expect(check("clock-linear", of: trace) == nil)
        addReading(at: 10, to: &trace)
        addReading(at: 20, to: &trace)
        #expect(check("clock-linear", of: trace)?.passed == true)
        addReading(at: 1_000_000, strayed: -2_000_000_000, to: &trace)
        let found = try #require(check("clock-linear", of: trace))
        #expect((found.checked, found.violations) == (3, 1))
        #expect(found.detail.contains("stepped"))
    }
}
