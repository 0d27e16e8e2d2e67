import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct OverlappingHandlersTests {
    private func analysis(_ trace: TraceBuilder) -> Analysis {
        AnalysisSession(options: AnalysisOptions(detectors: [OverlappingHandlers.id])).analyze(
            events: trace.events, processors: 2)
    }

    //   connection 1   ██    ██    ██
    //   connection 2    ██    ██    ██
    /// Handlers of two connections overlap, once every 100 µs.
    private func overlaps(
        _ episodes: Int, service: Double = 10, queues: [TraceBuilder.QueueID], at origin: Double = 10,
        in trace: inout TraceBuilder, sources: [UInt64]? = nil
    ) {
        for episode in 0..<episodes {
            let begin = origin + Double(episode) * (service * 4 + 60)
            for (number, queue) in queues.enumerated() {
                let start = begin + service / 2 * Double(number)
                let thread = UInt32(2 + number)
                if let sources {
                    trace.fire(
                        sources[number], on: queue, begin: start, end: start + service, thread: thread,
                        code: "News/Connection.swift:\(40 + number)")
                } else {
                    trace.async(
                        on: queue, at: start - 5, begin: start, end: start + service, thread: thread,
                        code: "News/Connection.swift:40")
                }
            }
        }
    }

    private func connections(
        _ count: Int, in trace: inout TraceBuilder, target: TraceBuilder.QueueID = 0
    ) -> [TraceBuilder.QueueID] {
        (1...count).map { trace.serialQueue("news.connection.\($0)", target: target, created: "News/Server.swift:7") }
    }

    @Test("Three episodes are reported, two are not", arguments: [(2, 0), (3, 1), (30, 1)])
    func threshold(episodes: Int, count: Int) {
        var trace = TraceBuilder()
        let queues = connections(2, in: &trace)
        overlaps(episodes, queues: queues, in: &trace)
        #expect(analysis(trace).findings.count == count)
    }

    //   connection 1   █████       █████
    //   connection 2     █████       █████
    //   connection 3       █████       █████
    @Test("Overlap without a gap is not one episode")
    func gapless() throws {
        var trace = TraceBuilder()
        let queues = connections(6, in: &trace)
        for turn in 0..<60 {
            let begin = 100 + Double(turn) * 10
            trace.async(
                on: queues[turn % 6], at: begin - 20, begin: begin, end: begin + 25, thread: UInt32(2 + turn % 6))
        }
        let finding = try #require(analysis(trace).findings.first)
        #expect(finding.occurrences > 50)
    }

    //   connection 1   ██    ██    ██░░░░░░░░░░
    //   connection 2    ██    ██    ██████████      ░ preempted
    @Test("A run that overlaps a preempted handler gains nothing", arguments: [(true, 1), (false, 0)])
    func preempted(isPreempted: Bool, count: Int) {
        var trace = TraceBuilder()
        let queues = connections(2, in: &trace)
        overlaps(30, queues: queues, in: &trace)
        overlaps(1, service: 20_000, queues: queues, at: 100_000, in: &trace)
        trace.off(2, from: 100_010, until: 119_990, preempted: isPreempted)
        #expect(analysis(trace).findings.count == count)
    }

    @Test("The finding names the pattern, all queues and the code, and advises to merge them")
    func content() throws {
        var trace = TraceBuilder()
        let queues = connections(3, in: &trace)
        overlaps(10, queues: queues, in: &trace)
        let analysis = analysis(trace)
        let finding = try #require(analysis.findings.first)
        #expect(analysis.findings.count == 1)
        #expect(finding.summary.hasPrefix("Handlers on news.connection.* run on up to 2 threads"))
        #expect(finding.queues.count == 3)
        #expect(finding.occurrences >= 10)
        #expect(finding.advice.text.contains("serial target queue"))
        #expect(finding.advice.text.contains("News/Server.swift:7"))
        #expect(
            finding.advice.phrase.template
                == "Give {queue}{place} one serial target queue: they keep their labels and their order, and one "
                + "thread does the work of {number}.")
        #expect(finding.code.map { analysis.model[$0].description } == ["News/Connection.swift:40"])
        #expect(finding.cost > .zero)
        #expect(finding.evidence.map(\.time) == finding.evidence.map(\.time).sorted())
        #expect(finding.evidence.count == 12 || finding.evidence.count == finding.occurrences)
    }

    @Test("Handlers of sources count, and one set of queues is one finding")
    func sources() throws {
        var trace = TraceBuilder()
        let queues = connections(2, in: &trace)
        let sources = queues.map { trace.source(.read, on: $0, activated: 1) }
        overlaps(5, queues: queues, in: &trace, sources: sources)
        #expect(analysis(trace).findings.count == 1)
    }

    @Test("Queues with one serial target cannot overlap")
    func sharedTarget() {
        var trace = TraceBuilder()
        let target = trace.serialQueue("news.network")
        let queues = connections(2, in: &trace, target: target)
        for turn in 0..<20 {
            let begin = 10 + Double(turn) * 11
            trace.async(on: queues[turn % 2], at: begin - 8, begin: begin, end: begin + 10, thread: 2)
        }
        #expect(analysis(trace).findings.isEmpty)
    }

    @Test("Handlers that run one after the other do not overlap")
    func oneAfterTheOther() {
        var trace = TraceBuilder()
        let queues = connections(2, in: &trace)
        for turn in 0..<20 {
            let begin = 10 + Double(turn) * 10
            trace.async(
                on: queues[turn % 2], at: begin - 5, begin: begin, end: begin + 10, thread: UInt32(2 + turn % 2))
        }
        #expect(analysis(trace).findings.isEmpty)
    }

    // Without async items no wake is measured. A wake then costs 10 µs, and the limit of the median is 100 µs.
    @Test("Long handlers are not reported, because they are worth a thread", arguments: [(20.0, 1), (5_000.0, 0)])
    func longHandlers(service: Double, count: Int) {
        var trace = TraceBuilder()
        let queues = connections(2, in: &trace)
        let sources = queues.map { trace.source(.read, on: $0, activated: 1) }
        overlaps(30, service: service, queues: queues, in: &trace, sources: sources)
        #expect(analysis(trace).findings.count == count)
    }

    @Test("Parallelism that gains more than the wakes cost is not reported")
    func gain() {
        var trace = TraceBuilder()
        let queues = connections(2, in: &trace)
        // Wakes take 5 µs, the overlap of each pair 40 µs.
        overlaps(30, service: 80, queues: queues, in: &trace)
        #expect(analysis(trace).findings.isEmpty)
    }

    @Test("A sync inside a handler runs on the same thread and is not an overlap")
    func nested() {
        var trace = TraceBuilder()
        let queues = connections(2, in: &trace)
        for turn in 0..<10 {
            let begin = 10 + Double(turn) * 50
            trace.async(on: queues[0], at: begin - 5, begin: begin, end: begin + 20, thread: 2)
            trace.sync(on: queues[1], at: begin + 5, begin: begin + 5.1, end: begin + 10, thread: 2)
        }
        #expect(analysis(trace).findings.isEmpty)
    }

    @Test("Handlers that are open at the end of the trace are ignored")
    func openAtTheEnd() {
        var trace = TraceBuilder()
        let queues = connections(2, in: &trace)
        overlaps(2, queues: queues, in: &trace)
        trace.async(on: queues[0], at: 995, begin: 1000, thread: 2)
        trace.async(on: queues[1], at: 996, begin: 1001, thread: 3)
        #expect(analysis(trace).findings.isEmpty)
    }

    @Test("A long item in between does not hide the overlaps of many others", arguments: [10, 6_000])
    func longItem(episodes: Int) throws {
        var trace = TraceBuilder()
        let main = trace.mainQueue()
        let queues = connections(2, in: &trace)
        trace.async(on: main, at: 1, begin: 2, end: 10_000_000, thread: 1)
        overlaps(episodes, queues: queues, in: &trace)
        #expect(try #require(analysis(trace).findings.first).occurrences == episodes)
    }

    @Test("Labels, services and numbers of queues may vary", arguments: 1...20)
    func variants(variant: Int) throws {
        var trace = TraceBuilder()
        let queues = (0...variant).map {
            trace.serialQueue("app\(variant).worker-0x\(String($0 * 77 + 10, radix: 16)).io")
        }
        let sources = queues.map { trace.source(.write, on: $0, activated: 1) }
        overlaps(3 + variant, service: 4 + Double(variant) / 4, queues: queues, in: &trace, sources: sources)
        let finding = try #require(analysis(trace).findings.first)
        #expect(finding.summary.contains("app*.worker-*.io"))
        #expect(finding.queues.count == variant + 1)
    }
}
