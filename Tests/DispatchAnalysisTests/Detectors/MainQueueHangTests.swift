import DispatchAnalysis
import Testing
import TraceBuilder

@Suite struct MainQueueHangTests {
    private func findings(_ trace: TraceBuilder) throws -> [Finding] {
        try DetectorRun.findings(of: MainQueueHang.self, in: trace)
    }

    @Test(
        "A hang is a note from 100 ms and a warning from 250 ms",
        arguments: [(99.9, nil), (100, .info), (249.9, .info), (250, .warning)] as [(Double, Finding.Severity?)])
    func thresholds(milliseconds: Double, severity: Finding.Severity?) throws {
        var trace = TraceBuilder()
        let main = trace.mainQueue()
        trace.async(on: main, at: 0, begin: 10, end: 10 + milliseconds * 1000, thread: 1, from: 2)
        #expect(try findings(trace).map(\.severity) == (severity.map { [$0] } ?? []))
    }

    @Test("Preempted time is not part of a hang", arguments: [(20_000.0, 1), (20_001, 0)])
    func preempted(off: Double, count: Int) throws {
        var trace = TraceBuilder()
        trace.async(on: trace.mainQueue(), at: 0, begin: 10, end: 120_010, thread: 1, from: 2)
        trace.off(1, from: 5_000, until: 5_000 + off, preempted: true)
        #expect(try findings(trace).count == count)
    }

    @Test("A busy item differs from an item that waits for a semaphore, and hangs in one code are counted")
    func shapes() throws {
        var trace = TraceBuilder()
        let main = trace.mainQueue()
        let semaphore = trace.semaphore(value: 0)
        for turn in 0..<3 {
            let start = Double(turn) * 1_000_000
            trace.async(
                on: main, at: start, begin: start + 10, end: start + 300_010, thread: 1, from: 2,
                code: "App/Login.swift:4")
            trace.wait(for: semaphore, thread: 1, at: start + 20, until: start + 299_000)
            trace.async(
                on: main, at: start + 400_000, begin: start + 400_010, end: start + 700_010, thread: 1, from: 2,
                code: "App/Feed.swift:8")
        }
        let findings = try findings(trace)
        #expect(findings.map(\.occurrences) == [3, 3])
        let blocked = try #require(findings.first { $0.summary.contains("Login") })
        let busy = try #require(findings.first { $0.summary.contains("Feed") })
        #expect(
            blocked.summary.hasPrefix("An item at App/Login.swift:4 blocks com.apple.main-thread for 300 ms, 3 times"))
        #expect(busy.summary.hasPrefix("An item at App/Feed.swift:8 keeps com.apple.main-thread busy for 300 ms"))
        #expect(blocked.advice.text.hasPrefix("Do not wait at App/Login.swift:4"))
        #expect(
            blocked.advice.phrase.template
                == "Do not wait{place}: submit the next step to {queue} with async when the awaited work is done, or "
                + "use the group's notify.")
    }

    //   main thread  ├─ item ░░ clock_nanosleep ░░┤
    @Test("An item that is off-CPU is blocked, and the finding names the system call where it was recorded")
    func systemCall() throws {
        for isAsked in [true, false] {
            var trace = TraceBuilder()
            trace.add(.image(.init(base: 0, begin: 0x1000, end: 0x2000, buildId: "", path: "/srv/app")), at: 0)
            let main = trace.mainQueue()
            trace.off(1, from: 2, until: 5)
            trace.async(on: main, at: 0, begin: 10, end: 300_010, thread: 1, from: 2, code: "App/Login.swift:4")
            trace.off(1, from: 10_000, until: 290_000)
            if isAsked { trace.ask(1, at: 20_000, call: "clock_nanosleep", frames: [0x1050, 0x1100]) }
            let finding = try #require(try findings(trace).first)
            let call = isAsked ? ", longest in the system call clock_nanosleep at 0x1100," : ","
            #expect(
                finding.summary == "An item at App/Login.swift:4 blocks com.apple.main-thread for 300 ms: it waits"
                    + "\(call) and nothing else runs.")
            let detail = isAsked ? ", 280 ms in the system call clock_nanosleep at 0x1100." : "."
            #expect(finding.evidence.first?.detail.hasSuffix("and waits for 280 ms of that\(detail)") == true)
            #expect(finding.measures.contains { $0.name == "blocked" && $0.text == "280 ms" })
            #expect(finding.advice.text.hasPrefix("Do not wait at \(isAsked ? "0x1100" : "App/Login.swift:4"):"))
            #expect(finding.code.count == (isAsked ? 2 : 1))
        }
    }

    //   main thread  ├─ item of the main queue ───────────┤
    //   main actor    ├─ task ───────────────────────────┤     one hang, named by the task's function
    @Test(
        "A task that keeps the main actor is a hang; the item that runs it is the same hang",
        arguments: [true, false])
    func task(isInItem: Bool) throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let main = trace.mainQueue()
        let actor = trace.mainActor()
        let other = trace.actor("App.Feed")
        let task = trace.task(at: 1, code: "App/Feed.swift:8")
        if isInItem { trace.async(on: main, at: 2, begin: 10, end: 300_020, thread: 1, from: 2, kind: .swiftJob) }
        trace.begin(task, on: actor, thread: 1, at: 11)
        trace.finish(task, thread: 1, at: 300_011)
        let elsewhere = trace.task(at: 1, code: "App/Feed.swift:9")
        trace.begin(elsewhere, on: other, thread: 2, at: 11)
        trace.finish(elsewhere, thread: 2, at: 400_000)
        let findings = try findings(trace)
        #expect(findings.map(\.summary) == ["A task at App/Feed.swift:8 keeps the main actor busy for 300 ms."])
        #expect(findings.first?.advice.text.hasPrefix("Do the work at App/Feed.swift:8 in a nonisolated") == true)
        #expect(
            findings.first?.advice.phrase.template
                == "Do the work{place} in a nonisolated async function or a detached task, and return to {executor} "
                + "with the result.")
    }

    //   main task   ├──────── 300 ms ────────┤
    //   update                 ├ waits ······├┤
    @Test(
        "The main task hangs only while something else waits for the main actor for at least 100 ms",
        arguments: [(nil, 0), (210_000, 0), (150_000, 1)] as [(Double?, Int)])
    func mainTask(submitted: Double?, count: Int) throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let (queue, actor) = (trace.mainQueue(), trace.mainActor())
        let task = trace.task(.main, at: 1, code: "App/main.swift:8")
        trace.begin(task, on: actor, thread: 1, at: 11)
        if let submitted {
            trace.async(on: queue, at: submitted, begin: 300_020, end: 300_030, thread: 1, from: 2)
        }
        trace.suspend(task, for: .continuation, thread: 1, at: 300_011)
        trace.end(at: 400_000)
        #expect(try findings(trace).count == count)
    }

    @Test("An item that waits for a hang is not another hang; many short items are one hang behind other work")
    func behind() throws {
        var trace = TraceBuilder()
        let main = trace.mainQueue()
        trace.async(on: main, at: 0, begin: 10, end: 300_010, thread: 1, from: 2)
        trace.async(on: main, at: 20, begin: 300_020, end: 300_030, thread: 1, from: 2)
        #expect(try findings(trace).count == 1)

        var crowd = TraceBuilder()
        let queue = crowd.mainQueue()
        for turn in 0..<40 {
            let begin = 10 + Double(turn) * 10_000
            crowd.async(on: queue, at: Double(turn) / 10, begin: begin, end: begin + 9_990, thread: 1, from: 2)
        }
        let findings = try findings(crowd)
        #expect(findings.count == 1)
        #expect(findings.first?.summary.contains("behind other work") == true)
    }

    //   main   ├── 300 ms ──┤├┤├┤├┤├┤├┤ 40 short items ├┤├┤├┤├┤ item
    //   item              ▲ submitted                           ▲ begins
    @Test("An item that waits for the end of a hang, and mostly for short items, is behind other work")
    func mostlyBehind() throws {
        var trace = TraceBuilder()
        let main = trace.mainQueue()
        trace.async(on: main, at: 0, begin: 10, end: 300_000, thread: 1, from: 2, code: "App/Feed.swift:8")
        for turn in 0..<40 {
            let begin = 300_010 + Double(turn) * 10_000
            trace.async(on: main, at: 290_000, begin: begin, end: begin + 9_990, thread: 1, from: 2)
        }
        let findings = try findings(trace)
        #expect(findings.count == 2)
        #expect(findings.contains { $0.summary.contains("behind other work") })
    }

    @Test("Long items of other queues, and a main thread that waits while its queue is empty, are not reported")
    func silent() throws {
        var trace = TraceBuilder()
        _ = trace.mainQueue()
        let semaphore = trace.semaphore(value: 0)
        trace.async(on: trace.serialQueue("app.work"), at: 0, begin: 10, end: 900_000, thread: 2)
        trace.wait(for: semaphore, thread: 1, at: 10, until: 900_000)
        #expect(try findings(trace).isEmpty)
    }

    @Test("An item that is open at the end of the trace counts with its recorded part")
    func open() throws {
        var trace = TraceBuilder()
        trace.async(on: trace.mainQueue(), at: 0, begin: 10, thread: 1, from: 2)
        trace.async(on: trace.serialQueue("app.end"), at: 400_000, begin: 400_005, end: 400_010, thread: 4)
        #expect(try findings(trace).first?.evidence.first?.detail.contains("still runs") == true)
        // Its end may be among the discarded events.
        #expect(try DetectorRun.findings(of: MainQueueHang.self, in: trace, discarded: 1).isEmpty)
    }

    @Test("An item that waits at the end of the trace is blocked")
    func openWait() throws {
        var trace = TraceBuilder()
        let semaphore = trace.semaphore(value: 0)
        trace.async(on: trace.mainQueue(), at: 0, begin: 10, thread: 1, from: 2)
        trace.add(.semaphoreWaitBegin(.init(semaphore: semaphore, code: 0)), at: 20, thread: 1)
        trace.end(at: 400_000)
        let finding = try #require(try findings(trace).first)
        #expect(finding.summary.hasPrefix("An item blocks com.apple.main-thread for 400 ms"))
    }
}
