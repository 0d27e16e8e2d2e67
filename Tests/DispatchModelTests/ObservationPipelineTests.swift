import DispatchModel
import Testing
import TraceBuilder

/// Notes for every item how its queue stood when it was observed.
private final class RetargetLog: ModelObserver {
    var seen: [(end: Timestamp, retargets: Int)] = []
    var isInside = false

    func observe(_ observation: Observation, in model: DispatchModel) {}

    func observe(_ item: Item, in model: DispatchModel) {
        #expect(!isInside)
        isInside = true
        seen.append((item.endedAt, model[item.queue].retargets))
        isInside = false
    }
}

@Suite("The way to the observers") struct ObservationPipelineTests {
    /// More items than a batch holds, so that some are observed on another thread; the queue changes now and then.
    @Test("Observers find the entities as they were when an item ended", arguments: [10, 1_000, 5_000])
    func entities(items: Int) {
        var trace = TraceBuilder()
        let target = trace.serialQueue("target")
        let queue = trace.serialQueue("queue")
        var changes: [Timestamp] = []
        for item in 0..<items {
            let begin = Double(item) * 10
            trace.async(on: queue, at: begin, begin: begin + 1, end: begin + 2, thread: 2)
            guard item % 1_700 == 1_600 else { continue }
            trace.add(.queueSetTarget(.init(queue: queue, target: target, code: 0)), at: begin + 5)
            changes.append(Timestamp(nanoseconds: Int64((begin + 5) * 1_000)))
        }
        let log = RetargetLog()
        var builder = ModelBuilder(observer: log)
        for event in trace.events { builder.handle(event.event, at: event.time, tid: event.tid) }
        builder.finish()
        #expect(log.seen.count == items)
        #expect(log.seen.allSatisfy { seen in seen.retargets == changes.count { $0 < seen.end } })
        #expect(zip(log.seen, log.seen.dropFirst()).allSatisfy { $0.end < $1.end })
    }

    @Test("A builder that is given up hands over what it has concluded")
    func givenUp() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("queue")
        for item in 0..<3_000 {
            let begin = Double(item) * 10
            trace.async(on: queue, at: begin, begin: begin + 1, end: begin + 2, thread: 2)
        }
        let log = RetargetLog()
        do {
            var builder = ModelBuilder(observer: log)
            for event in trace.events { builder.handle(event.event, at: event.time, tid: event.tid) }
        }
        #expect(log.seen.count == 3_000)
    }
}
