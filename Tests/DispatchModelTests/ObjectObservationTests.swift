import DispatchModel
import Testing
import TraceBuilder

// Operations, concurrentPerform, workers, timers, and the properties of sources and queues.
@Suite("Observations of objects")
struct ObjectObservationTests {
    // a ──► b ──► c      d is independent
    @Test("An operation is an item and everything that it submits, directly or not")
    func operations() {
        var trace = TraceBuilder()
        let queue = trace.globalQueue()
        let a = trace.async(on: queue, at: 1, begin: 2, end: 10, thread: 2)
        let b = trace.async(on: queue, at: 5, begin: 12, end: 20, thread: 3, from: 2)
        let c = trace.async(on: queue, at: 15, begin: 22, end: 30, thread: 2, from: 3)
        let d = trace.async(on: queue, at: 25, begin: 32, end: 40, thread: 3, from: 1)
        let (_, log) = ObservationLog.read(trace.events)
        let items = [a, b, c, d].compactMap { log.item($0) }
        #expect(items.map(\.hops) == [0, 1, 2, 0])
        #expect(items.map(\.operation) == [items[0].number, items[0].number, items[0].number, items[3].number])
        #expect(items.map(\.parent) == [nil, items[0].number, items[1].number, nil])
    }

    @Test("A concurrentPerform is told as a whole, one that goes on too")
    func applies() throws {
        var trace = TraceBuilder()
        for (apply, end) in [(UInt64(7), 30.0 as Double?), (8, nil)] {
            trace.add(.applyBegin(.init(apply: apply, queue: 0, code: 0, iterations: 2)), at: 1, thread: 2)
            trace.add(.applyIterationBegin(.init(apply: apply, iteration: 0)), at: 2, thread: 2)
            trace.add(.applyIterationEnd(.init(apply: apply)), at: 12, thread: 2)
            trace.add(.applyIterationBegin(.init(apply: apply, iteration: 1)), at: 3, thread: 3)
            trace.add(.applyIterationEnd(.init(apply: apply)), at: 23, thread: 3)
            if let end { trace.add(.applyEnd(.init(apply: apply, threads: 2)), at: end, thread: 2) }
        }
        let (_, log) = ObservationLog.read(trace.events)
        #expect(log.applies.map(\.isFinished) == [true, false])
        let call = try #require(log.applies.first)
        #expect((call.iterations, call.ended, call.threads) == (2, 2, 2))
        #expect(call.busy == .microseconds(30))
        #expect(call.firstBegan == Timestamp(nanoseconds: 2_000))
        #expect(call.queue == nil)
    }

    @Test("Every step of a worker is told, with how many there are")
    func workers() {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        trace.worker(5, of: root, made: 1, started: 2)
        trace.park(5, of: root, at: 10, asked: 12, until: 14)
        trace.add(.workerExit(.init(root: root)), at: 20, thread: 5)
        let (_, log) = ObservationLog.read(trace.events)
        #expect(
            log.workers.map(\.kind) == [
                .requested(count: 1), .created, .started, .parked, .requested(count: 1), .unparked, .exited,
            ])
        #expect(log.workers.map(\.alive) == [0, 0, 1, 1, 1, 1, 0])
        #expect(log.workers.allSatisfy { $0.root == QueueIndex(0) })
    }

    // configured at 0, due at 100, then every 50; runs at 104, and at 260 for the deadlines 150, 200 and 250
    @Test("A timer that fires late says since when it was due")
    func timers() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.timer")
        let timer = trace.source(.timer, on: queue)
        trace.add(
            .timerConfigure(.init(source: timer, delay: 100_000, interval: 50_000, leeway: 1_000, code: 0)), at: 0,
            thread: 1)
        for (time, fires) in [(104.0, UInt64(1)), (260, 3)] {
            trace.add(.timerFire(.init(source: timer, fires: fires)), at: time, thread: 2)
        }
        let (_, log) = ObservationLog.read(trace.events)
        #expect(log.timers.map(\.lateness) == [nil, .microseconds(4), .microseconds(110)])
        #expect(
            log.timers.map(\.kind) == [
                .configured(
                    due: Timestamp(nanoseconds: 100_000), interval: .microseconds(50), leeway: .microseconds(1)),
                .fired(due: Timestamp(nanoseconds: 100_000), deadlines: 1),
                .fired(due: Timestamp(nanoseconds: 150_000), deadlines: 3),
            ])
    }

    //   deadlines   100   200   300   400   500   600 ms
    //   firings     101               × lost      603
    @Test("A deadline that passed and that no firing counts belongs to a firing that was lost")
    func lostFiring() {
        var trace = TraceBuilder()
        let timer = trace.source(.timer, on: trace.serialQueue("app.timer"))
        trace.schedule(timer, at: 0, delay: 100_000, interval: 100_000)
        for (time, fires) in [(101_000.0, UInt64(1)), (603_000, 2), (702_000, 1)] {
            trace.add(.timerFire(.init(source: timer, fires: fires)), at: time, thread: 2)
        }
        let (_, log) = ObservationLog.read(trace.events)
        #expect(log.timers.map(\.lateness) == [nil, .milliseconds(1), .milliseconds(103), .milliseconds(2)])
        #expect(log.timers.allSatisfy { !$0.isEstimated })
    }

    //   deadlines   ┬   ┬   ┬   ┬   ┬   ┬   ┬   ┬   ┬   ┬   ┬   every 20 ms, the configuration was not recorded
    //   firings     ▲               ▲ 4             ▲ 4     ▲ 2
    @Test("The schedule of a timer that was set before the trace is bounded by what its firings count")
    func estimatedSchedule() {
        var trace = TraceBuilder()
        let timer = trace.source(.timer, on: trace.serialQueue("app.timer"))
        for (time, fires) in [(10_000.0, UInt64(1)), (90_000, 4), (170_000, 4), (210_000, 2)] {
            trace.add(.timerFire(.init(source: timer, fires: fires)), at: time, thread: 2)
        }
        let (_, log) = ObservationLog.read(trace.events)
        #expect(log.timers.allSatisfy { $0.isEstimated })
        // Upper bounds of 80 / 3 and 160 / 7 ms.
        let longest: [Int64] = [80_000_000 / 3, 160_000_000 / 7]
        #expect(log.timers.map(\.interval.count).prefix(3) == [0, longest[0], longest[1]])
        #expect(
            log.timers.map { $0.lateness?.count }.prefix(3) == [nil, 80_000_000 - longest[0], 80_000_000 - longest[1]])
    }

    @Test("A timer that fires before it is due was set anew, unseen")
    func earlyFiring() {
        var trace = TraceBuilder()
        let timer = trace.source(.timer, on: trace.serialQueue("app.timer"))
        trace.schedule(timer, at: 0, delay: 100_000, interval: 100_000)
        trace.add(.timerFire(.init(source: timer, fires: 1)), at: 50_000, thread: 2)
        trace.add(.timerFire(.init(source: timer, fires: 1)), at: 60_000, thread: 2)
        let (_, log) = ObservationLog.read(trace.events)
        #expect(log.timers.map(\.isEstimated) == [false, true, true])
        #expect(log.timers.map(\.lateness) == [nil, nil, .zero])
    }

    @Test("Damaged counts of deadlines do no harm")
    func damagedFirings() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.timer")
        let timers = [trace.source(.timer, on: queue), trace.source(.timer, on: queue)]
        trace.add(
            .timerConfigure(.init(source: timers[0], delay: 1, interval: .max, leeway: .max, code: 0)), at: 0, thread: 1
        )
        for timer in timers {
            for (time, fires) in [(1.0, UInt64.max), (2, 0), (2, .max), (9, 3), (9, .max)] {
                trace.add(.timerFire(.init(source: timer, fires: fires)), at: time, thread: 2)
            }
        }
        let (_, log) = ObservationLog.read(trace.events)
        #expect(log.timers.count == 11)
    }

    @Test("A source knows its handlers, its activation, its suspensions and its firings")
    func sources() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.io")
        let source = trace.source(.read, on: queue)
        trace.add(.sourceSetHandler(.init(source: source, handler: .event, code: 0)), at: 1, thread: 1)
        let code = trace.code("App/IO.swift:9")
        trace.add(.objectActivate(.init(object: source, kind: .source, code: code, stack: 0)), at: 2, thread: 1)
        trace.add(.objectSuspend(.init(object: source, kind: .source, code: 0)), at: 3, thread: 1)
        trace.fire(source, on: queue, begin: 4, end: 5, thread: 2)
        let (model, _) = ObservationLog.read(trace.events)
        let known = try #require(model.sources.first)
        #expect(known.handlers == [.event])
        #expect(known.activatedAt == Timestamp(nanoseconds: 2_000))
        #expect(model[known.activationCode].line == 9)
        #expect((known.suspensions, known.fires, known.isCreationKnown) == (1, 1, true))
    }

    @Test("A chain knows its serial queues and the nearest quality of service")
    func chains() {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let tree = trace.serialQueue("app.tree", target: root)
        let leaf = trace.serialQueue("app.leaf", target: tree, inactive: true)
        trace.suspend(leaf, at: 5)
        let (model, _) = ObservationLog.read(trace.events)
        let leafIndex = model.queues.first { $0.serialNumber == leaf }!.index
        #expect(model.serialQueues(of: leafIndex).map { model[$0].label } == ["app.leaf", "app.tree"])
        #expect(model.chain(of: leafIndex).count == 3)
        #expect(model.specifiedQoS(of: leafIndex) == .default)
        #expect(model[leafIndex].suspensions == 1)
        #expect(model[leafIndex].isCreatedInactive)
        #expect(model[leafIndex].activatedAt == nil)
    }
}
