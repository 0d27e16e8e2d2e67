import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite("Blame matrix and queueing figures")
struct BlameMatrixTests {
    @Test("Waits are attributed to the code that held the lock, the item that signalled, or the holder of the queue")
    func causes() throws {
        var trace = TraceBuilder()
        let lock = trace.lock("state", fair: false)
        trace.hold(lock, thread: 2, granted: 10, released: 30, code: "Holder.swift:1")
        trace.hold(lock, thread: 3, requested: 12, granted: 31, released: 35, code: "Waiter.swift:2")
        let queue = trace.serialQueue("app.work")
        let semaphore = trace.object()
        let code = trace.code("Main.swift:5")
        trace.add(.semaphoreCreate(.init(semaphore: semaphore, value: 0, code: 0)), at: 0, thread: 1)
        trace.async(on: queue, at: 40, begin: 50, end: 90, thread: 2, code: "Work.swift:4")
        trace.async(on: queue, at: 60, begin: 91, end: 95, thread: 2, code: "Late.swift:6")
        trace.add(.semaphoreWaitBegin(.init(semaphore: semaphore, code: code)), at: 45, thread: 1)
        trace.add(.semaphoreSignal(.init(semaphore: semaphore, code: 0)), at: 80, thread: 2)
        trace.add(.semaphoreWaitEnd(.init(semaphore: semaphore, timedOut: 0)), at: 85, thread: 1)
        let analysis = AnalysisSession().analyze(events: trace.events)
        let model = analysis.model
        let cells = analysis.blame.cells.map { cell in
            "\(model[cell.waiter].file) \(cell.cause) \(model[cell.blamed].file) \(cell.time)"
        }
        #expect(
            cells == [
                "Main.swift semaphore Work.swift 40.0 µs", "Late.swift queue Work.swift 30.0 µs",
                "Waiter.swift lock Holder.swift 19.0 µs",
            ])
        #expect(analysis.blame.total == .microseconds(89))
        let rows = analysis.blame.rows(limit: 0)
        #expect(rows.map(\.rest) == rows.map(\.total))
        #expect(analysis.codes.map { model[$0.code].file } == ["Late.swift", "Work.swift"])
        #expect(analysis.codes.first?.waitTotal == .microseconds(31))
    }

    //   waiter    wait_begin ├───────────┤ wait_end
    //   signaller                           signal, recorded after the end of the wait
    @Test("A wait whose signal is recorded too late is attributed to unknown code")
    func lateSignal() {
        var trace = TraceBuilder()
        let semaphore = trace.semaphore(value: 0)
        trace.wait(for: semaphore, thread: 3, at: 45, until: 85, code: "Main.swift:5")
        trace.signal(semaphore, thread: 2, at: 86)
        // The value is positive, so this wait does not block.
        let free = trace.semaphore(value: 1)
        trace.wait(for: free, thread: 3, at: 90, until: 91, code: "Free.swift:5")
        let analysis = AnalysisSession().analyze(events: trace.events)
        let cells = analysis.blame.cells.map { cell in
            "\(analysis.model[cell.waiter].file) \(cell.cause) \(analysis.model[cell.blamed].file) \(cell.time)"
        }
        #expect(cells == ["Main.swift semaphore  40.0 µs"])
    }

    //   First   ██████████████████
    //   Second     ···············████
    //   Third           ··············███
    @Test("A wait for a lock is attributed to all its holders during the wait, each for its part")
    func holders() {
        var trace = TraceBuilder()
        let lock = trace.lock("state", fair: false)
        trace.hold(lock, thread: 5, granted: 1, released: 2, code: "Earlier.swift:1")
        trace.hold(lock, thread: 2, granted: 10, released: 100, code: "First.swift:1")
        trace.hold(lock, thread: 3, requested: 20, granted: 101, released: 111, code: "Second.swift:2")
        trace.hold(lock, thread: 4, requested: 50, granted: 112, released: 120, code: "Third.swift:3")
        let analysis = AnalysisSession().analyze(events: trace.events)
        let cells = analysis.blame.cells.map { cell in
            [cell.waiter, cell.blamed].map { analysis.model[$0].file }.joined(separator: " ") + " \(cell.time)"
        }
        #expect(
            cells == [
                "Second.swift First.swift 81.0 µs", "Third.swift First.swift 51.0 µs",
                "Third.swift Second.swift 11.0 µs",
            ])
    }

    // An item of 10 µs every 20 µs: items never overlap, so none waits.
    @Test("Regular arrivals wait less than random ones")
    func evenArrivals() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.work")
        for number in 0..<200 {
            let start = Double(number * 20)
            trace.async(on: queue, at: start, begin: start, end: start + 10, thread: 2)
        }
        let statistics = try #require(AnalysisSession().analyze(events: trace.events).queues.first)
        let figures = try #require(statistics.queueing)
        #expect(figures.meanService == .microseconds(10))
        #expect(figures.serviceVariation < 0.001)
        #expect(abs(figures.load - 0.501) < 0.001)
        #expect(figures.meanQueueing == .zero)
        // ρ·E[S] / (2·(1 − ρ)) for constant services.
        let predicted = try #require(figures.predictedQueueing)
        #expect(abs(Double(predicted.count) - 5_025) < 30)
        #expect(figures.littleError == 0)
    }

    //   a  ├─────────────┤   10–40 runs
    //   b    ▲ ─ ─ ✗         20–30 is cancelled
    //   c        ▲ ─ ─ ─ ─   30–60 still waits, for a
    //   d        ▲ · · · ·   30–60 is not due
    @Test("Cancelled, waiting and not yet due items count on both sides of Little's law")
    func waitsWithoutRuns() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.work")
        trace.async(on: queue, at: 10, begin: 10, end: 40, thread: 2)
        let cancelled = trace.async(on: queue, at: 20, thread: 2)
        trace.add(.itemCancel(.init(item: cancelled)), at: 30)
        trace.async(on: queue, at: 30, thread: 2)
        trace.asyncAfter(on: queue, at: 30, delay: 1000, thread: 2)
        trace.add(.threadExit(.init(tid: 9)), at: 60)
        let analysis = AnalysisSession().analyze(events: trace.events)
        let figures = try #require(analysis.queues.first?.queueing)
        // 10 + 30 + 30 µs of waits in the 50 µs from the first submission on.
        #expect(figures.meanDepth == 1.4)
        #expect(figures.littleDepth == 1.4)
        #expect(analysis.model.invariants.littlesLaw.violations == 0)
    }

    @Test("An overloaded queue, one of few items, and one that shares its hierarchy have no prediction")
    func noPrediction() {
        var trace = TraceBuilder()
        let few = trace.serialQueue("few")
        trace.async(on: few, at: 0, begin: 1, end: 2, thread: 2)
        let full = trace.serialQueue("full")
        for number in 0..<200 {
            trace.async(on: full, at: 0, begin: Double(number * 10), end: Double(number * 10 + 10), thread: 3)
        }
        let leaf = trace.serialQueue("leaf", target: trace.serialQueue("tree"))
        for number in 0..<200 {
            let start = Double(number * 20)
            trace.async(on: leaf, at: start, begin: start, end: start + 1, thread: 4)
        }
        let analysis = AnalysisSession().analyze(events: trace.events)
        #expect(analysis.queues.count == 3)
        #expect(analysis.queues.allSatisfy { $0.queueing != nil && $0.queueing?.predictedQueueing == nil })
    }
}
