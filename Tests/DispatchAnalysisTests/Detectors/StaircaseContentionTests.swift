import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct StaircaseContentionTests {
    private func findings(_ trace: TraceBuilder, discarded: Int = 0) -> [Finding] {
        AnalysisSession().analyze(events: trace.events, discarded: discarded).findings.filter {
            $0.detector == StaircaseContention.id
        }
    }

    //   thread 2  ██    ░░░██    ░░░██
    //   thread 3   ░░░██    ░░░██
    //             0  3  6 …             hold µs each, 1 µs between release and grant
    /// Threads 2 and 3 take a queue in turn. Each requests it again right after releasing it.
    private func staircase(
        handoffs: Int, hold: Double = 2, start: Double = 0, gap: Double = 1, in trace: inout TraceBuilder,
        on queue: TraceBuilder.QueueID, file: String = "State"
    ) {
        let step = hold + gap
        for turn in 0...handoffs {
            let begin = start + Double(turn) * step
            let thread: UInt32 = turn % 2 == 0 ? 2 : 3
            let asked = turn < 2 ? start + 0.1 * Double(turn) : begin - step - gap + 0.2
            trace.sync(
                on: queue, at: asked, begin: max(begin, asked + 0.1), end: begin + hold, thread: thread,
                from: turn == 0 ? nil : 5 - thread, code: "App/\(file).swift:\(10 + Int(thread))")
        }
    }

    @Test("Four hand-offs in a row are a staircase, three are not", arguments: [(3, 0), (4, 1), (40, 1)])
    func threshold(handoffs: Int, count: Int) {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        staircase(handoffs: handoffs, in: &trace, on: queue)
        #expect(findings(trace).count == count)
    }

    @Test("The finding names queue, threads, cost and code, and counts the convoy")
    func content() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        staircase(handoffs: 10, in: &trace, on: queue)
        let analysis = AnalysisSession().analyze(events: trace.events)
        let finding = try #require(analysis.findings.first)
        #expect(finding.id == "F1")
        #expect(finding.queues.map { analysis.model[$0].label } == ["app.state"])
        #expect(finding.cost == .microseconds(10))
        #expect(finding.severity == .warning)
        #expect(finding.summary.contains("app.state"))
        #expect(finding.measures.contains(Measure("staircases", "\(1) (convoys: \(1))")))
        #expect(finding.measures.contains(.count("threads", 2)))
        #expect(Set(finding.code.map { analysis.model[$0].line }) == [12, 13])
        #expect(finding.evidence.count == 10)
        #expect(finding.evidence.map(\.time) == finding.evidence.map(\.time).sorted())
    }

    @Test("The advice for tiny state is a lock that a running thread may take again, and a Mutex for few threads only")
    func lockAdvice() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        staircase(handoffs: 10, in: &trace, on: queue)
        let advice = try #require(findings(trace).first).advice
        #expect(advice.fix == .useLock && advice.text.contains("NSLock"))
        // `Mutex` hands over to the next waiter on Linux: with many threads it forms the same convoy.
        for sentence in advice.text.split(separator: ". ") where sentence.contains("Mutex") {
            #expect(sentence.contains("few threads only"))
        }
    }

    @Test("Contention for a pthread mutex is not a staircase: acquisitions in between are not recorded")
    func mutex() {
        var trace = TraceBuilder()
        for turn in 0..<20 {
            let time = Double(turn) * 10
            let (from, to): (UInt32, UInt32) = turn % 2 == 0 ? (2, 3) : (3, 2)
            trace.add(.lockWait(.init(lock: 0x7f00_1000, code: 0, holderTid: from)), at: time, thread: to)
            trace.add(.lockRelease(.init(lock: 0x7f00_1000)), at: time + 5, thread: from)
            trace.add(.lockAcquire(.init(lock: 0x7f00_1000, code: 0)), at: time + 6, thread: to)
        }
        #expect(findings(trace).isEmpty)
    }

    @Test("Holds with a median above 100 µs are not a staircase", arguments: [(100.0, 1), (100.1, 0)])
    func longHolds(hold: Double, count: Int) {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        staircase(handoffs: 8, hold: hold, gap: 20, in: &trace, on: queue)
        #expect(findings(trace).count == count)
    }

    //   9 holds of 38 µs, 8 hand-offs of 4.75 µs: 90 %
    @Test("Hand-offs of less than a tenth of the time are not reported", arguments: [(4.8, 1), (4.7, 0)])
    func efficiency(gap: Double, count: Int) {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        staircase(handoffs: 8, hold: 38, gap: gap, in: &trace, on: queue)
        #expect(findings(trace).count == count)
    }

    @Test("Hand-offs below one percent of the recording are reported from 10 ms in total", arguments: [
        (900.0, 1), (1100, 0), (1_000_000, 0),
    ])
    func shareOfTheRecording(end: Double, count: Int) {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        // 10 µs of hand-offs.
        staircase(handoffs: 10, in: &trace, on: queue)
        trace.sync(on: queue, at: end - 1, begin: end - 1, end: end, thread: 2)
        #expect(findings(trace).count == count)
    }

    @Test("Hand-offs of 10 ms in total are reported in a recording of any length", arguments: [(199, 0), (200, 1)])
    func lost(handoffs: Int, count: Int) {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        staircase(handoffs: handoffs, gap: 50, in: &trace, on: queue)
        trace.sync(on: queue, at: 9_999_999, begin: 9_999_999, end: 10_000_000, thread: 2)
        #expect(findings(trace).count == count)
    }

    @Test("Staircases of one queue are one finding with their number")
    func repeated() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        for start in [0.0, 100, 200] { staircase(handoffs: 5, start: start, in: &trace, on: queue) }
        let finding = try #require(findings(trace).first)
        #expect(findings(trace).count == 1)
        #expect(finding.occurrences == 3)
        #expect(finding.cost == .microseconds(15))
    }

    @Test("Queues whose labels differ only in numbers are one finding with their sum, the worst queue first")
    func alikeQueues() throws {
        var trace = TraceBuilder()
        for (number, handoffs) in [(7, 5), (12, 9)] {
            let queue = trace.serialQueue("app.image.\(number)")
            staircase(handoffs: handoffs, start: Double(number) * 100, in: &trace, on: queue)
        }
        let analysis = AnalysisSession().analyze(events: trace.events)
        let finding = try #require(analysis.findings.first)
        #expect(analysis.findings.count == 1)
        #expect(finding.summary.hasPrefix("app.image.* (2 queues) pass from thread to thread 14 times in 2 convoys"))
        #expect(finding.queues.map { analysis.model[$0].label } == ["app.image.12", "app.image.7"])
        #expect(finding.cost == .microseconds(14))
        #expect(finding.occurrences == 2)
        #expect((finding.begin.nanoseconds, finding.end.nanoseconds) == (700_100, 1_229_000))
        #expect(finding.measures.first == .count("queues", 2))
        #expect(finding.measures.contains { $0.name == "median hold" && $0.text == "2.00 µs" })
        #expect(finding.measures.suffix(2).map(\.name) == ["app.image.12", "app.image.7"])
        #expect(finding.measures.last?.text == "5.00 µs in 5 hand-offs")
        #expect(finding.evidence.count == 9 && finding.evidence.allSatisfy { $0.detail.contains("app.image.12") })
        #expect(finding.advice.text.contains("each of app.image.*"))
    }

    @Test("Queues with other labels, or with waits in other code, are separate findings")
    func unlikeQueues() {
        let pairs = [(["app.image.1", "app.text.1"], ["A", "A"]), (["app.image.1", "app.image.2"], ["A", "B"])]
        for (labels, files) in pairs {
            var trace = TraceBuilder()
            for (position, label) in labels.enumerated() {
                let queue = trace.serialQueue(label)
                let start = Double(position) * 100
                staircase(handoffs: 5, start: start, in: &trace, on: queue, file: files[position])
            }
            let findings = findings(trace)
            #expect(findings.count == 2)
            #expect(findings.allSatisfy { $0.queues.count == 1 && $0.cost == .microseconds(5) })
        }
    }

    @Test("A finding about a thousand similar queues names eight of them")
    func manyQueues() throws {
        var trace = TraceBuilder()
        for number in 0..<1000 {
            let queue = trace.serialQueue("many.queue.\(number)")
            staircase(handoffs: 4 + number % 10, start: Double(number) * 100, in: &trace, on: queue)
        }
        let findings = findings(trace)
        let finding = try #require(findings.first)
        #expect(findings.count == 1)
        #expect(finding.queues.count == 1000)
        #expect(finding.cost == .microseconds(8500))
        #expect(finding.measures.count { $0.name.hasPrefix("many.queue.") } == 8)
        #expect(finding.measures.last?.text == "13.0 µs in 13 hand-offs")
        #expect(finding.evidence.count <= 12)
    }

    @Test("Similar locks are one finding; a queue and a lock are never one finding")
    func alikeLocks() {
        var trace = TraceBuilder()
        for number in 1...2 {
            let lock = trace.lock("app.state.\(number)", fair: true)
            let start = Double(number) * 100
            trace.hold(lock, thread: 2, granted: start, released: start + 2)
            for turn in 1..<10 {
                let begin = start + Double(turn) * 3
                trace.hold(
                    lock, thread: turn % 2 == 0 ? 2 : 3, requested: begin - 2, granted: begin, released: begin + 2,
                    code: "App/State.swift:12")
            }
        }
        staircase(handoffs: 9, start: 300, in: &trace, on: trace.serialQueue("app.state.3"))
        let findings = findings(trace)
        #expect(findings.map(\.locks.count).sorted() == [0, 2])
        #expect(findings.map(\.queues.count).sorted() == [0, 1])
    }

    @Test("A backlog of async items is not a staircase, whether one worker drains it or two")
    func backlog() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.log")
        for turn in 0..<40 {
            let begin = 10 + Double(turn) * 3
            trace.async(on: queue, at: Double(turn) / 10, begin: begin, end: begin + 2, thread: turn % 2 == 0 ? 2 : 3)
        }
        #expect(findings(trace).isEmpty)
    }

    @Test("Syncs to a free queue are not a staircase")
    func uncontended() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        for turn in 0..<40 {
            let begin = Double(turn) * 3
            trace.sync(on: queue, at: begin - 0.1, begin: begin, end: begin + 2, thread: turn % 2 == 0 ? 2 : 3)
        }
        #expect(findings(trace).isEmpty)
    }

    @Test("Syncs on sibling queues contend for their serial target")
    func hierarchy() throws {
        var trace = TraceBuilder()
        let target = trace.serialQueue("app.network")
        let siblings = [trace.serialQueue("app.a", target: target), trace.serialQueue("app.b", target: target)]
        for turn in 0..<10 {
            let begin = Double(turn) * 3
            trace.sync(
                on: siblings[turn % 2], at: begin - 2, begin: begin, end: begin + 2, thread: UInt32(2 + turn % 3),
                from: 9)
        }
        let finding = try #require(findings(trace).first)
        #expect(finding.queues.count == 3)
        #expect(finding.summary.hasPrefix("app.network"))
    }

    @Test("The advice for staircases of a fair lock is to make it unfair")
    func fairLock() throws {
        var trace = TraceBuilder()
        let lock = trace.lock("app.lock", fair: true)
        trace.hold(lock, thread: 2, granted: 0, released: 2)
        for turn in 1..<10 {
            let begin = Double(turn) * 3
            trace.hold(
                lock, thread: turn % 2 == 0 ? 2 : 3, requested: begin - 2, granted: begin, released: begin + 2,
                code: "App/Lock.swift:3")
        }
        let finding = try #require(findings(trace).first)
        #expect(finding.queues.isEmpty)
        #expect(finding.locks == [LockIndex(0)])
        #expect(finding.advice.fix == .useUnfairLock && finding.advice.text.hasPrefix("Make app.lock unfair"))
        #expect(finding.measures.contains { $0.name.hasPrefix("an unfair lock") })
    }

    @Test("An unfair lock that running threads take again at once is not reported")
    func unfairLock() {
        var trace = TraceBuilder()
        let lock = trace.lock("app.lock", fair: false)
        var time = 0.0
        for turn in 0..<40 {
            // Three consecutive holds of the running thread, then one hold of the waiter.
            let thread: UInt32 = turn % 4 == 3 ? 3 : 2
            trace.hold(
                lock, thread: thread, requested: thread == 3 ? time - 8 : nil, granted: time, released: time + 2)
            time += 3
        }
        #expect(findings(trace).isEmpty)
    }

    @Test("A staircase that is open at the end of the trace is reported with its recorded part")
    func openAtTheEnd() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        staircase(handoffs: 5, in: &trace, on: queue)
        trace.sync(on: queue, at: 17, begin: 18.5, thread: 4, from: 3)
        #expect(findings(trace).count == 1)
    }

    @Test("A trace that lost events puts a caveat on its findings")
    func discarded() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        staircase(handoffs: 5, in: &trace, on: queue)
        #expect(try #require(findings(trace, discarded: 7).first).caveat?.contains("7 events") == true)
        #expect(try #require(findings(trace).first).caveat == nil)
    }

    @Test("Labels, threads, holds and lengths may vary", arguments: 1...20)
    func variants(variant: Int) throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("com.example.\(variant).state")
        let hold = Double(variant) * 4
        staircase(handoffs: 3 + variant, hold: hold, gap: 2 + Double(variant) / 2, in: &trace, on: queue)
        let finding = try #require(findings(trace).first)
        #expect(finding.occurrences == 1)
        #expect(finding.cost > .microseconds(Int64(3 + variant)))
    }

    @Test("Hand-offs of long holds are not a staircase and do not count in the finding", arguments: [40, 600])
    func rejectedRun(handoffs: Int) throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        staircase(handoffs: handoffs, hold: 500, in: &trace, on: queue, file: "Slow")
        staircase(handoffs: 10, start: 1e6, gap: 1000, in: &trace, on: queue)
        let analysis = AnalysisSession().analyze(events: trace.events)
        let finding = try #require(analysis.findings.first { $0.detector == StaircaseContention.id })
        #expect(finding.code.allSatisfy { analysis.model[$0].file == "App/State.swift" })
        #expect(finding.measures.contains { $0.name == "median hold" && $0.text == "2.00 µs" })
    }
}
