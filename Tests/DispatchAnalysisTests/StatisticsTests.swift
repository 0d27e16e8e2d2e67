import DispatchModel
import Testing
import TraceBuilder

@testable import DispatchAnalysis

@Suite struct StatisticsTests {
    @Test("Queues are in the order of the time lost, with their load")
    func queues() throws {
        var trace = TraceBuilder()
        let quick = trace.serialQueue("quick")
        let slow = trace.serialQueue("slow")
        _ = trace.serialQueue("idle")
        trace.async(on: quick, at: 0, begin: 1, end: 2, thread: 2)
        trace.async(on: slow, at: 0, begin: 1, end: 50, thread: 3)
        trace.async(on: slow, at: 10, begin: 50, end: 100, thread: 3)
        trace.async(on: slow, at: 20, begin: 100, end: 101, thread: 3)
        let analysis = AnalysisSession().analyze(events: trace.events)
        #expect(analysis.queues.map { analysis.model[$0.queue].label } == ["slow", "quick"])
        let statistics = try #require(analysis.queues.first)
        #expect(statistics.items == 3)
        #expect(statistics.busy == .microseconds(100))
        #expect(statistics.maxDepth == 2)
        #expect(statistics.waitTotal == .microseconds(1 + 40 + 80))
        #expect(statistics.waitParts.total == statistics.waitTotal)
        #expect(statistics.wait.max == .microseconds(80))
        #expect(statistics.service.p50 == .microseconds(49))
        #expect(analysis.quality.score == 1)
        #expect(analysis.quality.checks.allSatisfy { $0.passed })
    }

    //   main queue   ······├ job ─────┤  ├ job ┤
    //   main actor   ·······├ task ──┤              the second job runs a task without an actor
    @Test("Code that a task ran on an actor counts once, although a job of the actor's queue ran it")
    func jobs() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let (main, actor) = (trace.mainQueue(), trace.mainActor())
        let tasks = (0..<2).map { _ in trace.task(at: 1, code: "App/Feed.swift:8") }
        trace.resume(tasks[0], on: actor, thread: 2, at: 2)
        trace.async(on: main, at: 2, begin: 10, end: 40, thread: 1, from: 2, kind: .swiftJob)
        trace.begin(tasks[0], on: actor, thread: 1, at: 11)
        trace.finish(tasks[0], thread: 1, at: 39)
        trace.async(on: main, at: 3, begin: 50, end: 60, thread: 1, from: 2, kind: .swiftJob)
        trace.begin(tasks[1], thread: 1, at: 51)
        trace.finish(tasks[1], thread: 1, at: 59)
        let analysis = AnalysisSession().analyze(events: trace.events)
        #expect(analysis.codes.map(\.items) == [2])
        #expect(analysis.codes.first?.serviceTotal == .microseconds(28 + 10))
        #expect(analysis.queues.map(\.items).sorted() == [1, 2])
        #expect(analysis.model.blame.allSatisfy { analysis.model[$0.queue].kind != .main })
    }

    @Test("Sleeps of the runtime are separate from other tasks without a function")
    func sleeps() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        for kind in [.unknown, .sleep, .sleep] as [TaskKind] {
            let task = trace.task(kind, at: 1)
            trace.begin(task, thread: 2, at: 2)
            trace.finish(task, thread: 2, at: 3)
        }
        let functions = try #require(AnalysisSession().analyze(events: trace.events).tasks?.functions)
        #expect(functions.map(\.kind) == [.unknown, .sleep])
        #expect(functions.map(\.tasks) == [1, 2])
    }

    //   main queue   ├ item ──────┤├ job ┤     the job waited for an item without a task
    //   main actor   ··············├task┤
    @Test("A task that waits for an item of the main queue waits for the code of the item")
    func jobBehindItem() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let (main, actor) = (trace.mainQueue(), trace.mainActor())
        let task = trace.task(at: 1, code: "App/Feed.swift:8")
        trace.async(on: main, at: 2, begin: 3, end: 100, thread: 1, from: 2, code: "App/Old.swift:1")
        trace.resume(task, on: actor, thread: 2, at: 10)
        trace.async(on: main, at: 10, begin: 101, end: 140, thread: 1, from: 2, kind: .swiftJob)
        trace.begin(task, on: actor, thread: 1, at: 102)
        trace.finish(task, thread: 1, at: 139)
        let blame = AnalysisSession().analyze(events: trace.events).model.blame.filter { $0.time >= .microseconds(90) }
        #expect(blame.map(\.time) == [.microseconds(90)])
    }

    @Test("A thread is busy with items and blocked in syncs and locks")
    func threads() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let lock = trace.lock("lock", fair: true)
        trace.async(on: queue, at: 0, begin: 1, end: 11, thread: 2)
        trace.sync(on: queue, at: 3, begin: 12, end: 14, thread: 3, from: 2)
        trace.hold(lock, thread: 2, granted: 20, released: 30)
        trace.hold(lock, thread: 3, requested: 25, granted: 31, released: 32)
        let analysis = AnalysisSession().analyze(events: trace.events)
        let byTID = Dictionary(uniqueKeysWithValues: analysis.threads.map { (analysis.model[$0.thread].tid, $0) })
        #expect(byTID[2]?.busy == .microseconds(10))
        #expect(byTID[3]?.busy == .microseconds(2))
        #expect(byTID[3]?.blocked == .microseconds(9 + 6))
        #expect(byTID[3]?.items == 1)
    }

    //   loop   poll ── 10 ├──────────────────────┤ 40 ── poll
    //   item               15 ├────────┤ 25
    //   sync                   ├─┤ 18
    //   sync, iteration                              34 ├┤├┤ 38
    @Test("Iterations of an event loop do not make a thread busy; the items in them do")
    func loops() throws {
        var trace = TraceBuilder()
        let (queue, other) = (trace.serialQueue("q"), trace.serialQueue("other"))
        let loop = trace.loop("loop", thread: 7)
        trace.iterate(loop, begin: 2, end: 4, thread: 7)
        trace.add(.loopPollEnd(.init(loop: loop, ready: 1)), at: 10, thread: 7)
        trace.async(on: queue, at: 5, begin: 15, end: 25, thread: 7)
        trace.sync(on: other, at: 16, begin: 17, end: 18, thread: 7)
        trace.uncontendedSync(on: other, begin: 34, end: 36, thread: 7)
        trace.apply(on: 0, at: 36, end: 39, thread: 7, iterations: [(7, 37, 38)])
        trace.add(.loopPollBegin(.init(loop: loop)), at: 40, thread: 7)
        trace.iterate(loop, begin: 50, end: 90, thread: 7)
        let analysis = AnalysisSession().analyze(events: trace.events)
        let thread = try #require(analysis.threads.first { analysis.model[$0.thread].tid == 7 })
        #expect(thread.busy == .microseconds(10 + 2 + 1))
        #expect(thread.items == 4)
    }

    @Test("Work that an item performs is part of the item")
    func performed() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        trace.async(on: queue, at: 0, begin: 1, end: 11, thread: 2)
        trace.async(on: 0, at: 3, begin: 4, end: 6, thread: 2, from: 2, kind: .perform)
        let analysis = AnalysisSession().analyze(events: trace.events)
        let thread = try #require(analysis.threads.first { analysis.model[$0.thread].tid == 2 })
        #expect(thread.busy == .microseconds(10) && thread.items == 2)
    }

    @Test("Many and large latencies keep three significant digits and an exact maximum")
    func percentiles() {
        var recorder = LatencyRecorder()
        for value in 1...100_000 { recorder.record(.microseconds(Int64(value))) }
        let percentiles = recorder.percentiles
        #expect(percentiles.max == .microseconds(100_000))
        for (found, exact) in [(percentiles.p50, 50_000.0), (percentiles.p90, 90_000), (percentiles.p99, 99_000)] {
            #expect(abs(Double(found.count) / 1000 - exact) <= exact / 1000)
        }
        recorder.record(.seconds(5_000))
        #expect(recorder.percentiles.max == .seconds(5_000))
        #expect(LatencyRecorder().percentiles == LatencyPercentiles())
    }

    @Test("Observers given to the analysis see what the detectors see")
    func observers() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        trace.async(on: queue, at: 0, begin: 1, end: 11, thread: 2)
        let log = ObservationLog()
        _ = AnalysisSession().analyze(events: trace.events, observers: [log])
        #expect(log.items.count == 1)
    }

    @Test("Discarded events lower the score, and the check states their number")
    func discarded() throws {
        let quality = AnalysisSession().analyze(events: TraceBuilder().events, discarded: 10).quality
        let check = try #require(quality.checks.first { $0.id == "events-complete" })
        #expect(!check.passed)
        #expect(check.detail.contains("10 events"))
        #expect(quality.score < 1)
    }

    @Test("An empty trace has an empty analysis")
    func empty() {
        let analysis = AnalysisSession().analyze(events: [])
        #expect(analysis.queues.isEmpty && analysis.threads.isEmpty && analysis.findings.isEmpty)
        #expect(analysis.quality.score == 0)
    }
}

@Suite struct LatencyBucketsTests {
    @Test("The smallest value of a counter belongs to it, the value before to the previous one", arguments: 0..<60)
    func layout(shift: Int) {
        for offset in [UInt64(0), 1, 2, 1023, 1024, 2047] {
            let value = (UInt64(1) << UInt64(shift)) &+ offset
            let index = LatencyBuckets.index(of: value)
            let smallest = LatencyBuckets.value(at: index)
            #expect(smallest <= value)
            #expect(LatencyBuckets.index(of: smallest) == index)
            #expect(smallest == 0 || LatencyBuckets.index(of: smallest - 1) == index - 1)
            // Three significant digits.
            #expect(Double(value - smallest) <= Double(value) / 1000)
        }
    }

    //   main     apply ├─ 40 µs ─┤├─ 40 µs ─┤ returns
    //   worker           ├─ 60 µs ───┤
    @Test("Iterations of concurrentPerform count for their queue, code and threads")
    func concurrentPerform() throws {
        var trace = TraceBuilder()
        trace.apply(
            on: 0, at: 0, end: 90, thread: 1,
            iterations: [(1, 1, 41), (1, 42, 82), (2, 5, 65)], code: "App/Lint.swift:3")
        let analysis = AnalysisSession().analyze(events: trace.events)
        let queue = try #require(analysis.queues.first)
        #expect(analysis.model[queue.queue].label == "concurrentPerform")
        #expect(queue.items == 3)
        #expect(queue.busy == .microseconds(81))
        #expect(queue.service.max == .microseconds(60))
        #expect(analysis.codes.map(\.serviceTotal) == [.microseconds(140)])
        #expect(analysis.threads.map(\.busy) == [.microseconds(80), .microseconds(60)])
        #expect(analysis.quality.checks.allSatisfy { $0.passed })
    }

    @Test("The statistics of a queue are small, because a trace can have a million queues")
    func isSmall() { #expect(MemoryLayout<QueueStatistics>.stride == 288) }
}
