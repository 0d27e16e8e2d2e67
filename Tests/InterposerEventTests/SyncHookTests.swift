import DispatchModel
import Testing

@Suite("What the hooks record of sync")
struct SyncHookTests {
    @Test("a sync on a free queue is two events")
    func free() throws {
        let run = try InterposedRun("free-sync")
        #expect(run.result.status == 0)
        #expect(run.story(of: try run.queue("probe.serial")) == ["sync", "end", "sync", "end", "sync", "end"])
        #expect(run.story(of: try run.queue("probe.concurrent")) == ["sync", "end", "barrier sync", "end"])
    }

    @Test("a sync on a held queue names the holder, and who handed the queue over")
    func held() throws {
        let run = try InterposedRun("held-sync")
        let holder = try run.printed("holder")
        let queue = try run.queue("probe.serial")
        let block = try #require(run.all { if case .syncBlock(let event) = $0 { event } else { nil } }.first)
        #expect(block.queue == queue)
        #expect(block.holderTid == holder)
        let handoff = try #require(run.all { if case .syncHandoff(let event) = $0 { event } else { nil } }.first)
        #expect(handoff.queue == queue)
        #expect(handoff.fromTid == holder)
        let contended = run.story(of: queue).filter { $0 != "sync" && $0 != "end" }
        #expect(contended.prefix(6) == ["enter sync", "block", "handoff", "item begin", "item end", "return"])
    }

    @Test("a sync that is blocked further down the hierarchy names that level")
    func heldTarget() throws {
        let run = try InterposedRun("held-target")
        let block = try #require(run.all { if case .syncBlock(let event) = $0 { event } else { nil } }.first)
        #expect(block.queue == (try run.queue("probe.target")))
        #expect(block.holderTid == (try run.printed("holder")))
        #expect(run.story(of: try run.queue("probe.inner")).prefix(3) == ["enter sync", "block", "handoff"])
    }

    @Test("a sync that has got its queue and waits for the target is not blocked by itself")
    func suspendedTarget() throws {
        let run = try InterposedRun("suspended-target")
        let wait = try #require(run.all { if case .syncWait(let event) = $0 { event } else { nil } }.first)
        #expect(wait.queue == (try run.queue("probe.inner")))
        #expect(wait.level == (try run.queue("probe.target")))
        #expect(wait.holderTid == 0)
        let handoff = try #require(run.all { if case .syncHandoff(let event) = $0 { event } else { nil } }.first)
        #expect(handoff.queue == wait.level)
        #expect(handoff.fromTid != (try run.printed("waiter")))
    }

    @Test("a barrier sync that waits for readers is seen when it goes to sleep")
    func barrier() throws {
        let run = try InterposedRun("barrier-waits-for-reader")
        let story = run.story(of: try run.queue("probe.concurrent"))
        #expect(story.contains("late wait"))
        #expect(Array(story.suffix(3)) == ["item begin", "item end", "return"] || story.contains("handoff"))
    }

    @Test("a sync to the main queue runs on the main thread while its caller waits")
    func main() throws {
        let run = try InterposedRun("sync-to-main")
        #expect(run.result.status == 0)
        let main = try run.printed("main")
        let enters = run.records.filter { if case .syncEnter(let event) = $0.event { event.queue == 1 } else { false } }
        let enter = try #require(enters.first)
        #expect(enter.tid != main)
        guard case .syncEnter(let event) = enter.event else { return }
        let begin = run.records.first {
            if case .itemBegin(let begin) = $0.event { begin.item == event.item } else { false }
        }
        #expect(begin?.tid == main)
        // The main thread holds its own queue, so there is no hand-off.
        #expect(!run.records.contains { if case .syncHandoff = $0.event { true } else { false } })
    }

    @Test("a deadlock shows who waits for whom")
    func deadlock() throws {
        let deadlock = try DeadlockedRun()
        let first = try deadlock.queue("probe.first")
        let second = try deadlock.queue("probe.second")
        // The thread that runs the item of `first` waits for `second`, and vice versa.
        let waits = deadlock.blocks
        #expect(waits.count == 2)
        let forFirst = try #require(waits.first { $0.level == first })
        let forSecond = try #require(waits.first { $0.level == second })
        #expect(forFirst.holder == forSecond.waiter)
        #expect(forSecond.holder == forFirst.waiter)
        // Each sync is called inside an item, so its stack has more frames than the hook and the sync.
        #expect(deadlock.stackDepths.count >= 2)
        #expect(deadlock.stackDepths.allSatisfy { $0 > 2 })
    }
}
