import DispatchModel
import Testing
import TraceBuilder
import TraceSchema

/// Invariants of every trace, checked with random processes that use all kinds of records.
@Suite struct RandomProcessTests {
    private func damaged(_ seed: UInt64) -> [TimedEvent] {
        var random = SeededGenerator(seed: seed)
        var events = RandomProcess(seed: seed).trace.events
        for _ in 0..<150 {
            events.remove(at: Int.random(in: events.indices, using: &random))
            let position = Int.random(in: events.indices, using: &random)
            events[position].event = events.randomElement(using: &random)!.event
        }
        if seed % 3 == 0 { events.shuffle(using: &random) }
        return events
    }

    private func check(_ log: ObservationLog, _ seed: UInt64) {
        for item in log.items {
            #expect(item.waitParts.total == item.wait, "seed \(seed), item \(item.number)")
            #expect(item.waitParts.named.allSatisfy { $0.value >= .zero }, "seed \(seed), item \(item.number)")
            #expect(
                item.enqueuedAt <= item.beganAt && item.beganAt <= item.endedAt, "seed \(seed), item \(item.number)")
        }
        for item in log.pending {
            #expect(item.waitParts.named.allSatisfy { $0.value >= .zero }, "seed \(seed), item \(item.id)")
        }
        for wait in log.waits { #expect(wait.begin <= wait.end, "seed \(seed)") }
    }

    @Test("Together they record every event of the catalogue, and every cause of waiting")
    func coverage() {
        var names: Set<String> = []
        var parts: Set<String> = []
        var items = 0
        for seed in UInt64(1)...20 {
            let events = RandomProcess(seed: seed).trace.events
            for event in events { names.insert(Mirror(reflecting: event.event).children.first!.label!) }
            for item in ObservationLog.read(events).log.items {
                items += 1
                parts.formUnion(item.waitParts.named.filter { $0.value > .zero }.map(\.name))
            }
        }
        #expect(items > 1_000)
        #expect(names.count == EventCatalogue.events.count)
        #expect(parts == Set(WaitParts().named.map(\.name)))
    }

    @Test("The parts of every wait sum to it, to the nanosecond, and nothing runs backwards", arguments: 1...60)
    func waitsSum(seed: UInt64) {
        let (_, log) = ObservationLog.read(RandomProcess(seed: seed).trace.events)
        check(log, seed)
        check(ObservationLog.read(damaged(seed)).log, seed)
    }

    @Test("Every invariant holds that does in a real process")
    func invariants() {
        var checked: [String: Int] = [:]
        for seed in UInt64(1)...60 {
            let invariants = ObservationLog.read(RandomProcess(seed: seed).trace.events).model.invariants
            for (name, value) in Mirror(reflecting: invariants).children {
                guard let name, let tally = value as? ModelInvariants.Tally else { continue }
                checked[name, default: 0] += tally.checked
                #expect(tally.violations == 0, "seed \(seed), \(name)")
            }
        }
        #expect(checked.count == 7)
        #expect(checked.values.allSatisfy { $0 > 60 }, "\(checked)")
    }

    @Test("The segments of every critical path sum to its interval: of items, intervals and the run", arguments: 1...40)
    func pathsSum(seed: UInt64) throws {
        let events = RandomProcess(seed: seed).trace.events
        let log = ObservationLog.read(events).log
        let signpost = CriticalPath.Target.signpost(name: RandomProcess.signpostName)
        let hasInterval = log.signposts.contains { !$0.isEvent && $0.isFinished }
        let always: [CriticalPath.Target] = [.wholeRun, .slowestItem] + (hasInterval ? [signpost] : [])
        for target in always + log.items.filter(\.isFinished).prefix(12).map({ .item($0.number) }) {
            let model = ObservationLog.read(events, options: ModelOptions(criticalPath: target)).model
            guard let path = model.criticalPath else {
                Issue.record("seed \(seed): no path of \(target)")
                continue
            }
            #expect(path.isExact, "seed \(seed), \(target)")
        }
        for target in always {
            let model = ObservationLog.read(damaged(seed), options: ModelOptions(criticalPath: target)).model
            if let path = model.criticalPath { #expect(path.isExact, "seed \(seed), \(target), damaged") }
        }
    }
}
