import DispatchModel
import Testing
import TraceBuilder

extension [TimedEvent] {
    /// These events after a bad journey: some are gone, some became others, and for even seeds none is where it was.
    ///
    /// - Parameters:
    ///   - count: how many are gone, and how many became others.
    ///   - seed: of what happens.
    /// - Returns: as many events less.
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
    /// Expects what holds of every item, however damaged its trace is: times in order, and a wait that is the sum of its parts.
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
