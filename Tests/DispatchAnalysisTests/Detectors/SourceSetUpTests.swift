import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

// Sources whose set-up makes them work badly or not at all.
@Suite("Set-up of sources")
struct SourceSetUpTests {
    private func findings(
        _ trace: TraceBuilder, of detector: any Detector.Type, discarded: Int = 0, thresholds: [String] = []
    ) throws -> (findings: [Finding], model: DispatchModel) {
        let options = AnalysisOptions(detectors: [detector.id], thresholds: try ThresholdSettings(thresholds))
        let analysis = AnalysisSession(options: options).analyze(events: trace.events, discarded: discarded)
        return (analysis.findings, analysis.model)
    }

    // MARK: delayed-registration

    //   queue   │░░░ suspended ░░░│
    //   timer        activate
    @Test("A timer that is activated while its queue is suspended is registered late, with both stacks")
    func delayed() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.clock")
        trace.suspend(queue, at: 10, until: 30)
        let timer = trace.setUpSource(.timer, on: queue, activated: 20, created: "App/Clock.swift:8")
        trace.schedule(timer, at: 5, delay: 1000)
        trace.end(at: 100)
        let (found, model) = try findings(trace, of: DelayedRegistration.self, discarded: 3)
        let finding = try #require(found.first)
        #expect(found.count == 1 && finding.severity == .warning)
        #expect(finding.summary.contains("app.clock is suspended"))
        #expect(finding.code.map { model[$0].line } == [8])
        #expect(finding.stacks.first?.title == "Stack of the activation")
        #expect(finding.caveat?.contains("discarded 3 events") == true)
    }

    @Test("… also through a target, and on a queue that is inactive or whose target may change")
    func delayedByTargets() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let inactive = trace.serialQueue("app.later", target: root, inactive: true)
        let leaf = trace.serialQueue("app.leaf", target: inactive)
        let old = trace.mutableQueue("app.old", target: root)
        for queue in [leaf, old] { _ = trace.setUpSource(.timer, on: queue, activated: 20) }
        let found = try findings(trace, of: DelayedRegistration.self).findings
        #expect(found.map(\.severity) == [.warning, .info])
        #expect(found.map { $0.summary.contains("app.later is inactive") } == [true, false])
        #expect(found[1].advice.text.contains("dispatch_queue_create_with_target"))
    }

    @Test("A library's timer on the library's own queue is not reported because the target may change")
    func libraryTimer() throws {
        var trace = TraceBuilder()
        let library = "/usr/lib/swift/linux/libswift_Concurrency.so"
        trace.add(.image(.init(base: 0, begin: 0x5000, end: 0x6000, buildId: "", path: library)), at: 0)
        for line in 1...2 { _ = trace.code("Executor.swift:\(line)", address: 0x5500 + UInt64(line)) }
        let theirs = trace.mutableQueue("Swift global concurrent queue", created: "Executor.swift:1")
        let ours = trace.mutableQueue("app.old", created: "App/Clock.swift:1")
        for queue in [theirs, ours] {
            _ = trace.setUpSource(.timer, on: queue, activated: 20, created: "Executor.swift:2")
        }
        let found = try findings(trace, of: DelayedRegistration.self).findings
        #expect(found.map { $0.summary.contains("app.old") } == [true])
    }

    @Test("A timer on a queue that is ready, on the main queue, or a source that is no timer is registered at once")
    func registered() throws {
        var trace = TraceBuilder()
        let (ready, main) = (trace.serialQueue("app.clock"), trace.mainQueue())
        let suspended = trace.serialQueue("app.suspended")
        trace.suspend(suspended, at: 1)
        trace.suspend(ready, at: 5, until: 10)
        for queue in [ready, main] { _ = trace.setUpSource(.timer, on: queue, activated: 20) }
        _ = trace.setUpSource(.read, on: suspended, activated: 20)
        #expect(try findings(trace, of: DelayedRegistration.self).findings.isEmpty)
    }

    // MARK: strict-background-timer

    @Test("A strict timer of background quality is reported, whether its queue or its handler has that class")
    func strict() throws {
        var trace = TraceBuilder()
        let background = trace.queue(
            "app.cleaning", width: 1, target: 0, flags: 0, at: 0, qos: .background, created: nil)
        let normal = trace.queue("app.work", width: 1, target: 0, flags: 0, at: 0, qos: .utility, created: nil)
        _ = trace.setUpSource(.timer, on: background, flags: 1, activated: 5, created: "App/A.swift:1")
        _ = trace.setUpSource(.timer, on: normal, qos: .maintenance, flags: 1, activated: 5, created: "App/A.swift:2")
        // Not reported: not strict, or not of background quality, by its queue or by its handler.
        _ = trace.setUpSource(.timer, on: background, activated: 5, created: "App/A.swift:3")
        _ = trace.setUpSource(.timer, on: normal, flags: 1, activated: 5, created: "App/A.swift:4")
        _ = trace.setUpSource(
            .timer, on: background, qos: .utility, flags: 1, activated: 5, created: "App/A.swift:5")
        let (found, model) = try findings(trace, of: StrictBackgroundTimer.self)
        #expect(found.map { model[$0.code[0]].line } == [1, 2])
        #expect(found.allSatisfy { $0.stacks.count == 2 && $0.severity == .warning })
    }

    // MARK: suspended-timer-fire

    //   suspended  10 │░░░░░░░░░│ until
    //   due             20+leeway
    @Test(
        "A deadline within the suspension is reported, one at its end or in its leeway is not",
        arguments: [(25.0, 0.0, 1), (20, 0, 0), (21, 0, 1), (25, 5, 0), (25, 4.9, 1), (15, 0, 0)])
    func suspendedFire(until: Double, leeway: Double, count: Int) throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.clock")
        let timer = trace.setUpSource(.timer, on: queue, activated: 2)
        trace.schedule(timer, at: 0, delay: 20, leeway: leeway)
        trace.suspendSource(timer, at: 10, until: until, code: "App/Clock.swift:3")
        trace.end(at: 100)
        let found = try findings(trace, of: SuspendedTimerFire.self).findings
        #expect(found.count == count)
        #expect(found.allSatisfy { $0.stacks.map(\.title) == ["Stack of the suspension", "Stack of the activation"] })
    }

    @Test("A suspension that the trace's end cuts off counts, an inactive or cancelled timer does not")
    func suspendedAtEnd() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.clock")
        let open = trace.setUpSource(.timer, on: queue, activated: 2, created: "App/A.swift:1")
        let inactive = trace.setUpSource(.timer, on: queue, created: "App/A.swift:2")
        let cancelled = trace.setUpSource(.timer, on: queue, activated: 2, created: "App/A.swift:3")
        for timer in [open, inactive, cancelled] { trace.schedule(timer, at: 0, delay: 20) }
        for (timer, line) in [(open, 1), (inactive, 2), (cancelled, 3)] {
            trace.suspendSource(timer, at: 10, code: "App/B.swift:\(line)")
        }
        trace.add(.sourceCancel(.init(source: cancelled, code: 0)), at: 15, thread: 1)
        trace.end(at: 100)
        let (found, model) = try findings(trace, of: SuspendedTimerFire.self)
        #expect(found.map { model[$0.code[0]].line } == [1])
    }

    @Test("It counts once per suspension, and the threshold is the number of suspensions of a finding")
    func suspendedTimes() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.clock")
        let timer = trace.setUpSource(.timer, on: queue, activated: 2)
        trace.schedule(timer, at: 0, delay: 20, interval: 20)
        trace.suspendSource(timer, at: 10, until: 75)
        trace.fireTimer(timer, on: queue, begin: 75, end: 76, thread: 2, deadlines: 3)
        trace.suspendSource(timer, at: 78, until: 85)
        trace.end(at: 100)
        let finding = try #require(try findings(trace, of: SuspendedTimerFire.self).findings.first)
        #expect(finding.occurrences == 2)
        #expect(
            try findings(trace, of: SuspendedTimerFire.self, thresholds: ["suspended-timer-fire.times=2"]).findings
                .count == 1)
        #expect(
            try findings(trace, of: SuspendedTimerFire.self, thresholds: ["suspended-timer-fire.times=3"]).findings
                .isEmpty)
    }

    //   due          20   40   60   80   100
    //   firings      ×    ×    × lost, or pending behind an item
    //   suspended                   │░░░░░░░░░│
    @Test("A deadline before the suspension counts as fired where events are missing, and only there")
    func suspendedAfterLostFirings() throws {
        func trace(until: Double) -> TraceBuilder {
            var trace = TraceBuilder()
            let timer = trace.setUpSource(.timer, on: trace.serialQueue("app.clock"), activated: 2)
            trace.schedule(timer, at: 0, delay: 20, interval: 20)
            trace.suspendSource(timer, at: 75, until: until)
            trace.end(at: 200)
            return trace
        }
        #expect(try findings(trace(until: 115), of: SuspendedTimerFire.self).findings.isEmpty)
        let found = try DetectorRun.findings(of: SuspendedTimerFire.self, in: trace(until: 115), discarded: 3)
        #expect(found.map(\.occurrences) == [1])
        #expect(found.first?.caveat?.hasPrefix("The trace lacks the call that set the timer") == true)
        #expect(found.first?.evidence.first?.detail.contains("was due 5.00 µs after its suspension") == true)
        #expect(try DetectorRun.findings(of: SuspendedTimerFire.self, in: trace(until: 80), discarded: 3).isEmpty)
    }

    //   firings     10   30   50   70 of a timer whose setting and activation are not in the trace
    //   suspended                   80 │░░░░░░░░░│
    @Test("The firings of a timer that was set before the trace show that its suspension has a deadline")
    func suspendedOfUnknownSchedule() throws {
        for (until, count) in [(150.0, 1), (90, 0)] {
            var trace = TraceBuilder()
            let queue = trace.serialQueue("app.clock")
            let timer = trace.setUpSource(.timer, on: queue)
            for begin in [10.0, 30, 50, 70] {
                trace.fireTimer(timer, on: queue, begin: begin, end: begin + 1, thread: 2)
            }
            trace.suspendSource(timer, at: 80, until: until)
            trace.end(at: 200)
            let found = try findings(trace, of: SuspendedTimerFire.self).findings
            #expect(found.count == count)
            #expect(found.allSatisfy { $0.caveat != nil })
        }
    }

    // MARK: handlerless-source

    @Test("Active sources without an event handler are reported where an event was certain")
    func handlerless() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.io")
        let timer = trace.setUpSource(.timer, on: queue, handler: false, activated: 2, created: "App/A.swift:1")
        trace.schedule(timer, at: 1, delay: 20)
        let data = trace.setUpSource(.dataAdd, on: queue, handler: false, activated: 2, created: "App/A.swift:2")
        trace.add(.sourceMerge(.init(source: data, data: 1, code: 0)), at: 5, thread: 1)
        _ = trace.setUpSource(.read, on: queue, handler: false, activated: 2, created: "App/A.swift:3")
        // Not reported: never due, nothing merged, not active, or a handler exists.
        let never = trace.setUpSource(.timer, on: queue, handler: false, activated: 2, created: "App/A.swift:4")
        trace.schedule(never, at: 1, delay: 500)
        _ = trace.setUpSource(.dataOr, on: queue, handler: false, activated: 2, created: "App/A.swift:5")
        _ = trace.setUpSource(.read, on: queue, handler: false, created: "App/A.swift:6")
        _ = trace.setUpSource(.read, on: queue, activated: 2, created: "App/A.swift:7")
        let late = trace.setUpSource(.read, on: queue, handler: false, activated: 2, created: "App/A.swift:8")
        trace.mutateAfterActivation(late, at: 3, code: "App/A.swift:9")
        _ = trace.setUpSource(.read, on: queue, handler: false, flags: 2, activated: 2, created: "App/A.swift:10")
        trace.end(at: 100)
        let (found, model) = try findings(trace, of: HandlerlessSource.self)
        #expect(found.map { model[$0.code[0]].line }.sorted() == [1, 2, 3])
        #expect(found.allSatisfy { $0.stacks.count == 2 })
    }

    @Test("A handler that was removed does not count as a handler")
    func removed() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.io")
        let source = trace.setUpSource(.read, on: queue, activated: 5)
        trace.add(.sourceSetHandler(.init(source: source, handler: .event, code: 0, removed: 1)), at: 3, thread: 1)
        #expect(try findings(trace, of: HandlerlessSource.self).findings.count == 1)
    }

    // MARK: source-never-activated

    @Test("A source that is never activated is reported from 50 ms on", arguments: [(49_999.0, 0), (50_000, 1)])
    func neverActivated(age: Double, count: Int) throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.io")
        let source = trace.setUpSource(.timer, on: queue, at: 10, created: "App/A.swift:1")
        let cancelled = trace.setUpSource(.timer, on: queue, at: 10, created: "App/A.swift:2")
        trace.add(.sourceCancel(.init(source: cancelled, code: 0)), at: 15, thread: 1)
        _ = trace.setUpSource(.timer, on: queue, at: 10, activated: 12, created: "App/A.swift:3")
        _ = trace.setUpSource(.timer, on: queue, at: 10, handler: false, created: "App/A.swift:4")
        trace.end(at: 10 + age)
        let (found, model) = try findings(trace, of: SourceNeverActivated.self)
        #expect(found.count == count)
        #expect(found.allSatisfy { model[$0.code[0]].line == 1 && $0.stacks.count == 1 })
        _ = source
    }

    // MARK: lints

    @Test("Sources without any quality of service are one informational finding, and only when lints are asked for")
    func withoutQoS() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let plain = trace.queue("app.io", width: 1, target: root, flags: 0, at: 0, qos: .unspecified, created: nil)
        let classed = trace.queue("app.ui", width: 1, target: root, flags: 0, at: 0, qos: .utility, created: nil)
        for number in 1...3 {
            _ = trace.setUpSource(.read, on: plain, activated: Double(number), created: "App/A.swift:\(number)")
        }
        _ = trace.setUpSource(.read, on: classed, activated: 2)
        _ = trace.setUpSource(.read, on: plain, qos: .utility, activated: 2)
        let usual = AnalysisSession().analyze(events: trace.events)
        #expect(!usual.findings.contains { $0.detector == SourceWithoutQoS.id })
        let analysis = AnalysisSession(options: AnalysisOptions(lints: true)).analyze(events: trace.events)
        let found = analysis.findings.filter { $0.detector == SourceWithoutQoS.id }
        #expect(found.map(\.occurrences) == [3])
        #expect(found.first?.severity == .info)
    }

    @Test("A queue in use that dispatch_queue_create made is a lint, an unused one is not")
    func mutableTargets() throws {
        var trace = TraceBuilder()
        let used = trace.mutableQueue("app.db.1", created: "App/A.c:1")
        let targeted = trace.mutableQueue("app.db.2", created: "App/A.c:1")
        _ = trace.mutableQueue("app.idle", created: "App/A.c:2")
        _ = trace.serialQueue("app.leaf", target: targeted)
        trace.async(on: used, at: 1, begin: 2, end: 3, thread: 2)
        // The begin of its item may be lost, or follow the end of the trace.
        trace.async(on: trace.mutableQueue("app.db.3", created: "App/A.c:1"), at: 1, thread: 2)
        let found = try findings(trace, of: MutableTarget.self).findings
        #expect(found.map(\.occurrences) == [3])
        #expect(found.first?.summary.contains("app.db.* (3 queues)") == true)
        #expect(AnalysisSession().analyze(events: trace.events).findings.isEmpty)
    }

    // MARK: busy-loop

    //   source   ├┤ 5 bytes  ├┤├┤├┤├┤├┤├┤├┤├┤├┤ no data
    @Test(
        "A read source that fires at once without data is reported from 1,000 times on",
        arguments: [(1000, 100.0, UInt64(0), 1), (999, 100, 0, 0), (1000, 1002, 0, 0), (1000, 100, 1, 0)])
    func busyLoop(firings: Int, period: Double, data: UInt64, count: Int) throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.io")
        let source = trace.setUpSource(.read, on: queue, activated: 5, created: "App/Shell.swift:24")
        for number in 0..<firings {
            trace.fire(
                source, on: queue, begin: 10 + Double(number) * period, end: 12 + Double(number) * period, thread: 2,
                code: "App/Shell.swift:25", data: number == 0 ? 0 : data)
        }
        let (found, model) = try findings(trace, of: BusyLoop.self)
        #expect(found.count == count)
        #expect(found.allSatisfy { $0.summary.contains("at App/Shell.swift:25 1,000 times without data") })
        #expect(found.allSatisfy { $0.code.map { model[$0].line } == [24, 25] })
    }
}
