import DispatchModel
import Testing
import TraceBuilder

@Suite("Critical paths and blame of random traces")
struct RandomPathTests {
    /// Whether the segments follow one another from the begin to the end, and the totals say the same.
    private func isExact(_ path: CriticalPath) -> Bool {
        var upTo = path.begin
        for segment in path.segments {
            if segment.begin != upTo || segment.end <= segment.begin { return false }
            upTo = segment.end
        }
        return upTo == path.end && path.omittedSegments == 0
            && path.totals.reduce(.zero) { $0 + $1.time } == path.duration
    }

    private func targets(_ log: ObservationLog) -> [CriticalPath.Target] {
        [.wholeRun, .slowestItem] + log.items.prefix(8).map { .item($0.number) }
    }

    @Test("The segments of every path sum to its interval, to the nanosecond", arguments: 1...30)
    func segmentsSum(seed: UInt64) throws {
        let events = RandomProgram(seed: seed).trace.events
        for target in targets(ObservationLog.read(events).log) {
            let model = ObservationLog.read(events, options: ModelOptions(criticalPath: target)).model
            let path = try #require(model.criticalPath, "seed \(seed), \(target)")
            #expect(isExact(path), "seed \(seed), \(target)")
        }
    }

    @Test("They do so in traces with every short record, workers and switches", arguments: 1...30)
    func interposedSegmentsSum(seed: UInt64) throws {
        let events = RandomInterposedProgram(seed: seed).trace.events
        for target in targets(ObservationLog.read(events).log) {
            let model = ObservationLog.read(events, options: ModelOptions(criticalPath: target)).model
            let path = try #require(model.criticalPath, "seed \(seed), \(target)")
            #expect(isExact(path), "seed \(seed), \(target)")
        }
    }

    @Test("They do so in damaged traces", arguments: 1...40)
    func damagedSegmentsSum(seed: UInt64) {
        let events = RandomInterposedProgram(seed: seed).trace.events.damaged(60, seed: seed)
        for target in [CriticalPath.Target.wholeRun, .slowestItem] {
            let model = ObservationLog.read(events, options: ModelOptions(criticalPath: target)).model
            if let path = model.criticalPath { #expect(isExact(path), "seed \(seed), \(target)") }
        }
    }

    @Test("What the pairs of the blame add up to is what the items waited for others", arguments: 1...40)
    func blameAddsUp(seed: UInt64) {
        let program = RandomProgram(seed: seed)
        let (model, log) = ObservationLog.read(program.trace.events)
        let waits = log.items.reduce(Nanoseconds.zero) { $0 + $1.waitParts.ownBacklog + $1.waitParts.hierarchy }
        let blamed = model.blame.reduce(Nanoseconds.zero) { $0 + $1.time }
        // A suspension claims the time first, whoever holds the hierarchy meanwhile.
        if program.suspensions.isEmpty { #expect(blamed == waits, "seed \(seed)") }
        #expect(blamed >= waits, "seed \(seed)")
    }
}
