import DispatchAnalysis
import DispatchModel
import Testing
import TraceBuilder

@Suite struct DeadlockTests {
    private func findings(_ trace: TraceBuilder, discarded: Int = 0) throws -> [Finding] {
        try DetectorRun.findings(of: Deadlock.self, in: trace, discarded: discarded)
    }

    private func end(_ trace: inout TraceBuilder, at milliseconds: Double) {
        trace.sync(
            on: trace.serialQueue("app.end"), at: milliseconds * 1000 - 2, begin: milliseconds * 1000 - 1,
            end: milliseconds * 1000, thread: 99)
    }

    //   thread 2   ├─ on A ─ sync B ░░░░░►
    //   thread 3    ├─ on B ─ sync A ░░░░►
    private func twoQueues(for milliseconds: Double) -> TraceBuilder {
        var trace = TraceBuilder()
        let (a, b) = (trace.serialQueue("chat.rooms"), trace.serialQueue("chat.contacts"))
        trace.sync(on: a, at: 0, begin: 1, thread: 2, code: "App/Rooms.swift:1")
        trace.sync(on: b, at: 0, begin: 1, thread: 3, code: "App/Contacts.swift:1")
        trace.sync(on: b, at: 10, thread: 2, from: 3, code: "App/Rooms.swift:2")
        trace.sync(on: a, at: 20, thread: 3, from: 2, code: "App/Contacts.swift:2")
        end(&trace, at: milliseconds + 0.02)
        return trace
    }

    @Test(
        "A cycle cannot resolve itself: it is reported even when the trace ends with it", arguments: [0.0, 0.001, 5000])
    func short(milliseconds: Double) throws {
        #expect(try findings(twoQueues(for: milliseconds)).count == 1)
    }

    @Test("Another wait that cannot end is reported from 100 ms on", arguments: [(100.0, 1), (99.9, 0)])
    func threshold(milliseconds: Double, count: Int) throws {
        var trace = TraceBuilder()
        let group = trace.group()
        trace.enter(group, at: 5)
        trace.wait(forGroup: group, thread: 2, at: 10)
        end(&trace, at: milliseconds + 0.01)
        #expect(try findings(trace).count == count)
    }

    @Test("Two queues: the cycle is named, as an error, with all four places")
    func cycle() throws {
        let finding = try #require(try findings(twoQueues(for: 500)).first)
        #expect(finding.severity == .error)
        #expect(finding.summary.contains("2 threads wait for each other, for 500 ms"))
        #expect(finding.summary.contains("chat.contacts") && finding.summary.contains("chat.rooms"))
        #expect(finding.code.count == 4)
        #expect(finding.evidence.map(\.event) == ["sync_block", "sync_block"])
        #expect(finding.advice.text.contains("chat.contacts at App/Rooms.swift:2"))
        #expect(
            finding.advice.phrase.template
                == "Submit with async instead of sync to {object}, in at least one of the places, which breaks the "
                + "cycle. Or take the shared queues and locks in the same order everywhere.")
    }

    @Test("A queue and a lock, and a queue and a semaphore used as a lock, deadlock too")
    func mixed() throws {
        var trace = TraceBuilder()
        let (queue, lock) = (trace.serialQueue("app.queue"), trace.lock("app.lock", fair: false))
        trace.sync(on: queue, at: 0, begin: 1, thread: 2)
        trace.hold(lock, thread: 3, granted: 1, released: nil)
        trace.add(.lockWait(.init(lock: lock, code: 0, holderTid: 3)), at: 10, thread: 2)
        trace.sync(on: queue, at: 20, thread: 3, from: 2)
        end(&trace, at: 500)
        #expect(try findings(trace).map(\.locks.count) == [1])

        var other = TraceBuilder()
        let (state, semaphore) = (other.serialQueue("app.state"), other.semaphore(value: 1))
        other.wait(for: semaphore, thread: 3, at: 0, until: 1)
        other.sync(on: state, at: 0, begin: 1, thread: 2)
        other.wait(for: semaphore, thread: 2, at: 10)
        other.sync(on: state, at: 20, thread: 3, from: 2)
        end(&other, at: 500)
        #expect(try findings(other).count == 1)
    }

    @Test(
        "A semaphore whose signal waits behind the waiting item is a deadlock; one that others signal is not",
        arguments: [true, false])
    func semaphore(isOwn: Bool) throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.payment")
        let semaphore = trace.semaphore(value: 0)
        if !isOwn {
            // One earlier signal came from another queue.
            trace.wait(for: semaphore, thread: 4, at: 1, until: 6)
            trace.async(on: trace.serialQueue("app.other"), at: 2, begin: 4, end: 7, thread: 5)
            trace.signal(semaphore, thread: 5, at: 5)
        }
        trace.async(on: queue, at: 10, begin: 15, thread: 2, code: "App/Pay.swift:1")
        trace.async(on: queue, at: 20, thread: 2, from: 2, code: "App/Answer.swift:1")
        trace.wait(for: semaphore, thread: 2, at: 30, code: "App/Pay.swift:3")
        end(&trace, at: 500)
        let findings = try findings(trace)
        #expect(findings.count == (isOwn ? 1 : 0))
        #expect(findings.allSatisfy { $0.severity == .error && $0.caveat != nil && $0.summary.contains("app.payment") })
    }

    @Test(
        "A loop that waits for a semaphore is deadlocked if its own iterations signal the semaphore",
        arguments: [(true, 1), (false, 0)])
    func loop(signals: Bool, count: Int) throws {
        var trace = TraceBuilder()
        let semaphore = trace.semaphore(value: 0)
        let loop = trace.loop("NIO-ELT-0-#1", thread: 7)
        trace.add(.loopPollEnd(.init(loop: loop, ready: 1)), at: 1, thread: 7)
        if signals { trace.signal(semaphore, thread: 7, at: 2) }
        trace.wait(for: semaphore, thread: 7, at: 3, until: 4)
        trace.wait(for: semaphore, thread: 7, at: 5, code: "App/Login.swift:5")
        trace.wake(loop, at: 10)
        end(&trace, at: 500)
        #expect(try findings(trace).count == count)
    }

    @Test("The main thread that waits for work of its own queue is deadlocked")
    func main() throws {
        var trace = TraceBuilder()
        let main = trace.mainQueue()
        let semaphore = trace.semaphore(value: 0)
        trace.async(on: main, at: 10, thread: 1)
        trace.wait(for: semaphore, thread: 1, at: 30, code: "App/Dialog.swift:3")
        end(&trace, at: 500)
        #expect(try findings(trace).first?.queues == [.init(0)])
    }

    @Test("The main thread outside an item owns the main queue: for its own sync, and for another thread's")
    func mainOutsideOfItems() throws {
        var own = TraceBuilder()
        let queue = own.mainQueue()
        own.sync(on: queue, at: 10, thread: 1, from: 1, code: "App/Main.swift:3")
        own.end(at: 11)
        #expect(try findings(own).first?.severity == .error)

        var others = TraceBuilder()
        let (main, state) = (others.mainQueue(), others.serialQueue("app.state"))
        others.async(on: state, at: 5, begin: 6, thread: 2)
        others.sync(on: main, at: 20, thread: 2, from: 1, code: "App/Load.swift:8")
        #expect(try findings(others).isEmpty)
        others.sync(on: state, at: 30, thread: 1, from: 2, code: "App/Main.swift:4")
        let finding = try #require(try findings(others).first)
        #expect(finding.severity == .error && finding.queues.count == 2)
    }

    // main thread   wait ░░░░░░░░░░░░░░░░░░░
    // MainActor        task 1 ·············· would signal, on the main actor
    @Test(
        "The main thread that blocks for a task that needs the main actor is deadlocked",
        arguments: [(true, true, 1), (false, true, 1), (true, false, 0)])
    func mainActor(isOnMainThread: Bool, needsMainActor: Bool, count: Int) throws {
        var trace = TraceBuilder()
        trace.taskTrack()
        let (main, actor) = (trace.mainQueue(), trace.mainActor())
        let semaphore = trace.semaphore(value: 0)
        // After dispatchMain, a worker runs the items of the main queue.
        let thread: UInt32 = isOnMainThread ? 1 : 4
        if !isOnMainThread { trace.async(on: main, at: 1, begin: 2, thread: 4) }
        let finish = trace.task(at: 5, from: 3, code: "App/Load.swift:8")
        trace.begin(finish, thread: 3, at: 6)
        if needsMainActor {
            trace.suspend(finish, for: .executor, object: actor, thread: 3, at: 22)
            trace.resume(finish, on: actor, thread: 3, at: 22)
            trace.async(on: main, at: 23, thread: 3)
        } else {
            trace.async(on: trace.globalQueue(), at: 23, thread: 3)
        }
        trace.wait(for: semaphore, thread: thread, at: 30, code: "App/Main.swift:6")
        end(&trace, at: 500)
        let findings = try findings(trace)
        #expect(findings.count == count)
        #expect(
            findings.allSatisfy {
                $0.summary.contains("while it holds the main actor, where 1 task waits for it") && $0.queues.count == 2
            })
    }

    // store   ├─ task 1 ── wait ░░░░░░░░░░
    //            task 2 ·················· would signal, on the store
    @Test(
        "A task that blocks an actor for work of the same actor is deadlocked, unless an event loop still polls",
        arguments: [("none", 1), ("polls", 0), ("has ended", 1)])
    func actor(loop: String, count: Int) throws {
        var trace = TraceBuilder()
        let store = trace.actor("App.Store")
        let semaphore = trace.semaphore(value: 0)
        if loop != "none" { _ = trace.loop("NIO-ELT-0-#0", thread: 6) }
        if loop == "has ended" { trace.add(.threadExit(.init(tid: 6)), at: 4, thread: 6) }
        let load = trace.task(at: 5)
        trace.begin(load, on: store, thread: 2, at: 10)
        let finish = trace.task(at: 20, from: 2)
        trace.begin(finish, thread: 3, at: 21)
        trace.suspend(finish, for: .executor, object: store, thread: 3, at: 22)
        trace.resume(finish, on: store, thread: 3, at: 22)
        trace.wait(for: semaphore, thread: 2, at: 30, code: "App/Store.swift:6")
        end(&trace, at: 500)
        let findings = try findings(trace)
        #expect(findings.count == count)
        #expect(findings.allSatisfy { $0.summary.contains("while it holds App.Store, where 1 item waits for it") })
    }

    @Test("A group that is never left, and a sync to a suspended queue")
    func standstills() throws {
        var trace = TraceBuilder()
        let group = trace.group(created: "App/Start.swift:1")
        trace.enter(group, at: 5)
        trace.wait(forGroup: group, thread: 2, at: 10, code: "App/Start.swift:9")
        end(&trace, at: 500)
        #expect(try findings(trace).first?.summary.contains("1 time more than it was left") == true)

        var suspended = TraceBuilder()
        let queue = suspended.serialQueue("app.decoder")
        suspended.suspend(queue, at: 5)
        suspended.sync(on: queue, at: 10, thread: 2, code: "App/Seek.swift:2")
        end(&suspended, at: 500)
        #expect(try findings(suspended).first?.summary.contains("app.decoder, which is suspended") == true)
        // The queue may be resumed after the end of the part that was read.
        let part = AnalysisSession(options: AnalysisOptions(detectors: [Deadlock.id])).analyze(
            events: suspended.events, continuesAfterEnd: true)
        #expect(part.findings.isEmpty)
        // Or the resume was not recorded.
        let cut = AnalysisSession(options: AnalysisOptions(detectors: [Deadlock.id])).analyze(
            events: suspended.events, missing: [MissingEvents(.events, count: 9, begin: .zero)])
        #expect(cut.findings.isEmpty)
    }

    @Test("While anything else can make progress, a wait is no deadlock")
    func movement() throws {
        for obstacle in 0..<3 {
            var trace = TraceBuilder()
            let group = trace.group()
            trace.enter(group, at: 5)
            trace.wait(forGroup: group, thread: 2, at: 10)
            let queue = trace.serialQueue("app.work")
            switch obstacle {
            case 0: trace.async(on: queue, at: 20, begin: 30, thread: 3)
            case 1: trace.async(on: queue, at: 20, thread: 3)
            default: _ = trace.source(on: queue, activated: 20)
            }
            end(&trace, at: 500)
            #expect(try findings(trace).isEmpty, "obstacle \(obstacle)")
        }
    }

    @Test("A long wait for a thread that works is no deadlock, and lost events put a caveat on a deadlock")
    func silent() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        trace.async(on: queue, at: 0, begin: 1, thread: 2)
        trace.sync(on: queue, at: 10, thread: 3, from: 2)
        end(&trace, at: 5000)
        #expect(try findings(trace).isEmpty)
        #expect(try findings(twoQueues(for: 500), discarded: 4).first?.caveat?.contains("4 events") == true)
    }

    // MARK: Tasks

    //   task 1 ── value of ──► task 2 ── value of ──► task 1
    private func tasks(awaiting next: [Int]) -> TraceBuilder {
        var trace = TraceBuilder()
        trace.taskTrack()
        let all = next.map { _ in trace.task(at: 1) }
        for (place, other) in next.enumerated() {
            let (at, thread) = (10 + Double(place) * 10, UInt32(2 + place))
            trace.begin(all[place], thread: thread, at: at)
            if other < 0 {
                trace.finish(all[place], thread: thread, at: at + 1)
            } else {
                trace.suspend(
                    all[place], for: .task, object: all[other], thread: thread, at: at + 1,
                    code: trace.function("ask\(place)()"))
            }
        }
        trace.task(at: 300_000)
        return trace
    }

    @Test(
        "Tasks that await each other are a deadlock, whatever their number",
        arguments: [([1, 0], 1), ([1, 2, 3, 1], 1), ([0], 1), ([1, 2, -1], 0), ([1, 0, 3, 2], 2)])
    func taskCycle(next: [Int], count: Int) throws {
        let findings = try findings(tasks(awaiting: next))
        #expect(findings.count == count)
        #expect(findings.allSatisfy { $0.severity == .error })
        if next.count == 2 { #expect(findings[0].summary.hasPrefix("2 tasks await each other, for 300 ms")) }
    }

    @Test("The evidence of tasks that await each other names the threads that they left")
    func taskThreads() throws {
        let analysis = AnalysisSession(options: AnalysisOptions(detectors: [Deadlock.id])).analyze(
            events: tasks(awaiting: [1, 0]).events)
        let evidence = try #require(analysis.findings.first).evidence
        #expect(evidence.map { analysis.model[$0.thread].tid } == [2, 3])
    }

    /// Two operations of an operation queue wait for operations that Foundation does not start. Thread 1 waits for
    /// them.
    ///
    /// ```
    ///   app.network   ├ thread 10: waits for operations ░░░░░ end
    ///                 ├ thread 11: waits for operations ░░░░░ end
    ///   thread 1        waits for operations ░░░░░░░░░░░░░░░░ end
    /// ```
    private func operations(
        seconds: Double, called: String, on threads: [UInt32] = [10, 11], third: Bool = false
    ) -> TraceBuilder {
        var trace = TraceBuilder()
        trace.mapImages()
        _ = trace.function("SyncCollection.main()", address: 0x1100)
        _ = trace.function(called, address: 0x3100)
        let queue = trace.concurrentQueue("app.network", target: trace.globalQueue())
        for thread in threads { trace.async(on: queue, at: 5, begin: 10, thread: thread) }
        if third { trace.async(on: queue, at: 5, begin: 11, thread: 12) }
        for thread in [1] + threads {
            trace.off(thread, from: 20)
            trace.ask(thread, at: 10_000, call: "futex", frames: [0x7100, 0x3200, 0x3100, 0x1100])
        }
        end(&trace, at: seconds * 1000 + 0.02)
        return trace
    }

    @Test("Operations that wait for operations are a deadlock after 1 s", arguments: [(1.0, 1), (0.99, 0)])
    func operationWaits(seconds: Double, count: Int) throws {
        let trace = operations(seconds: seconds, called: "OperationQueue.addOperations(_:waitUntilFinished:)")
        let found = try findings(trace)
        #expect(found.count == count)
        #expect(found.allSatisfy { $0.severity == .error && $0.advice.text.contains("addDependency") })
        #expect(
            found.allSatisfy {
                $0.summary.hasPrefix("All 2 running operations of app.network wait at SyncCollection.main()")
            })
        #expect(found.allSatisfy { $0.evidence.count == 3 })
    }

    @Test("A single operation is a warning, because it may await an asynchronous operation")
    func singleOperation() throws {
        let found = try findings(operations(seconds: 2, called: "Operation.waitUntilFinished()", on: [10]))
        #expect(found.map(\.severity) == [.warning])
        #expect(found.first?.summary.hasPrefix("The only running operation of app.network waits") == true)
    }

    @Test("An operation that runs, or a call that does not wait for operations, is no deadlock")
    func operationsThatRun() throws {
        let name = "Operation.waitUntilFinished()"
        #expect(try findings(operations(seconds: 2, called: name)).count == 1)
        #expect(try findings(operations(seconds: 2, called: name, third: true)).isEmpty)
        #expect(try findings(operations(seconds: 2, called: "NSCondition.wait()")).isEmpty)
    }
}
