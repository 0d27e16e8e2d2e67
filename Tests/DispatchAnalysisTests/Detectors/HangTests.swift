import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct HangTests {
    private let operations = "OperationQueue.waitUntilAllOperationsAreFinished()"
    private let condition = "pthread_cond_wait"

    //   main      ├ waits for all operations ░░░░░░░░░░ end
    //   thread 10   ├ item ┤ idle ░░░░░░░░░░░░░░░░░░░░░ end
    /// The main thread waits in a function of a library from 20 µs on, and a worker is idle from 100 µs on.
    private func trace(
        seconds: Double, called: String, call: String = "futex", _ more: (inout TraceBuilder) -> Void = { _ in }
    ) -> TraceBuilder {
        var trace = TraceBuilder()
        trace.mapImages()
        _ = trace.function("Downloads.run()", address: 0x1100)
        _ = trace.function(called, address: 0x3100)
        let queue = trace.serialQueue("downloads")
        trace.async(on: queue, at: 5, begin: 10, end: 99, thread: 10)
        trace.off(1, from: 20)
        trace.ask(1, at: 200, call: call, frames: [0x7100, 0x3200, 0x3100, 0x1100])
        idle(10, from: 100, in: &trace)
        more(&trace)
        trace.ask(1, at: seconds * 1_000_000 + 100, call: call, frames: [0x7100, 0x3200, 0x3100, 0x1100])
        return trace
    }

    /// Lets a worker wait for work in libdispatch.
    private func idle(_ thread: UInt32, from time: Double, in trace: inout TraceBuilder) {
        trace.add(.image(.init(base: 0, begin: 0x9000, end: 0xA000, buildId: "", path: "/lib/libdispatch.so")), at: 0)
        trace.off(thread, from: time)
        trace.ask(thread, at: time + 100, call: "futex", frames: [0x7200, 0x9100, 0x9200])
    }

    private func findings(_ trace: TraceBuilder) throws -> [Finding] {
        try DetectorRun.findings(of: Hang.self, in: trace)
    }

    @Test(
        "A main thread that waits while nothing is left to run is a warning after 1 s",
        arguments: [(1.0, 1), (0.99, 0)])
    func found(seconds: Double, count: Int) throws {
        let found = try findings(trace(seconds: seconds, called: operations))
        #expect(found.count == count)
        #expect(
            found.allSatisfy {
                $0.summary.hasPrefix("The program does not go on: ")
                    && $0.summary.contains(" has waited 1.00 s in \(operations) at Downloads.run(), and nothing")
            }, "\(found.map(\.summary))")
        #expect(
            found.allSatisfy {
                $0.severity == .warning && $0.advice.text.hasPrefix("Mark each operation that the main")
            })
    }

    @Test("A condition is named in the advice")
    func conditions() throws {
        let found = try findings(trace(seconds: 2, called: condition))
        #expect(found.map { $0.advice.text.hasPrefix("Signal the condition that the main thread waits for") } == [true])
    }

    @Test(
        "Another system call and a time limit may end the wait",
        arguments: [
            ("pthread_cond_wait", "read"), ("pthread_cond_timedwait", "futex"), ("NSCondition.wait(until:)", "futex"),
            ("DispatchSemaphore.wait(timeout:)", "futex"),
        ])
    func otherWaits(called: String, call: String) throws {
        #expect(try findings(trace(seconds: 2, called: called, call: call)).isEmpty)
    }

    //   main   ├ ppoll ░░░░░┤├ ppoll ░░░░░┤ … ├ ppoll ░░ end
    @Test(
        "A wait for a child process is a note, also in a run loop that wakes from time to time",
        arguments: [
            ("Process.waitUntilExit()", "ppoll", 5_000.0, 1), ("waitpid", "wait4", 5_000, 1),
            ("Process.waitUntilExit()", "ppoll", 11_000, 0), ("RunLoop.run()", "ppoll", 5_000, 0),
        ])
    func childProcess(called: String, call: String, between: Double, count: Int) throws {
        var trace = TraceBuilder()
        trace.mapImages()
        _ = trace.function("Shell.run()", address: 0x1100)
        _ = trace.function(called, address: 0x3100)
        for turn in 0..<30 {
            let begin = Double(turn) * 50_000 + 20
            trace.off(1, from: begin, until: turn == 29 ? nil : begin + 50_000 - between)
            trace.ask(1, at: begin + 5_000, call: call, frames: [0x7100, 0x3200, 0x3100, 0x1100])
        }
        trace.add(.dispatchLog(.init(tid: 2, message: "end")), at: 1_500_020, thread: 2)
        let found = try findings(trace)
        #expect(found.count == count)
        #expect(
            found.allSatisfy {
                $0.severity == .info
                    && $0.summary.hasSuffix(
                        " has waited 1.50 s for a child process in \(called) at Shell.run(), and the child process has "
                            + "not ended.")
            }, "\(found.map(\.summary))")
    }

    @Test("Where the events up to the end are missing, one of them may have ended the wait")
    func endIsMissing() {
        let trace = trace(seconds: 2, called: condition)
        let gap = MissingEvents(.events, count: 9, begin: Timestamp(nanoseconds: 500_000))
        let options = AnalysisOptions(detectors: [Hang.id])
        #expect(AnalysisSession(options: options).analyze(events: trace.events).findings.count == 1)
        #expect(AnalysisSession(options: options).analyze(events: trace.events, missing: [gap]).findings.isEmpty)
    }

    @Test("A timer, a read source, a delayed item, an item that waits for a worker and a thread that runs go on")
    func pending() throws {
        let more: [(inout TraceBuilder) -> Void] = [
            { trace in _ = trace.source(.read, on: trace.serialQueue("net"), at: 30, activated: 31) },
            { trace in _ = trace.source(.timer, on: trace.serialQueue("net"), at: 30, activated: 31) },
            { trace in _ = trace.asyncAfter(on: trace.serialQueue("net"), at: 30, delay: 9_000_000, thread: 10) },
            { trace in _ = trace.async(on: trace.globalQueue(), at: 30, thread: 10) },
            { trace in _ = trace.async(on: trace.serialQueue("net"), at: 30, begin: 40, thread: 11) },
        ]
        for more in more { #expect(try findings(trace(seconds: 2, called: condition, more)).isEmpty) }
    }

    @Test("A source of user data, or one that is not active or was cancelled, does not go on")
    func idleSources() throws {
        let more: [(inout TraceBuilder) -> Void] = [
            { trace in _ = trace.source(.dataAdd, on: trace.serialQueue("net"), at: 30, activated: 31) },
            { trace in _ = trace.source(.read, on: trace.serialQueue("net"), at: 30) },
        ]
        for more in more { #expect(try findings(trace(seconds: 2, called: condition, more)).count == 1) }
    }

    //   main        ├ sync to import ░░░░░░░░░ end
    //   thread 11 ├ item: waits for semaphore ░ end
    @Test("The wait that nothing ends is named, not the wait for it")
    func chain() throws {
        var trace = TraceBuilder()
        trace.mapImages()
        let (queue, semaphore) = (trace.serialQueue("import"), trace.semaphore(value: 0))
        trace.async(on: queue, at: 30, begin: 40, thread: 11)
        trace.wait(for: semaphore, thread: 11, at: 50, code: "App/Import.swift:9")
        trace.sync(on: queue, at: 60, thread: 1, from: 11, code: "App/Main.swift:4")
        trace.off(11, from: 55)
        trace.ask(11, at: 2_000_050, call: "futex", frames: [0x7100, 0x7200])
        let found = try findings(trace)
        #expect(
            found.map(\.summary).allSatisfy { $0.contains(" has waited 2.00 s for a semaphore at App/Import.swift:9") },
            "\(found.map(\.summary))")
        #expect(found.map(\.evidence.count) == [2])
        #expect(found.map(\.severity) == [.warning])
    }

    @Test("It is a symptom of another warning about one of the waits")
    func explained() throws {
        let trace = trace(seconds: 2, called: condition) { trace in
            let semaphore = trace.semaphore(value: 0, at: 21)
            trace.wait(for: semaphore, thread: 11, at: 50)
        }
        let analysis = AnalysisSession(
            options: AnalysisOptions(detectors: [Hang.id, SemaphoreNeverSignalled.id])
        ).analyze(events: trace.events)
        #expect(analysis.findings.map(\.detector) == [SemaphoreNeverSignalled.id])
        #expect(analysis.findings.first?.symptoms.map(\.detector) == [Hang.id])
    }
}
