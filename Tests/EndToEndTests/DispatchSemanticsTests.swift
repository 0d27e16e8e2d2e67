import DispatchAnalysis
import DispatchModel
import Foundation
import TestSupport
import Testing

@Suite("Recorded programs")
struct DispatchSemanticsTests {
    @Test("show the order a b c 1 2 3 d of two asyncs and a sync, and the hand-off from the worker to the caller")
    func orderExample() throws {
        let recorded = try Recorded("OrderExample")
        #expect(recorded.run.output == "a b c 1 2 3 d\n")
        let collector = ObservationCollector()
        let analysis = try AnalysisSession().analyze(path: recorded.trace, observers: [collector])
        let letters = collector.signposts.sorted { $0.begin < $1.begin }.map(\.name)
        #expect(letters == ["a", "b", "c", "1", "2", "3", "d"])

        let items = collector.items.sorted { $0.beganAt < $1.beganAt }
        #expect(items.map(\.kind) == [.async, .async, .sync])
        let (worker, sync) = (items[0], items[2])
        #expect(items[1].thread == worker.thread, "one worker drains both asyncs")
        #expect(sync.thread != worker.thread, "the sync runs on its caller")
        #expect(sync.thread == sync.enqueuedOn)
        #expect(sync.handedOverBy == worker.thread)
        #expect(sync.beganAt >= items[1].endedAt)
        let handoff = try #require(collector.handoffs.first)
        #expect(collector.handoffs.count == 1)
        #expect(handoff.from == worker.thread && handoff.to == sync.thread)
        #expect(handoff.requestedAt < handoff.grantedAt)
        #expect(analysis.model[handoff.queue].label == "order.serial")
        #expect(analysis.quality.score == 1)
    }

    @Test("show readers that overlap and writers that never do")
    func readersAndWriters() throws {
        let (analysis, items, _) = try Recorded("ReadersWriter").analyze()
        let (writers, readers) = (items.filter(\.isBarrier), items.filter { !$0.isBarrier })
        #expect(writers.count == 51 && readers.count == 100)
        for writer in writers {
            let others = items.filter { $0.number != writer.number }
            #expect(!others.contains { $0.beganAt < writer.endedAt && writer.beganAt < $0.endedAt })
        }
        let overlapping = readers.filter { reader in
            readers.contains {
                $0.number != reader.number && $0.beganAt < reader.endedAt && reader.beganAt < $0.endedAt
            }
        }
        #expect(overlapping.count == readers.count, "the two readers of a round wait for each other")
        for check in analysis.quality.checks { #expect(check.passed, "\(check)") }
    }

    @Test("count a million items of 64 threads on 1,000 queues exactly, with every invariant kept")
    func aMillionItems() throws {
        // Memory for all events: 64 busy threads may keep the recorder thread from running.
        let recorded = try Recorded(
            "ManyQueues", ["64", "1000", "1000000"], environment: ["QUEUESCOPE_MEMORY": "512M"])
        #expect(recorded.run.output.contains("\"executed\":1000000"), "\(recorded.run)")
        let analysis = try AnalysisSession().analyze(path: recorded.trace)
        #expect(analysis.trace.discarded == 0)
        #expect(analysis.queues.reduce(0) { $0 + $1.items } == 1_000_000)
        #expect(analysis.queues.count { analysis.model[$0.queue].label.hasPrefix("many.queue.") } == 1000)
        // The budget of the switch track leaves out some switches here. That is a limit, not a failed check.
        for check in analysis.quality.checks { #expect(check.passed, "\(check)") }
        #expect(analysis.trace.notes.isEmpty, "\(analysis.trace.notes)")
    }

    @Test("keep forked and started children out of the trace")
    func forkAndExec() throws {
        let recorded = try Recorded("ForkProgram")
        #expect(recorded.run.status == 0, "\(recorded.run)")
        let (analysis, items, _) = try recorded.analyze()
        #expect(analysis.trace.processes.count == 1)
        #expect(!items.isEmpty)
        #expect(analysis.trace.discarded == 0)
    }
}
