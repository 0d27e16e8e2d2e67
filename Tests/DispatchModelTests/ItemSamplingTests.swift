import DispatchModel
import Testing
import TraceBuilder

//   rate      │ 1 of 4          │ 1 of 8
//   items     ── async ── sync ─┼─ async ── waiting sync ──
//   weight        4        4          8          1
@Suite("Items of a sampled trace")
struct ItemSamplingTests {
    private func items(of trace: TraceBuilder) -> [Item] {
        ObservationLog.read(trace.events).log.items.sorted { $0.beganAt < $1.beganAt }
    }

    @Test("An item represents as many items as the rate at its submission states")
    func changes() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        trace.rate(4, at: 5)
        trace.callout(on: queue, at: 10, begin: 12, end: 14, thread: 2)
        trace.uncontendedSync(on: queue, begin: 16, end: 18, thread: 3)
        trace.callout(on: queue, at: 19, begin: 30, end: 32, thread: 2)
        trace.rate(8, at: 20, .overBudget)
        trace.callout(on: queue, at: 40, begin: 42, end: 44, thread: 2)
        #expect(items(of: trace).map(\.weight) == [4, 4, 4, 8])
    }

    @Test(
        "A rate that no recorder writes is read as the next possible one, without an overflow",
        arguments: [(0, 1), (1, 1), (3, 2), (4096, 4096), (1 << 31, 4096), (UInt32.max, 4096)] as [(UInt32, Int)])
    func damaged(oneOf: UInt32, weight: Int) {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        trace.rate(oneOf, at: 5)
        trace.callout(on: queue, at: 10, begin: 5_000_000, end: 5_000_010, thread: 2)
        #expect(items(of: trace).map(\.weight) == [weight])
    }

    @Test("An item has the rate of its submission after any number of changes")
    func manyChanges() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        for change in 0..<1_000 { trace.rate(change % 2 == 0 ? 2 : 4, at: Double(change)) }
        for time in [0.5, 1.5, 500.5, 998.5, 999.5] {
            trace.callout(on: queue, at: time, begin: 2_000 + time, end: 2_000.1 + time, thread: 2)
        }
        #expect(items(of: trace).map(\.weight) == [2, 4, 2, 2, 4])
    }

    @Test("The first rate also applies to items that were submitted while the recording started")
    func begin() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        trace.callout(on: queue, at: 1, begin: 2, end: 8, thread: 2)
        trace.rate(4, at: 5)
        #expect(items(of: trace).map(\.weight) == [4])
    }

    @Test("Waiting syncs and notifications are always recorded, so they represent themselves")
    func complete() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        trace.rate(4, at: 0)
        trace.callout(on: queue, at: 10, begin: 12, end: 20, thread: 2)
        trace.sync(on: queue, at: 14, begin: 21, end: 23, thread: 3, from: 2)
        trace.lateSync(on: queue, slept: 22, begin: 24, end: 26, thread: 4, holder: 3)
        trace.callout(on: queue, at: 30, begin: 31, end: 32, thread: 2, kind: .notify)
        #expect(items(of: trace).map(\.weight) == [4, 1, 1, 1])
    }

    @Test("A job is skipped with its task, so it represents as many jobs")
    func jobs() {
        var trace = TraceBuilder()
        trace.rate(4, at: 0)
        trace.callout(on: trace.globalQueue(), at: 40, begin: 41, end: 42, thread: 2, kind: .swiftJob)
        #expect(items(of: trace).map(\.weight) == [4])
    }

    @Test("A trace with all items has no rates, and every item has the weight 1")
    func all() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        trace.callout(on: queue, at: 10, begin: 12, end: 14, thread: 2)
        #expect(items(of: trace).map(\.weight) == [1])
        trace.rate(1, at: 0)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(log.items.map(\.weight) == [1])
        #expect(!model.sampling.isSampled)
    }

    @Test("The model has the budget, the last measured cost, and the changes of the rate only")
    func summary() {
        var trace = TraceBuilder()
        trace.rate(1, at: 0)
        trace.rate(16, at: 10, .overBudget, cost: 30_000)
        trace.rate(16, at: 20, .repeated)
        trace.rate(16, at: 30, .stopped, cost: 9_000)
        let sampling = ObservationLog.read(trace.events).model.sampling
        #expect(sampling.isSampled)
        #expect(sampling.rates.map(\.stride) == [1, 16])
        #expect(sampling.rates.map(\.begin) == [Timestamp.zero, Timestamp(nanoseconds: 10_000)])
        #expect(sampling.budget == 10_000)
        #expect(sampling.cost == 9_000)
    }

    //   recorded    ├ a ┤ ············ ├ b ┤
    //   missing          ├ ? ┤├ ? ┤           the worker ran them, so b waited for its own queue
    @Test("A wait for missing items of the queue counts as backlog, and the wait for a worker does not")
    func backlog() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state", target: trace.globalQueue())
        trace.rate(4, at: 0)
        trace.callout(on: queue, at: 10, begin: 12, end: 20, thread: 2)
        trace.callout(on: queue, at: 11, begin: 60, end: 70, thread: 2)
        trace.sync(on: queue, at: 80, begin: 90, end: 95, thread: 3, from: 2)
        let items = items(of: trace)
        #expect(items.map(\.waitParts.total) == items.map(\.wait))
        #expect(items[2].waitParts.ownBacklog == .microseconds(10))
    }
}

extension TraceBuilder {
    fileprivate mutating func rate(
        _ oneOf: UInt32, at time: Double, _ reason: SamplingCause = .started, cost: UInt32 = 0
    ) {
        add(.samplingRate(.init(oneOf: oneOf, cause: reason, budget: 10_000, cost: cost)), at: time)
    }
}
