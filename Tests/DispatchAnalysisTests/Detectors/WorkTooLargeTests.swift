import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct WorkTooLargeTests {
    private func findings(_ trace: TraceBuilder, _ thresholds: [String] = []) throws -> [Finding] {
        try DetectorRun.findings(of: WorkTooLarge.self, in: trace, thresholds: thresholds)
    }

    //   ├──── long ────┤├┤├┤
    //       ▲   ▲
    private func backlog(_ milliseconds: Double, waiting: Int) -> TraceBuilder {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.storage")
        let end = 10 + milliseconds * 1000
        trace.async(on: queue, at: 0, begin: 10, end: end, thread: 2, code: "App/Backup.swift:5")
        for number in 0..<waiting {
            let begin = end + Double(number) * 10
            trace.async(on: queue, at: 20, begin: begin, end: begin + 5, thread: 2)
        }
        return trace
    }

    @Test(
        "100 ms with one waiting item are reported; a shorter item, or no waiting item, is not",
        arguments: [(100.0, 1, 1), (99.9, 1, 0), (100, 0, 0)])
    func threshold(milliseconds: Double, waiting: Int, count: Int) throws {
        #expect(try findings(backlog(milliseconds, waiting: waiting)).count == count)
    }

    @Test("An item due during the long one waits for it, a later one does not", arguments: [(50.0, 1), (100, 0)])
    func due(after milliseconds: Double, count: Int) throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.storage")
        trace.async(on: queue, at: 0, begin: 10, end: 100_010, thread: 2)
        trace.asyncAfter(on: queue, at: 0, delay: milliseconds * 1000, begin: 101_000, end: 101_001, thread: 2)
        #expect(try findings(trace).count == count)
    }

    @Test("An item without an end proves nothing where events are missing", arguments: [(0, 1), (1, 0)])
    func unfinished(discarded: Int, count: Int) throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.storage")
        trace.async(on: queue, at: 0, begin: 10, thread: 2)
        trace.async(on: queue, at: 20, thread: 2)
        trace.end(at: 200_000)
        let findings = try DetectorRun.findings(of: WorkTooLarge.self, in: trace, discarded: discarded)
        #expect(findings.count == count)
    }

    @Test("The number of waiting items is an option", arguments: [(2, 0), (3, 1)])
    func option(waiting: Int, count: Int) throws {
        #expect(try findings(backlog(100, waiting: waiting), ["waiting=3"]).count == count)
    }

    @Test("The finding has the time that others waited, and the place")
    func content() throws {
        let finding = try #require(try findings(backlog(200, waiting: 4)).first)
        #expect(
            finding.summary.hasPrefix(
                "An item at App/Backup.swift:5 runs for 200 ms on app.storage, and up to 4 others"))
        #expect(finding.cost == .microseconds(4 * 199_990))
    }

    @Test("Waits of less than 10 ms in all are not reported", arguments: [(190_009.0, 1), (190_012, 0)])
    func hardlyWaiting(submitted: Double, count: Int) throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.storage")
        trace.async(on: queue, at: 0, begin: 10, end: 200_010, thread: 2)
        trace.async(on: queue, at: submitted, begin: 200_020, end: 200_030, thread: 2)
        #expect(try findings(trace).count == count)
    }

    @Test("Preempted time is not run time of the item", arguments: [(10_000.0, 1), (10_001, 0)])
    func preempted(off: Double, count: Int) throws {
        var trace = backlog(110, waiting: 2)
        trace.off(2, from: 5_000, until: 5_000 + off, preempted: true)
        #expect(try findings(trace).count == count)
        trace = backlog(110, waiting: 2)
        trace.off(2, from: 5_000, until: 5_000 + off)
        #expect(try findings(trace).count == 1)
    }

    //   queue  ├┤├┤├┤├┤├┤├┤├┤├─░░░░░─┤├┤├┤    ░ off-CPU, waits for a disk
    @Test("One long run in many is reported, with its blocked time", arguments: [true, false])
    func rare(isOff: Bool) throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.reports")
        var time = 10.0
        for number in 0..<400 {
            let length = number == 0 ? 150_000.0 : 100
            trace.async(on: queue, at: 0, begin: time, end: time + length, thread: 2, code: "App/Report.swift:5")
            if isOff, number == 0 { trace.off(2, from: time + 1000, until: time + length - 1000) }
            time += length + 10
        }
        let finding = try #require(try findings(trace).first)
        #expect(finding.measures.contains(Measure("long items", "\(1) of \(400, "run") of their code")))
        #expect(finding.evidence[0].detail.contains("blocked for 148 ms of it") == isOff)
    }

    //   queue  ├──── long ─░░░░░░░░░░░─┤├┤    ░ blocked in a wait
    @Test(
        "The advice for an item that mostly waits names the wait, and does not suggest to split the item",
        arguments: [(120_000.0, true), (90_000, false)])
    func waits(until end: Double, isNamed: Bool) throws {
        for isGroup in [true, false] {
            var trace = backlog(200, waiting: 4)
            if isGroup {
                trace.wait(forGroup: trace.group(), thread: 2, at: 10_000, until: end, code: "App/Upload.swift:5")
            } else {
                let lock = trace.lock("state", fair: false)
                trace.hold(
                    lock, thread: 2, requested: 10_000, granted: end, released: end + 1, code: "App/Upload.swift:5")
            }
            let finding = try #require(try findings(trace).first)
            let what = isGroup ? "a group" : "state"
            #expect(finding.summary.contains(", most of it waiting for \(what) at App/Upload.swift:5,") == isNamed)
            let start = "Do not wait for \(what) at App/Upload.swift:5 on app.storage"
            #expect(finding.advice.text.hasPrefix(start) == isNamed)
            #expect(finding.advice.fix == (isNamed ? .doNotWait : .moveWork))
            #expect(finding.advice.text.hasPrefix("Do the long part") != isNamed)
        }
    }

    @Test("Items of another queue of the hierarchy wait for it too, items of another hierarchy do not")
    func hierarchy() throws {
        for isShared in [true, false] {
            var trace = TraceBuilder()
            let target = trace.serialQueue("app.target")
            let long = trace.serialQueue("app.long", target: target)
            let other = trace.serialQueue("app.other", target: isShared ? target : 0)
            trace.async(on: long, at: 0, begin: 10, end: 200_010, thread: 2)
            trace.async(on: other, at: 20, begin: 200_020, end: 200_030, thread: 3)
            #expect(try findings(trace).count == (isShared ? 1 : 0))
        }
    }

    @Test("Items that still wait at the end of the trace count")
    func open() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.storage")
        trace.async(on: queue, at: 0, begin: 10, thread: 2)
        trace.async(on: queue, at: 20, thread: 2)
        trace.async(on: trace.serialQueue("app.end"), at: 200_000, begin: 200_005, end: 200_010, thread: 4)
        #expect(try findings(trace).first?.cost == .microseconds(199_990))
    }

    //   ├──── 200 ms ────┤├──── 200 ms ────┤├┤ sync {} of the main thread, then the program ends
    @Test(
        "Similar items of a batch and the drain at the end do not wait for a long item, a short item does",
        arguments: [(200.0, 0), (99, 1)])
    func batch(second: Double, count: Int) throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.storage")
        let middle = 200_010.0, end = middle + second * 1000
        trace.async(on: queue, at: 0, begin: 10, end: middle, thread: 2, code: "App/Backup.swift:5")
        trace.async(on: queue, at: 1, begin: middle, end: end, thread: 2, code: "App/Backup.swift:5")
        trace.sync(on: queue, at: 2, begin: end, end: end + 5, thread: 1, from: 2)
        trace.end(at: end + 10)
        #expect(try findings(trace).count == count)
    }

    @Test("A sync of the main thread in the middle of the run waits for a long item")
    func noDrain() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.storage")
        trace.async(on: queue, at: 0, begin: 10, end: 200_010, thread: 2, code: "App/Backup.swift:5")
        trace.sync(on: queue, at: 2, begin: 200_010, end: 200_015, thread: 1, from: 2)
        trace.end(at: 400_000)
        #expect(try findings(trace).count == 1)
    }
}
