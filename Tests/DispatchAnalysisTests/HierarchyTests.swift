import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

// barrier-on-global, readers-writer, late-timer.
@Suite("Use of queues")
struct HierarchyTests {
    private func findings(
        _ trace: TraceBuilder, of detector: any Detector.Type, discarded: Int = 0
    ) throws -> [Finding] {
        try DetectorRun.findings(of: detector, in: trace, discarded: discarded)
    }

    // MARK: barrier-on-global

    @Test("Barriers on a global queue are one finding per code; barriers on a private queue are none")
    func barriers() throws {
        var trace = TraceBuilder()
        let (global, own) = (trace.globalQueue(), trace.concurrentQueue("app.own"))
        for number in 0..<3 {
            let time = Double(number) * 10
            trace.async(
                on: global, at: time, begin: time + 1, end: time + 5, thread: 2, barrier: true, code: "App/A.swift:1")
            trace.async(on: own, at: time, begin: time + 1, end: time + 5, thread: 3, barrier: true)
            trace.async(on: global, at: time, begin: time + 2, end: time + 6, thread: 4)
        }
        trace.async(on: global, at: 50, begin: 51, thread: 2, barrier: true, code: "App/A.swift:1")
        trace.end(at: 60)
        let found = try findings(trace, of: BarrierOnGlobal.self, discarded: 2)
        #expect(found.map(\.occurrences) == [4], "one that the trace's end cuts off counts")
        #expect(found.first?.severity == .warning && found.first?.caveat != nil)
    }

    @Test("The finding has the run time of a barrier after its batch of items is gone")
    func durationOfBarrier() throws {
        var trace = TraceBuilder()
        let global = trace.globalQueue()
        trace.async(on: global, at: 0, begin: 1, end: 5, thread: 2, barrier: true, code: "App/A.swift:1")
        // More items than two batches hold.
        for number in 0..<3_000 {
            let time = 10 + Double(number) * 10
            trace.async(on: global, at: time, begin: time + 1, end: time + 8, thread: 4)
        }
        trace.end(at: 40_000)
        let evidence = try findings(trace, of: BarrierOnGlobal.self).first?.evidence.first
        #expect(evidence?.detail.contains("for 4.00 µs") == true, "\(evidence?.detail ?? "nothing")")
    }

    // MARK: readers-writer

    /// Readers of 1 ms, one after the other, and writers of `write` ms between them.
    private func readersAndWriters(readers: Int, writers: Int, write: Double) -> TraceBuilder {
        var trace = TraceBuilder()
        let queue = trace.concurrentQueue("app.cache")
        var time = 0.0
        for number in 0..<(readers + writers) {
            let isWriter =
                number % max(1, (readers + writers) / max(1, writers)) == 0
                && number / max(1, (readers + writers) / max(1, writers)) < writers
            let length = isWriter ? write * 1000 : 1000
            trace.async(
                on: queue, at: time, begin: time + 1, end: time + length, thread: 2, barrier: isWriter,
                code: "App/Cache.swift:7")
            time += length + 5
        }
        return trace
    }

    @Test("Prevailing writers are a note, from half of at least 20 items")
    func writersPrevail() throws {
        #expect(
            try findings(readersAndWriters(readers: 10, writers: 10, write: 1), of: ReadersWriter.self).map(\.severity)
                == [.info])
        #expect(try findings(readersAndWriters(readers: 11, writers: 9, write: 1), of: ReadersWriter.self).isEmpty)
        #expect(try findings(readersAndWriters(readers: 9, writers: 10, write: 1), of: ReadersWriter.self).isEmpty)
        #expect(try findings(readersAndWriters(readers: 0, writers: 20, write: 1), of: ReadersWriter.self).isEmpty)
    }

    //   reader 1  ████████████████████
    //   writer        ░░░░░░░░░░░░░░░░▓
    @Test("A writer that waits for readers starves from the limit", arguments: [(99_999.0, 0), (100_001, 1)])
    func starvation(wait: Double, count: Int) throws {
        var trace = TraceBuilder()
        let queue = trace.concurrentQueue("app.cache")
        for number in 0..<19 {
            trace.async(on: queue, at: 0, begin: 1, end: wait + 10, thread: UInt32(2 + number))
        }
        trace.async(
            on: queue, at: 10, begin: wait + 10, end: wait + 11, thread: 2, barrier: true, code: "App/A.swift:3")
        let found = try findings(trace, of: ReadersWriter.self)
        #expect(found.count == count)
        #expect(found.allSatisfy { $0.severity == .warning && $0.evidence.first?.event == "item_barrier" })
    }

    //   reader  ████████████████████
    //   writer      ░░░░░░░░░░░░░░░░▓
    @Test("One writer is reported without 20 items from a wait of 250 ms", arguments: [(249_999.0, 0), (250_000, 1)])
    func oneStarvation(wait: Double, count: Int) throws {
        var trace = TraceBuilder()
        let queue = trace.concurrentQueue("app.cache")
        trace.async(on: queue, at: 0, begin: 1, end: wait + 10, thread: 2)
        trace.async(
            on: queue, at: 10, begin: wait + 10, end: wait + 11, thread: 3, barrier: true, code: "App/A.swift:3")
        trace.end(at: 10e6)
        let found = try findings(trace, of: ReadersWriter.self)
        #expect(found.count == count)
        #expect(found.allSatisfy { $0.summary.hasSuffix("a writer waited 250 ms for readers to finish.") })
    }

    //   writer  ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓
    //   reader      ░░░░░░░░░░░░░░░░███
    @Test(
        "One reader is reported without 20 items from a wait of 250 ms for a writer",
        arguments: [(249_999.0, 0), (250_000, 1)])
    func oneReader(wait: Double, count: Int) throws {
        var trace = TraceBuilder()
        let queue = trace.concurrentQueue("app.cache")
        trace.async(
            on: queue, at: 0, begin: 1, end: wait + 10, thread: 2, barrier: true, code: "App/A.swift:3")
        trace.async(on: queue, at: 10, begin: wait + 10, end: wait + 11, thread: 3)
        trace.end(at: 10e6)
        let found = try findings(trace, of: ReadersWriter.self)
        #expect(found.count == count)
        #expect(found.allSatisfy { $0.severity == .warning && $0.code.count == 1 })
        #expect(found.allSatisfy { $0.summary.hasSuffix("a reader waited 250 ms for a writer.") })
        #expect(found.allSatisfy { $0.advice.text.hasPrefix("Prepare the new state of app.cache before its barrier") })
    }

    // MARK: late-timer

    /// A timer of 100 ms that fires `late` µs after its deadlines, `times` times, behind an item of the same queue.
    private func lateTimer(late: Double, times: Int, leeway: Double = 0, interval: Double = 100_000) -> TraceBuilder {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.clock")
        let timer = trace.setUpSource(.timer, on: queue, activated: 1, created: "App/Clock.swift:4")
        trace.schedule(timer, at: 2, delay: 99_998, interval: interval, leeway: leeway)
        for number in 1...times {
            let due = Double(number) * 100_000
            trace.async(
                on: queue, at: due - 10, begin: due - 5, end: due + late - 1, thread: 2, code: "App/Work.swift:9")
            trace.fireTimer(timer, on: queue, begin: due + late, end: due + late + 5, thread: 2)
        }
        return trace
    }

    @Test("A timer that is late repeatedly is reported with the item that held the queue")
    func late() throws {
        let found = try findings(lateTimer(late: 20_000, times: 3), of: LateTimer.self)
        #expect(found.map(\.occurrences) == [3])
        #expect(found.first?.cost == .milliseconds(60))
        #expect(found.first?.summary.contains("mostly behind App/Work.swift:9") == true)
        #expect(try findings(lateTimer(late: 19_999, times: 3), of: LateTimer.self).isEmpty)
        #expect(try findings(lateTimer(late: 20_000, times: 2), of: LateTimer.self).isEmpty)
        #expect(try findings(lateTimer(late: 25_000, times: 3, leeway: 5_001), of: LateTimer.self).isEmpty)
    }

    @Test("The leeway of a repeating timer is at most half of the interval", arguments: [(70_000.0, 1), (69_999, 0)])
    func largeLeeway(late: Double, count: Int) throws {
        #expect(try findings(lateTimer(late: late, times: 3, leeway: 10_000_000), of: LateTimer.self).count == count)
    }

    @Test("The finding names the system call that blocks the item in front of the timer")
    func lateBehindCall() throws {
        var trace = lateTimer(late: 50_000, times: 3)
        trace.mapImages()
        _ = trace.function("Radio.read()", address: 0x1100)
        for number in 1...3 {
            let due = Double(number) * 100_000
            trace.off(2, from: due + 10, until: due + 49_000)
            trace.ask(2, at: due + 20_000, call: "read", frames: [0x7100, 0x1100])
        }
        let found = try findings(trace, of: LateTimer.self)
        #expect(found.first?.summary.contains("which is blocked in the system call read at Radio.read()") == true)
        #expect(found.first?.code.count == 2)
    }

    /// A timer of 20 ms behind items of 100 ms, so that each firing counts five deadlines.
    private func sharedTimer(firings: Int) -> TraceBuilder {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.sensor")
        let timer = trace.setUpSource(.timer, on: queue, activated: 1, created: "App/Sensor.swift:4")
        for number in 0..<firings {
            let time = 10_000 + Double(number) * 100_010
            trace.fireTimer(timer, on: queue, begin: time, end: time + 5, thread: 2, deadlines: 5)
            trace.async(
                on: queue, at: time + 1, begin: time + 6, end: time + 100_000, thread: 2, code: "App/Work.swift:9")
        }
        return trace
    }

    @Test("The delay of a timer that was set before the trace is estimated from its missed deadlines")
    func lateOfUnknownSchedule() throws {
        // The delay of the first firing is unknown.
        let found = try findings(sharedTimer(firings: 4), of: LateTimer.self)
        #expect(found.map(\.occurrences) == [3])
        #expect(found.first?.caveat?.hasPrefix("The trace does not show when the timer was set") == true)
        // Late by 80 ms, minus the largest possible leeway of half the interval.
        #expect(found.first.map { $0.cost > .milliseconds(3 * 60) && $0.cost < .milliseconds(3 * 80) } == true)
        var two = sharedTimer(firings: 3)
        two.end(at: 10e6)
        #expect(try findings(two, of: LateTimer.self).isEmpty)
    }

    //   timer due ┬ ───────────── 150 ms late ──────────── ├ fires
    //             ├┤ an item of 1 ms that ended after the deadline; then the queue was free
    @Test("An item that ended after the deadline counts with its run time, not with the whole delay")
    func shortCulprit() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.clock")
        let timer = trace.setUpSource(.timer, on: queue, activated: 1, created: "App/Clock.swift:4")
        trace.schedule(timer, at: 2, delay: 999_998, interval: 1_000_000, leeway: 0)
        for number in 1...4 {
            let due = Double(number) * 1_000_000
            trace.async(on: queue, at: due - 10, begin: due - 5, end: due + 1000, thread: 2, code: "App/Work.swift:9")
            trace.fireTimer(timer, on: queue, begin: due + 90_000, end: due + 90_005, thread: 2)
        }
        #expect(try findings(trace, of: LateTimer.self).isEmpty)
    }

    //   app.backup   ├──── long ────┤            app.backup ─┐
    //   app.clock        ▲ due      ▓            app.clock  ─┴─► app.target
    @Test("The finding names the other queue of the hierarchy whose item delays a timer")
    func lateBehindTarget() throws {
        var trace = TraceBuilder()
        let target = trace.serialQueue("app.target")
        let queue = trace.serialQueue("app.clock", target: target)
        let other = trace.serialQueue("app.backup", target: target)
        let timer = trace.setUpSource(.timer, on: queue, activated: 1, created: "App/Clock.swift:4")
        trace.schedule(timer, at: 2, delay: 99_998, interval: 100_000)
        for number in 1...3 {
            let due = Double(number) * 100_000
            trace.async(
                on: other, at: due - 10, begin: due - 5, end: due + 49_999, thread: 2, code: "App/Work.swift:9")
            trace.fireTimer(timer, on: queue, begin: due + 50_000, end: due + 50_005, thread: 2)
        }
        let finding = try #require(try findings(trace, of: LateTimer.self).first)
        #expect(finding.summary.hasSuffix("mostly behind App/Work.swift:9 on app.backup."))
        #expect(
            finding.advice.text
                == "app.clock and app.backup share a serial target, so App/Work.swift:9 delays the timer: "
                + "give one of the two queues another target.")
    }

    @Test("The evidence names the code that delays the timer, although names are recorded last")
    func lateName() throws {
        let events = lateTimer(late: 20_000, times: 3).events
        let isName = { (event: TimedEvent) in if case .codeSymbol = event.event { true } else { false } }
        let end = try #require(events.last).time
        let names = events.filter(isName).map { TimedEvent(time: end, tid: $0.tid, event: $0.event) }
        let options = AnalysisOptions(detectors: [LateTimer.id])
        let found = AnalysisSession(options: options).analyze(events: events.filter { !isName($0) } + names).findings
        let details = try #require(found.first).evidence.map(\.detail)
        #expect(details.count == 3 && details.allSatisfy { $0.hasSuffix("allowed, behind App/Work.swift:9.") })
    }

    @Test("A timer that was suspended when it was due is not late")
    func suspended() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.clock")
        let timer = trace.setUpSource(.timer, on: queue, activated: 1)
        trace.schedule(timer, at: 2, delay: 9_998, interval: 100_000)
        for number in 0..<3 {
            let due = 10_000 + Double(number) * 100_000
            trace.suspendSource(timer, at: due - 5, until: due + 50_000)
            trace.fireTimer(timer, on: queue, begin: due + 50_010, end: due + 50_020, thread: 2)
        }
        #expect(try findings(trace, of: LateTimer.self).isEmpty)
    }

    /// Items that are due 10 ms after their submission and begin `late` µs later, behind an item or not. libdispatch
    /// may be 1 ms late.
    private func lateItems(late: Double, isHeld: Bool = true, apart: Double = 300_000) -> TraceBuilder {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.clock")
        for number in 0..<3 {
            let time = Double(number) * apart
            trace.asyncAfter(
                on: queue, at: time, delay: 10_000, begin: 10_000 + late + time, end: 10_000.5 + late + time, thread: 2,
                code: "App/A.swift:2")
            guard isHeld, number == 0 || apart > late else { continue }
            trace.async(on: queue, at: time + 1, begin: time + 2, end: time + 9_999 + late, thread: 2)
        }
        return trace
    }

    @Test("Delayed items are late beyond what libdispatch allows itself", arguments: [(20_999.0, 0), (21_002, 1)])
    func after(late: Double, count: Int) throws {
        #expect(try findings(lateItems(late: late), of: LateTimer.self).count == count)
    }

    @Test("Without an item that holds the queue, the limit is 100 ms", arguments: [(100_999.0, 0), (101_000, 1)])
    func unexplained(late: Double, count: Int) throws {
        #expect(try findings(lateItems(late: late, isHeld: false), of: LateTimer.self).count == count)
    }

    @Test("With context switches, an item on a free queue is not late")
    func lateByTheMachine() throws {
        for (isHeld, count) in [(false, 0), (true, 1)] {
            var trace = lateItems(late: 150_000, isHeld: isHeld)
            trace.add(.processorTrack(.init(origin: .perfEvents, detail: "")), at: 0)
            #expect(try findings(trace, of: LateTimer.self).count == count)
        }
    }

    @Test("A timer behind a preempted item is not late")
    func lateBehindPreemption() throws {
        var trace = lateTimer(late: 30_000, times: 3)
        for number in 1...3 {
            let due = Double(number) * 100_000
            trace.off(2, from: due + 5_000, until: due + 15_001, preempted: true)
        }
        #expect(try findings(trace, of: LateTimer.self).isEmpty)
    }

    //   due  │││      all three are late behind one item
    @Test("Delayed items that are due in one stall are late once")
    func oneStall() throws {
        var trace = lateItems(late: 50_000, apart: 1)
        trace.end(at: 10e6)
        #expect(try findings(trace, of: LateTimer.self).isEmpty)
    }

    //   due ├──────── 250 ms late ────────┤▓
    //     █████████████████████████████████        an item of the same queue
    @Test("One firing is reported alone from 250 ms behind an item", arguments: [(249_999.0, 0), (250_000, 1)])
    func lateOnce(late: Double, count: Int) throws {
        var trace = lateTimer(late: late, times: 1, interval: 1e6)
        trace.end(at: 10e6)
        let found = try findings(trace, of: LateTimer.self)
        #expect(found.count == count)
        #expect(found.allSatisfy { $0.summary.hasSuffix(" runs late once, by 250 ms, behind App/Work.swift:9.") })
    }

    @Test("One delayed item behind an item is not reported alone: a program that waits once keeps no period")
    func delayedOnce() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.clock")
        trace.asyncAfter(
            on: queue, at: 0, delay: 10_000, begin: 810_000, end: 810_001, thread: 2, code: "App/A.swift:2")
        trace.async(on: queue, at: 1, begin: 2, end: 809_999, thread: 2, code: "App/Work.swift:9")
        trace.end(at: 10e6)
        #expect(try findings(trace, of: LateTimer.self).isEmpty)
    }

    @Test("One item that is late on a free queue is not reported alone: the machine may be busy")
    func lateOnceWithoutCause() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.clock")
        trace.asyncAfter(on: queue, at: 0, delay: 10_000, begin: 400_000, end: 400_001, thread: 2)
        trace.end(at: 10e6)
        #expect(try findings(trace, of: LateTimer.self).isEmpty)
    }
}
