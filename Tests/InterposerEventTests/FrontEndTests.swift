import DispatchModel
import Testing

@Suite("One set of hooks, three ways into the program")
struct FrontEndTests {
    /// Counts of events that do not depend on timing.
    private func counts(_ records: [InterposedRun.Record]) -> [String: Int] {
        var counts: [String: Int] = [:]
        for record in records {
            let name: String? =
                switch record.event {
                case .queueCreate: "queue created"
                case .itemEnqueue(let event): "enqueued \(event.kind)"
                case .itemCancel: "cancelled"
                // A sync is one item, whether its queue is free or not.
                case .syncBegin, .syncEnter, .syncWait: "sync"
                case .calloutEnd, .itemEnd: "item ended"
                case .groupEnter: "group entered"
                case .groupLeave: "group left"
                case .sourceCreate: "source created"
                case .mutationAfterActivation: "mutation"
                case .semaphoreCreate: "semaphore created"
                default: nil
                }
            if let name { counts[name, default: 0] += 1 }
        }
        return counts
    }

    @Test("all record the same", arguments: ["free-sync", "async", "work-items", "held-target"])
    func sameCounts(scenario: String) throws {
        let preloaded = counts(try FrontEnd.preloaded.record(scenario))
        #expect(preloaded.values.reduce(0, +) > 3)
        for frontEnd in [FrontEnd.linked, .wrapped] {
            #expect(counts(try frontEnd.record(scenario)) == preloaded, "\(frontEnd)")
        }
    }

    @Test("a program that contains libdispatch names its workers and its hand-offs too")
    func wrapped() throws {
        let records = try FrontEnd.wrapped.record("held-target")
        let workers = records.filter { if case .workerStart = $0.event { true } else { false } }
        #expect(!workers.isEmpty)
        let handoffs = records.filter {
            if case .syncHandoff(let event) = $0.event { event.fromTid != 0 } else { false }
        }
        #expect(handoffs.count == 1)
    }
}
