import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct EventLoopBlockedTests {
    /// A trace with context switches in which the threads are never off-CPU.
    private func recorded() -> TraceBuilder {
        var trace = TraceBuilder()
        trace.add(.processorTrack(.init(origin: .perfEvents, detail: "")), at: 0)
        for thread: UInt32 in [1, 7] {
            trace.add(.switchOut(.init(tid: thread, preempted: 0, processor: 1)), at: 0)
            trace.add(.switchIn(.init(tid: thread, processor: 1)), at: 0.5)
        }
        return trace
    }

    //   loop   poll ├── stall ──┤ poll … ├┤ poll
    private func stalled(_ milliseconds: Double, from trace: TraceBuilder, kind: LoopKind = .epoll) -> TraceBuilder {
        var trace = trace
        let loop = trace.loop("NIO-ELT-0-#1", kind: kind, thread: 7)
        trace.iterate(loop, begin: 1000, end: 1000 + milliseconds * 1000, thread: 7)
        trace.iterate(loop, begin: 900_000, end: 900_010, thread: 7)
        return trace
    }

    @Test("An iteration of 10 ms is reported, a shorter one is not", arguments: [(10.0, 1), (9.9, 0)])
    func threshold(milliseconds: Double, count: Int) throws {
        let trace = stalled(milliseconds, from: recorded())
        #expect(try DetectorRun.findings(of: EventLoopBlocked.self, in: trace).count == count)
    }

    //   loop   poll ├── read, asked ──┤ poll
    @Test("The finding about an iteration in a system call names the call and its caller")
    func systemCall() throws {
        var trace = recorded()
        trace.add(.image(.init(base: 0, begin: 0x1000, end: 0x2000, buildId: "", path: "/srv/app")), at: 0)
        trace.off(7, from: 1100, until: 90_000)
        trace.ask(7, at: 20_000, call: "read", frames: [0x1050, 0x1100])
        let findings = try DetectorRun.findings(of: EventLoopBlocked.self, in: stalled(100, from: trace))
        #expect(findings.count == 1)
        #expect(findings.first?.summary.contains("it waits in the system call read at 0x1100") == true)
        #expect(findings.first?.advice.text.hasPrefix("Do not block at 0x1100 on NIO-ELT-0-#1") == true)
    }

    @Test("Without context switches the limit is 50 ms: the machine may be busy", arguments: [(50.0, 1), (49.0, 0)])
    func unseen(milliseconds: Double, count: Int) throws {
        let trace = stalled(milliseconds, from: TraceBuilder())
        #expect(try DetectorRun.findings(of: EventLoopBlocked.self, in: trace).count == count)
    }

    @Test("For a run loop, which serves a user, the limit is 100 ms", arguments: [(100.0, 1), (99.0, 0)])
    func runLoop(milliseconds: Double, count: Int) throws {
        let trace = stalled(milliseconds, from: recorded(), kind: .runLoop)
        #expect(try DetectorRun.findings(of: EventLoopBlocked.self, in: trace).count == count)
    }

    @Test(
        "A long iteration of a run loop without an item or a task is a note, because the program may leave the loop",
        arguments: [false, true])
    func leftRunLoop(runsItem: Bool) throws {
        var trace = recorded()
        let loop = trace.loop("run loop", kind: .runLoop, thread: 7)
        let queue = trace.serialQueue("app.work")
        for round in 0..<4 {
            let begin = 1000 + Double(round) * 300_000
            if runsItem {
                trace.async(on: queue, at: begin, begin: begin + 10, end: begin + 199_990, thread: 7)
            }
            trace.iterate(loop, begin: begin, end: begin + 200_000, thread: 7)
        }
        let finding = try #require(try DetectorRun.findings(of: EventLoopBlocked.self, in: trace).first)
        #expect(finding.severity == (runsItem ? .warning : .info))
        #expect((finding.caveat == nil) == runsItem)
    }

    @Test("A thread that polls in a loop for single answers is reported only when something waited for it")
    func poll() throws {
        #expect(
            try DetectorRun.findings(of: EventLoopBlocked.self, in: stalled(60, from: recorded(), kind: .poll)).isEmpty)
        var trace = recorded()
        let loop = trace.loop("poller", kind: .poll, thread: 7)
        trace.iterate(loop, begin: 1000, end: 61_000, thread: 7)
        trace.iterate(loop, begin: 61_010, end: 61_020, thread: 7)
        #expect(try DetectorRun.findings(of: EventLoopBlocked.self, in: trace).count == 1)
    }

    @Test("The finding names the loop, the item that ran on it, and the waiting thread")
    func content() throws {
        var trace = recorded()
        let queue = trace.serialQueue("app.images")
        let loop = trace.loop("NIO-ELT-0-#1", thread: 7)
        trace.add(.loopPollEnd(.init(loop: loop, ready: 1)), at: 1000, thread: 7)
        trace.sync(on: queue, at: 1001, begin: 1001, end: 25_900, thread: 7, code: "App/Image.swift:12")
        trace.wake(loop, at: 6000)
        trace.add(.loopPollBegin(.init(loop: loop)), at: 26_000, thread: 7)
        trace.iterate(loop, begin: 26_010, end: 26_020, thread: 7)
        let finding = try #require(try DetectorRun.findings(of: EventLoopBlocked.self, in: trace).first)
        #expect(finding.severity == .warning && finding.cost == .milliseconds(25))
        #expect(
            finding.summary
                == "NIO-ELT-0-#1 could not poll for up to 25.0 ms: it runs an item of app.images at App/Image.swift:12."
        )
        #expect(finding.evidence.first?.detail.contains("that woke it waits 20.0 ms for the next poll") == true)
        #expect(finding.advice.text.contains("Move the work at App/Image.swift:12 off NIO-ELT-0-#1"))
        #expect(
            finding.advice.phrase.template
                == "Move the work{place} off {executor}, to a queue or a thread pool, and return to {executor} with "
                + "the result: all of its connections and timers wait during this time.")
        #expect(finding.code.count == 1)
    }

    @Test("The finding names a wait on the loop, and not the item that waits")
    func wait() throws {
        var trace = recorded()
        let semaphore = trace.semaphore(value: 0)
        let loop = trace.loop("NIO-ELT-0-#1", thread: 7)
        trace.add(.loopPollEnd(.init(loop: loop, ready: 1)), at: 1000, thread: 7)
        trace.wait(for: semaphore, thread: 7, at: 1100, until: 31_000, code: "App/Login.swift:5")
        trace.add(.loopPollBegin(.init(loop: loop)), at: 31_100, thread: 7)
        let finding = try #require(try DetectorRun.findings(of: EventLoopBlocked.self, in: trace).first)
        #expect(finding.summary.contains("it waits in a semaphore's wait at App/Login.swift:5"))
        #expect(finding.advice.text.hasPrefix("Do not wait at App/Login.swift:5 on NIO-ELT-0-#1"))
        #expect(
            finding.advice.phrase.template
                == "Do not wait{place} on {executor}: use await or a callback instead, or wait on a thread pool, and "
                + "return to {executor} with the result: all of its connections and timers wait during this time.")
        // It occurs once, and no thread waited for the loop.
        #expect(finding.severity == .info)
    }

    //   loop    poll ├ waits for a semaphore … end
    //   thread 1             ▲ wakes it
    private func stuck(
        wokenAt woken: Double?, kind: LoopKind = .epoll, discarded: Int = 0
    ) throws -> [Finding] {
        var trace = recorded()
        let semaphore = trace.semaphore(value: 0)
        let loop = trace.loop("NIO-ELT-0-#1", kind: kind, thread: 7)
        trace.add(.loopPollEnd(.init(loop: loop, ready: 1)), at: 1000, thread: 7)
        trace.wait(for: semaphore, thread: 7, at: 1100, code: "App/Login.swift:5")
        if let woken { trace.wake(loop, at: woken) }
        trace.sync(on: trace.serialQueue("app.end"), at: 301_000, begin: 301_000, end: 301_000, thread: 1)
        return try DetectorRun.findings(of: EventLoopBlocked.self, in: trace, discarded: discarded)
    }

    @Test("The finding about a woken loop that never polls again names its wait")
    func neverPollsAgain() throws {
        let finding = try #require(try stuck(wokenAt: 101_000).first)
        #expect(finding.severity == .warning && finding.cost == .milliseconds(300))
        #expect(
            finding.summary
                == "NIO-ELT-0-#1 could not poll for up to 300 ms: it waits in a semaphore's wait at App/Login.swift:5; "
                + "it did not poll again.")
        #expect(
            finding.evidence.first?.detail.contains("until the end of the trace; a thread woke it 200 ms before that")
                == true)
    }

    @Test("A finding about several loops has the number of stuck loops, and evidence of one of them")
    func someNeverPollAgain() throws {
        var trace = recorded()
        for number: UInt32 in 0..<14 {
            let loop = trace.loop("NIO-ELT-0-#\(number)", thread: 7 + number)
            trace.iterate(loop, begin: 1000, end: 900_000, thread: 7 + number)
        }
        let stuck = trace.loop("NIO-ELT-0-#20", thread: 30)
        trace.add(.loopPollEnd(.init(loop: stuck, ready: 1)), at: 700_000, thread: 30)
        trace.wake(stuck, at: 701_000)
        trace.end(at: 1_000_000)
        let finding = try #require(try DetectorRun.findings(of: EventLoopBlocked.self, in: trace).first)
        #expect(finding.occurrences == 15)
        #expect(finding.summary.contains("for up to 899 ms, 15 times"))
        #expect(finding.summary.hasSuffix("; 1 loop did not poll again."))
        #expect(finding.evidence.contains { $0.detail.contains("until the end of the trace") })
    }

    @Test("A loop is not reported when no thread woke it, when it was just woken, or when its poll is lost")
    func mayPollAgain() throws {
        #expect(try stuck(wokenAt: nil).isEmpty)
        #expect(try stuck(wokenAt: 201_100).isEmpty)
        #expect(try stuck(wokenAt: 101_000, kind: .runLoop).isEmpty)
        #expect(try stuck(wokenAt: 101_000, discarded: 1).isEmpty)
    }

    @Test("Loops with similar names and the same code are one finding; three stalls are a warning")
    func group() throws {
        var trace = recorded()
        for number: UInt32 in 0..<3 {
            let loop = trace.loop("NIO-ELT-0-#\(number)", thread: 7 + number)
            trace.iterate(loop, begin: 1000, end: 80_000, thread: 7 + number)
            trace.iterate(loop, begin: 90_000, end: 90_010, thread: 7 + number)
        }
        let findings = try DetectorRun.findings(of: EventLoopBlocked.self, in: trace)
        #expect(findings.count == 1)
        #expect(findings.first?.severity == .warning && findings.first?.occurrences == 3)
        #expect(findings.first?.summary.hasPrefix("3 event loops (NIO-ELT-*-#*) could not poll") == true)
    }

    @Test("Preempted time is not part of an iteration")
    func preempted() throws {
        var trace = recorded()
        let loop = trace.loop("NIO-ELT-0-#1", thread: 7)
        trace.add(.loopPollEnd(.init(loop: loop, ready: 1)), at: 1000, thread: 7)
        trace.add(.switchOut(.init(tid: 7, preempted: 1, processor: 1)), at: 2000, thread: 7)
        trace.add(.switchIn(.init(tid: 7, processor: 1)), at: 40_000, thread: 7)
        trace.add(.loopPollBegin(.init(loop: loop)), at: 45_000, thread: 7)
        #expect(try DetectorRun.findings(of: EventLoopBlocked.self, in: trace).isEmpty)
    }

    @Test("Preempted time is shown separately, and all parts of the finding use the iteration without it")
    func preemptedBeside() throws {
        var trace = recorded()
        trace.off(7, from: 2000, until: 42_000, preempted: true)
        let finding = try #require(
            try DetectorRun.findings(of: EventLoopBlocked.self, in: stalled(100, from: trace)).first)
        #expect(finding.summary.contains("could not poll for up to 60.0 ms"))
        #expect(
            finding.evidence.first?.detail.contains("does not poll for 60.0 ms, plus 40.0 ms off-CPU")
                == true)
    }

    @Test("Threads that share a set are not reported, because another one polls")
    func shared() throws {
        var trace = recorded()
        let first = trace.loop("pool", thread: 7)
        let second = trace.loop("pool", thread: 8, shares: first)
        trace.iterate(first, begin: 1000, end: 90_000, thread: 7)
        trace.iterate(second, begin: 1000, end: 90_000, thread: 8)
        #expect(try DetectorRun.findings(of: EventLoopBlocked.self, in: trace).isEmpty)
    }

    @Test("An iteration without a recorded end is not reported")
    func open() throws {
        var trace = recorded()
        let loop = trace.loop("NIO-ELT-0-#1", thread: 7)
        trace.add(.loopPollEnd(.init(loop: loop, ready: 1)), at: 1000, thread: 7)
        trace.async(on: trace.serialQueue("q"), at: 2000, begin: 2001, end: 500_000, thread: 2)
        #expect(try DetectorRun.findings(of: EventLoopBlocked.self, in: trace).isEmpty)
    }
}
