import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct BlockedCooperativePoolTests {
    /// The label by which the analysis recognises the executor's queue.
    private static let executor = "Swift global concurrent queue"

    //   thread 2  ├ job ░░ semaphore ░░┤
    //   job            ▲ ready ········├ thread 2 ┤
    private func trace(
        wait: Double, ready: Double? = nil, label: String = executor, waits: Int = 1
    ) -> TraceBuilder {
        var trace = TraceBuilder()
        trace.taskTrack()
        let queue = trace.concurrentQueue(label)
        let semaphore = trace.semaphore(value: 0)
        for number in 0..<waits {
            let at = Double(number) * 1_000_000 + 10
            let task = trace.task(at: at)
            trace.async(
                on: queue, at: at, begin: at + 10, end: at + 20 + wait, thread: 2, kind: .swiftJob)
            trace.begin(task, thread: 2, at: at + 11)
            trace.wait(for: semaphore, thread: 2, at: at + 12, until: at + 12 + wait, code: "App/Old.swift:9")
            trace.finish(task, thread: 2, at: at + 19 + wait)
            if let ready {
                trace.async(
                    on: queue, at: at + 12 + wait - ready, begin: at + 30 + wait, end: at + 40 + wait, thread: 2,
                    kind: .swiftJob)
            }
        }
        return trace
    }

    private func findings(_ trace: TraceBuilder) throws -> [Finding] {
        try DetectorRun.findings(of: BlockedCooperativePool.self, in: trace)
    }

    @Test("A wait is a warning when a job was ready for 50 ms of it", arguments: [(50_000.0, 1), (49_900, 0)])
    func ready(time: Double, found: Int) throws {
        #expect(try findings(trace(wait: 60_000, ready: time)).count == found)
    }

    @Test("Waits without a waiting job are a note from 100 ms on", arguments: [(5, 1), (4, 0)])
    func unnoticed(waits: Int, found: Int) throws {
        let findings = try findings(trace(wait: 20_000, waits: waits))
        #expect(findings.map(\.severity) == Array(repeating: .info, count: found))
    }

    @Test("Short waits, and jobs of other queues, are not reported")
    func silent() throws {
        #expect(try findings(trace(wait: 9_000, ready: 9_000, waits: 20)).isEmpty)
        #expect(try findings(trace(wait: 20_000, ready: 15_000, label: "app.work", waits: 20)).isEmpty)
    }

    @Test("When the wait is in generated code without a line, the finding names the function of the task")
    func generatedCode() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        trace.add(
            .codeSymbol(.init(code: 900, address: 0, symbol: "closure behind a thunk", file: "", line: 0)), at: 0)
        let queue = trace.concurrentQueue(Self.executor)
        let semaphore = trace.semaphore(value: 0)
        let task = trace.task(at: 10, code: "App/File.swift:3")
        trace.async(on: queue, at: 10, begin: 20, end: 200_000, thread: 2, kind: .swiftJob)
        trace.begin(task, thread: 2, at: 21)
        trace.add(.semaphoreWaitBegin(.init(semaphore: semaphore, code: 900)), at: 30, thread: 2)
        trace.add(.semaphoreWaitEnd(.init(semaphore: semaphore, timedOut: 0)), at: 150_030, thread: 2)
        trace.finish(task, thread: 2, at: 190_000)
        let finding = try #require(try findings(trace).first)
        #expect(finding.summary.hasPrefix("A task blocks its thread in a semaphore's wait at App/File.swift:3"))
        #expect(finding.advice.text.hasPrefix("Do not wait for a semaphore in a task at App/File.swift:3"))
        #expect(
            finding.advice.phrase.template
                == "Do not wait for a semaphore in a task{place}, which blocks its thread: await the result, or resume "
                + "a continuation where the semaphore is signalled.")
    }

    //   thread 2  ├ job ··· off its processor ···┤
    @Test(
        "Locks and system calls may be held up by chance: a warning from 100 ms on",
        arguments: [(100_000.0, 1), (90_000, 0)])
    func systemCall(time: Double, warnings: Int) throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let queue = trace.concurrentQueue(Self.executor)
        let task = trace.task(at: 10, code: "App/File.swift:3")
        trace.async(on: queue, at: 10, begin: 20, end: time + 2000, thread: 2, kind: .swiftJob)
        trace.begin(task, thread: 2, at: 21)
        trace.off(2, from: 12, until: 15)
        trace.off(2, from: 100, until: 1100 + time)
        trace.finish(task, thread: 2, at: time + 1900)
        trace.async(on: queue, at: 1100, begin: time + 1100, end: time + 1200, thread: 3, kind: .swiftJob)
        let findings = try findings(trace)
        #expect(findings.filter { $0.severity == .warning }.count == warnings)
        #expect(
            findings.allSatisfy {
                $0.summary.hasPrefix("A task blocks its thread in a system call at App/File.swift:3")
            })
    }

    //   thread 2  ├ job, only yields ··· futex, stack without a function of the program ···┤
    @Test("It is a note when the stack of the thread shows that the runtime waits, and not the task")
    func yields() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        trace.add(.image(.init(base: 0, begin: 0x7000, end: 0x8000, buildId: "", path: "/lib/libc.so.6")), at: 0)
        let queue = trace.concurrentQueue(Self.executor)
        let task = trace.task(at: 10, code: "App/File.swift:3")
        trace.async(on: queue, at: 10, begin: 20, end: 202_000, thread: 2, kind: .swiftJob)
        trace.begin(task, thread: 2, at: 21)
        trace.off(2, from: 12, until: 15)
        trace.off(2, from: 100, until: 201_100)
        trace.ask(2, at: 5_100, call: "futex", frames: [0x7100, 0x7200])
        trace.finish(task, thread: 2, at: 201_900)
        trace.async(on: queue, at: 1100, begin: 201_100, end: 201_200, thread: 3, kind: .swiftJob)
        let finding = try #require(try findings(trace).first)
        #expect(finding.severity == .info && finding.caveat != nil, "\(finding.summary)")
    }

    //   thread 2  ├ job ··· read, stack ···─··· read, too short for a stack ···┤
    @Test("The finding names the system call and its caller if the stack of the thread was taken")
    func caller() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        trace.add(.image(.init(base: 0, begin: 0x7000, end: 0x8000, buildId: "", path: "/lib/libc.so.6")), at: 0)
        trace.add(.image(.init(base: 0, begin: 0x1000, end: 0x2000, buildId: "", path: "/srv/app")), at: 0)
        let queue = trace.concurrentQueue(Self.executor)
        let task = trace.task(at: 10, code: "App/File.swift:3")
        trace.async(on: queue, at: 10, begin: 20, end: 300_000, thread: 2, kind: .swiftJob)
        trace.begin(task, thread: 2, at: 21)
        trace.off(2, from: 12, until: 15)
        trace.off(2, from: 100, until: 100_100)
        trace.ask(2, at: 5_100, call: "read", frames: [0x7100, 0x7200, 0x1100, 0x1200])
        trace.off(2, from: 100_200, until: 250_000)
        trace.finish(task, thread: 2, at: 290_000)
        trace.async(on: queue, at: 1100, begin: 290_000, end: 291_000, thread: 3, kind: .swiftJob)
        let findings = try findings(trace)
        #expect(findings.count == 1)
        let prefix = "Tasks block their threads in the system call read at 0x1100, 2 times, for up to 150 ms"
        #expect(findings.first.map(\.summary)?.hasPrefix(prefix) == true, "\(findings.map(\.summary))")
        // The longest wait is in the evidence, although the stack of its thread was not taken.
        #expect(findings.first?.evidence.map(\.event) == ["blocked_call", "task_begin"])
        let detail = findings.first?.evidence.last?.detail
        #expect(detail?.contains(" waits 150 ms in a system call at App/File.swift:3") == true)
    }

    //   thread 2  ├ job ·· read, stack ··─·· read ··─·· read ··─ …  more of them, and longer, than are shown
    @Test("One thread whose stack was taken names the call, whatever the number of longer waits without a stack")
    func oneCaller() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        trace.add(.image(.init(base: 0, begin: 0x7000, end: 0x8000, buildId: "", path: "/lib/libc.so.6")), at: 0)
        trace.add(.image(.init(base: 0, begin: 0x1000, end: 0x2000, buildId: "", path: "/srv/app")), at: 0)
        let queue = trace.concurrentQueue(Self.executor)
        let task = trace.task(at: 10, code: "App/File.swift:3")
        trace.async(on: queue, at: 10, begin: 20, end: 900_000, thread: 2, kind: .swiftJob)
        trace.begin(task, thread: 2, at: 21)
        trace.off(2, from: 12, until: 15)
        trace.off(2, from: 100, until: 20_100)
        trace.ask(2, at: 5_100, call: "read", frames: [0x7100, 0x1100])
        for at in stride(from: 30_000.0, to: 830_000, by: 40_000) { trace.off(2, from: at, until: at + 30_000) }
        trace.finish(task, thread: 2, at: 890_000)
        let findings = try findings(trace)
        let prefix = "Tasks block their threads in the system call read at 0x1100, 21 times, for up to 30.0 ms"
        #expect(findings.first.map(\.summary)?.hasPrefix(prefix) == true, "\(findings.map(\.summary))")
    }

    //   thread 2  ├ job ─ awaits fetch() ─┤  ├ handler() ░ semaphore, stack ░░ semaphore ░┤
    @Test("A wait belongs to the async function in its stack, not to the last function that was awaited")
    func asyncFunction() throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let images: [(UInt64, String)] = [
            (0x1000, "/srv/app"), (0x5000, "/lib/libswift_Concurrency.so"), (0x7000, "/lib/libc.so.6"),
        ]
        for (begin, path) in images {
            trace.add(.image(.init(base: 0, begin: begin, end: begin + 0x1000, buildId: "", path: path)), at: 0)
        }
        let queue = trace.concurrentQueue(Self.executor)
        let semaphore = trace.semaphore(value: 0)
        let task = trace.task(at: 10, code: "App/Fetch.swift:3")
        trace.async(on: queue, at: 10, begin: 20, end: 300_000, thread: 2, kind: .swiftJob)
        trace.begin(task, thread: 2, at: 21)
        trace.wait(for: semaphore, thread: 2, at: 90, until: 100_200, code: "App/Old.swift:9")
        trace.off(2, from: 100, until: 100_100)
        trace.ask(2, at: 5_100, call: "futex", frames: [0x7100, 0x1100, 0x1200, 0x5100, 0x1900])
        trace.wait(for: semaphore, thread: 2, at: 110_000, until: 150_000, code: "App/Old.swift:9")
        trace.finish(task, thread: 2, at: 290_000)
        let finding = try #require(try findings(trace).first)
        #expect(finding.code.count == 2)
        #expect(finding.evidence.map { $0.detail.contains("at App/Old.swift:9, from 0x1200, on") } == [true, false])
        #expect(!finding.evidence.contains { $0.detail.contains("Fetch.swift") })
    }

    //   thread 2  ├ job ··· off its processor ··· end
    @Test("An open system call proves nothing where events are missing", arguments: [(0, 1), (1, 0)])
    func unfinished(discarded: Int, found: Int) throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let queue = trace.concurrentQueue(Self.executor)
        let task = trace.task(at: 10, code: "App/File.swift:3")
        trace.async(on: queue, at: 10, begin: 20, thread: 2, kind: .swiftJob)
        trace.begin(task, thread: 2, at: 21)
        trace.off(2, from: 12, until: 15)
        trace.off(2, from: 100, until: 300_000)
        trace.async(on: queue, at: 1100, begin: 290_000, end: 301_000, thread: 3, kind: .swiftJob)
        let findings = try DetectorRun.findings(
            of: BlockedCooperativePool.self, in: trace, discarded: discarded)
        #expect(findings.count == found)
    }

    //   thread 2  ├ item ─ task ░░ semaphore ░░┤   its submission is missing
    @Test("A job with a lost submission is recognised by its task, unless it is on an actor", arguments: [false, true])
    func lostSubmission(hasActor: Bool) throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let semaphore = trace.semaphore(value: 0)
        let task = trace.task(at: 5)
        let executor = hasActor ? trace.actor("App.Bank") : 0
        trace.add(.calloutBegin(.init(item: 99)), at: 10, thread: 2)
        trace.begin(task, on: executor, thread: 2, at: 11)
        trace.wait(for: semaphore, thread: 2, at: 12, until: 100_012, code: "App/Old.swift:9")
        trace.finish(task, thread: 2, at: 100_019)
        trace.add(.calloutEnd(.init()), at: 100_020, thread: 2)
        #expect(try findings(trace).count == (hasActor ? 0 : 1))
    }

    @Test("The cost is the time in which a job had no thread")
    func content() throws {
        let finding = try #require(try findings(trace(wait: 70_000, ready: 62_000)).first)
        #expect(finding.severity == .warning)
        #expect(finding.cost == .milliseconds(62))
        #expect(
            finding.summary.hasPrefix(
                "A task blocks its thread in a semaphore's wait at App/Old.swift:9, for up to 70.0 ms: 62.0 ms in which"
            ))
        #expect(finding.advice.text.hasPrefix("Do not wait for a semaphore in a task at App/Old.swift:9"))
        #expect(finding.evidence.first?.detail.contains("waits 70.0 ms in a semaphore's wait") == true)
    }

    //   thread 2  ├ task ░░ semaphore ░░░░░░░ end
    //   thread 3  ├ task ░░ semaphore ░░░░░░░ end
    //   job          ▲ ready ················ end
    @Test(
        "It is an error if every thread is blocked at the end and a job waits for one", arguments: [(2, 1), (1, 0)])
    func stuck(threads: Int, errors: Int) throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let queue = trace.concurrentQueue(Self.executor)
        let semaphore = trace.semaphore(value: 0)
        for number in 0..<threads {
            let thread = UInt32(2 + number)
            let task = trace.task(at: 10)
            trace.async(on: queue, at: 10, begin: 20, thread: thread, kind: .swiftJob)
            trace.begin(task, thread: thread, at: 21)
            trace.wait(for: semaphore, thread: thread, at: 22, code: "App/Old.swift:9")
        }
        trace.async(on: queue, at: 30, thread: 4, kind: .swiftJob)
        trace.task(at: 200_000)
        let findings = try findings(trace)
        #expect(findings.filter { $0.severity == .error }.count == errors)
        #expect(findings.count == 1)
        #expect(findings[0].summary.hasSuffix("and 1 task waits.") == (errors == 1))
    }
}
