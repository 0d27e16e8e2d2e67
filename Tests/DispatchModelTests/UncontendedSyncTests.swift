import Testing
import TraceBuilder

@testable import DispatchModel

/// Consecutive begin and end records of a sync are processed together. The result must equal processing them one by
/// one.
@Suite("Syncs that find their queue free") struct UncontendedSyncTests {
    /// All observations and results as text, except for values that depend on how the records are processed.
    private func results(_ events: [TimedEvent], atOnce: Bool) -> (text: [String], passed: Int) {
        let log = ObservationLog()
        var builder = ModelBuilder(observer: log, options: ModelOptions(criticalPath: .wholeRun))
        var passed = 0
        var next = 0
        while next < events.count {
            let event = events[next]
            next += 1
            if atOnce, next < events.count, events[next].tid == event.tid, case .syncBegin(let sync) = event.event,
                case .calloutEnd = events[next].event
            {
                builder.advance(to: event.time)
                if builder.handleUncontendedSync(sync, tid: event.tid, until: events[next].time) {
                    next += 1
                    passed += 1
                } else {
                    builder.handle(sync, tid: event.tid)
                }
            } else {
                builder.handle(event.event, at: event.time, tid: event.tid)
            }
        }
        builder.finish()
        let model = builder.model
        var text = log.items.map { "\($0)" } + log.workers.map { "\($0)" } + log.orders.map { "\($0)" }
        text += log.pending.map { "\($0)" } + log.waits.map { "\($0)" } + log.handoffs.map { "\($0)" }
        text += model.loads.map { "\($0)" } + model.blame.map { "\($0)" } + ["\(model.invariants)"]
        text += model.threads.map { "\($0)" } + model.unknownIntervals.map { "\($0)" }
        text += model.criticalPath.map { $0.segments.map { "\($0)" } + $0.totals.map { "\($0)" } } ?? []
        return (text, passed)
    }

    private func expectSame(_ events: [TimedEvent], _ seed: UInt64) -> Int {
        let (expected, _) = results(events, atOnce: false)
        let (found, passed) = results(events, atOnce: true)
        for (left, right) in zip(found, expected) where left != right {
            Issue.record("seed \(seed): \(left), expected \(right)")
            break
        }
        #expect(found.count == expected.count)
        return passed
    }

    @Test("Random programs are told alike, whole and damaged")
    func randomPrograms() {
        var passed = 0
        for seed in UInt64(1)...60 {
            let events = RandomInterposedProgram(seed: seed).trace.events
            passed += expectSame(events, seed)
            passed += expectSame(events.damaged(80, seed: seed), seed)
        }
        #expect(passed > 200)
    }

    @Test("Random processes, which do everything that can be recorded, are told alike")
    func randomProcesses() {
        var passed = 0
        for seed in UInt64(1)...40 {
            var events = RandomProcess(seed: seed).trace.events
            var random = SeededGenerator(seed: seed)
            let syncs = events.filter { if case .syncBegin = $0.event { true } else { false } }
            for _ in 0..<(syncs.isEmpty ? 0 : 40) {
                // Insert the pair on any thread, independent of its current item.
                let place = Int.random(in: events.indices, using: &random)
                let (time, tid) = (events[place].time, events[place].tid)
                let pair = [syncs.randomElement(using: &random)!.event, .calloutEnd(.init())]
                events.insert(contentsOf: pair.map { TimedEvent(time: time, tid: tid, event: $0) }, at: place)
            }
            passed += expectSame(events, seed)
        }
        #expect(passed > 200)
    }

    @Test("A sync inside an item belongs to it; one whose queue is held, or shared, is told event by event")
    func nested() {
        var trace = TraceBuilder()
        let (outer, inner) = (trace.serialQueue("outer"), trace.serialQueue("inner"))
        let pool = trace.concurrentQueue("pool")
        trace.async(on: outer, at: 1, begin: 2, end: 9, thread: 5)
        trace.uncontendedSync(on: inner, begin: 3, end: 4, thread: 5)
        trace.uncontendedSync(on: pool, begin: 5, end: 6, thread: 5)
        trace.uncontendedSync(on: outer, begin: 7, end: 8, thread: 6)
        trace.uncontendedSync(on: inner, begin: 10, end: 12, thread: 6)
        #expect(expectSame(trace.events, 0) == 2)
    }
}
