import DispatchModel
import Testing
import TraceBuilder

@Suite("Blame")
struct BlameTests {
    // a holds   10 ────────── 30
    // b waits      12 ──────────── (begins at 31, runs to 40)
    // c waits            20 ───────────────────────── 41
    @Test("Each pair gets the time in which the one held what the other waited for")
    func pairs() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        trace.async(on: queue, at: 5, begin: 10, end: 30, thread: 2, code: "A.swift:1")
        trace.async(on: queue, at: 12, begin: 31, end: 40, thread: 2, code: "B.swift:2")
        trace.async(on: queue, at: 20, begin: 41, end: 44, thread: 2, code: "C.swift:3")
        let (model, _) = ObservationLog.read(trace.events)
        let pairs = model.blame.map { [model[$0.waiter].line, model[$0.holder].line, Int($0.time.count / 1000)] }
        #expect(pairs == [[2, 1, 18], [3, 1, 10], [3, 2, 9]])
        #expect(model.blame.allSatisfy { $0.queue == QueueIndex(0) })
    }

    // a free sync holds  10 ────────── 30
    // b waits                 12 ──────── (begins at 31)
    @Test("The holder that nobody had waited for before is blamed too")
    func firstWaiter() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        trace.freeSync(on: queue, begin: 10, end: 30, thread: 2, code: "A.swift:1")
        trace.async(on: queue, at: 12, begin: 31, end: 40, thread: 3, code: "B.swift:2")
        let (model, _) = ObservationLog.read(trace.events)
        let pairs = model.blame.map { [model[$0.waiter].line, model[$0.holder].line, Int($0.time.count / 1000)] }
        #expect(pairs == [[2, 1, 18]])
    }

    @Test("What is not due waits for nobody; a reader waits for the writer")
    func delaysAndWriters() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        trace.async(on: queue, at: 5, begin: 10, end: 30, thread: 2, code: "A.swift:1")
        trace.asyncAfter(on: queue, at: 6, delay: 20, begin: 31, end: 32, thread: 2, code: "B.swift:2")
        let concurrent = trace.concurrentQueue("app.cache")
        trace.async(on: concurrent, at: 5, begin: 10, end: 20, thread: 3, barrier: true, code: "W.swift:7")
        trace.async(on: concurrent, at: 14, begin: 21, end: 22, thread: 4, code: "R.swift:8")
        let (model, _) = ObservationLog.read(trace.events)
        let pairs = model.blame.map { [model[$0.waiter].line, model[$0.holder].line, Int($0.time.count / 1000)] }
        #expect(pairs == [[8, 7, 6], [2, 1, 4]])
    }

    @Test("Of several queues a pair names the one that took most of its time, not the first")
    func mostOfTheTime() {
        var trace = TraceBuilder()
        for (number, length) in [("1", 10.0), ("2", 500), ("3", 20)] {
            let queue = trace.serialQueue("app.\(number)")
            trace.async(on: queue, at: 5, begin: 10, end: 10 + length, thread: 2, code: "A.swift:1")
            trace.async(on: queue, at: 10, begin: 11 + length, end: 12 + length, thread: 3, code: "B.swift:2")
        }
        let (model, _) = ObservationLog.read(trace.events)
        #expect(model.blame.map { model[$0.queue].label } == ["app.2"])
    }
}
