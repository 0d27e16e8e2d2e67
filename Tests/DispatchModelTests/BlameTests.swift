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

    // a sync on a free queue holds  10 ────────── 30
    // b waits                            12 ──────── (begins at 31)
    @Test("The holder that nobody had waited for before is blamed too")
    func firstWaiter() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        trace.uncontendedSync(on: queue, begin: 10, end: 30, thread: 2, code: "A.swift:1")
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

    // p          a ├─────────────────────────────┤ 60
    // c → p        b ▲ 12         suspended 20 ├──────┤ 45
    //              d               ▲ 30
    @Test("Nobody is waited for while the waiting queue is suspended", arguments: [false, true])
    func suspended(isAbove: Bool) {
        var trace = TraceBuilder()
        let below = trace.serialQueue("app.below")
        let middle = trace.serialQueue("app.middle", target: below)
        let queue = isAbove ? trace.serialQueue("app.above", target: middle) : middle
        trace.async(on: below, at: 5, begin: 10, end: 60, thread: 2, code: "A.swift:1")
        trace.async(on: queue, at: 12, begin: 61, end: 62, thread: 2, code: "B.swift:2")
        trace.suspend(middle, at: 20, until: 45)
        trace.async(on: queue, at: 30, begin: 63, end: 64, thread: 2, code: "D.swift:4")
        // Suspend again after one of them has begun: the other waits for it until the suspension.
        trace.suspend(middle, at: 61.4, until: 62.5)
        let model = ObservationLog.read(trace.events).model
        let pairs = model.blame.map { [model[$0.waiter].line, model[$0.holder].line, Int($0.time.count / 100)] }
        #expect(pairs == [[2, 1, 230], [4, 1, 150], [4, 2, 4]])
    }

    @Test("So it is on a queue that is made on a suspended one, or gets it as its target", arguments: [false, true])
    func suspendedTarget(isNew: Bool) {
        var trace = TraceBuilder()
        let below = trace.serialQueue("app.below")
        let middle = trace.serialQueue("app.middle", target: below)
        trace.async(on: below, at: 5, begin: 10, end: 60, thread: 2, code: "A.swift:1")
        trace.suspend(middle, at: 11, until: 40)
        let queue = trace.serialQueue("app.queue", target: isNew ? middle : below, at: 12)
        if !isNew { trace.add(.queueSetTarget(.init(queue: queue, target: middle, code: 0)), at: 13, thread: 1) }
        trace.async(on: queue, at: 20, begin: 61, end: 62, thread: 2, code: "B.swift:2")
        trace.asyncAfter(on: queue, at: 21, delay: 30, begin: 63, end: 64, thread: 2, code: "C.swift:3")
        let model = ObservationLog.read(trace.events).model
        let pairs = model.blame.map { [model[$0.waiter].line, model[$0.holder].line, Int($0.time.count / 1000)] }
        #expect(pairs == [[2, 1, 20], [3, 1, 9], [3, 2, 1]])
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
