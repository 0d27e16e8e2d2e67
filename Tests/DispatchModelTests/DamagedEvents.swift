import DispatchModel
import Testing
import TraceBuilder

extension [TimedEvent] {
    /// Damages the events: some are removed, some are replaced by copies of others, and for even seeds all are
    /// shuffled.
    ///
    /// - Parameters:
    ///   - count: the number of removed events, and of replaced ones.
    ///   - seed: the seed of the random changes.
    /// - Returns: the events, `count` fewer than before.
    func damaged(_ count: Int, seed: UInt64) -> [TimedEvent] {
        var random = SeededGenerator(seed: seed)
        var events = self
        for _ in 0..<count where events.count > 1 {
            events.remove(at: Int.random(in: events.indices, using: &random))
            let position = Int.random(in: events.indices, using: &random)
            events[position].event = events.randomElement(using: &random)!.event
        }
        if seed % 2 == 0 { events.shuffle(using: &random) }
        return events
    }
}

extension ObservationLog {
    /// Checks the invariants of items, which hold for any damage: times are in order, and a wait is the sum of its
    /// parts.
    func expectItemsAreAccountedFor() {
        for item in items {
            #expect(item.enqueuedAt <= item.beganAt && item.beganAt <= item.endedAt)
            #expect(item.waitParts.total == item.wait)
            #expect(item.waitParts.named.allSatisfy { $0.value >= .zero })
            guard let times = item.processorTimes else { continue }
            #expect(times.preempted >= .zero && times.blocked >= .zero)
            #expect(item.onProcessor.map { $0 >= .zero } == true)
        }
    }
}
