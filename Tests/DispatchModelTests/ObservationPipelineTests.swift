import DispatchModel
import Testing
import TraceBuilder

/// Stores the number of retargets of each item's queue at the time of the observation.
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

/// Stores the label of each item's queue, and of its exclusion queue.
private final class LabelLog: ModelObserver {
    var labels: [String] = []
    var exclusions: [String] = []

    func observe(_ observation: Observation, in model: DispatchModel) {}

    func observe(_ item: Item, in model: DispatchModel) {
        labels.append(model[item.queue].label)
        exclusions.append(model.exclusionQueue(of: item.queue).map { model[$0].label } ?? "")
    }
}

@Suite("The way to the observers") struct ObservationPipelineTests {
    /// More items than a batch has, so that some are observed on another thread. The queue changes occasionally.
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

    /// Created and released queues are stored with the batches: some with an unknown target, some with items of two
    /// queues, and one whose target changes in between.
    @Test("Queues that come and go are known when their items are observed", arguments: [1, 40, 3_000])
    func comeAndGo(count: Int) {
        var trace = TraceBuilder()
        let target = trace.serialQueue("target")
        for number in 0..<count {
            let begin = 10 + Double(number) * 10
            let serial = TraceBuilder.QueueID(1_000 + number)
            let unknown = TraceBuilder.QueueID(500_000 + number)
            trace.add(
                .queueCreate(
                    .init(
                        queue: serial, label: "connection.\(number)", width: 1, qos: .unspecified,
                        target: number % 100 == 7 ? unknown : target, flags: 0, code: 0, stack: 0, tid: 1)),
                at: begin)
            trace.async(on: serial, at: begin + 1, begin: begin + 2, end: begin + 3, thread: 2)
            if number % 500 == 20 {
                trace.add(.queueSetTarget(.init(queue: serial, target: target, code: 0)), at: begin + 4)
            }
            trace.add(.queueDispose(.init(queue: serial)), at: begin + 5)
        }
        let log = LabelLog()
        var builder = ModelBuilder(observer: log)
        for event in trace.events { builder.handle(event.event, at: event.time, tid: event.tid) }
        builder.finish()
        #expect(log.labels == (0..<count).map { "connection.\($0)" })
        #expect(log.exclusions == (0..<count).map { $0 % 100 == 7 ? "connection.\($0)" : "target" })
        let queues = builder.model.queues
        let made = queues.filter { $0.label.hasPrefix("connection.") }
        #expect(made.count == count)
        #expect(made.allSatisfy { $0.disposedAt != nil && $0.activatedAt == $0.createdAt && $0.createdAt != nil })
        #expect(queues.indices.allSatisfy { queues[$0].index.position == $0 })
        let children = queues.first { $0.serialNumber == target }?.children ?? []
        #expect(children.count == made.count { $0.target.map { queues[$0.position].serialNumber } == target })
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
