import DispatchModel
import Testing
import TraceBuilder

@testable import DispatchAnalysis

// Operations that begin and do not end, or end where they must not. Times are µs; most thresholds are 250 ms.
@Suite("Life of queues, groups, semaphores and items")
struct LifecycleTests {
    private static let limit = 250_000.0
    private static let shortLimit = 50_000.0

    private func findings(
        _ trace: TraceBuilder, of detector: any Detector.Type, discarded: Int = 0
    ) -> [Finding] {
        let options = AnalysisOptions(detectors: [detector.id])
        // An event that is missing at the end of a part of a trace may follow after it.
        if [ItemNeverRan.id, SemaphoreNeverSignalled.id, SourceNeverActivated.id].contains(detector.id) {
            let part = AnalysisSession(options: options).analyze(
                events: trace.events, discarded: discarded, processors: 2, continuesAfterEnd: true)
            #expect(part.findings.isEmpty)
            var stopped = trace
            stopped.add(.recordingStop(.init()), at: 1e9)
            let stop = AnalysisSession(options: options).analyze(
                events: stopped.events, discarded: discarded, processors: 2)
            #expect(stop.findings.isEmpty)
        }
        return AnalysisSession(options: options).analyze(
            events: trace.events, discarded: discarded, processors: 2
        ).findings
    }

    // MARK: Missing events up to the end

    /// The findings of an analysis when the events after 2 µs were discarded.
    private func findings(cut trace: TraceBuilder, of detector: any Detector.Type) -> [Finding] {
        let gap = MissingEvents(.events, count: 9, begin: Timestamp(nanoseconds: 2000))
        let options = AnalysisOptions(detectors: [detector.id])
        return AnalysisSession(options: options).analyze(events: trace.events, missing: [gap], processors: 2).findings
    }

    @Test("An operation without an end proves nothing where the events up to the end are missing")
    func endIsMissing() {
        var trace = TraceBuilder()
        let paused = trace.serialQueue("app.paused")
        trace.suspend(paused, at: 5)
        for _ in 0..<9 {
            trace.async(on: paused, at: 10, thread: 2)
            _ = trace.setUpSource(.timer, on: paused, at: 10, created: "App/A.swift:1")
        }
        trace.end(at: 10 + Self.shortLimit)
        let waiting = semaphore(waited: Self.limit, thread: 2)
        let cases: [(TraceBuilder, any Detector.Type)] = [
            (trace, ItemNeverRan.self), (trace, SourceNeverActivated.self),
            (group(quiet: Self.limit), UnbalancedGroup.self), (waiting, SemaphoreNeverSignalled.self),
        ]
        for (trace, detector) in cases {
            #expect(findings(trace, of: detector).count == 1)
            #expect(findings(cut: trace, of: detector).isEmpty)
        }
    }

    // MARK: Calls that end the process

    @Test("Over-resume and release while suspended are errors that name object, place and stacks")
    func fatalCalls() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.work")
        let timer = trace.setUpSource(.timer, on: queue, activated: 2)
        trace.suspendSource(timer, at: 5, code: "App/A.swift:5")
        let stacks = (trace.stack([0x1]), trace.stack([0x2]))
        let codes = (trace.code("App/A.swift:7"), trace.code("App/A.swift:2"))
        trace.add(
            .releaseWhileSuspended(
                .init(
                    object: timer, kind: .source, inactive: 0, code: codes.0, stack: stacks.0, activationCode: codes.1,
                    activationStack: stacks.1)), at: 9, thread: 1)
        trace.add(
            .overResume(
                .init(
                    object: UInt64(queue), kind: .queue, code: codes.0, stack: stacks.0, activationCode: codes.1,
                    activationStack: stacks.1)), at: 9, thread: 1)
        let released = try #require(findings(trace, of: ReleasedWhileSuspended.self).first)
        #expect(released.severity == .error && released.stacks.count == 2)
        #expect(released.summary.contains("timer source on app.work") && released.summary.contains("App/A.swift:5"))
        let resumed = try #require(findings(trace, of: OverResume.self).first)
        #expect(resumed.severity == .error && resumed.stacks.count == 2)
        #expect(resumed.summary.hasPrefix("app.work is resumed at App/A.swift:7"))
    }

    @Test("The advice for the release of an inactive object is to activate it")
    func inactiveRelease() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.later", inactive: true)
        trace.add(
            .releaseWhileSuspended(
                .init(
                    object: UInt64(queue), kind: .queue, inactive: 1, code: 0, stack: 0, activationCode: 0,
                    activationStack: 0)), at: 9, thread: 1)
        let found = try #require(findings(trace, of: ReleasedWhileSuspended.self).first)
        #expect(found.summary.contains("while it is inactive"))
        #expect(found.advice.text.hasPrefix("Activate app.later"))
        #expect(
            found.advice.phrase.template
                == "Activate {object} before its last release, also when it is to be cancelled at once.")
    }

    @Test("A retarget of a queue that others target is a warning that names the new target")
    func nonLeaf() throws {
        var trace = TraceBuilder()
        let middle = trace.mutableQueue("app.middle")
        let target = trace.serialQueue("app.target")
        _ = trace.serialQueue("app.leaf", target: middle)
        trace.add(
            .nonLeafRetarget(
                .init(
                    object: UInt64(middle), kind: .queue, from: 0, to: target, code: trace.code("App/A.c:3"), stack: 0,
                    activationCode: 0, activationStack: 0)), at: 5, thread: 1)
        let analysis = AnalysisSession().analyze(events: trace.events)
        let finding = try #require(analysis.findings.first { $0.detector == NonLeafRetarget.id })
        #expect(finding.severity == .warning)
        #expect(finding.queues.map { analysis.model[$0].label } == ["app.target", "app.middle"])
        #expect(
            analysis.model.queues.first { $0.label == "app.middle" }?.target.map { analysis.model[$0].label }
                == "app.target")
    }

    // MARK: unbalanced-group

    /// A group with four enters and three leaves, and a wait for it.
    private func group(
        leaves: Int = 3, quiet: Double, timedOut: Bool? = true, notified: Bool = false, isBusy: Bool = false
    ) -> TraceBuilder {
        var trace = TraceBuilder()
        let group = trace.object()
        let queue = trace.serialQueue("app.work")
        // The first thread of the trace does not use the group otherwise, unless it keeps the program alive.
        trace.add(
            .groupCreate(.init(group: group, code: trace.code("App/A.swift:1"))), at: 0, thread: isBusy ? 1 : 9)
        for _ in 0..<4 { trace.add(.groupEnter(.init(group: group)), at: 1, thread: 1) }
        if notified {
            trace.add(.groupNotify(.init(group: group, item: trace.item(), queue: queue, code: 0)), at: 2, thread: 1)
        }
        if timedOut != nil {
            trace.add(.groupWaitBegin(.init(group: group, code: trace.code("App/A.swift:9"))), at: 3, thread: 1)
        }
        if isBusy { trace.async(on: queue, at: 4, begin: 5, end: 6, thread: 2) }
        for _ in 0..<leaves { trace.add(.groupLeave(.init(group: group)), at: 10, thread: 2) }
        if timedOut == true {
            trace.add(.groupWaitEnd(.init(group: group, timedOut: 1)), at: 10 + quiet - 1, thread: 1)
        }
        trace.end(at: 10 + quiet)
        return trace
    }

    @Test("A group that is never left, and that a thread waits for, is reported from the limit")
    func neverLeft() throws {
        for timedOut in [true, false] {
            let found = findings(group(quiet: Self.limit, timedOut: timedOut), of: UnbalancedGroup.self, discarded: 1)
            #expect(found.count == 1)
            #expect(found.first?.summary.contains("App/A.swift:1") == true)
            #expect(found.first?.evidence.first?.detail.contains("Entered 4 times, left 3 times") == true)
            #expect(found.first?.caveat != nil)
        }
        #expect(findings(group(quiet: Self.limit - 1), of: UnbalancedGroup.self).isEmpty)
        #expect(findings(group(quiet: Self.limit, timedOut: nil, notified: true), of: UnbalancedGroup.self).count == 1)
    }

    @Test("A group without a waiter, or a group that is left in the end, is not reported")
    func balanced() {
        #expect(findings(group(quiet: Self.limit, timedOut: nil), of: UnbalancedGroup.self).isEmpty)
        #expect(findings(group(leaves: 4, quiet: Self.limit, timedOut: nil), of: UnbalancedGroup.self).isEmpty)
    }

    @Test("A group with which the main thread keeps the program alive is not reported while others work")
    func keepsTheProgram() {
        #expect(findings(group(quiet: Self.limit, timedOut: false, isBusy: true), of: UnbalancedGroup.self).isEmpty)
        #expect(findings(group(quiet: Self.limit, isBusy: true), of: UnbalancedGroup.self).count == 1)
    }

    @Test("Items of the group that still run or wait will leave it")
    func itemsLeave() {
        var trace = TraceBuilder()
        let group = trace.object()
        let queue = trace.serialQueue("app.work")
        trace.add(.groupCreate(.init(group: group, code: 0)), at: 0, thread: 1)
        for _ in 0..<2 {
            trace.add(.groupEnter(.init(group: group)), at: 1, thread: 1)
            trace.async(on: queue, at: 1, thread: 2)
        }
        trace.add(.groupWaitBegin(.init(group: group, code: 0)), at: 3, thread: 1)
        trace.end(at: 2 * Self.limit)
        #expect(findings(trace, of: UnbalancedGroup.self).isEmpty)
    }

    @Test("A group that is left too often at the trace's end is an error")
    func leftTooOften() throws {
        let finding = try #require(findings(group(leaves: 5, quiet: 5, timedOut: nil), of: UnbalancedGroup.self).first)
        #expect(finding.severity == .error)
        #expect(finding.summary.contains("left more often than entered"))
        #expect(findings(group(leaves: 5, quiet: 5_000_000, timedOut: nil), of: UnbalancedGroup.self).isEmpty)
        // An enter may be among the discarded events.
        #expect(findings(group(leaves: 5, quiet: 5, timedOut: nil), of: UnbalancedGroup.self, discarded: 1).isEmpty)
    }

    @Test(
        "The evidence names the thread that waits for the group, otherwise the last one that entered or left it",
        arguments: [(5, nil, 2), (3, nil, 2), (0, nil, 1), (3, true, 1)] as [(Int, Bool?, Int)])
    func groupThreads(leaves: Int, timedOut: Bool?, thread: Int) throws {
        let trace = group(
            leaves: leaves, quiet: leaves > 4 ? 5 : Self.limit, timedOut: timedOut, notified: timedOut == nil)
        let analysis = AnalysisSession(options: AnalysisOptions(detectors: [UnbalancedGroup.id])).analyze(
            events: trace.events)
        let evidence = try #require(analysis.findings.first?.evidence.first)
        #expect(analysis.model[evidence.thread].tid == thread)
    }

    // MARK: semaphore-never-signalled

    private func semaphore(waited: Double, thread: UInt32, signalled: Bool = false, timedOut: Bool = false)
        -> TraceBuilder
    {
        var trace = TraceBuilder()
        let semaphore = trace.object()
        let queue = trace.serialQueue("app.work")
        trace.add(
            .semaphoreCreate(.init(semaphore: semaphore, value: 0, code: trace.code("App/A.swift:1"))), at: 0, thread: 1
        )
        trace.add(
            .semaphoreWaitBegin(.init(semaphore: semaphore, code: trace.code("App/A.swift:2"))), at: 10, thread: thread)
        trace.async(on: queue, at: 11, begin: 12, end: 13, thread: 3)
        if signalled { trace.add(.semaphoreSignal(.init(semaphore: semaphore, code: 0)), at: 20, thread: 3) }
        if timedOut {
            trace.add(.semaphoreWaitEnd(.init(semaphore: semaphore, timedOut: 1)), at: 10 + waited, thread: thread)
        }
        trace.end(at: 10 + waited)
        return trace
    }

    @Test("A semaphore that is never signalled is reported from the limit, with or without a time-out")
    func neverSignalled() throws {
        for timedOut in [true, false] {
            let found = findings(
                semaphore(waited: Self.limit, thread: 2, timedOut: timedOut), of: SemaphoreNeverSignalled.self)
            #expect(found.count == 1)
            #expect(found.first?.summary.contains("App/A.swift:1") == true)
        }
        #expect(findings(semaphore(waited: Self.limit - 1, thread: 2), of: SemaphoreNeverSignalled.self).isEmpty)
        #expect(
            findings(semaphore(waited: Self.limit, thread: 2, signalled: true), of: SemaphoreNeverSignalled.self)
                .isEmpty)
    }

    @Test("A wait in an item names the queue of the item, except a global queue", arguments: [true, false])
    func neverSignalledInItem(isGlobal: Bool) throws {
        var trace = TraceBuilder()
        let queue = isGlobal ? trace.globalQueue() : trace.serialQueue("api.delegate")
        let semaphore = trace.semaphore(value: 0, created: "App/A.swift:1")
        trace.async(on: queue, at: 10, begin: 20, thread: 2)
        trace.wait(for: semaphore, thread: 2, at: 30)
        trace.end(at: 30 + Self.limit)
        let found = findings(trace, of: SemaphoreNeverSignalled.self)
        #expect(found.count == 1)
        #expect(found.allSatisfy { $0.queues.isEmpty == isGlobal })
        #expect(found.allSatisfy { $0.advice.text.contains("code on api.delegate may wait behind") != isGlobal })
    }

    @Test("A main thread that waits forever while others work keeps the program alive; one that timed out does not")
    func daemon() {
        #expect(findings(semaphore(waited: Self.limit, thread: 1), of: SemaphoreNeverSignalled.self).isEmpty)
        let gaveUp = semaphore(waited: Self.limit, thread: 1, timedOut: true)
        #expect(findings(gaveUp, of: SemaphoreNeverSignalled.self).count == 1)
    }

    // MARK: item-never-ran

    @Test("Items of a queue that was never activated, or never resumed, are one finding per queue")
    func neverRan() throws {
        var trace = TraceBuilder()
        let inactive = trace.serialQueue("app.later", inactive: true)
        let suspended = trace.serialQueue("app.paused")
        let leaf = trace.serialQueue("app.leaf", target: suspended)
        trace.suspend(suspended, at: 5)
        for _ in 0..<3 { trace.async(on: inactive, at: 10, thread: 2) }
        trace.async(on: leaf, at: 10, thread: 2)
        trace.end(at: 10 + Self.shortLimit)
        let found = findings(trace, of: ItemNeverRan.self)
        #expect(found.map(\.occurrences).sorted() == [1, 3])
        #expect(found.contains { $0.summary.contains("app.later was created inactive and never activated") })
        #expect(found.contains { $0.summary.contains("app.paused is suspended") })
        #expect(found.allSatisfy { $0.cost == .milliseconds(50) })
    }

    @Test("Queues that differ in a number and are suspended in one place are one finding, in two places two")
    func numberedQueues() throws {
        var trace = TraceBuilder()
        for number in 1...4 {
            let queue = trace.serialQueue("nv.conn.\(number)")
            trace.suspend(queue, at: 5, code: number < 4 ? "App/Connection.swift:7" : "App/Server.swift:9")
            trace.async(on: queue, at: 10, thread: 2)
        }
        trace.end(at: 10 + Self.shortLimit)
        let found = findings(trace, of: ItemNeverRan.self)
        #expect(
            Set(found.map(\.summary)) == [
                "3 items of nv.conn.* (3 queues) never ran: nv.conn.* is suspended at App/Connection.swift:7 and was "
                    + "not resumed.",
                "1 item of nv.conn.4 never ran: nv.conn.4 is suspended at App/Server.swift:9 and was not resumed.",
            ])
        #expect(Set(found.map(\.distinction)) == ["suspended nv.conn.*"])
    }

    @Test("The place of a suspension has the name that its code gets after the trace is read")
    func namedPlace() throws {
        var trace = TraceBuilder()
        let paused = trace.serialQueue("app.paused")
        let code = trace.function("", address: 0x55e0_9ef7_cb20)
        trace.add(.objectSuspend(.init(object: UInt64(paused), kind: .queue, code: code)), at: 5, thread: 1)
        trace.async(on: paused, at: 10, thread: 2)
        trace.end(at: 10 + Self.shortLimit)
        let observer = AnalysisObserver(
            detectors: [ItemNeverRan.self], thresholds: ThresholdSettings(), observers: [])
        var builder = ModelBuilder(observer: observer)
        for event in trace.events { builder.handle(event.event, at: event.time, tid: event.tid) }
        builder.finish()
        let model = builder.model
        model.codes = model.codes.map {
            $0.address == 0 ? $0 : Code(symbol: "pause()", file: "", line: 0, address: $0.address)
        }
        let finding = try #require(observer.findings(in: model).first)
        #expect(finding.summary.hasSuffix("app.paused is suspended at pause() and was not resumed."))
        #expect(finding.advice.text == "Resume app.paused as often as it is suspended at pause(), on every path.")
    }

    @Test("Where events are missing, one item without a begin proves nothing, and a finding has a caveat")
    func lostBegins() throws {
        for (count, isReported) in [(2, false), (3, true)] {
            var trace = TraceBuilder()
            let paused = trace.serialQueue("app.paused")
            trace.suspend(paused, at: 5)
            for _ in 0..<count { trace.async(on: paused, at: 10, thread: 2) }
            trace.end(at: 10 + Self.shortLimit)
            #expect(findings(trace, of: ItemNeverRan.self).count == 1)
            let found = findings(trace, of: ItemNeverRan.self, discarded: 5)
            #expect(found.map { $0.caveat != nil } == (isReported ? [true] : []))
        }
    }

    @Test("A short wait, an item that is not due, a cancelled item, and an item behind another one are not reported")
    func willRun() {
        var trace = TraceBuilder()
        let (paused, busy) = (trace.serialQueue("app.paused"), trace.serialQueue("app.busy"))
        trace.suspend(paused, at: 5)
        trace.async(on: paused, at: 11, thread: 2)
        let cancelled = trace.async(on: paused, at: 1, thread: 2)
        trace.add(.itemCancel(.init(item: cancelled)), at: 20, thread: 1)
        trace.asyncAfter(on: paused, at: 1, delay: 20, thread: 2)
        trace.async(on: busy, at: 1, begin: 2, thread: 3)
        trace.async(on: busy, at: 1, thread: 3)
        trace.end(at: 10 + Self.shortLimit)
        #expect(findings(trace, of: ItemNeverRan.self).isEmpty)
    }

    @Test("Items of the main queue never ran when the main thread does not serve the queue", arguments: [true, false])
    func mainQueue(isServed: Bool) {
        var trace = TraceBuilder()
        let main = trace.mainQueue()
        if isServed { trace.async(on: main, at: 1, begin: 2, end: 3, thread: 1) }
        trace.async(on: main, at: 5, thread: 1, from: 2)
        trace.end(at: 5 + Self.shortLimit)
        #expect(
            findings(trace, of: ItemNeverRan.self).map { $0.summary.contains("never serves") }
                == (isServed ? [] : [true]))
    }
}
