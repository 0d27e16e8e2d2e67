import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@testable import TimelinePage

@Suite("Timeline data")
struct TimelineFormatTests {
    /// Two threads alternate on a queue, a third thread waits for them, and readers share a concurrent queue.
    static func trace(random seed: UInt64 = 1, items: Int = 400) -> [TimedEvent] {
        var generator = Numbers(state: seed)
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let queues = (0..<4).map { trace.serialQueue("app.queue.\($0)", target: root) }
        let shared = trace.concurrentQueue("app.shared", target: root)
        var free = [Double](repeating: 1, count: 4)
        for number in 0..<items {
            let choice = Int(generator.next() % 4)
            let thread = UInt32(2 + generator.next() % 5)
            let asked = free[choice] - Double(generator.next() % 5)
            let begin = free[choice] + Double(generator.next() % 3)
            let end = begin + 1 + Double(generator.next() % 9)
            switch number % 3 {
            case 0:
                trace.async(
                    on: queues[choice], at: max(1, asked), begin: begin, end: end, thread: thread,
                    code: "App/Main.swift:\(choice)")
            case 1:
                trace.sync(
                    on: queues[choice], at: max(1, asked), begin: begin, end: end, thread: thread,
                    from: asked < begin ? thread + 1 : nil, code: "App/State.swift:9")
            default:
                trace.async(on: shared, at: begin, begin: begin, end: end, thread: thread, barrier: number % 9 == 2)
            }
            free[choice] = end
        }
        return trace.events
    }

    @Test("The decoded data has every item with all its values", arguments: [1, 2, 3, 77] as [UInt64])
    func givesBackEveryItem(seed: UInt64) throws {
        let collector = TimelineCollector()
        let log = ObservationLog()
        let analysis = AnalysisSession().analyze(events: Self.trace(random: seed), observers: [collector, log])
        let page = HTMLTimeline.render(TimelineSide(analysis, collector: collector), title: "test")
        let data = try #require(TimelineData(page: page))
        let items = log.items.enumerated().sorted { left, right in
            left.element.queue != right.element.queue
                ? left.element.queue < right.element.queue
                : (left.element.beganAt, left.offset) < (right.element.beganAt, right.offset)
        }.map(\.element)
        var rows: [ItemNumber: Int64] = [:]
        for (row, item) in items.enumerated() { rows[item.number] = Int64(row) }
        let expected: [TimelineData.Row] = items.map { item in
            let parent = item.parent.map { rows[$0] ?? -1 } ?? -2
            return TimelineData.Row(
                queue: Int64(item.queue.rawValue), begin: item.beganAt.nanoseconds, end: item.endedAt.nanoseconds,
                enqueued: item.enqueuedAt.nanoseconds, kind: Int64(item.kind.rawValue),
                code: Int64(item.code.rawValue), flags: (item.isBarrier ? 1 : 0) | (item.isFinished ? 0 : 2),
                thread: Int64(item.thread.rawValue), enqueuer: Int64(item.enqueuedOn?.rawValue ?? -1),
                parts: item.waitParts.named.map(\.value.count),
                handedOverBy: Int64(item.handedOverBy?.rawValue ?? -1),
                parent: parent)
        }
        #expect(data.version == UInt32(TimelineFormat.version))
        #expect(data.rows.count == 400)
        #expect(data.rows == expected)
        #expect(data.rows.contains { $0.handedOverBy >= 0 })
        #expect(data.rows.contains { $0.parts.filter { $0 > 0 }.count > 1 })
    }

    @Test("An item refers to its submitter, also when the submitter is omitted")
    func parents() throws {
        var trace = TraceBuilder()
        let (first, second) = (trace.serialQueue("app.a"), trace.serialQueue("app.b"))
        trace.async(on: first, at: 1, begin: 2, end: 90, thread: 2)
        trace.async(on: second, at: 10, begin: 100, end: 200, thread: 3, from: 2)
        trace.async(on: second, at: 20, begin: 210, end: 310, thread: 3, from: 2)
        trace.async(on: first, at: 220, begin: 320, end: 420, thread: 2, from: 3)
        func parents(maximum: Int) throws -> [Int64] {
            let collector = TimelineCollector(options: .init(maximumItems: maximum))
            let analysis = AnalysisSession().analyze(events: trace.events, observers: [collector])
            let page = HTMLTimeline.render(TimelineSide(analysis, collector: collector), title: "test")
            return try #require(TimelineData(page: page)).rows.map(\.parent)
        }
        // By queue, then begin: first, fourth, second, third.
        #expect(try parents(maximum: 100) == [-2, 3, 0, 0])
        // Only the heaviest item, the third, is kept. Its submitter has no row.
        #expect(try parents(maximum: 4) == [-1])
    }

    @Test("A blocked wait has its object, its waiter and the thread that ended it")
    func waits() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.queue")
        let semaphore = trace.semaphore(value: 0, created: "App/Main.swift:7")
        trace.wait(for: semaphore, thread: 2, at: 10, until: 52)
        trace.async(on: queue, at: 20, begin: 30, end: 60, thread: 3)
        trace.signal(semaphore, thread: 3, at: 50)
        let collector = TimelineCollector()
        let analysis = AnalysisSession().analyze(events: trace.events, observers: [collector])
        let page = HTMLTimeline.render(TimelineSide(analysis, collector: collector), title: "test")
        let data = try #require(TimelineData(page: page))
        let threads = try #require(data.document["threads"] as? [[String: Any]])
        let wait = try #require(data.waits.first)
        #expect(wait.begin == 10_000)
        #expect(wait.end == 52_000)
        #expect(wait.signalled == 50_000)
        #expect(threads[Int(wait.signaller)]["tid"] as? Int == 3)
        #expect(wait.signallingItem == 0)
        #expect(wait.waiter == -2)
        let objects = try #require(data.document["waitObjects"] as? [[String: Any]])
        let codes = try #require(data.document["codes"] as? [String])
        #expect(codes[try #require(objects[Int(wait.object)]["code"] as? Int)] == "App/Main.swift:7")
    }

    @Test("Rows are sorted by queue and begin, as the searches of the page require")
    func rowsAreOrdered() throws {
        let collector = TimelineCollector()
        let analysis = AnalysisSession().analyze(events: Self.trace(), observers: [collector])
        let data = try #require(
            TimelineData(page: HTMLTimeline.render(TimelineSide(analysis, collector: collector), title: "test")))
        for (left, right) in zip(data.rows, data.rows.dropFirst()) {
            #expect((left.queue, left.begin) <= (right.queue, right.begin))
        }
    }

    @Test("The data contains marks, locks and the tables")
    func carriesMarksAndTables() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.queue")
        trace.async(on: queue, at: 1, begin: 2, end: 3, thread: 2)
        let lock = trace.lock("app.lock", fair: true)
        trace.hold(lock, thread: 2, granted: 4, released: 6)
        trace.hold(lock, thread: 3, requested: 5, granted: 7, released: 8)
        trace.suspend(queue, at: 9, until: 12)
        let collector = TimelineCollector()
        let analysis = AnalysisSession().analyze(events: trace.events, observers: [collector])
        let data = try #require(
            TimelineData(page: HTMLTimeline.render(TimelineSide(analysis, collector: collector), title: "test")))
        #expect(data.counts["LOCK"] == 2)
        #expect(data.counts["MARK"] == 2)
        let queues = try #require(data.document["queues"] as? [[String: Any]])
        #expect(queues.contains { $0["label"] as? String == "app.queue" })
    }

    @Test(
        "A number of any size is encoded and decoded",
        arguments: [0, 1, 127, 128, 16_383, 16_384, 1 << 32, 1 << 53, .max] as [Int64])
    func numbersSurvive(value: Int64) {
        var writer = ByteWriter()
        writer.varint(value)
        var reader = TimelineData.Reader(bytes: writer.bytes[...])
        #expect(reader.varint() == value)
        #expect(reader.bytes.isEmpty)
    }
}

/// A small random generator with a seed, so that a failure can be reproduced.
struct Numbers {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}
