import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@testable import TraceReports

@Suite("Timeline collector")
struct TimelineCollectorTests {
    /// `count` items of 1 µs, one after the other, each of which ran at once; every `slow`-th takes 50 µs.
    private static func collect(_ count: Int, slow: Int = .max, maximum: Int) -> TimelineCollector {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.queue")
        var time = 1.0
        for number in 1...count {
            let service = number % slow == 0 ? 50.0 : 1.0
            trace.async(on: queue, at: time, begin: time, end: time + service, thread: 2)
            time += service + 1
        }
        let collector = TimelineCollector(options: .init(maximumItems: maximum))
        _ = Analyzer.analyze(events: trace.events, observers: [collector])
        return collector
    }

    @Test("Everything is kept while it fits")
    func keepsEverythingThatFits() {
        let collector = Self.collect(99, maximum: 100)
        #expect(collector.items.count == 99)
        #expect(collector.omittedItems == 0)
    }

    @Test("The bound holds, and what is left out is counted", arguments: [100, 101, 1_000, 5_000])
    func boundHolds(count: Int) {
        let collector = Self.collect(count, maximum: 100)
        #expect(collector.items.count <= 100)
        #expect(collector.items.count + collector.omittedItems == count)
        #expect(collector.omittedItems > 0)
    }

    @Test("The long items stay when short ones have to go")
    func longItemsStay() {
        let collector = Self.collect(2_000, slow: 100, maximum: 200)
        #expect(collector.items.service.filter { $0 == 50_000 }.count == 20)
    }

    @Test("The page says how many items were left out")
    func pageSaysWhatIsMissing() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.queue")
        for number in 1...50 {
            trace.async(
                on: queue, at: Double(number * 10), begin: Double(number * 10), end: Double(number * 10 + 1), thread: 2)
        }
        let collector = TimelineCollector(options: .init(maximumItems: 10))
        let analysis = Analyzer.analyze(events: trace.events, observers: [collector])
        let data = try #require(
            TimelineData(page: HTMLTimeline.render(analysis: analysis, collector: collector, title: "test")))
        let facts = try #require(data.document["trace"] as? [String: Any])
        #expect(facts["omittedItems"] as? Int == collector.omittedItems)
        #expect(data.rows.count == collector.items.count)
    }

    @Test("A thread that was blocked weighs more than one that ran as long")
    func blockedThreadsWeighMore() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.queue")
        let waiting = trace.sync(on: queue, at: 10, begin: 20, end: 21, thread: 2, from: 3)
        let running = trace.async(on: queue, at: 30, begin: 30, end: 41, thread: 3)
        let (_, log) = ObservationLog.read(trace.events)
        let weights = [waiting, running].compactMap { log.item($0) }.map(TimelineCollector.weight(of:))
        #expect(weights.count == 2)
        #expect(weights[0] > weights[1])
    }
}
