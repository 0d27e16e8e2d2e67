import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct UnevenConcurrentPerformTests {
    //   thread 2  ├─ 1 ─┤├─ 3 ─┤
    //   thread 3  ├─ 2 ─┤                      three iterations of 20 ms on two processors
    private func stripes(_ milliseconds: [(Double, Double)], calls: Int = 1) -> TraceBuilder {
        var trace = TraceBuilder()
        let queue = trace.globalQueue()
        for call in 0..<calls {
            let start = Double(call) * 1_000_000
            let iterations = milliseconds.enumerated().map { number, times in
                (thread: UInt32(2 + number % 2), begin: start + times.0 * 1000, end: start + times.1 * 1000)
            }
            let end = iterations.map(\.end).max() ?? start
            trace.apply(on: queue, at: start, end: end, thread: 2, iterations: iterations, code: "App/Filter.swift:6")
        }
        return trace
    }

    private func findings(_ trace: TraceBuilder) throws -> [Finding] {
        try DetectorRun.findings(of: UnevenConcurrentPerform.self, in: trace)
    }

    @Test("Three iterations on two processors use 75 %, which is reported")
    func three() throws {
        let finding = try #require(try findings(stripes([(0, 20), (0, 20), (20, 40)])).first)
        #expect(
            finding.summary == """
                concurrentPerform at App/Filter.swift:6 uses 75 % of the available processor time: 3 iterations of \
                20.0 ms on 2 processors, the longest 20.0 ms; 10.0 ms lost.
                """)
        #expect(finding.cost == .milliseconds(10))
        #expect(finding.advice.text.contains("into more iterations"))
        #expect(
            finding.advice.phrase.template
                == "Split the work{place} into more iterations, about {number} of at least {number}, instead of "
                + "{number}: threads that finish early then take over iterations of the slower threads.")
    }

    @Test(
        "Efficiency below 85 % and 10 ms lost are reported",
        // 68 ms of 2 × 40 ms are used, then 67.9 ms.
        arguments: [(28.0, 0), (27.9, 1)])
    func threshold(second: Double, count: Int) throws {
        // Equal iterations of a tenth of a millisecond, so that no call is lopsided.
        var iterations: [(Double, Double)] = []
        for number in 0..<400 {
            let begin = Double(number) / 10
            let end = begin + 0.1
            iterations += [(begin, end), (begin, min(end, max(begin, second)))]
        }
        #expect(try findings(stripes(iterations, calls: 3)).count == count)
    }

    //   thread 2  ├─┤├─┤├─┤├─┤├─┤├── longest ──┤
    //   thread 3  ├─┤├─┤├─┤├─┤├─┤├─┤                   the efficiency is above 90 %
    @Test("A call is lopsided when an iteration takes 1.5 × the median", arguments: [(15.0, 1), (14.9, 0)])
    func lopsided(longest: Double, count: Int) throws {
        var iterations: [(Double, Double)] = []
        for number in 0..<5 {
            let begin = Double(number) * 10
            iterations += [(begin, begin + 10), (begin, begin + 10)]
        }
        iterations += [(50, 50 + longest), (50, 60)]
        #expect(try findings(stripes(iterations, calls: 5)).count == count)
    }

    //   thread 2  ├┤├┤├┤├┤├┤├┤├┤├──░░░░░░──┤    ░ preempted
    //   thread 3  ├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤
    @Test(
        "A small preempted iteration, or one that the other threads compensate for, is not lopsided",
        arguments: [(true, false, 0), (false, false, 1), (false, true, 0)])
    func preempted(isPreempted: Bool, isEvenedOut: Bool, count: Int) throws {
        var trace = TraceBuilder()
        let queue = trace.globalQueue()
        var iterations: [(thread: UInt32, begin: Double, end: Double)] = []
        for number in 0..<(isEvenedOut ? 125 : 113) {
            let begin = Double(number) * 2000
            if number < 100 { iterations.append((thread: 2, begin: begin, end: begin + 2000)) }
            iterations.append((thread: 3, begin: begin, end: begin + 2000))
        }
        iterations.append((thread: 2, begin: 200_000, end: 250_000))
        trace.apply(
            on: queue, at: 0, end: 250_000, thread: 2, iterations: iterations, code: "App/Filter.swift:6")
        if isPreempted { trace.off(2, from: 201_000, until: 249_000, preempted: true) }
        #expect(try findings(trace).count == count)
    }

    //   thread 2  ├─┤├─┤├─┤├─┤├─┤├─░░░░┤    ░ preempted
    //   thread 3  ├─┤├─┤├─┤├─┤├─┤├─┤
    @Test(
        "A call whose last iteration was preempted lost nothing by its pattern",
        arguments: [(true, 0), (false, 1)])
    func preemptedLast(isPreempted: Bool, count: Int) throws {
        var trace = TraceBuilder()
        let queue = trace.globalQueue()
        var iterations: [(thread: UInt32, begin: Double, end: Double)] = []
        for number in 0..<100 {
            let begin = Double(number) * 500
            iterations.append((thread: 2, begin: begin, end: number == 99 ? 90_000 : begin + 500))
            iterations.append((thread: 3, begin: begin, end: begin + 500))
        }
        trace.apply(
            on: queue, at: 0, end: 90_000, thread: 2, iterations: iterations, code: "App/Filter.swift:6")
        if isPreempted { trace.off(2, from: 49_600, until: 89_900, preempted: true) }
        #expect(try findings(trace).count == count)
    }

    //   thread 2  ├─┤├─┤├─┤├─┤├─┤├─┤     two processors, one of which is busy with another program
    //   thread 3  requested ······ ├─┤
    @Test(
        "The time in which a worker was requested and had not arrived is not lost",
        arguments: [(1.0, 1), (10_000.0, 1), (29_990.0, 0), (nil, 1)] as [(Double?, Int)])
    func lateWorker(started: Double?, count: Int) throws {
        var trace = TraceBuilder()
        let queue = trace.globalQueue()
        var iterations: [(thread: UInt32, begin: Double, end: Double)] = []
        for number in 0..<50 {
            let begin = Double(number) * 1000
            iterations.append((thread: 2, begin: begin, end: begin + 1000))
            if begin >= 30_000 { iterations.append((thread: 3, begin: begin, end: begin + 1000)) }
        }
        trace.apply(on: queue, at: 0, end: 50_000, thread: 2, iterations: iterations, code: "App/Filter.swift:6")
        if let started { trace.worker(3, of: queue, made: 0, started: started) }
        #expect(try findings(trace).count == count)
    }

    //   thread 2  ├─┤├─┤├─┤├─┤├─┤├─┤
    //   thread 3  requested ·················· it arrives when the call has returned
    @Test("The time of a worker that never arrived is not lost", arguments: [(true, 0), (false, 1)])
    func absentWorker(isAskedFor: Bool, count: Int) throws {
        var trace = TraceBuilder()
        let queue = trace.globalQueue()
        let iterations = (0..<50).map { number in
            (thread: UInt32(2), begin: Double(number) * 1000, end: Double(number + 1) * 1000)
        }
        trace.apply(on: queue, at: 0, end: 50_000, thread: 2, iterations: iterations, code: "App/Filter.swift:6")
        if isAskedFor { trace.worker(3, of: queue, made: 0, started: 50_100) }
        #expect(try findings(trace).count == count)
    }

    //   thread 2  ├─┤├─┤├─┤├─┤├─┤├─┤├─┤├─┤
    //   thread 3  ├─┤├─┤░░░░░░░░░░░░░░├─┤    ░ off-CPU between two iterations
    @Test("Off-CPU time between iterations is not lost, with or without context switches", arguments: [true, false])
    func offBetweenIterations(isOff: Bool) throws {
        var trace = TraceBuilder()
        let queue = trace.globalQueue()
        var iterations: [(thread: UInt32, begin: Double, end: Double)] = []
        for number in 0..<50 {
            let begin = Double(number) * 1000
            iterations.append((thread: 2, begin: begin, end: begin + 1000))
            if !(10..<40).contains(number) { iterations.append((thread: 3, begin: begin, end: begin + 1000)) }
        }
        trace.apply(on: queue, at: 0, end: 50_000, thread: 2, iterations: iterations, code: "App/Filter.swift:6")
        if isOff { trace.off(3, from: 10_001, until: 39_999, preempted: true) }
        #expect(try findings(trace).isEmpty)
    }

    @Test("A CFS quota limits the available processor time")
    func quota() throws {
        let trace = stripes([(0, 20), (0, 20), (20, 40)])
        func efficiency(_ processors: UsableProcessors) throws -> String? {
            try DetectorRun.findings(of: UnevenConcurrentPerform.self, in: trace, processors: processors).first?
                .measures.first { $0.name == "efficiency" }?.text
        }
        #expect(try efficiency(.init(allowed: 8)) == "50 %")
        #expect(try efficiency(.init(allowed: 8, quotaMilli: 1_500)) == "75 %")
        #expect(try efficiency(.init(allowed: 8, quotaMilli: 1_000)) == nil)
    }

    @Test("A loss of less than 10 ms in all, or of 1 ms in a call, is not reported")
    func cheap() throws {
        #expect(try findings(stripes([(0, 10), (0, 1)], calls: 2)).isEmpty)
        #expect(try findings(stripes([(0, 1), (0, 0.1)], calls: 100)).isEmpty)
    }

    @Test("Calls of one place are one finding, and the advice for tiny iterations is a stride")
    func advice() throws {
        let tiny = (0..<800).map { number in (Double(number) * 0.05, Double(number) * 0.05 + 0.005) }
        let findings = try findings(stripes(tiny, calls: 2))
        #expect(findings.count == 1)
        #expect(findings.first?.occurrences == 2)
        #expect(findings.first?.advice.text.contains("a loop over 5 of the present iterations") == true)
        #expect(
            findings.first?.advice.phrase.template
                == "Give each iteration{place} more work: a loop over {number} of the present iterations takes at "
                + "least {number}.")
    }

    //   thread 2  ├┤├┤├┤├┤        ├┤├┤    the records of every fourth iteration are lost
    //   thread 3  ├┤├┤├┤├┤├┤├┤├┤├┤
    @Test("Iterations whose records were lost count with the average length", arguments: [(0.0, 0), (20, 1)])
    func missing(idle: Double, count: Int) throws {
        var trace = TraceBuilder()
        let threads: [UInt32] = [2, 3]
        var iterations: [(thread: UInt32, begin: Double, end: Double)] = []
        for number in 0..<100 {
            let begin = Double(number / 2) * 1000
            // The last iterations of the second thread end early.
            if threads[number % 2] == 3, begin >= 50_000 - idle * 1000 { continue }
            iterations.append((threads[number % 2], begin, begin + 1000))
        }
        let all = iterations.count
        trace.apply(
            on: trace.globalQueue(), at: 0, end: 50_000, thread: 2,
            iterations: iterations.enumerated().filter { $0.offset % 4 != 1 }.map(\.element), of: all,
            code: "App/Filter.swift:6")
        #expect(try findings(trace).count == count)
    }

    @Test("A call that has not returned by the end of the trace is ignored")
    func open() throws {
        var trace = TraceBuilder()
        trace.apply(
            on: trace.globalQueue(), at: 0, end: nil, thread: 2,
            iterations: [(2, 0, 90_000), (3, 0, 1000), (3, 1000, 2000)])
        #expect(try findings(trace).isEmpty)
    }

    //   thread 2  ├─ 1 ─┤├░░░░░─ 3 ─┤
    //   thread 3  ├░░░░░─ 2 ─┤                 ░ waits for the lock that all iterations take
    @Test(
        "The time in which iterations wait for a lock is not used and not lost", arguments: [(true, 0), (false, 1)])
    func oneLock(isRecorded: Bool, count: Int) throws {
        var trace = stripes([(0, 20), (0, 40), (20, 60)])
        if isRecorded {
            trace.off(3, from: 10, until: 20_000)
            trace.off(2, from: 20_010, until: 40_000)
        }
        #expect(try findings(trace).count == count)
    }

    //   iterations   ░░░░░░░░██  ░░░░██   on two threads; ░ blocked
    @Test("Calls whose iterations are blocked for most of their time are ignored", arguments: [(900.0, 0), (100, 1)])
    func blocked(off: Double, count: Int) throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        for call in 0..<20 {
            let begin = Double(call) * 20_000
            trace.apply(
                on: root, at: begin, end: begin + 10_000, thread: 1,
                iterations: [(1, begin + 1, begin + 9_999), (2, begin + 1, begin + 1_001)], code: "App/Wait.swift:3")
            trace.off(1, from: begin + 10, until: begin + 10 + off * 10)
            trace.off(2, from: begin + 10, until: begin + 10 + off)
        }
        #expect(try findings(trace).count == count)
    }
}
