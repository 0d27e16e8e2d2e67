import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@testable import TimelinePage

@Suite("Timeline collector")
struct TimelineCollectorTests {
    /// `count` items of 1 µs, one after the other and without waits; every `slow`-th item runs for 50 µs.
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
        _ = AnalysisSession().analyze(events: trace.events, observers: [collector])
        return collector
    }

    @Test("Everything is kept while it fits")
    func keepsEverythingThatFits() {
        let collector = Self.collect(99, maximum: 100)
        #expect(collector.items.count == 99)
        #expect(collector.omittedItems == 0)
    }

    @Test("The limit holds, and omitted items are counted", arguments: [100, 101, 1_000, 5_000])
    func boundHolds(count: Int) {
        let collector = Self.collect(count, maximum: 100)
        #expect(collector.items.count <= 100)
        #expect(collector.items.count + collector.omittedItems == count)
        #expect(collector.omittedItems > 0)
    }

    @Test("Long items are kept when short items are omitted")
    func longItemsStay() {
        let collector = Self.collect(2_000, slow: 100, maximum: 200)
        #expect(collector.items.rows.count { $0.service == 50_000 } == 20)
    }

    @Test("The page has the number of omitted items")
    func pageSaysWhatIsMissing() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.queue")
        for number in 1...50 {
            trace.async(
                on: queue, at: Double(number * 10), begin: Double(number * 10), end: Double(number * 10 + 1), thread: 2)
        }
        let collector = TimelineCollector(options: .init(maximumItems: 10))
        let analysis = AnalysisSession().analyze(events: trace.events, observers: [collector])
        let data = try #require(
            TimelineData(page: HTMLTimeline.render(TimelineSide(analysis, collector: collector), title: "test")))
        let facts = try #require(data.document["trace"] as? [String: Any])
        #expect(facts["omittedItems"] as? Int == collector.omittedItems)
        #expect(data.rows.count == collector.items.count)
    }

    @Test("The page has the tables in the order of the model, also when they have thousands of rows")
    func manyQueues() throws {
        var trace = TraceBuilder()
        for number in 0..<5_000 {
            let queue = trace.serialQueue("app.queue.\(number)")
            let time = Double(number * 10)
            trace.async(on: queue, at: time, begin: time, end: time + 1, thread: 2)
        }
        let collector = TimelineCollector()
        let analysis = AnalysisSession().analyze(events: trace.events, observers: [collector])
        let data = try #require(
            TimelineData(page: HTMLTimeline.render(TimelineSide(analysis, collector: collector), title: "test")))
        let queues = try #require(data.document["queues"] as? [[String: Any]])
        #expect(queues.map { $0["label"] as? String } == analysis.model.queues.map(\.label))
        #expect(queues.count >= 5_000)
    }

    @Test("A thread that was blocked weighs more than one that ran as long")
    func blockedThreadsWeighMore() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.queue")
        let waiting = trace.sync(on: queue, at: 10, begin: 20, end: 21, thread: 2, from: 3)
        let running = trace.async(on: queue, at: 30, begin: 30, end: 41, thread: 3)
        let (_, log) = ObservationLog.read(trace.events)
        let weights = [waiting, running].compactMap { log.item($0) }.map {
            TimelineWeight.of($0, in: DetailWindows())
        }
        #expect(weights.count == 2)
        #expect(weights[0] > weights[1])
    }

    @Test("Every omitted item is in the histograms of its queue and its thread")
    func leftOutIsSummedUp() {
        let collector = Self.collect(5_000, slow: 50, maximum: 100)
        var queues = collector.queueActivity
        queues.settle()
        let bins = queues.series.flatMap(\.bins)
        #expect(bins.reduce(0) { $0 + Int($1.items) } == collector.omittedItems)
        let kept = collector.items.rows.reduce(0) { $0 + $1.service }
        #expect(bins.reduce(0) { $0 + $1.busy } + kept == 4_900 * 1_000 + 100 * 50_000)
        let onThreads = collector.threadActivity.series.flatMap(\.bins).reduce(0) { $0 + Int($1.items) }
        #expect(onThreads == collector.omittedItems)
    }

    /// Short items and some long items; a finding has its evidence at 3 ms.
    @Test("Everything around the evidence of a finding is kept; elsewhere only long items are kept")
    func keepsEverythingInWindows() {
        let finding = Finding(
            detector: "test", severity: .warning, summary: "", queues: [], begin: .zero,
            end: Timestamp(nanoseconds: 10_000_000), cost: .zero, occurrences: 1, measures: [],
            evidence: [
                Evidence(time: Timestamp(nanoseconds: 3_000_000), thread: ThreadIndex(0), event: "", detail: "")
            ],
            code: [], advice: Advice(.nothing, ""))
        let windows = DetailWindows(around: [finding], in: .milliseconds(10))
        #expect(windows.windows == [DetailWindows.Window(begin: 2_800_000, end: 3_200_000, rank: 0)])
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.queue")
        for number in 1..<5_000 {
            let time = Double(number) * 2
            trace.async(on: queue, at: time, begin: time, end: time + 1, thread: 2)
        }
        let collector = TimelineCollector(options: .init(maximumItems: 1_000, windows: windows))
        _ = AnalysisSession().analyze(events: trace.events, observers: [collector])
        let begins: [Int64] = collector.items.rows.map(\.begin).filter { (2_800_000..<3_200_000).contains($0) }
        let expected = Array(stride(from: begins.first ?? 0, to: 3_200_000, by: 2_000))
        #expect(begins.count == 200)
        #expect(begins == expected)
        #expect(collector.omittedItems > 0)
        #expect(collector.findingsInFull(of: 1) == 1)
    }

    @Test("The page does not exceed its budget, and still counts every item", arguments: [150_000, 350_000])
    func keepsToBudget(room: Int) throws {
        let budget = HTMLTimeline.emptyPageSize + room
        var trace = TraceBuilder()
        let queues = (0..<10).map { trace.serialQueue("app.queue.\($0)") }
        for number in 1...60_000 {
            let time = Double(number) * 10
            trace.async(
                on: queues[number % 10], at: time, begin: time + Double(number % 7), end: time + 8.123, thread: 2)
        }
        let collector = TimelineCollector()
        let analysis = AnalysisSession().analyze(events: trace.events, observers: [collector])
        #expect(collector.omittedItems == 0)
        let page = HTMLTimeline.render(TimelineSide(analysis, collector: collector), title: "test", budget: budget)
        #expect(page.count <= budget)
        // The page uses most of its budget.
        #expect(page.count > HTMLTimeline.emptyPageSize + room / 10 * 7)
        let data = try #require(TimelineData(page: page))
        #expect(data.rows.count + collector.omittedItems == 60_000)
    }

    /// The batch has them because a detector follows them.
    @Test("A task that waits for an actor, or a loop just woken, is not an item that never began")
    func pendingForeignItems() {
        var trace = TraceBuilder()
        trace.taskTrack()
        let actor = trace.actor("App.Cache")
        let tasks = (0..<2).map { _ in trace.task(at: 1) }
        trace.begin(tasks[0], on: actor, thread: 2, at: 10)
        trace.resume(tasks[1], on: actor, thread: 3, at: 20)
        let loop = trace.loop("server", thread: 7)
        trace.iterate(loop, begin: 30, end: 40, thread: 7)
        trace.wake(loop, at: 50)
        let queue = trace.serialQueue("app.queue")
        trace.async(on: queue, at: 60, begin: 61, end: 62, thread: 4)
        trace.async(on: queue, at: 70, begin: nil, end: nil, thread: 4)
        let (collector, log) = (TimelineCollector(), ObservationLog())
        _ = AnalysisSession().analyze(events: trace.events, observers: [collector, log])
        #expect(log.pending.count { $0.isForeign } > 0)
        #expect(collector.pending.elements.map(\.isForeign) == [false])
    }
}
