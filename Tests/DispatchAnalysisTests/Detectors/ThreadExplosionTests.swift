import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct ThreadExplosionTests {
    /// Workers of alternating root queues, `gap` ms apart. Each runs one item, which is blocked or not. The first root
    /// queue has `kept` more workers without an item.
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
        "Four workers per processor are an explosion, one worker fewer is not",
        arguments: [(8, 2, 1), (7, 2, 0), (12, 3, 1), (11, 3, 0)])
    func threshold(count: Int, processors: Int, found: Int) throws {
        #expect(try findings(workers(count), processors: UsableProcessors(allowed: processors)).count == found)
    }

    @Test(
        "It is a warning with eight workers per processor, or at a cost of 10 ms",
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

    //   workers   ▁▃▅▇▇████   the last workers start when most of the others have parked
    @Test("The workers are counted at the moment when most are awake, not when most exist")
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
    @Test("The attribution is of the moment when most workers are awake, even if more exist later")
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
        #expect(finding.measures.contains { $0.name == "most workers" && $0.text.hasPrefix("14, ") })
        #expect(finding.measures.contains(.count("idle", 0)))
    }

    //   10, 11   ├─┤zzzz├─ item ──     woken within a millisecond of the moment when six are awake
    //   12, 13      ├ item ┤zzzzzz
    //   14 … 17     ├─ item ──────
    @Test("A worker that slept at that moment does not count with its next item")
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
        #expect(finding.measures.contains { $0.name == "most awake workers" && $0.text.hasPrefix("6, ") })
        #expect(finding.measures.contains(.count("idle", 2)))
    }

    @Test(
        "A pool that consists mostly of idle spare workers is not an explosion",
        arguments: [(2, 10, 0), (5, 3, 0), (6, 2, 1), (7, 3, 0), (8, 2, 1)])
    func idle(busy: Int, kept: Int, found: Int) throws {
        #expect(try findings(workers(busy, kept: kept)).count == found)
    }

    @Test(
        "The workers that libdispatch aims for in several root queues are not an explosion",
        arguments: [(8, 4, 0), (9, 3, 0), (12, 3, 1), (11, 3, 0), (16, 5, 1)])
    func pools(count: Int, roots: Int, found: Int) throws {
        #expect(try findings(workers(count, roots: roots)).count == found)
    }

    @Test("Workers that start slowly are not reported, and nothing is without the number of processors")
    func slow() throws {
        #expect(try findings(workers(12, gap: 200)).isEmpty)
        #expect(try findings(workers(12), processors: 0).isEmpty)
        #expect(try findings(workers(12), processors: 2, ["factor=7"]).isEmpty)
    }

    @Test("Every worker at the peak is attributed to its queue, its code and its state")
    func attribution() throws {
        let finding = try #require(try findings(workers(12, blocked: true)).first)
        #expect(
            finding.summary
                == "12 worker threads exist at once for 2 processors: 12 of them are blocked at App/Report.swift:12.")
        #expect(finding.measures.contains(Measure("on app.report.*, waiting in a semaphore's wait", "\(12, "worker")")))
        #expect(finding.evidence.count == 12)
        #expect(finding.advice.text.hasPrefix("Do not block at App/Report.swift:12"))
        #expect(
            finding.advice.phrase.template
                == "Do not block{place}: submit the next step with async or notify when the awaited work is done, or "
                + "put items that wait for the same object on one serial queue, so that only one of them waits at a "
                + "time.")
        let running = try #require(try findings(workers(12)).first)
        #expect(running.summary.contains("12 serial queues run on a thread each"))
        #expect(
            running.advice.phrase.template
                == "Give {queue} and similar queues one serial target queue, or one per processor: they keep their "
                + "order, and share its thread.")
    }

    //   worker 10   ├──── a ────┤├──── b ─░░──     the peak is in a; b begins 0.2 ms later, and blocks
    //                       ▲ peak
    @Test("The next item of a worker after its item at the peak does not count")
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
        // The last worker had no item at the peak.
        #expect(finding.summary.hasSuffix("8 of them run items at App/A.swift:1."))
    }

    //   workers   ▁▃▅▇▇▇▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁   parked after 70 ms; libdispatch keeps them for a second
    @Test("An explosion ends when its workers sleep, and its cost is their starts, not their lifetime")
    func cost() throws {
        var trace = workers(12)
        let root = trace.globalQueue()
        for number in 0..<12 { trace.park(UInt32(10 + number), of: root, at: 70_000 + Double(number)) }
        trace.park(12, of: root, at: 900_000, until: 1_000_000)
        let finding = try #require(try findings(trace).first)
        #expect(finding.end < Timestamp(nanoseconds: 71_000_000))
        // Ten of them exceed one per processor: each costs 50 µs for its start, and an assumed wake of 10 µs.
        #expect(finding.cost == .microseconds(600))
        #expect(finding.measures.contains { $0.name == "start of a worker" && $0.text == "50.0 µs" })
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

    @Test("The advice does not ask for a target queue of Swift's executor")
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
        #expect(finding.advice.text.hasPrefix("Swift's tasks run here"))
    }

    @Test("Items that are open at the end of the trace are attributed too")
    func open() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        for number in 0..<10 {
            let thread = UInt32(10 + number)
            trace.worker(thread, of: root, made: 10, started: 100 + Double(number))
            trace.async(on: root, at: 5, begin: 200 + Double(number), thread: thread)
        }
        trace.worker(40, of: root, made: 300, started: 310)
        #expect(try findings(trace).first?.measures.contains(.count("running an item", 10)) == true)
    }
}
