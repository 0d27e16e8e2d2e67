import DispatchModel
import TestSupport
import Testing

@Suite("Hooks of polling")
struct EventLoopHookTests {
    private func loops(_ records: [InterposedRun.Record], of kind: LoopKind) -> [DispatchEvent.LoopState] {
        records.compactMap {
            if case .loopState(let event) = $0.event, event.kind == kind { event } else { nil }
        }
    }

    /// The events of a loop, in order.
    private func story(of loop: UInt64, _ records: [InterposedRun.Record]) -> [(name: String, tid: UInt32)] {
        records.compactMap { record in
            switch record.event {
            case .loopPollBegin(let event) where event.loop == loop: ("begin", record.tid)
            case .loopPollEnd(let event) where event.loop == loop: ("end", record.tid)
            case .loopWake(let event) where event.loop == loop: ("wake", record.tid)
            default: nil
            }
        }
    }

    /// Expects alternating poll events on the loop's thread, and wake-ups from other threads during polls.
    private func expectOneLoop(
        _ records: [InterposedRun.Record], _ kind: LoopKind, on tid: UInt32, wakes: Int, _ frontEnd: String = ""
    ) throws {
        let found = loops(records, of: kind)
        let loop = try #require(found.first, "\(frontEnd)")
        #expect(found.count == 1, "\(frontEnd)")
        #expect(loop.tid == tid)
        let story = story(of: loop.loop, records)
        let own = story.filter { $0.name != "wake" }
        #expect(own.allSatisfy { $0.tid == tid })
        for (index, event) in own.enumerated() { #expect(event.name == (index % 2 == 0 ? "begin" : "end")) }
        #expect(story.filter { $0.name == "wake" }.count == wakes, "\(frontEnd)")
        #expect(story.allSatisfy { $0.name != "wake" || $0.tid != tid })
    }

    @Test("a thread is a loop from its first wait for a set with an eventfd on", arguments: FrontEnd.allCases)
    func epoll(frontEnd: FrontEnd) throws {
        let records = try frontEnd.record("epoll-loop")
        let loop = try #require(loops(records, of: .epoll).first)
        #expect(loop.name == "probe.loop")
        let story = story(of: loop.loop, records)
        let wakes = story.filter { $0.name == "wake" }.count
        #expect(wakes >= 4)
        // The thread serves six wake-ups, each after a wait of its own.
        #expect(story.filter { $0.name == "end" }.count >= 6)
        try expectOneLoop(records, .epoll, on: loop.tid, wakes: wakes, "\(frontEnd)")
    }

    @Test("a thread that polls several descriptors from one place is a loop")
    func poll() throws {
        let run = try InterposedRun("poll-loop")
        #expect(run.result.status == 0)
        try expectOneLoop(run.records, .poll, on: run.printed("loop"), wakes: 3)
    }

    @Test("a run loop is a loop: fetching the events of its set is part of the poll")
    func runLoop() throws {
        let run = try InterposedRun("run-loop")
        #expect(run.result.status == 0)
        let loop = try #require(loops(run.records, of: .runLoop).first)
        let wakes = story(of: loop.loop, run.records).filter { $0.name == "wake" }.count
        #expect(wakes >= 2)
        try expectOneLoop(run.records, .runLoop, on: run.printed("loop"), wakes: wakes)
    }

    @Test("two threads that wait for one set are two loops, and whom a write wakes is not told")
    func sharedSet() throws {
        let run = try InterposedRun("shared-epoll-set")
        #expect(run.result.status == 0)
        let loops = loops(run.records, of: .epoll)
        #expect(loops.count == 2)
        #expect(Set(loops.map(\.tid)).count == 2)
        #expect(loops.allSatisfy { loop in story(of: loop.loop, run.records).allSatisfy { $0.name != "wake" } })
    }

    @Test("a client that polls its one descriptor is no loop, and neither is one wait for a set")
    func clients() throws {
        let run = try InterposedRun("polling-clients")
        #expect(run.result.status == 0)
        for kind in [LoopKind.epoll, .poll, .runLoop] { #expect(loops(run.records, of: kind).isEmpty) }
    }
}
