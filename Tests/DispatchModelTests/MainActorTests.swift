import DispatchModel
import Testing
import TraceBuilder

/// Waits of tasks for the main actor, whose jobs are items of the main queue. Times in µs.
@Suite struct MainActorTests {
    private struct Process {
        var trace = TraceBuilder()
        let main: TraceBuilder.QueueID
        let actor: UInt64 = 0x7000

        /// - Parameters:
        ///   - onWorkers: whether workers run the main queue, because the main thread called `dispatch_main`.
        ///   - defined: when the main actor is defined.
        init(onWorkers: Bool = false, defined: Double = 0) {
            trace.taskTrack()
            let root = onWorkers ? trace.globalQueue() : 0
            main = trace.queue("com.apple.main-thread", width: 1, target: root, flags: 1, at: 0)
            let type = trace.function("MainActor")
            trace.add(.executorState(.init(executor: actor, actorType: type, kind: .mainActor)), at: defined)
            guard onWorkers else { return }
            trace.worker(7, of: root, made: 10, started: 20)
            trace.park(7, of: root, at: 50, asked: 60, until: 64)
        }

        /// A task of thread 9 needs the main actor at `ready`. Its job begins and ends 1 µs before and after it.
        mutating func run(_ task: UInt64, ready: Double, begin: Double, end: Double, thread: UInt32) {
            trace.resume(task, on: actor, thread: 9, at: ready)
            trace.callout(
                on: main, at: ready, begin: begin - 1, end: end + 1, thread: thread, from: 9, kind: .swiftJob)
            trace.begin(task, on: actor, thread: thread, at: begin)
            trace.finish(task, thread: thread, at: end)
        }

        /// The waits of the tasks, in the order of their begins.
        func waits() -> [WaitParts] {
            let (model, log) = ObservationLog.read(trace.events)
            #expect(model.invariants.exclusion.violations == 0)
            let jobs = log.items.filter { model[$0.queue].isMainExecutor }.sorted { $0.beganAt < $1.beganAt }
            for job in jobs { #expect(job.waitParts.total == job.wait) }
            return jobs.map(\.waitParts)
        }
    }

    //   main queue   ├── block ─────────────────┤├ job ─────┤├ job ─────┤
    //   task 1            ▲ ·········· held ·····┊  ├ runs ─┤
    //   task 2                 ▲ ····· held ·····┊  own     ┊   ├ runs ─┤
    //                2    10   20              50    53    59   63
    @Test("A task waits for the items of the main queue that hold up the main actor")
    func blocks() {
        var process = Process()
        process.trace.callout(on: process.main, at: 0, begin: 2, end: 50, thread: 1)
        process.run(1, ready: 10, begin: 53, end: 59, thread: 1)
        process.run(2, ready: 20, begin: 63, end: 69, thread: 1)
        let parts = process.waits()
        #expect(parts.map(\.hierarchy) == [.microseconds(40), .microseconds(30)])
        #expect(parts.map(\.ownBacklog) == [.zero, .microseconds(6)])
        #expect(parts.map(\.scheduler) == [.microseconds(3), .microseconds(7)])
    }

    @Test("A wait that precedes the definition of the main actor counts from the definition on")
    func lateDefinition() {
        var process = Process(defined: 15)
        process.trace.callout(on: process.main, at: 0, begin: 2, end: 50, thread: 1)
        process.run(1, ready: 10, begin: 53, end: 59, thread: 1)
        #expect(process.waits().map(\.hierarchy) == [.microseconds(35)])
        #expect(process.waits().map(\.scheduler) == [.microseconds(8)])
    }

    //   main queue          ├ block ─┤├ job ──┤              ├ job ─
    //   task 1        ▲ start ┊ held ┊ ├─ runs ┤
    //   task 2                                      ▲ start ┊ ├─ runs
    //   worker   asked   starts                  parks asked wakes
    //            10  12  20 22      30 31          50  60 61 64 65
    @Test("After dispatch_main, tasks on the main actor wait for the start of a worker")
    func workers() {
        var process = Process(onWorkers: true)
        process.trace.callout(on: process.main, at: 5, begin: 22, end: 30, thread: 7)
        process.run(1, ready: 12, begin: 31, end: 39, thread: 7)
        process.run(2, ready: 61, begin: 65, end: 69, thread: 7)
        let parts = process.waits()
        #expect(parts.map(\.threadStart) == [.microseconds(8), .microseconds(3)])
        #expect(parts.map(\.hierarchy) == [.microseconds(8), .zero])
        #expect(parts.map(\.scheduler) == [.microseconds(3), .microseconds(1)])
    }

    @Test("A task that becomes ready for the main actor knows the item that holds it", arguments: [true, false])
    func block(isBusy: Bool) throws {
        var process = Process()
        let redraw = process.trace.function("Feed.redraw()")
        let item = process.trace.item()
        process.trace.add(
            .itemEnqueue(.init(item: item, queue: process.main, code: redraw, kind: .async, qos: .default)), at: 0)
        process.trace.add(.calloutBegin(.init(item: item)), at: 2, thread: 1)
        process.trace.add(.calloutEnd(.init()), at: isBusy ? 50 : 9, thread: 1)
        process.trace.begin(1, thread: 9, at: 3)
        process.trace.suspend(1, for: .executor, object: process.actor, thread: 9, at: 10)
        process.run(1, ready: 10, begin: 53, end: 59, thread: 1)
        let (model, log) = ObservationLog.read(process.trace.events)
        let wait = try #require(log.taskWaits.first)
        #expect(wait.holder == nil)
        #expect(model[wait.blockCode].symbol == (isBusy ? "Feed.redraw()" : ""))
    }
}
