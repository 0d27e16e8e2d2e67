import DispatchModel
import Testing
import TraceBuilder

@Suite("Critical paths and blame of random traces")
struct RandomPathTests {
    private func targets(_ log: ObservationLog) -> [CriticalPath.Target] {
        [.wholeRun, .slowestItem] + log.items.prefix(8).map { .item($0.number) }
    }

    @Test("The segments of every path sum to its interval, to the nanosecond", arguments: 1...30)
    func segmentsSum(seed: UInt64) throws {
        let events = RandomProgram(seed: seed).trace.events
        for target in targets(ObservationLog.read(events).log) {
            let model = ObservationLog.read(events, options: ModelOptions(criticalPath: target)).model
            let path = try #require(model.criticalPath, "seed \(seed), \(target)")
            #expect(path.isExact, "seed \(seed), \(target)")
        }
    }

    @Test("They do so in traces with every short record, workers and switches", arguments: 1...30)
    func interposedSegmentsSum(seed: UInt64) throws {
        let events = RandomInterposedProgram(seed: seed).trace.events
        for target in targets(ObservationLog.read(events).log) {
            let model = ObservationLog.read(events, options: ModelOptions(criticalPath: target)).model
            let path = try #require(model.criticalPath, "seed \(seed), \(target)")
            #expect(path.isExact, "seed \(seed), \(target)")
        }
    }

    @Test("They do so in damaged traces", arguments: 1...40)
    func damagedSegmentsSum(seed: UInt64) {
        let events = RandomInterposedProgram(seed: seed).trace.events.damaged(60, seed: seed)
        for target in [CriticalPath.Target.wholeRun, .slowestItem] {
            let model = ObservationLog.read(events, options: ModelOptions(criticalPath: target)).model
            if let path = model.criticalPath { #expect(path.isExact, "seed \(seed), \(target)") }
        }
    }

    @Test("What the pairs of the blame add up to is what the items waited for others", arguments: 1...40)
    func blameAddsUp(seed: UInt64) {
        let program = RandomProgram(seed: seed)
        let (model, log) = ObservationLog.read(program.trace.events)
        let waits = log.items.reduce(Nanoseconds.zero) { $0 + $1.waitParts.ownBacklog + $1.waitParts.hierarchy }
        let blamed = model.blame.reduce(Nanoseconds.zero) { $0 + $1.time }
        // Suspensions take precedence in the parts of a wait, even while the hierarchy is held.
        if program.suspensions.isEmpty { #expect(blamed == waits, "seed \(seed)") }
        #expect(blamed >= waits, "seed \(seed)")
    }
}

extension CriticalPath {
    /// Whether the segments are contiguous from begin to end, and the totals are consistent with them.
    var isExact: Bool {
        var upTo = begin
        for segment in segments {
            if segment.begin != upTo || segment.end <= segment.begin { return false }
            upTo = segment.end
        }
        return upTo == end && omittedSegments == 0 && totals.reduce(.zero) { $0 + $1.time } == duration
    }
}
