import DispatchAnalysis
import Testing
import TraceBuilder

@Suite struct BouncingWorkTests {
    /// Operations that hop between two queues: each step works for `work` µs, then waits for the next thread.
    private func operations(
        _ count: Int, hops: Int, work: Double = 3, queues: Int = 2, wait: Double = 40, distance: Double = 10_000
    ) -> TraceBuilder {
        var trace = TraceBuilder()
        let all = (0..<queues).map { trace.serialQueue("image.\(["cache", "network", "decoder"][$0])") }
        for operation in 0..<count {
            var begin = Double(operation) * distance + wait
            for hop in 0...hops {
                trace.async(
                    on: all[hop % queues], at: begin - wait, begin: begin, end: begin + work,
                    thread: UInt32(2 + hop % queues), from: hop == 0 ? 1 : UInt32(2 + (hop - 1) % queues),
                    code: "App/Image.swift:\(hop + 1)")
                // The submission is half a microsecond before the end of the item.
                begin += work + wait - 0.5
            }
        }
        return trace
    }

    private func findings(_ trace: TraceBuilder) throws -> [Finding] {
        try DetectorRun.findings(of: BouncingWork.self, in: trace)
    }

    @Test(
        "Ten operations of three short hops are reported", arguments: [(10, 3, 1), (9, 3, 0), (10, 2, 0), (50, 9, 1)])
    func threshold(count: Int, hops: Int, found: Int) throws {
        #expect(try findings(operations(count, hops: hops)).count == found)
    }

    @Test("One operation is reported alone when its hops wait 250 ms", arguments: [(6250, 1), (6249, 0)])
    func oneOperation(hops: Int, found: Int) throws {
        var trace = operations(1, hops: hops)
        trace.end(at: 10e6)
        let findings = try findings(trace)
        #expect(findings.count == found)
        #expect(
            findings.allSatisfy {
                $0.summary.hasPrefix(
                    "An operation that begins at App/Image.swift:1 hops between 2 queues, 6,250 short ")
            })
    }

    @Test("Short hops that wait less than 1 ms in total are not reported", arguments: [(25.0, 1), (24.5, 0)])
    func lost(wait: Double, found: Int) throws {
        var trace = operations(10, hops: 4, wait: wait)
        trace.end(at: 1e6)
        #expect(try findings(trace).count == found)
    }

    @Test("In a short recording the limit is 1 % of its length", arguments: [(40_000.0, 1), (41_000, 0)])
    func share(end: Double, found: Int) throws {
        // 40 hops wait 10 µs each: 400 µs.
        var trace = operations(10, hops: 4, wait: 10, distance: 3_000)
        trace.end(at: end)
        #expect(try findings(trace).count == found)
    }

    //   Swift's executor  ├───── a job ─────┤
    //   global queue          ├┤  ├┤  ├┤  ├┤       each item resumes a continuation
    @Test("A task that submits items to a queue and continues with their results does not bounce")
    func continuations() throws {
        var trace = TraceBuilder()
        let executor = trace.concurrentQueue("Swift global concurrent queue")
        let global = trace.globalQueue()
        for operation in 0..<20 {
            let begin = Double(operation) * 10_000 + 20
            trace.async(
                on: executor, at: begin - 20, begin: begin, end: begin + 900, thread: 5, kind: .swiftJob,
                code: "App/Feed.swift:4")
            for call in 0..<4 {
                let at = begin + 100 + Double(call) * 100
                trace.async(on: global, at: at, begin: at + 40, end: at + 41, thread: 6, from: 5)
            }
        }
        #expect(try findings(trace).isEmpty)
    }

    @Test("Steps longer than a wake, and chains on one queue, are not reported")
    func silent() throws {
        #expect(try findings(operations(50, hops: 9, work: 200)).isEmpty)
        #expect(try findings(operations(50, hops: 9, queues: 1)).isEmpty)
    }

    //   main    root ─┬──────┬──────┬──…      nine asyncs in turn; no chain has more than two
    //   cache         ╰─ a   ├─ a   ├─ a
    //   decoder          ╰ b    ╰ b    ╰ b
    @Test("The hops of an operation are counted over all items that it submits")
    func tree() throws {
        var trace = TraceBuilder()
        let root = trace.serialQueue("image.list")
        let (cache, decoder) = (trace.serialQueue("image.cache"), trace.serialQueue("image.decoder"))
        for operation in 0..<12 {
            let begin = Double(operation) * 10_000
            trace.async(on: root, at: begin, begin: begin + 20, end: begin + 900, thread: 5, code: "App/List.swift:4")
            for image in 0..<4 {
                let at = begin + 100 + Double(image) * 100
                trace.async(on: cache, at: at, begin: at + 20, end: at + 21, thread: 6, from: 5)
                trace.async(on: decoder, at: at + 20.5, begin: at + 40, end: at + 40.1, thread: 7, from: 6)
            }
        }
        let finding = try #require(try findings(trace).first)
        #expect(
            finding.summary.hasPrefix("Operations that begin at App/List.swift:4 hop between 3 queues, 8 short hops"))
        #expect(
            finding.advice.text.hasPrefix(
                "Give image.list, image.cache and image.decoder one serial target queue: this leaves 0 of 8 hops "))
        #expect(finding.advice.text.contains("0 of 8 hops per operation."))
        #expect(
            finding.advice.phrase.template
                == "Give {queue} one serial target queue: this leaves {number} of {number} hops per operation. Or do "
                + "the steps of {queue} in one item: each takes less time than waking a thread for it.")
    }

    /// Operations that go to the network and return, twice. `comeBack` adds one such round trip, from an item that
    /// begins at the given time, and returns the begin of the next one.
    private func fetches(
        _ comeBack: (
            _ feed: TraceBuilder.QueueID, _ network: TraceBuilder.QueueID, _ begin: Double, _ trace: inout TraceBuilder
        ) -> Double
    ) -> TraceBuilder {
        var trace = TraceBuilder()
        let (feed, network) = (trace.serialQueue("app.feed"), trace.serialQueue("app.network"))
        for operation in 0..<20 {
            let begin = Double(operation) * 10_000 + 20
            trace.async(on: feed, at: begin - 20, begin: begin, end: begin + 3, thread: 5, code: "App/Feed.swift:4")
            let second = comeBack(feed, network, begin, &trace)
            _ = comeBack(feed, network, second, &trace)
        }
        return trace
    }

    private static let summaryOfFetches = "Operations that begin at App/Feed.swift:4 hop between 2 queues, 4 short hops"

    //   feed      ├┤ notify          ├┤ notify          ├┤
    //   network      ····├┤ leave ···    ····├┤ leave ···
    @Test("A group's notification is a hop from the item that emptied the group")
    func notification() throws {
        let trace = fetches { feed, network, begin, trace in
            let group = trace.group()
            let notification = trace.item()
            trace.enter(group, thread: 5, at: begin + 1)
            trace.async(on: network, at: begin + 1.2, begin: begin + 20, end: begin + 21, thread: 6, from: 5)
            trace.add(
                .groupNotify(.init(group: group, item: notification, queue: feed, code: 0)), at: begin + 1.6, thread: 5)
            trace.leave(group, thread: 6, at: begin + 21.1)
            trace.run(notification, on: feed, begin: begin + 40, end: begin + 43, thread: 5)
            return begin + 40
        }
        #expect(try #require(try findings(trace).first).summary.hasPrefix(Self.summaryOfFetches))
    }

    //   feed      ├┤              ├┤              ├┤
    //   network      ····├┤ notify ···   ····├┤ notify ···     the submission is recorded after the end
    @Test("A work item's notification is a hop from the work item", arguments: [0.2, 20])
    func workItemNotification(delay: Double) throws {
        let trace = fetches { feed, network, begin, trace in
            trace.async(on: network, at: begin + 1.2, begin: begin + 20, end: begin + 21, thread: 6, from: 5)
            trace.async(
                on: feed, at: begin + 21 + delay, begin: begin + 60, end: begin + 63, thread: 5, from: 6, kind: .notify)
            return begin + 60
        }
        let found = try findings(trace)
        // A submission long after the end of an item does not belong to the item.
        guard delay < 10 else { return #expect(found.isEmpty) }
        #expect(try #require(found.first).summary.hasPrefix(Self.summaryOfFetches))
    }

    @Test("Hops between queues of one hierarchy wake no thread")
    func oneHierarchy() throws {
        var trace = TraceBuilder()
        let target = trace.serialQueue("image.all")
        let queues = (0..<2).map { trace.serialQueue("image.\($0)", target: target) }
        for operation in 0..<20 {
            for hop in 0...6 {
                let at = Double(operation) * 10_000 + Double(hop) * 20
                trace.async(
                    on: queues[hop % 2], at: at, begin: at + 19, end: at + 21, thread: 2, from: hop == 0 ? 1 : 2)
            }
        }
        #expect(try findings(trace).isEmpty)
    }

    @Test("The finding names the begin of the operations, and the queues to merge")
    func content() throws {
        let finding = try #require(try findings(operations(20, hops: 6, queues: 3)).first)
        #expect(
            finding.summary.hasPrefix(
                "Operations that begin at App/Image.swift:1 hop between 3 queues, 6 short hops each"))
        #expect(finding.occurrences == 20)
        #expect(finding.measures.contains(.count("short hops", 120)))
        #expect(finding.advice.text.contains("image.cache → image.network"))
    }
}
