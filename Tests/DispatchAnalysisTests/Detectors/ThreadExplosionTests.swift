import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct ThreadExplosionTests {
    /// Workers that start `gap` ms after each other, of one root queue after the other, and run one item each, blocked
    /// or not; and of the first root queue some that have none.
    private func workers(
        _ count: Int, kept: Int = 0, gap: Double = 1, blocked: Bool = false, roots rootCount: Int = 1
    ) -> TraceBuilder {
        var trace = TraceBuilder()
        let roots = (0..<rootCount).map { trace.globalQueue("com.apple.root.\($0)") }
        let semaphore = trace.semaphore(value: 0)
        let end = Double(count) * gap * 1000 + 50_000
        for number in 0..<count {
            let thread = UInt32(10 + number)
            let root = roots[number % rootCount]
            let start = 100 + Double(number) * gap * 1000
            let queue = trace.serialQueue("app.report.\(number)", target: root)
            trace.worker(thread, of: root, made: start - 50, started: start)
            trace.async(
                on: queue, at: start - 60, begin: start + 10, end: end + Double(number), thread: thread,
                code: "App/Report.swift:12")
            if blocked {
                trace.wait(
                    for: semaphore, thread: thread, at: start + 20, until: end - 1, code: "App/Disk.swift:30")
            }
        }
        for number in 0..<kept {
            trace.worker(UInt32(40 + number), of: roots[0], made: 8000, started: 8100 + Double(number))
        }
        return trace
    }

    private func findings(
        _ trace: TraceBuilder, processors: UsableProcessors = 2, _ thresholds: [String] = []
    ) throws -> [Finding] {
        try DetectorRun.findings(of: ThreadExplosion.self, in: trace, thresholds: thresholds, processors: processors)
    }

    @Test(
        "Four workers for each processor are an explosion, one less is not",
        arguments: [(8, 2, 1), (7, 2, 0), (12, 3, 1), (11, 3, 0)])
    func threshold(count: Int, processors: Int, found: Int) throws {
        #expect(try findings(workers(count), processors: UsableProcessors(allowed: processors)).count == found)
    }

    @Test(
        "It is a warning when there are eight for each processor, or when it costs 10 ms",
        arguments: [(15, "10ms", Finding.Severity.info), (16, "10ms", .warning), (8, "100us", .warning)])
    func severity(count: Int, cost: String, severity: Finding.Severity) throws {
        let findings = try findings(workers(count), processors: 2, ["cost=\(cost)"])
        #expect(findings.map(\.severity) == [severity])
    }

    @Test("libdispatch aims for as many workers as affinity allows, whatever the CFS quota")
    func quota() throws {
        #expect(try findings(workers(12), processors: .init(allowed: 8, quotaMilli: 1_500)).isEmpty)
        #expect(try findings(workers(12), processors: .init(allowed: 2, quotaMilli: 1_500)).count == 1)
    }

    //   workers   ▁▃▅▇▇████   the last ones come when most of the others have parked
    @Test("Workers are judged by when most of them are awake, not by when most of them exist")
    func kept() throws {
        var trace = workers(12)
        let root = trace.globalQueue()
        for number in 0..<12 { trace.park(UInt32(10 + number), of: root, at: 70_000) }
        for number in 0..<4 {
            trace.worker(UInt32(40 + number), of: root, made: 71_000, started: 71_100 + Double(number))
        }
        #expect(try findings(trace).count == 1)
    }

    //   exist   ▁▃▅▇▇▇██   14, of which 10 are awake
    //   awake   ▁▃▅▇▇▅▆▆   12, when 12 exist
    @Test("What they do is told of the moment when most are awake, also where more exist later")
    func oneMoment() throws {
        var trace = workers(12)
        let root = trace.globalQueue()
        for number in 0..<4 { trace.park(UInt32(10 + number), of: root, at: 55_000) }
        for number in 0..<2 {
            trace.worker(UInt32(40 + number), of: root, made: 56_000, started: 56_100 + Double(number))
        }
        let finding = try #require(try findings(trace).first)
        let summary = "14 worker threads exist at once for 2 processors: when most were awake, 12 serial queues run"
        #expect(finding.summary.hasPrefix(summary))
        #expect(finding.measures.contains { $0.name == "most workers" && $0.value.hasPrefix("14, ") })
        #expect(finding.measures.contains { $0 == ("idle", "0") })
    }

    //   10, 11   ├─┤zzzz├─ item ──     woken within a millisecond of the moment when six are awake
    //   12, 13      ├ item ┤zzzzzz
    //   14 … 17     ├─ item ──────
    @Test("A worker that slept at that moment does not count with what it runs next")
    func wokenLater() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        for number in 0..<8 {
            let isEarly = number < 2
            let (thread, start) = (UInt32(10 + number), (isEarly ? 100 : 300) + Double(number))
            trace.worker(thread, of: root, made: start - 50, started: start)
            let begin = isEarly ? 520 : start + 0.1
            trace.async(
                on: root, at: 40, begin: begin, end: (2..<4).contains(number) ? 380 : 9_000, thread: thread,
                code: "App/A.swift:1")
            if isEarly { trace.park(thread, of: root, at: 200, until: 510) }
            if (2..<4).contains(number) { trace.park(thread, of: root, at: 400) }
        }
        let finding = try #require(try findings(trace).first)
        #expect(finding.summary.hasSuffix("6 of them run items at App/A.swift:1."))
        #expect(finding.measures.contains { $0.name == "most that were awake" && $0.value.hasPrefix("6, ") })
        #expect(finding.measures.contains { $0 == ("idle", "2") })
    }

    @Test(
        "Where most workers are only kept for later it is none",
        arguments: [(2, 10, 0), (5, 3, 0), (6, 2, 1), (7, 3, 0), (8, 2, 1)])
    func idle(busy: Int, kept: Int, found: Int) throws {
        #expect(try findings(workers(busy, kept: kept)).count == found)
    }

    @Test(
        "Workers that libdispatch aims for in each of several root queues are none",
        arguments: [(8, 4, 0), (9, 3, 0), (12, 3, 1), (11, 3, 0), (16, 5, 1)])
    func pools(count: Int, roots: Int, found: Int) throws {
        #expect(try findings(workers(count, roots: roots)).count == found)
    }

    @Test("Workers that come slowly are none, nor is anything where the processors are not known")
    func slow() throws {
        #expect(try findings(workers(12, gap: 200)).isEmpty)
        #expect(try findings(workers(12), processors: 0).isEmpty)
        #expect(try findings(workers(12), processors: 2, ["factor=7"]).isEmpty)
    }

    @Test("Every worker at the peak is attributed to its queue, its code and what it does")
    func attribution() throws {
        let finding = try #require(try findings(workers(12, blocked: true)).first)
        #expect(
            finding.summary
                == "12 worker threads exist at once for 2 processors: 12 of them are blocked at App/Report.swift:12.")
        #expect(finding.measures.contains { $0 == ("on app.report.*, waiting in a semaphore's wait", "12 workers") })
        #expect(finding.evidence.count == 12)
        #expect(finding.advice.hasPrefix("Do not block at App/Report.swift:12"))
        let running = try #require(try findings(workers(12)).first)
        #expect(running.summary.contains("12 serial queues run on a thread each"))
        #expect(running.advice.contains("one serial target"))
    }

    //   worker 10   ├──── a ────┤├──── b ─░░──     the peak is in a; b begins 0.2 ms later, and blocks
    //                       ▲ peak
    @Test("What a worker does after what it ran at the peak does not count")
    func later() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let semaphore = trace.semaphore(value: 0)
        for number in 0..<8 {
            let thread = UInt32(10 + number)
            trace.worker(thread, of: root, made: 50, started: 100 + Double(number))
            // The peak is at 107 µs.
            let start = 100.1 + Double(number)
            trace.async(on: root, at: 40, begin: start, end: 200, thread: thread, code: "App/A.swift:1")
            trace.async(on: root, at: 150, begin: 300, end: 9_000, thread: thread, code: "App/B.swift:2")
            trace.wait(for: semaphore, thread: thread, at: 400, until: 8_000)
        }
        let finding = try #require(try findings(trace).first)
        // The last worker had nothing at the peak.
        #expect(finding.summary.hasSuffix("8 of them run items at App/A.swift:1."))
    }

    //   workers   ▁▃▅▇▇▇▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁   parked after 70 ms, and kept by libdispatch for a second
    @Test("An explosion ends when its workers sleep, and costs their starts, not the time that they exist")
    func cost() throws {
        var trace = workers(12)
        let root = trace.globalQueue()
        for number in 0..<12 { trace.park(UInt32(10 + number), of: root, at: 70_000 + Double(number)) }
        trace.park(12, of: root, at: 900_000, until: 1_000_000)
        let finding = try #require(try findings(trace).first)
        #expect(finding.end < Timestamp(nanoseconds: 71_000_000))
        // Ten of them are beyond one for each processor: 50 µs for the start of each, and an assumed wake of 10 µs.
        #expect(finding.cost == .microseconds(600))
        #expect(finding.measures.contains { $0 == ("start of a worker", "50.0 µs") })
    }

    @Test("Each burst of starts is an explosion of its own")
    func twice() throws {
        var trace = workers(12)
        let root = trace.globalQueue()
        for number in 0..<12 {
            trace.add(.workerExit(.init(root: root)), at: 70_000 + Double(number), thread: UInt32(10 + number))
        }
        for number in 0..<10 {
            trace.worker(UInt32(40 + number), of: root, made: 99_990, started: 100_000 + Double(number))
        }
        let finding = try #require(try findings(trace).first)
        #expect(finding.occurrences == 2)
        #expect(finding.summary.hasPrefix("12 worker threads"))
    }

    @Test("Nobody is told to give Swift's executor a target")
    func advice() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let executor = trace.concurrentQueue("Swift global concurrent queue", target: root)
        for number in 0..<12 {
            let thread = UInt32(10 + number)
            trace.worker(thread, of: root, made: 50, started: 100 + Double(number))
            trace.async(on: executor, at: 40, begin: 200, end: 90_000, thread: thread)
        }
        let finding = try #require(try findings(trace).first)
        #expect(finding.advice.hasPrefix("Swift's tasks run here"))
    }

    @Test("Items that are open when the trace ends are attributed too")
    func open() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        for number in 0..<10 {
            let thread = UInt32(10 + number)
            trace.worker(thread, of: root, made: 10, started: 100 + Double(number))
            trace.async(on: root, at: 5, begin: 200 + Double(number), thread: thread)
        }
        trace.worker(40, of: root, made: 300, started: 310)
        #expect(try findings(trace).first?.measures.contains { $0 == ("running an item", "10") } == true)
    }
}
