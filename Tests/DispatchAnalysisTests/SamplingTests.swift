import DispatchModel
import Testing
import TraceBuilder

@testable import DispatchAnalysis

@Suite("Statistics of a sampled trace")
struct SamplingTests {
    @Test("Numbers and sums of queues, code and threads count each item with its weight")
    func weights() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        trace.add(.samplingRate(.init(oneOf: 4, cause: .started, budget: 0, cost: 0)), at: 0)
        trace.async(on: queue, at: 0, begin: 10, end: 12, thread: 2, code: "App/Main.swift:8")
        trace.async(on: queue, at: 20, begin: 40, end: 44, thread: 2, code: "App/Main.swift:8")
        trace.sync(on: queue, at: 43, begin: 45, end: 50, thread: 3, from: 2, code: "App/Main.swift:9")
        let analysis = AnalysisSession().analyze(events: trace.events)
        let statistics = try #require(analysis.queues.first)
        #expect(statistics.items == 9)
        // 4 · 10 + 4 · 20 + 2 µs.
        #expect(statistics.waitTotal == .microseconds(122))
        #expect(statistics.waitParts.total == statistics.waitTotal)
        // 4 · 2 + 4 · 4 + 5 µs.
        #expect(statistics.busy == .microseconds(29))
        #expect(statistics.wait.p50 == .microseconds(10))
        #expect(statistics.wait.p90 == .microseconds(20))
        #expect(statistics.queueing?.littleError == 0)
        #expect(analysis.codes.map(\.items) == [8, 1])
        #expect(analysis.codes.map(\.serviceTotal) == [.microseconds(24), .microseconds(5)])
        #expect(analysis.sample?.recorded == 3)
        #expect(analysis.sample?.items == 9)
        // The variance is 2 · 4 · 3.
        #expect(abs(statistics.itemsError.relative - 1.96 * 24.0.squareRoot() / 9) < 1e-6)
    }

    @Test("The number of sampled jobs without a task has an error")
    func jobs() throws {
        var trace = TraceBuilder()
        let queue = trace.concurrentQueue("Swift global concurrent queue")
        trace.add(.samplingRate(.init(oneOf: 4, cause: .started, budget: 0, cost: 0)), at: 0)
        for turn in 0..<100 {
            let time = Double(turn * 10)
            trace.async(on: queue, at: time, begin: time + 1, end: time + 2, thread: 2, kind: .swiftJob)
        }
        let sample = try #require(AnalysisSession().analyze(events: trace.events).sample)
        #expect(sample.items == 400)
        // The variance is 100 · 4 · 3.
        #expect(abs(sample.error.relative - 1.96 * 1_200.0.squareRoot() / 400) < 1e-6)
    }

    @Test("A trace with all items has no sample and no error, and its quality checks are the same")
    func complete() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        trace.async(on: queue, at: 0, begin: 10, end: 12, thread: 2)
        let plain = AnalysisSession().analyze(events: trace.events)
        trace.add(.samplingRate(.init(oneOf: 1, cause: .started, budget: 10_000, cost: 0)), at: 0)
        let analysis = AnalysisSession().analyze(events: trace.events)
        #expect(analysis.sample == nil)
        #expect(analysis.queues.first?.itemsError.relative == 0)
        #expect(analysis.quality.checks.map(\.id) == plain.quality.checks.map(\.id))
    }

    @Test("A sampled trace passes the quality checks, which state that it is sampled")
    func quality() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        trace.add(.samplingRate(.init(oneOf: 4, cause: .started, budget: 0, cost: 0)), at: 0)
        trace.async(on: queue, at: 0, begin: 10, end: 12, thread: 2)
        let quality = AnalysisSession().analyze(events: trace.events).quality
        #expect(quality.score == 1)
        #expect(quality.checks.filter(\.isLimited).map(\.id) == ["items-complete"])
        #expect(quality.checks.allSatisfy { !$0.detail.contains("budget") }, "the rate is fixed")
    }

    @Test("Detectors that need every item are silent, and the others have a caveat")
    func detectors() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        for item in 0..<5_000 {
            let time = Double(item * 10)
            trace.async(on: queue, at: time, begin: time + 1, end: time + 1.1, thread: 2)
        }
        trace.async(on: queue, at: 50_000, begin: 50_001, end: 50_002 + 400_000, thread: 2)
        trace.sync(on: queue, at: 50_010, begin: 50_010 + 400_000, end: 460_000, thread: 3, from: 2)
        let full = AnalysisSession().analyze(events: trace.events).findings
        trace.add(.samplingRate(.init(oneOf: 4, cause: .started, budget: 0, cost: 0)), at: 0)
        let sampled = AnalysisSession().analyze(events: trace.events).findings
        let silent = Set(DetectorRegistry.all.filter { $0.needsAllItems }.map { $0.id })
        #expect(
            silent == [
                "actor-hopping", "bouncing-work", "pool-deadlock", "pool-starvation", "thread-explosion",
                "uncollected-children", "useless-wakeups", "work-too-small",
            ])
        #expect(Set(sampled.map(\.detector)).isDisjoint(with: silent))
        let others = Set(full.map(\.detector)).subtracting(silent)
        #expect(!others.isEmpty && others.isSubset(of: sampled.map(\.detector)), "\(full.map(\.summary))")
        #expect(full.allSatisfy { $0.caveat?.contains("sampled items") != true })
        #expect(sampled.allSatisfy { $0.queues.isEmpty || $0.caveat?.contains("sampled items") == true })
    }

    //   readers    1 of 64: they find the queue free
    //   writers    all, because they wait
    @Test("The barriers of a sampled queue are compared with the readers that ran")
    func readersWriter() throws {
        var trace = TraceBuilder()
        let queue = trace.concurrentQueue("app.directory")
        trace.add(.samplingRate(.init(oneOf: 64, cause: .started, budget: 0, cost: 0)), at: 0)
        for turn in 0..<100 {
            let time = Double(turn * 1_000)
            trace.uncontendedSync(on: queue, begin: time + 1, end: time + 100, thread: 3)
            trace.sync(on: queue, at: time + 50, begin: time + 101, end: time + 102, thread: 2, from: 2, barrier: true)
        }
        #expect(try DetectorRun.findings(of: ReadersWriter.self, in: trace).isEmpty)
    }

    //   full      S a a a S a a a S …    syncs and asyncs of one serial queue
    //   sampled   S · · · S · · · S …
    @Test("Items that are missing between two syncs are not taken for hand-offs", arguments: [true, false])
    func staircase(isSampled: Bool) throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        if isSampled { trace.add(.samplingRate(.init(oneOf: 64, cause: .started, budget: 0, cost: 0)), at: 0) }
        var time = 10.0
        for turn in 0..<2_000 {
            let (thread, holder) = (UInt32(2 + turn % 4), UInt32(2 + (turn + 3) % 4))
            trace.sync(
                on: queue, at: max(0, time - 1_500), begin: time, end: time + 2, thread: thread, from: holder,
                code: "App/State.swift:4")
            time += 600
        }
        let findings = try DetectorRun.findings(of: StaircaseContention.self, in: trace)
        #expect(findings.isEmpty == isSampled)
    }

    @Test("A group is not called unbalanced when the item that leaves it may not be recorded", arguments: [true, false])
    func group(isSampled: Bool) throws {
        var trace = TraceBuilder()
        if isSampled { trace.add(.samplingRate(.init(oneOf: 4, cause: .started, budget: 0, cost: 0)), at: 0) }
        let group = trace.group()
        trace.enter(group, thread: 9, at: 2)
        trace.wait(forGroup: group, thread: 9, at: 3)
        trace.end(at: 5e6)
        #expect(try DetectorRun.findings(of: UnbalancedGroup.self, in: trace).isEmpty == isSampled)
    }

    /// Tasks 1, 17 and 19 are recorded at a rate of 8. They run for 10 µs each.
    private func tasks(kind: TaskKind = .unstructured) -> TraceBuilder {
        var trace = TraceBuilder()
        trace.taskTrack()
        trace.add(.samplingRate(.init(oneOf: 8, cause: .started, budget: 0, cost: 0)), at: 0)
        for task in [SwiftTask.first, 17, 19] {
            let code = trace.code("App/Task.swift:1")
            let event = DispatchEvent.TaskCreate(
                task: task, kind: kind, qos: .default, parent: 0, group: 0, code: code)
            trace.add(.taskCreate(event), at: 5, thread: 1)
            trace.add(.taskEnqueue(.init(task: task, executor: 0, code: 0)), at: 5, thread: 1)
            trace.begin(task, thread: UInt32(task), at: 10)
        }
        return trace
    }

    @Test("Numbers and sums of tasks count each task with its weight, and the main task once")
    func taskWeights() throws {
        var trace = tasks()
        trace.finish(17, thread: 17, at: 20)
        trace.suspend(19, for: .continuation, thread: 19, at: 20)
        trace.finish(1, thread: 1, at: 20)
        let analysis = AnalysisSession().analyze(events: trace.events)
        let function = try #require(analysis.tasks?.functions.first)
        #expect(function.tasks == 17 && function.open == 8 && function.ended == 2)
        #expect(function.suspensions == 8)
        #expect(function.parts.running == .microseconds(170))
        #expect(analysis.tasks?.count == 17)
        #expect(analysis.sample?.recordedTasks == 3 && analysis.sample?.tasks == 17)
        // One task represents eight: 8 · 7 · 1² for the finished one, and 8 · 7 · 2² for the other.
        #expect(analysis.tasks?.itemsVariance == 280)
    }

    @Test("Tasks that a new rate leaves out are not open, and no finding is about them")
    func leftOut() throws {
        var trace = tasks()
        for task in [17, 19] as [UInt64] { trace.suspend(task, for: .task, object: task ^ 2, thread: 7, at: 20) }
        let cycle = AnalysisSession().analyze(events: trace.events)
        #expect(cycle.findings.map(\.detector) == ["deadlock"])
        #expect(cycle.findings.first?.caveat?.contains("sampled tasks") == true)
        trace.add(.samplingRate(.init(oneOf: 64, cause: .overBudget, budget: 0, cost: 0)), at: 30)
        let analysis = AnalysisSession().analyze(events: trace.events)
        #expect(analysis.findings.isEmpty)
        #expect(analysis.tasks?.functions.first?.open == 1)
        #expect(analysis.stillWaiting.waits.isEmpty)
    }

    @Test("A task may be idle that awaits children which were not recorded")
    func awaitsMissing() throws {
        var trace = tasks(kind: .main)
        trace.suspend(SwiftTask.first, for: .group, object: 0x70, thread: 1, at: 20)
        trace.suspend(17, for: .task, object: 3, thread: 17, at: 20)
        trace.finish(19, thread: 19, at: 2_000_000)
        let analysis = AnalysisSession().analyze(events: trace.events)
        #expect(analysis.findings.isEmpty)
        #expect(analysis.stillWaiting.waits.allSatisfy { $0.mayBeIdle })
    }

    //   full      a B c d e f G h …      service and wait of each item
    //   sampled   · B · · · · G · …      one of each stratum of 4 items of a thread
    @Test("The figures of a sampled trace are within 5 % of those of the full one", arguments: UInt64(1)...20)
    func accuracy(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var (full, sampled) = (TraceBuilder(), TraceBuilder())
        sampled.add(.samplingRate(.init(oneOf: 4, cause: .started, budget: 0, cost: 0)), at: 0)
        for number in 0..<2 {
            let label = "app.queue\(number)"
            _ = full.serialQueue(label)
            let queue = sampled.serialQueue(label)
            let thread = UInt32(number + 2)
            var (now, free, chosen) = (Double(number), 0.0, 0)
            for item in 0..<20_000 {
                now += Double.random(in: 5...25, using: &random)
                let begin = max(now + 1, free)
                free = begin + Double.random(in: 2...18, using: &random)
                if item % 4 == 0 { chosen = Int.random(in: 0..<4, using: &random) }
                full.async(on: queue, at: now, begin: begin, end: free, thread: thread, from: thread + 10)
                guard item % 4 == chosen else { continue }
                sampled.async(on: queue, at: now, begin: begin, end: free, thread: thread, from: thread + 10)
            }
        }
        let (expected, estimated) = (
            AnalysisSession().analyze(events: full.events), AnalysisSession().analyze(events: sampled.events)
        )
        for queue in expected.queues {
            let estimate = try #require(estimated.queues.first { $0.queue == queue.queue })
            func check(_ value: KeyPath<QueueStatistics, Nanoseconds>) {
                let (exact, sample) = (Double(queue[keyPath: value].count), Double(estimate[keyPath: value].count))
                #expect(abs(sample - exact) <= 0.05 * exact)
            }
            #expect(abs(Double(estimate.items - queue.items)) <= 0.05 * Double(queue.items))
            check(\.busy)
            check(\.waitTotal)
            check(\.wait.p50)
            check(\.wait.p90)
            check(\.service.p50)
            check(\.service.p90)
        }
    }
}
