import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct ContinuationNeverResumedTests {
    //   task 1  ├ awaits ░░░░░░░░░░░░░░░░░░░░░░░░ end
    //   others     ├░░┤  ├░░┤  ├░░┤
    /// A task that awaits a continuation until the end of the trace, and others that awaited one before or afterwards.
    private func trace(
        symbol: String = "ask(_:)", before: Int = 0, after: Int = 0, took: Double = 1000, end: Double = 400_000
    ) -> TraceBuilder {
        var trace = TraceBuilder()
        trace.taskTrack()
        let code = trace.function(symbol, address: 0x1000)
        let stack = trace.stack([0x1000, 0x2000])
        func await_(_ at: Double, until: Double?) {
            let task = trace.task(at: at)
            trace.begin(task, thread: 2, at: at + 1)
            trace.suspend(task, for: .continuation, thread: 2, at: at + 2, code: code, stack: stack)
            guard let until else { return }
            trace.resume(task, thread: 3, at: until)
            trace.begin(task, thread: 2, at: until + 1)
            trace.finish(task, thread: 2, at: until + 2)
        }
        for number in 0..<before { await_(Double(number) * 10 + 1, until: Double(number) * 10 + took) }
        await_(5000, until: nil)
        for number in 0..<after { await_(6000 + Double(number) * 2000, until: 6000 + Double(number) * 2000 + took) }
        // The last event of the trace.
        let last = trace.task(at: end)
        trace.begin(last, thread: 2, at: end + 1)
        trace.finish(last, thread: 2, at: end + 2)
        return trace
    }

    private func findings(_ trace: TraceBuilder) throws -> [Finding] {
        try DetectorRun.findings(of: ContinuationNeverResumed.self, in: trace)
    }

    @Test("A task is left behind when ten later ones were resumed", arguments: [(10, 1), (9, 0)])
    func others(count: Int, found: Int) throws {
        #expect(try findings(trace(after: count)).count == found)
    }

    @Test("If the others were the same task again and again, the task that waits may be idle, which is a note")
    func readLoops() throws {
        var trace = self.trace()
        let (code, stack) = (trace.function("read()", address: 0x3000), trace.stack([0x3000, 0x4000]))
        let (idle, busy) = (trace.task(at: 5010), trace.task(at: 5011))
        func read(_ task: UInt64, at time: Double) {
            trace.begin(task, thread: 2, at: time)
            trace.suspend(task, for: .continuation, thread: 2, at: time + 1, code: code, stack: stack)
        }
        read(idle, at: 5020)
        for number in 0..<20 {
            let time = 6000 + Double(number) * 2000
            if number > 0 { trace.resume(busy, thread: 3, at: time) }
            read(busy, at: time + 10)
        }
        let finding = try #require(try findings(trace).first { $0.summary.contains("read()") })
        #expect(finding.severity == .info)
        #expect(finding.summary.contains("Possibly no event occurred for this task."))
        #expect(finding.occurrences == 1)
    }

    @Test("Continuations that were resumed earlier prove nothing: the program may have no more work")
    func before() throws {
        #expect(try findings(trace(before: 100)).isEmpty)
    }

    //   task 1  ├ awaits its task group ░░░░░░░░░░░░░░░░░░ end
    //   task 2    ├ awaits a continuation ░░░▲ cancelled ░ end
    /// A task that awaits a continuation from 5.1 ms on, and whose task group is awaited.
    private func child(cancelledAt: Double? = nil, others: Int, isAwaited: Bool = true) -> TraceBuilder {
        var trace = self.trace(before: others)
        // The stack of the other tasks.
        let stack: UInt32 = 1
        let (parent, child) = (trace.task(at: 4000), trace.object())
        trace.add(
            .taskCreate(.init(task: child, kind: .groupChild, qos: .unspecified, parent: parent, group: 77, code: 0)),
            at: 4500, thread: 4)
        trace.begin(parent, thread: 4, at: 4001)
        if isAwaited { trace.suspend(parent, for: .group, object: 77, thread: 4, at: 4600) }
        trace.begin(child, thread: 5, at: 4900)
        trace.suspend(child, for: .continuation, thread: 5, at: 5100, stack: stack)
        if let cancelledAt { trace.add(.taskCancel(.init(task: child)), at: cancelledAt, thread: 3) }
        return trace
    }

    @Test(
        "A cancelled task that another task awaits is reported 250 ms after its cancellation",
        arguments: [(150_002.0, 1), (150_003, 0)])
    func cancelled(at time: Double, count: Int) throws {
        let found = try findings(child(cancelledAt: time, others: 0))
        #expect(found.count == count)
        #expect(found.allSatisfy { $0.severity == .warning && $0.occurrences == 1 })
        #expect(found.allSatisfy { $0.summary.contains("is not resumed, for up to 395 ms: it was cancelled 250 ms ") })
    }

    @Test("An awaited task is a note when one other task was resumed there, and no finding without one")
    func awaited() throws {
        let found = try findings(child(others: 1))
        #expect(found.map(\.severity) == [.info])
        #expect(found.allSatisfy { $0.summary.contains("waits for it, and other tasks were resumed there soon.") })
        #expect(try findings(child(others: 0)).isEmpty)
        #expect(try findings(child(others: 1, isAwaited: false)).isEmpty)
        #expect(try findings(child(cancelledAt: 100_000, others: 1, isAwaited: false)).isEmpty)
    }

    @Test("If some continuations take long, and for less than 250 ms, nothing is reported")
    func patience() throws {
        #expect(try findings(trace(after: 20, took: 200_000)).isEmpty)
        #expect(try findings(trace(after: 20, end: 200_000)).isEmpty)
    }

    @Test(
        "Waits for the next element of a sequence and for the end of a sleep are not reported",
        arguments: ["next()", "next(isolation:)", "Stream.Iterator.next()", "static Task.sleep(for:)", ""])
    func events(symbol: String) throws {
        #expect(try findings(trace(symbol: symbol, after: 50)).isEmpty)
    }

    private func addMessage(to trace: inout TraceBuilder, at time: Double = 6000) {
        trace.add(
            .dispatchLog(
                .init(
                    tid: 3,
                    message: "SWIFT TASK CONTINUATION MISUSE: signIn(_:) leaked its continuation without resuming it. "
                        + "This may cause tasks waiting on it to remain suspended forever.\n")), at: time, thread: 3)
    }

    @Test(
        "A continuation that the runtime reports as dropped is reported at its await, without other continuations",
        arguments: ["Form.signIn(_:)", "closure #1 in main()"])
    func dropped(symbol: String) throws {
        var trace = trace(symbol: symbol)
        addMessage(to: &trace)
        let finding = try #require(try findings(trace).first)
        #expect(finding.summary.hasPrefix("1 task awaits a continuation at \(symbol) that is not resumed"))
        #expect(finding.summary.hasSuffix("the runtime reports that it was dropped without a resume."))
        #expect(finding.stacks.count == 1)
    }

    @Test("A continuation may be dropped before its task suspends, and another one of the function later")
    func droppedAtOnce() throws {
        var trace = self.trace(symbol: "Form.signIn(_:)")
        addMessage(to: &trace, at: 5001)
        #expect(try findings(trace).map(\.occurrences) == [1])
        #expect(try findings(trace).first?.cost == .milliseconds(395))
        let (code, stack) = (trace.function("Form.signIn(_:)", address: 0x1000), trace.stack([0x1000, 0x2000]))
        let task = trace.task(at: 50_000)
        trace.begin(task, thread: 2, at: 50_001)
        trace.suspend(task, for: .continuation, thread: 2, at: 50_002, code: code, stack: stack)
        addMessage(to: &trace, at: 60_000)
        #expect(try findings(trace).map(\.occurrences).reduce(0, +) == 2)
    }

    @Test("If tasks await in several places without that name, the finding contains the message only")
    func droppedSomewhere() throws {
        var trace = trace(symbol: "closure #1 in main()")
        let code = trace.function("listen()", address: 0x3000)
        let stack = trace.stack([0x3000])
        let task = trace.task(at: 100)
        trace.begin(task, thread: 2, at: 101)
        trace.suspend(task, for: .continuation, thread: 2, at: 102, code: code, stack: stack)
        addMessage(to: &trace)
        #expect(try findings(trace).map(\.summary).first?.hasPrefix("signIn(_:) dropped 1 continuation") == true)
    }
}
