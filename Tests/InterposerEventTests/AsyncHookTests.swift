import DispatchModel
import Testing

@Suite("What the hooks record of async, work items, mutexes and sources")
struct AsyncHookTests {
    @Test("every form of async is one item, enqueued, begun and ended once")
    func async() throws {
        let run = try InterposedRun("async")
        #expect(run.result.status == 0)
        let story = run.story(of: try run.queue("probe.serial"))
        #expect(
            story.filter { $0.hasPrefix("enqueue") }.sorted() == ["enqueue after"]
                + Array(repeating: "enqueue async", count: 4))
        #expect(story.filter { $0 == "begin" || $0 == "item begin" || $0 == "sync" }.count == 7)
        #expect(story.filter { $0 == "delay" }.count == 1)
        // A barrier has no effect on a serial queue, but it is recorded.
        #expect(story.filter { $0 == "barrier" }.count == 1)
    }

    @Test("a work item in two queues: each run belongs to its own submission")
    func workItems() throws {
        let run = try InterposedRun("work-items")
        #expect(run.result.status == 0)
        let first = run.story(of: try run.queue("probe.first"))
        let second = run.story(of: try run.queue("probe.second"))
        #expect(first.filter { $0 == "enqueue async" }.count == 1)
        #expect(first.filter { $0 == "begin" }.count == 1)
        #expect(second.filter { $0 == "begin" }.count == 1)
        #expect(second.filter { $0 == "cancel" }.count == 1)
        // Submitted twice, and performed once by a direct call.
        let urgent = run.all {
            if case .itemEnqueue(let event) = $0, event.qos == .userInitiated { event.kind } else { nil }
        }
        #expect(urgent == [.async, .async, .perform])
    }

    @Test("only a contended mutex is recorded, with the thread that holds it")
    func mutex() throws {
        let run = try InterposedRun("mutex")
        let holder = try run.printed("holder")
        let waits = run.records.filter {
            if case .lockWait(let event) = $0.event { event.holderTid == holder } else { false }
        }
        #expect(waits.count == 1)
        guard case .lockWait(let wait)? = waits.first?.event else { return }
        let ofLock = run.records.compactMap { record -> String? in
            switch record.event {
            case .lockWait(let event) where event.lock == wait.lock: "wait"
            case .lockAcquire(let event) where event.lock == wait.lock: "acquire"
            case .lockRelease(let event) where event.lock == wait.lock: "release"
            default: nil
            }
        }
        #expect(ofLock.prefix(3) == ["wait", "release", "acquire"])
        #expect(ofLock.count <= 4)
    }

    @Test("only a contended Mutex of Synchronization is recorded, with its owner", arguments: FrontEnd.allCases)
    func synchronizationMutex(frontEnd: FrontEnd) throws {
        let records = try frontEnd.record("synchronization-mutex")
        var locks: [UInt64: [(name: String, tid: UInt32, holder: UInt32)]] = [:]
        for record in records {
            switch record.event {
            case .lockWait(let event):
                #expect(event.code != 0)
                locks[event.lock, default: []].append(("wait", record.tid, event.holderTid))
            case .lockAcquire(let event): locks[event.lock, default: []].append(("acquire", record.tid, 0))
            case .lockRelease(let event): locks[event.lock, default: []].append(("release", record.tid, 0))
            default: break
            }
        }
        // Other locks of the process are contended by chance, but not five times.
        let story = try #require(locks.values.first { $0.count { $0.name == "wait" } == 5 }, "\(frontEnd): \(locks)")
        let holder = try #require(story.first?.holder)
        for (index, wait) in story.enumerated() where wait.name == "wait" {
            try #require(index + 2 < story.count)
            let (release, acquire) = (story[index + 1], story[index + 2])
            #expect(wait.holder == holder && wait.tid != holder)
            #expect(release.name == "release" && release.tid == holder)
            #expect(acquire.name == "acquire" && acquire.tid == wait.tid)
        }
    }

    @Test("a timer source: its making, its fires, and the handler that came too late")
    func source() throws {
        let run = try InterposedRun("source")
        #expect(run.result.status == 0)
        let create = try #require(run.all { if case .sourceCreate(let event) = $0 { event } else { nil } }.first)
        #expect(create.type == .timer)
        #expect(create.queue == (try run.queue("probe.handlers")))
        let fires = run.all {
            if case .sourceFire(let event) = $0, event.source == create.source { event } else { nil }
        }
        #expect(fires.count >= 3)
        let mutations = run.all { if case .mutationAfterActivation(let event) = $0 { event } else { nil } }
        // The removal of the handler is not a mistake.
        #expect(mutations.map(\.handler) == [.event, .cancel])
        #expect(mutations.allSatisfy { $0.stack != 0 && $0.activationStack != 0 })
    }

    @Test("a busy queue that is given NULL as target gets the default root queue")
    func defaultTarget() throws {
        let run = try InterposedRun("default-target")
        #expect(run.result.status == 0)
        let queue = try run.queue("probe.legacy")
        let targets = run.all {
            if case .queueSetTarget(let event) = $0, event.queue == queue { event.target } else { nil }
        }
        let root = try run.queue("com.apple.root.default-qos.overcommit")
        #expect(targets == [try run.queue("probe.target"), root])
    }

    @Test("a queue whose serial number has more than 32 bits is not the main queue")
    func lateSerialNumber() throws {
        let run = try InterposedRun("late-serial-number")
        #expect(run.result.status == 0)
        let late: UInt64 = 1 << 32 | 1
        #expect(try run.queue("com.apple.main-thread") == 1)
        #expect(run.story(of: late) == ["sync", "end", "enqueue async", "begin", "end"])
        #expect(run.story(of: 1).isEmpty)
        let targets = run.all { if case .queueSetTarget(let event) = $0 { event.target } else { nil } }
        #expect(targets == [late])
    }

    @Test("thousands of queues are told apart as they come and go")
    func manyObjects() throws {
        let run = try InterposedRun("many-objects")
        #expect(run.result.status == 0)
        let made = Set(
            run.all {
                if case .queueCreate(let event) = $0, event.label.hasPrefix("probe.many.") { event.queue } else { nil }
            })
        #expect(made.count == 4_000)
        let activated = run.all { if case .objectActivate(let event) = $0 { event.object } else { nil } }
        #expect(activated.count == 4_000 && Set(activated) == made)
        let disposed = run.all {
            if case .queueDispose(let event) = $0, made.contains(event.queue) { event.queue } else { nil }
        }
        #expect(disposed.count == 4_000 && Set(disposed) == made)
    }

    @Test("thousands of groups are known while they are there")
    func manyGroups() throws {
        let run = try InterposedRun("many-groups")
        #expect(run.result.status == 0)
        let made = run.all { if case .groupCreate = $0 { true } else { nil } }
        let entered = run.all { if case .groupEnter(let event) = $0 { event.group } else { nil } }
        let left = run.all { if case .groupLeave(let event) = $0 { event.group } else { nil } }
        #expect(made.count == 3_000 && entered.count == 3_000)
        // Addresses are reused. Each group is left as often as it is entered.
        #expect(entered.sorted() == left.sorted())
    }
}
