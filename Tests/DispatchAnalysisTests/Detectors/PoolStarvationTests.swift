import DispatchAnalysis
import Testing
import TraceBuilder

@Suite struct PoolStarvationTests {
    //   worker 10, 11   ├── item, waits for a semaphore ──┤
    //   item                 ▲ submitted                    ├┤
    private func starved(_ milliseconds: Double, blocked: Bool = true) -> TraceBuilder {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let semaphore = trace.semaphore(value: 0)
        let end = 200 + milliseconds * 1000
        for thread: UInt32 in [10, 11] {
            trace.worker(thread, of: root, made: 10, started: 50)
            trace.async(on: root, at: 5, begin: 100, end: end, thread: thread, code: "App/Fetch.swift:8")
            if blocked {
                trace.wait(for: semaphore, thread: thread, at: 110, until: end - 10, code: "App/Fetch.swift:9")
            }
        }
        trace.async(on: root, at: 200, begin: end, end: end + 10, thread: 10, code: "App/Save.swift:3")
        return trace
    }

    @Test("50 ms without a worker while all are blocked are reported; less is not", arguments: [(50.0, 1), (49.8, 0)])
    func threshold(milliseconds: Double, count: Int) throws {
        #expect(try DetectorRun.findings(of: PoolStarvation.self, in: starved(milliseconds)).count == count)
    }

    @Test("Busy workers are not starvation: the processors are the limit")
    func busy() throws {
        #expect(try DetectorRun.findings(of: PoolStarvation.self, in: starved(500, blocked: false)).isEmpty)
    }

    @Test("The finding names the object that blocks the workers, the place, and the time")
    func content() throws {
        let finding = try #require(try DetectorRun.findings(of: PoolStarvation.self, in: starved(500)).first)
        #expect(finding.cost == .milliseconds(500))
        #expect(finding.summary.hasPrefix("1 item waited") && finding.summary.hasSuffix(" it could not begin."))
        #expect(
            finding.summary.contains(
                "2 workers of com.apple.root.default-qos were blocked in a semaphore's wait at App/Fetch.swift:9"))
        #expect(finding.evidence.contains { $0.detail.contains("App/Save.swift:3") })
    }

    @Test("An item that never gets a worker before the trace ends counts")
    func open() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let semaphore = trace.semaphore(value: 0)
        trace.worker(10, of: root, made: 10, started: 50)
        trace.async(on: root, at: 5, begin: 100, thread: 10)
        trace.wait(for: semaphore, thread: 10, at: 110)
        trace.async(on: root, at: 200, thread: 10)
        trace.sync(on: trace.serialQueue("app.end"), at: 400_000, begin: 400_001, end: 400_002, thread: 1)
        let finding = try #require(try DetectorRun.findings(of: PoolStarvation.self, in: trace).first)
        #expect(finding.evidence.contains { $0.detail.contains("still waits") })
    }

    //   thread 1    ░ 9,000 long waits of no worker, all longer than the starvation ░
    @Test("Long waits of other threads do not evict the waits of workers")
    func idleThreads() throws {
        var trace = starved(150)
        let idle = trace.semaphore(value: 0)
        for turn in 0..<9_000 {
            let begin = 1_000 + Double(turn) * 200_000
            trace.wait(for: idle, thread: 50, at: begin, until: begin + 199_999)
        }
        #expect(try DetectorRun.findings(of: PoolStarvation.self, in: trace).count == 1)
    }

    @Test(
        "An item without a submission has an unknown queue, for which other items may have waited",
        arguments: [false, true], [false, true])
    func lostSubmission(isLost: Bool, waitsForSemaphore: Bool) throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        trace.worker(10, of: root, made: 10, started: 50)
        let item = trace.item()
        if !isLost {
            trace.add(.itemEnqueue(.init(item: item, queue: root, code: 0, kind: .async, qos: .default)), at: 60)
        }
        trace.add(.calloutBegin(.init(item: item)), at: 100, thread: 10)
        if waitsForSemaphore {
            trace.wait(for: trace.semaphore(value: 0), thread: 10, at: 110, until: 300_000, code: "App/Fetch.swift:9")
        } else {
            trace.off(10, from: 110, until: 300_000)
        }
        trace.add(.calloutEnd(.init()), at: 300_010, thread: 10)
        trace.async(on: root, at: 200, begin: 300_020, end: 300_030, thread: 10)
        #expect(try DetectorRun.findings(of: PoolStarvation.self, in: trace).count == (isLost ? 0 : 1))
    }

    //   worker 10   ├─ ? ─┤├─ a ─┤├─ b ─┤    each sleeps; the queue of ? is unknown
    //   a, b        submitted before
    @Test("Items of a serial hierarchy may have waited for one without its submission", arguments: [false, true])
    func lostSubmissionInHierarchy(isLost: Bool) throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let bottom = trace.serialQueue("app.reports", target: root)
        let queues = [
            trace.serialQueue("app.report.1", target: bottom), trace.serialQueue("app.report.2", target: bottom),
        ]
        trace.worker(10, of: root, made: 10, started: 50)
        let item = trace.item()
        if !isLost {
            // It is in another hierarchy, so it waited only for the worker.
            let other = trace.serialQueue("app.other", target: root)
            trace.add(.itemEnqueue(.init(item: item, queue: other, code: 0, kind: .async, qos: .default)), at: 60)
        }
        trace.add(.calloutBegin(.init(item: item)), at: 100, thread: 10)
        trace.off(10, from: 110, until: 300_000)
        trace.add(.calloutEnd(.init()), at: 300_010, thread: 10)
        for (number, queue) in queues.enumerated() {
            let begin = 300_020 + Double(number) * 250_000
            trace.async(on: queue, at: 200, begin: begin, end: begin + 249_990, thread: 10)
            trace.off(10, from: begin + 10, until: begin + 249_980)
        }
        #expect(try DetectorRun.findings(of: PoolStarvation.self, in: trace).count == (isLost ? 0 : 1))
    }

    //   worker 10, 11   ├ item ··· off-CPU ··· end
    //   item                 ▲ submitted                  ├┤
    @Test("A system call without an end proves nothing where events are missing", arguments: [(0, 1), (1, 0)])
    func unfinished(discarded: Int, found: Int) throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        for thread: UInt32 in [10, 11] {
            trace.worker(thread, of: root, made: 10, started: 50)
            trace.async(on: root, at: 5, begin: 100, thread: thread)
            trace.off(thread, from: 110, until: 300_000)
        }
        trace.worker(12, of: root, made: 250_000, started: 250_010)
        trace.async(on: root, at: 200, begin: 250_020, end: 250_030, thread: 12)
        trace.sync(on: trace.serialQueue("app.end"), at: 300_010, begin: 300_020, end: 300_030, thread: 1)
        let findings = try DetectorRun.findings(of: PoolStarvation.self, in: trace, discarded: discarded)
        #expect(findings.count == found)
    }

    //   worker 10   ├ item: takes the semaphore, sleeps ░░░░░░░┤
    //   worker 11   ├ item: waits for the semaphore, or sleeps ░┤
    //   items           ▲ submitted                              ├┤
    @Test(
        "Items that a semaphore of their own code holds back are not starved",
        arguments: [(1, true, 0), (2, false, 0), (3, false, 1), (0, true, 1)])
    func heldBack(admitted: Int64, secondWaits: Bool, count: Int) throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let limit = trace.semaphore(value: admitted)
        for thread: UInt32 in [10, 11] { trace.worker(thread, of: root, made: 10, started: 50) }
        let code = "App/Fetch.swift:8"
        for thread: UInt32 in [10, 11] {
            trace.async(on: root, at: 5, begin: 100, end: 300_000, thread: thread, code: code)
            if thread == 11, secondWaits {
                trace.wait(for: limit, thread: 11, at: 110, until: 299_990, code: code)
            } else {
                trace.off(thread, from: 120, until: 299_990)
            }
        }
        trace.async(on: root, at: 200, begin: 300_010, end: 400_000, thread: 10, code: code)
        // Another item of this code waits for the semaphore, which shows that it limits the code.
        trace.wait(for: limit, thread: 10, at: 300_020, until: 310_000, code: code)
        let findings = try DetectorRun.findings(of: PoolStarvation.self, in: trace)
        #expect(findings.count == count)
    }
}
