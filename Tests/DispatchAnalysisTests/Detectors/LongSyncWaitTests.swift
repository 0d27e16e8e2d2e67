import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct LongSyncWaitTests {
    //   thread 2   ├──── async, ms ────┤
    //   thread 3    ░░░░░░░ sync ░░░░░░░├┤
    private func waiting(_ milliseconds: Double, times: Int = 1) -> TraceBuilder {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.store")
        for turn in 0..<times {
            let start = Double(turn) * 1_000_000
            let end = start + 10 + milliseconds * 1000
            trace.async(on: queue, at: start, begin: start + 5, end: end, thread: 2, code: "App/Compact.swift:3")
            trace.sync(
                on: queue, at: start + 10, begin: end, end: end + 10, thread: 3, from: 2, code: "App/Read.swift:9")
        }
        return trace
    }

    @Test("A wait of 100 ms is reported, a shorter one is not", arguments: [(100.0, 1), (99.9, 0)])
    func threshold(wait: Double, count: Int) throws {
        #expect(try DetectorRun.findings(of: LongSyncWait.self, in: waiting(wait)).count == count)
    }

    //   thread 2   ├── async ──░░░░──┤     ░ preempted
    //   thread 3    ░░░░░░ sync ░░░░░░├┤
    @Test("The time in which the holder was preempted does not count", arguments: [(50_000.0, 1), (50_001, 0)])
    func preemptedHolder(off: Double, count: Int) throws {
        var trace = waiting(150)
        trace.off(2, from: 20_000, until: 20_000 + off, preempted: true)
        let findings = try DetectorRun.findings(of: LongSyncWait.self, in: trace)
        #expect(findings.count == count)
        // The finding shows the wait without the preempted time.
        #expect(findings.allSatisfy { $0.cost == .milliseconds(100) })
        #expect(findings.allSatisfy { $0.evidence[0].detail.contains(", plus 50.0 ms off-CPU") })
    }

    @Test("The time in which the holder was blocked counts")
    func blockedHolder() throws {
        var trace = waiting(150)
        trace.off(2, from: 20_000, until: 140_000)
        #expect(try DetectorRun.findings(of: LongSyncWait.self, in: trace).count == 1)
    }

    //   thread 2   ·················· held the queue, and its events were lost
    //   thread 3    ░░░░░░ sync ░░░░░░├┤
    @Test("A wait for a holder without recorded events counts, with or without context switches")
    func unknownHolder() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.store")
        trace.sync(on: queue, at: 10, begin: 150_000, end: 150_010, thread: 3, from: 2)
        trace.off(3, from: 20, until: 149_990)
        #expect(try DetectorRun.findings(of: LongSyncWait.self, in: trace).count == 1)
    }

    //   thread 2   ├─ async ─┤
    //   thread 3    ░░░░░░ sync ░░░░░░├┤     the queue is free for 100 ms
    @Test(
        "Where context switches were recorded, the time in which the queue was free does not count",
        arguments: [(true, 0), (false, 1)])
    func scheduler(hasSwitches: Bool, count: Int) throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.store")
        trace.async(on: queue, at: 0, begin: 5, end: 50_000, thread: 2)
        trace.sync(on: queue, at: 10, begin: 150_000, end: 150_010, thread: 3, from: 2)
        if hasSwitches { trace.off(3, from: 20, until: 149_990) }
        #expect(try DetectorRun.findings(of: LongSyncWait.self, in: trace).count == count)
    }

    @Test("The threshold can be changed")
    func option() throws {
        #expect(
            try DetectorRun.findings(of: LongSyncWait.self, in: waiting(60), thresholds: ["wait=50ms"]).count == 1)
    }

    @Test("The finding names the queue, both code places and the holder, and counts waits from one place")
    func content() throws {
        let findings = try DetectorRun.findings(of: LongSyncWait.self, in: waiting(200, times: 3))
        let finding = try #require(findings.first)
        #expect(findings.count == 1)
        #expect(finding.occurrences == 3)
        #expect(finding.cost == .milliseconds(600))
        #expect(
            finding.summary.contains("3 times") && finding.summary.contains("in sync to app.store at App/Read.swift:9"))
        #expect(finding.summary.contains("App/Compact.swift:3"))
        #expect(finding.evidence.allSatisfy { $0.detail.contains("App/Compact.swift:3") })
        #expect(finding.measures.contains { $0.name == "part: own backlog" })
        #expect(finding.advice.text.contains("async"))
    }

    //   thread 2  ├──── barrier ────┤          ├──── reader ────┤
    //   thread 3    ░░░ sync ░░░░░░░██           ░░░ barrier ░░░██
    @Test("On a concurrent queue a sync waits for a barrier, and a barrier for any item", arguments: [false, true])
    func concurrent(isWriter: Bool) throws {
        var trace = TraceBuilder()
        let queue = trace.concurrentQueue("app.cache")
        trace.async(on: queue, at: 0, begin: 5, end: 200_005, thread: 2, barrier: !isWriter, code: "App/Fill.swift:3")
        trace.sync(
            on: queue, at: 10, begin: 200_010, end: 200_020, thread: 3, from: 2, barrier: isWriter,
            code: "App/Read.swift:9")
        let finding = try #require(try DetectorRun.findings(of: LongSyncWait.self, in: trace).first)
        #expect(finding.summary.contains("App/Fill.swift:3"))
        #expect(finding.code.count == 2)
    }

    //   thread 2  ├─ async ─░░ semaphore ░░─┤
    //   thread 3    ░░░░░░░░ sync ░░░░░░░░░░├┤
    @Test(
        "The finding names the wait of a holder that waits for most of its time",
        arguments: [(120_000.0, true), (90_000, false)])
    func holderWaits(until end: Double, isNamed: Bool) throws {
        var trace = waiting(200)
        let group = trace.group()
        trace.wait(forGroup: group, thread: 2, at: 10_000, until: end, code: "App/Upload.swift:5")
        let finding = try #require(try DetectorRun.findings(of: LongSyncWait.self, in: trace).first)
        #expect(finding.summary.contains("which itself waited for a group at App/Upload.swift:5") == isNamed)
        #expect(finding.advice.text.contains("Do not wait for a group at App/Upload.swift:5 while holding") == isNamed)
        #expect(finding.code.count == (isNamed ? 3 : 2))
    }

    //   target   ├──────── suspended ────────┤
    //   caller    ░░░░░░░░░░ sync ░░░░░░░░░░░░├┤
    @Test("The finding names the suspended queue and the code that suspended it", arguments: [true, false])
    func suspended(isResumed: Bool) throws {
        var trace = TraceBuilder()
        let target = trace.serialQueue("app.disk")
        let queue = trace.serialQueue("app.store", target: target)
        trace.suspend(target, at: 5, until: isResumed ? 150_000 : nil, code: "App/Sleep.swift:7")
        trace.sync(
            on: queue, at: 10, begin: isResumed ? 150_010 : nil, end: isResumed ? 150_020 : nil, thread: 3, from: 2,
            code: "App/Read.swift:9")
        trace.end(at: 160_000)
        let finding = try #require(try DetectorRun.findings(of: LongSyncWait.self, in: trace).first)
        #expect(
            finding.summary.hasSuffix(
                "in sync to app.store at App/Read.swift:9: app.disk was suspended at App/Sleep.swift:7."))
        #expect(finding.advice.text.hasPrefix("Resume app.disk sooner after its suspension at App/Sleep.swift:7"))
        #expect(
            finding.advice.phrase.template
                == "Resume {queue} sooner after its suspension{place}, or submit to {queue} with async{place}: a sync "
                + "blocks its caller until the queue is resumed.")
    }

    //   target   ├─ suspended ─┤├──────── item ─────────
    //   caller    ░░░░░░░░░░░░░░░░░ sync ░░░░░░░░░░░░░░░
    @Test("A suspension that ended long before the end of a wait is not its cause")
    func suspendedBefore() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.store")
        trace.suspend(queue, at: 5, until: 20_000, code: "App/Sleep.swift:7")
        trace.async(on: queue, at: 6, begin: 20_010, thread: 4, code: "App/Write.swift:3")
        trace.sync(on: queue, at: 10, thread: 3, from: 2, code: "App/Read.swift:9")
        trace.end(at: 160_000)
        let finding = try #require(try DetectorRun.findings(of: LongSyncWait.self, in: trace).first)
        #expect(!finding.summary.contains("suspended"))
        #expect(!finding.advice.text.contains("Resume"))
    }

    @Test("A sync that still waits at the end of the trace counts with its time up to there")
    func open() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.store")
        trace.async(on: queue, at: 0, begin: 5, thread: 2)
        trace.sync(on: queue, at: 10, thread: 3, from: 2)
        trace.async(on: trace.serialQueue("app.end"), at: 150_000, begin: 150_005, end: 150_010, thread: 4)
        let finding = try #require(try DetectorRun.findings(of: LongSyncWait.self, in: trace).first)
        #expect(finding.cost == .microseconds(150_000))
        #expect(finding.evidence.first?.detail.contains("still waits") == true)
    }

    @Test("A long run of a sync, and a long wait of an async item, do not block a caller")
    func silent() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.store")
        trace.sync(on: queue, at: 0, begin: 1, end: 500_000, thread: 2)
        trace.async(on: queue, at: 10, begin: 500_010, end: 500_020, thread: 3)
        #expect(try DetectorRun.findings(of: LongSyncWait.self, in: trace).isEmpty)
    }

    //   app.store   ├──── async, 300 ms ────┤
    //   main          ░░░░ sync {} ░░░░░░░░░├┤ end of the program
    @Test(
        "The sync with which the main thread drains a queue at the end of the program is not reported",
        arguments: [(UInt32(1), 5.0, 0.0, 0), (1, 5, 100_000, 1), (3, 5, 0, 1), (1, 5000, 0, 1)])
    func drain(caller: UInt32, service: Double, rest: Double, count: Int) throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.store")
        trace.async(on: queue, at: 0, begin: 5, end: 300_000, thread: 2, code: "App/Save.swift:3")
        trace.sync(
            on: queue, at: 10, begin: 300_000, end: 300_000 + service, thread: caller, from: 2,
            code: "App/main.swift:9")
        trace.end(at: 300_000 + service + rest)
        #expect(try DetectorRun.findings(of: LongSyncWait.self, in: trace).count == count)
    }
}
