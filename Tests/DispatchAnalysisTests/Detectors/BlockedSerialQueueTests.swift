import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct BlockedSerialQueueTests {
    private func findings(_ trace: TraceBuilder, discarded: Int = 0) throws -> [Finding] {
        try DetectorRun.findings(of: BlockedSerialQueue.self, in: trace, discarded: discarded)
    }

    //   app.desk   ├─░░░░░░ read ░░░░░░─┤▓├┤├┤      ░ off-CPU   ▓ the timer's handler
    //                 ▲ timer due   ▲▲ items
    /// An item of thread 2 that is off-CPU in a call from 1 ms on, with a timer and items that are due during the call.
    private func desk(
        blocked milliseconds: Double, of service: Double? = nil, call: String = "read", timer: Bool = false,
        items: Int = 0, isMain: Bool = false, isOpen: Bool = false
    ) -> TraceBuilder {
        var trace = TraceBuilder()
        trace.mapImages()
        _ = trace.function("Desk.receive()", address: 0x1100)
        let queue = isMain ? trace.mainQueue() : trace.serialQueue("app.desk")
        let end = 10 + (service ?? milliseconds + 2) * 1000
        let source = trace.setUpSource(.timer, on: queue, activated: 1, created: "App/Desk.swift:4")
        trace.schedule(source, at: 2, delay: 20_000, interval: 1_000_000)
        trace.async(on: queue, at: 0, begin: 10, end: isOpen ? nil : end, thread: 2, code: "App/Desk.swift:9")
        trace.off(2, from: 1_010, until: isOpen ? nil : 1_010 + milliseconds * 1000)
        trace.ask(2, at: 7_000, call: call, frames: [0x7100, 0x1100])
        for number in 0..<items {
            let begin = end + 100 + Double(number) * 10
            trace.async(
                on: queue, at: 30_000, begin: isOpen ? nil : begin, end: isOpen ? nil : begin + 5, thread: 2,
                code: "App/Status.swift:2")
        }
        if timer { trace.fireTimer(source, on: queue, begin: end + 50, end: end + 60, thread: 2) }
        trace.end(at: end + 2_000_000)
        return trace
    }

    @Test(
        "An item in a system call for 100 ms is reported when a timer or an item waits for it",
        arguments: [(100.0, true, 0, 1), (100, false, 1, 1), (99.9, true, 1, 0), (100, false, 0, 0)])
    func threshold(milliseconds: Double, timer: Bool, items: Int, count: Int) throws {
        #expect(try findings(desk(blocked: milliseconds, timer: timer, items: items)).count == count)
    }

    @Test("The finding names the queue, the call, its code, the waiting work and the longest wait")
    func content() throws {
        let finding = try #require(try findings(desk(blocked: 200, timer: true, items: 2)).first)
        #expect(
            finding.summary == "An item at App/Desk.swift:9 blocks app.desk for 200 ms in the system call read at "
                + "Desk.receive(), and 1 timer and 2 items had to wait for it: 182 ms.")
        #expect(finding.cost == .microseconds(202_010 - 20_002))
        #expect(finding.severity == .warning && finding.occurrences == 1 && finding.code.count == 3)
        #expect(
            finding.measures.contains(
                Measure("timers that waited", "timer source on app.desk at App/Desk.swift:4")))
        #expect(finding.evidence.map(\.event) == ["item_begin"])
        #expect(finding.advice.text.hasPrefix("Do not wait for data on app.desk at Desk.receive(): set the"))
        #expect(
            finding.advice.phrase.template
                == "Do not wait for data on {queue}{place}: set the descriptor to O_NONBLOCK, and return when the call "
                + "fails with EAGAIN. A read source runs its handler again when there is data. On Linux O_NONBLOCK "
                + "has no effect on regular files: read them on another queue, and submit the result to {queue}.")
    }

    @Test("An item that is in calls for less than half of its time is no case", arguments: [(150.0, 1), (149.9, 0)])
    func share(milliseconds: Double, count: Int) throws {
        #expect(try findings(desk(blocked: milliseconds, of: 300, items: 1)).count == count)
    }

    @Test("Waits for threads of the program and items of the main queue are reported by other detectors")
    func others() throws {
        #expect(try findings(desk(blocked: 200, call: "futex", items: 2)).isEmpty)
        #expect(try findings(desk(blocked: 200, items: 2, isMain: true)).isEmpty)
    }

    @Test("Waits of less than 10 ms are not reported", arguments: [(191_900.0, 1), (192_100, 0)])
    func lost(submitted: Double, count: Int) throws {
        var trace = desk(blocked: 200)
        let queue = trace.serialQueue("app.other")
        trace.async(on: queue, at: 0, begin: 10, end: 202_010, thread: 3)
        trace.off(3, from: 1_000, until: 201_000)
        trace.ask(3, at: 7_000, call: "waitid", frames: [0x7100, 0x1100])
        trace.async(on: queue, at: submitted, begin: 202_020, end: 202_025, thread: 3)
        #expect(try findings(trace).count == count)
    }

    @Test("Similar items of a batch do not count as waiting", arguments: [(true, 0), (false, 1)])
    func batch(isSimilar: Bool, count: Int) throws {
        var trace = desk(blocked: 200)
        let queue = trace.serialQueue("app.batch")
        trace.async(on: queue, at: 0, begin: 10, end: 202_010, thread: 3, code: "App/Load.swift:2")
        trace.off(3, from: 1_000, until: 201_000)
        trace.ask(3, at: 7_000, call: "read", frames: [0x7100, 0x1100])
        trace.async(
            on: queue, at: 20, begin: 202_020, end: isSimilar ? 304_000 : 202_100, thread: 3, code: "App/Load.swift:2")
        #expect(try findings(trace).count == count)
    }

    //   main thread   ├ sync {} ░░░░░░░░░░░░░░░░├┤ end of the program
    @Test("A sync of the main thread that ends the program does not count", arguments: [(202_040.0, 0), (900_000, 1)])
    func drain(end: Double, count: Int) throws {
        var trace = TraceBuilder()
        trace.mapImages()
        let queue = trace.serialQueue("app.desk")
        trace.async(on: queue, at: 0, begin: 10, end: 202_010, thread: 2)
        trace.off(2, from: 1_000, until: 201_000)
        trace.ask(2, at: 7_000, call: "read", frames: [0x7100, 0x1100])
        trace.sync(on: queue, at: 20, begin: 202_020, end: 202_025, thread: 1, from: 2)
        trace.end(at: end)
        #expect(try findings(trace).count == count)
    }

    @Test("An item that is still blocked at the end counts, unless events are missing", arguments: [(0, 1), (1, 0)])
    func open(discarded: Int, count: Int) throws {
        let found = try findings(desk(blocked: 200, items: 3, isOpen: true), discarded: discarded)
        #expect(found.count == count)
        #expect(found.allSatisfy { $0.summary.contains("has blocked app.desk for 2.20 s when the trace ends") })
        #expect(found.allSatisfy { $0.summary.contains("and 3 items had to wait") })
    }

    @Test("A timer that was suspended when it was due waits from its resume", arguments: [(50_000.0, 1), (195_000, 0)])
    func suspended(resumed: Double, count: Int) throws {
        var trace = TraceBuilder()
        trace.mapImages()
        let queue = trace.serialQueue("app.desk")
        let timer = trace.setUpSource(.timer, on: queue, activated: 1)
        trace.schedule(timer, at: 2, delay: 20_000, interval: 1_000_000)
        trace.async(on: queue, at: 0, begin: 10, end: 202_010, thread: 2)
        trace.suspendSource(timer, at: 15_000, until: resumed)
        trace.off(2, from: 1_000, until: 201_000)
        trace.ask(2, at: 7_000, call: "read", frames: [0x7100, 0x1100])
        trace.fireTimer(timer, on: queue, begin: 202_050, end: 202_060, thread: 2)
        trace.end(at: 400_000)
        #expect(try findings(trace).count == count)
    }

    @Test(
        "The advice is about the system call",
        arguments: [
            ("recvfrom", "Do not wait for data on"), ("sendto", "Do not wait for the receiver on"),
            ("connect", "Do not wait for the connection on"), ("wait4", "Do not wait for a child process on"),
            ("clock_nanosleep", "Do not sleep on"), ("ppoll", "Do not poll on"), ("fsync", "Do the call at"),
        ])
    func advice(call: String, prefix: String) throws {
        let finding = try #require(try findings(desk(blocked: 200, call: call, items: 1)).first)
        #expect(finding.advice.text.hasPrefix(prefix), "\(finding.advice.text)")
    }

    @Test("The late timer and the waiting items behind a blocked item are symptoms of it")
    func symptoms() throws {
        let detectors: [any Detector.Type] = [BlockedSerialQueue.self, WorkTooLarge.self, LateTimer.self]
        let options = AnalysisOptions(detectors: Set(detectors.map { $0.id }))
        let found = AnalysisSession(options: options).analyze(
            events: desk(blocked: 500, timer: true, items: 2).events
        ).findings
        #expect(found.map(\.detector) == [BlockedSerialQueue.id])
        #expect(Set(found.flatMap { $0.symptoms.map(\.detector) }) == [WorkTooLarge.id, LateTimer.id])
    }
}
