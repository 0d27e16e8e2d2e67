import DispatchModel
import Testing

@Suite("What the hooks record of sampled items")
struct SamplingHookTests {
    @Test("one of 16 items is recorded, with all of its events")
    func rate() throws {
        let run = try InterposedRun("many-items", options: ["--budget", "1/16"])
        #expect(run.result.status == 0)
        #expect(try run.printed("runs") == 20_000)
        let rates = run.all { if case .samplingRate(let event) = $0 { event } else { nil } }
        #expect(rates.map(\.oneOf) == [16, 16])
        #expect(rates.map(\.cause) == [.started, .stopped])
        let story = run.story(of: try run.queue("probe.serial"))
        // The main thread has strata of 16 items from its first event on.
        let items = story.filter { $0 == "enqueue async" }.count
        #expect((900...1_100).contains(items))
        #expect(story.filter { $0 == "begin" }.count == items)
        // The last call, a sync, can be recorded, too.
        let last = story.filter { $0 == "sync" }.count
        #expect(story.filter { $0 == "end" }.count == items + last)
        let barriers = story.filter { $0 == "barrier" }.count
        #expect((150...350).contains(barriers))
        let syncs = run.story(of: try run.queue("probe.free"))
        #expect((240...260).contains(syncs.filter { $0 == "sync" }.count))
        #expect(syncs.filter { $0 == "end" }.count == syncs.filter { $0 == "sync" }.count)
        // Groups are recorded completely.
        let enters = run.all { if case .groupEnter(let event) = $0 { event.group } else { nil } }
        let leaves = run.all { if case .groupLeave(let event) = $0 { event.group } else { nil } }
        #expect(enters.count == 4_000)
        #expect(leaves.count == 4_000)
    }

    //   create ─ enqueue ─┬─ begin ─ switch … ─ suspend ─ enqueue ─┬─ … begin ─ finish
    //                     └──────────────── once per run ──────────┘
    @Test("one of 16 tasks is recorded, with all of its events, and its jobs are skipped with it")
    func tasks() throws {
        let run = try InterposedRun("many-tasks", options: ["--budget", "1/16"])
        #expect(run.result.status == 0)
        #expect(try run.printed("calls") == 6_000)
        var steps: [UInt64: [String]] = [:]
        var (current, jobs) = ([UInt32: UInt64](), 0)
        for record in run.records {
            switch record.event {
            case .taskCreate(let event): steps[event.task, default: []].append("create")
            case .taskEnqueue(let event): steps[event.task, default: []].append("enqueue")
            case .taskBegin(let event):
                steps[event.task, default: []].append("begin")
                current[record.tid] = event.task
            case .taskSwitch: #expect(current[record.tid] != nil)
            case .taskSuspend(let event):
                steps[event.task, default: []].append("suspend")
                current[record.tid] = nil
            case .taskFinish(let event):
                steps[event.task, default: []].append("finish")
                current[record.tid] = nil
            case .itemEnqueue(let event) where event.kind == .swiftJob: jobs += 1
            default: break
            }
        }
        // 8,001 tasks, with five standard deviations of the binomial distribution.
        #expect((390...610).contains(steps.count))
        // The last tasks may end after the program.
        #expect(steps.values.count { $0.last != "finish" } <= 4)
        for (task, steps) in steps where steps.last == "finish" {
            #expect(steps.first == "create", "task \(task): \(steps)")
            // A task begins again on its thread after an immediate task that ran inside of it.
            #expect(steps.count { $0 == "begin" } >= steps.count { $0 == "suspend" } + 1, "task \(task): \(steps)")
        }
        #expect(jobs > 0 && jobs <= steps.values.joined().count { $0 == "enqueue" } * 2)
    }

    @Test("a sync that waits is always recorded, with its holder")
    func wait() throws {
        let run = try InterposedRun("held-sync", options: ["--budget", "1/4096"])
        let holder = try run.printed("holder")
        let block = try #require(run.all { if case .syncBlock(let event) = $0 { event } else { nil } }.first)
        #expect(block.holderTid == holder)
        let contended = run.story(of: try run.queue("probe.serial")).filter { $0 != "sync" && $0 != "end" }
        #expect(contended.prefix(6) == ["enter sync", "block", "handoff", "item begin", "item end", "return"])
    }

    @Test("a program below its budget has all items, and the trace states the cost")
    func budget() throws {
        let run = try InterposedRun("async", options: ["--budget", "100%"])
        let rates = run.all { if case .samplingRate(let event) = $0 { event } else { nil } }
        #expect(rates.map(\.oneOf) == [1, 1])
        #expect(rates.map(\.budget) == [1_000_000, 1_000_000])
        #expect(try #require(rates.last).cost > 0)
    }
}
