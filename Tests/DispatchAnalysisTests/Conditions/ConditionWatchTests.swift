import DispatchModel
import Testing
import TraceBuilder

@testable import DispatchAnalysis

@Suite("The conditions of a recording")
struct ConditionWatchTests {
    /// One reading of a recording that begins at the time 0.
    private func read(
        _ watch: inout ConditionWatch, _ trace: TraceBuilder, until now: Double, isOver: Bool = false
    ) -> String? {
        let collector = watch.makeCollector(origin: 0)
        let end = Int64(now * 1_000_000)
        let events = trace.events.filter { $0.time.nanoseconds <= end }
        let analysis = AnalysisSession(options: AnalysisOptions(detectors: [])).analyze(
            events: events, observers: [collector], continuesAfterEnd: !isOver)
        collector.conclude(analysis)
        return watch.decide(collector.worst, at: end)?.text
    }

    private func watch(
        _ conditions: String..., coolDown: Int64 = 1, most: Int = 10, countsPast: Bool = true
    ) throws -> ConditionWatch {
        ConditionWatch(
            try conditions.map { try TriggerCondition($0) },
            limits: .init(coolDown: .milliseconds(coolDown), most: most), countsPast: countsPast)
    }

    /// ms
    private func at(_ milliseconds: Double) -> Double { milliseconds * 1000 }

    @Test("A wait fires once, when it exceeds the limit, and not at the limit")
    func queueWait() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.db")
        trace.async(on: queue, at: at(0), begin: at(1), end: at(500), thread: 2)
        trace.async(on: queue, at: at(100), begin: at(501), end: at(502), thread: 2)
        trace.async(on: queue, at: at(600), begin: at(601), end: at(602), thread: 2)
        var exact = try watch("queue=app.db wait>401ms")
        #expect(read(&exact, trace, until: 700) == nil)
        var watch = try watch("queue=app.* wait>400ms", "queue=other wait>1ms")
        #expect(read(&watch, trace, until: 505) == "queue=app.* wait>400ms: an item of app.db waited 401 ms")
        #expect(read(&watch, trace, until: 700) == nil)
    }

    @Test("A wait that is open fires while it is open, once")
    func openWait() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.db")
        trace.async(on: queue, at: at(0), begin: at(1), thread: 2)
        trace.async(on: queue, at: at(100), thread: 2)
        let other = trace.serialQueue("app.other")
        for time in stride(from: 200.0, to: 2_000, by: 100) {
            trace.async(on: other, at: at(time), begin: at(time) + 1, end: at(time) + 2, thread: 3)
        }
        var watch = try watch("queue=app.db wait>250ms", countsPast: false)
        #expect(read(&watch, trace, until: 301) == nil)
        #expect(read(&watch, trace, until: 501)?.contains("an item of app.db has waited 400 ms") == true)
        #expect(read(&watch, trace, until: 901) == nil)
        #expect(read(&watch, trace, until: 1901) == nil)
    }

    @Test("An operation that ended before the first reading counts only from the start of a recording")
    func past() throws {
        var trace = TraceBuilder()
        let queue = trace.mainQueue()
        trace.async(on: queue, at: at(0), begin: at(1), end: at(500), thread: 1)
        var late = try watch("main blocked>250ms", countsPast: false)
        #expect(read(&late, trace, until: 600) == nil)
        var early = try watch("main blocked>250ms")
        #expect(read(&early, trace, until: 600) == "main blocked>250ms: the main thread was blocked for 499 ms")
    }

    @Test("The cool-down and the largest number limit the snapshots of a condition")
    func limits() throws {
        var trace = TraceBuilder()
        let loop = trace.loop("ELT", thread: 2)
        for round in 0..<6 {
            let begin = Double(round) * 200
            trace.iterate(loop, begin: at(begin + 1), end: at(begin + 101), thread: 2)
        }
        var watch = try watch("loop blocked>50ms", coolDown: 300, most: 2)
        let fired = (0..<6).map { read(&watch, trace, until: Double($0) * 200 + 150) != nil }
        #expect(fired == [true, false, true, false, false, false])
        #expect(watch.isExhausted)
    }

    @Test("A number fires when it is exceeded, and again after it was not")
    func workers() throws {
        var watch = try watch("workers>2")
        let above = TriggerCase(text: "3 worker threads", excess: 1)
        #expect(watch.decide([above], at: 1_000_000_000)?.text == "workers>2: 3 worker threads")
        #expect(watch.decide([above], at: 2_000_000_000) == nil)
        #expect(watch.decide([nil], at: 3_000_000_000) == nil)
        #expect(watch.decide([above], at: 4_000_000_000) != nil)
    }

    @Test("Workers and waiting items are counted at the end of a reading")
    func counts() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let queue = trace.serialQueue("app.db", target: root)
        for thread: UInt32 in 2...4 { trace.worker(thread, of: root, made: at(1), started: at(2)) }
        trace.async(on: queue, at: at(3), begin: at(4), thread: 2)
        for _ in 0..<5 { trace.async(on: queue, at: at(5), thread: 2) }
        var watch = try watch("workers>2", "queue=app.db depth>4", "queue=app.db depth>5")
        let text = try #require(read(&watch, trace, until: 10))
        #expect(text == "workers>2: 3 worker threads; queue=app.db depth>4: 5 items wait for app.db")
    }

    @Test("A task that waits for an actor fires")
    func actor() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let actor = trace.actor("App.Cache")
        let first = trace.task(at: at(0))
        let second = trace.task(at: at(0))
        trace.begin(first, on: actor, thread: 2, at: at(1))
        trace.begin(second, thread: 3, at: at(1))
        trace.hop(second, to: actor, from: 3, at: at(2), begin: at(803), thread: 3)
        trace.finish(first, thread: 2, at: at(802))
        trace.finish(second, thread: 3, at: at(810))
        var watch = try watch("actor=App.Cache wait>700ms", "actor=Other wait>1ms")
        #expect(read(&watch, trace, until: 900)?.contains("a task waited for App.Cache for 80") == true)
    }

    @Test("Two queues that wait for each other fire after 100 ms, once")
    func deadlock() throws {
        var trace = TraceBuilder()
        let (first, second) = (trace.serialQueue("app.first"), trace.serialQueue("app.second"))
        trace.async(on: first, at: at(0), begin: at(1), thread: 2)
        trace.async(on: second, at: at(0), begin: at(1), thread: 3)
        trace.sync(on: second, at: at(10), thread: 2, from: 3)
        trace.sync(on: first, at: at(10), thread: 3, from: 2)
        let other = trace.serialQueue("app.other")
        for time in [60.0, 900, 1_500] {
            trace.async(on: other, at: at(time), begin: at(time) + 1, end: at(time) + 2, thread: 4)
        }
        var watch = try watch("deadlock")
        #expect(read(&watch, trace, until: 61) == nil)
        #expect(read(&watch, trace, until: 901)?.hasPrefix("deadlock: 2 waits form a cycle") == true)
        #expect(read(&watch, trace, until: 1_501) == nil)
    }
}
