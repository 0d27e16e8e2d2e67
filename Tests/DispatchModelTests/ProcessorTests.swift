import DispatchModel
import Testing
import TraceBuilder

/// Context switches; times in µs.
@Suite struct ProcessorTests {
    //   item     ├───────────────────────┤
    //   thread      ╰ blocked ╯  ╰ preempted ╯
    //            10 12       15  17          21
    @Test("An item's service is split into its time on a processor, preempted and blocked")
    func service() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let item = trace.callout(on: queue, at: 0, begin: 10, end: 20, thread: 2)
        trace.off(2, from: 12, until: 15)
        trace.off(2, from: 17, until: 21, preempted: true)
        trace.off(3, from: 11, until: 19)
        let (model, log) = ObservationLog.read(trace.events)
        let times = try #require(log.item(item)?.processorTimes)
        #expect(times.blocked == .microseconds(3))
        #expect(times.preempted == .microseconds(3))
        #expect((times.switches, times.preemptions) == (2, 1))
        #expect(log.item(item)?.onProcessor == .microseconds(4))
        let whole = try #require(model.threads.first { $0.tid == 2 }?.processorTimes)
        #expect(whole.preempted == .microseconds(4) && whole.switches == 2)
    }

    //   thread   ╰ off ╯── on ──┤ exit
    @Test("A thread that has ended is on no processor")
    func exit() throws {
        var trace = TraceBuilder()
        trace.off(2, from: 3, until: 5)
        trace.add(.threadExit(.init(tid: 2)), at: 9, thread: 2)
        trace.add(.switchIn(.init(tid: 2, processor: 1)), at: 10)
        trace.end(at: 100)
        let slices = ObservationLog.read(trace.events).log.processorSlices
        #expect(slices.map { [$0.begin, $0.end] } == [[.zero + .microseconds(5), .zero + .microseconds(9)]])
    }

    //   holder   ── item ──┤
    //   waiter   ······················├ item
    //                      ╰ off ╯╰ on ╯
    //                      10    14    17
    @Test("Of the scheduler's part of a wait, the time is told in which the thread had no processor")
    func wait() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        trace.callout(on: queue, at: 0, begin: 0, end: 10, thread: 2)
        trace.off(3, from: 2, until: 14)
        let sync = trace.lateSync(on: queue, slept: 1, begin: 17, end: 18, thread: 3, holder: 2)
        let item = try #require(ObservationLog.read(trace.events).log.item(sync))
        #expect(item.waitParts.scheduler == .microseconds(7))
        #expect(item.waitOffProcessor == .microseconds(4))
        #expect(item.waitParts.total == item.wait)
    }

    @Test("The time that a worker sleeps before it wakes is the start of a thread, not its absence")
    func wakingWorker() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        trace.worker(7, of: root, made: 0, started: 1)
        trace.park(7, of: root, at: 2, asked: 20, until: 25)
        trace.off(7, from: 3, until: 24)
        trace.off(7, from: 26, until: 28, preempted: true)
        let id = trace.callout(on: root, at: 20, begin: 30, end: 31, thread: 7)
        let item = try #require(ObservationLog.read(trace.events).log.item(id))
        #expect(item.waitParts.threadStart == .microseconds(5))
        #expect(item.waitParts.scheduler == .microseconds(5))
        #expect(item.waitOffProcessor == .microseconds(2))
    }

    //   thread   ╰ off ╯   ╰ paused ─────────────╯   ╰ off ╯
    //            1     2   10                    30
    //   items      ├ a ┤ ├ b ┤    ├ c ┤      ├ d ┤ ├ e ────────┤
    @Test("While the recorder leaves out a thread's switches, nothing is said about its processor")
    func pause() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        trace.off(2, from: 1, until: 2)
        let items = [(3, 4), (9, 11), (15, 16), (29, 31), (32, 40)].map { begin, end in
            trace.callout(on: queue, at: begin - 1, begin: begin, end: end, thread: 2)
        }
        trace.off(2, from: 9.5)  // The return to the processor falls into the pause.
        trace.add(.switchesPauseBegin(.init(tid: 2)), at: 10)
        trace.add(.switchesPauseEnd(.init(tid: 2)), at: 30)
        trace.off(2, from: 33, until: 35)
        trace.off(3, from: 5, until: 35)
        let (model, log) = ObservationLog.read(trace.events)
        let blocked = items.map { log.item($0)?.processorTimes?.blocked }
        #expect(blocked == [.zero, nil, nil, nil, .microseconds(2)])
        #expect(model.switchPauses.threads == 1 && model.switchPauses.time == .microseconds(20))
        let other = try #require(model.threads.first { $0.tid == 3 }?.processorTimes)
        #expect(other.blocked == .microseconds(30), "other threads are not concerned")
    }

    @Test("Of a window in which a thread's switches are left out, none is known, whatever came before")
    func pausedWindow() {
        var trace = TraceBuilder()
        trace.off(3, from: 1, until: 2)
        trace.add(.switchesPauseBegin(.init(tid: 2)), at: 10)
        trace.add(.switchesPauseBegin(.init(tid: 4)), at: 11)
        trace.add(.threadExit(.init(tid: 4)), at: 12)
        trace.off(3, from: 60, until: 70)
        var builder = ModelBuilder(observer: ObservationLog(), awaitsWindow: true)
        for (position, event) in trace.events.enumerated() {
            if position == trace.events.count - 2 { builder.beginWindow(at: Timestamp(nanoseconds: 50_000)) }
            builder.handle(event.event, at: event.time, tid: event.tid)
        }
        builder.finish()
        let model = builder.model
        #expect(model.switchPauses.threads == 1 && model.switchPauses.time == .microseconds(20))
        #expect(model.threads.map { $0.processorTimes == nil } == model.threads.map { $0.tid != 3 })
    }

    //   thread   paused ────────────────╯   ╰ off ╯
    //                                  30   33   35
    //   items                       ├ a ─┤ ├ b ────────┤
    @Test("A pause whose begin was overwritten lasted since the begin of the trace")
    func overwrittenPauseBegin() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let items = [(29, 31), (32, 40)].map { begin, end in
            trace.callout(on: queue, at: begin - 1, begin: begin, end: end, thread: 2)
        }
        trace.add(.switchesPauseEnd(.init(tid: 2)), at: 30)
        trace.off(2, from: 33, until: 35)
        trace.off(3, from: 5, until: 35)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(items.map { log.item($0)?.processorTimes?.blocked } == [nil, .microseconds(2)])
        #expect(model.switchPauses.threads == 1)
        #expect(model.switchPauses.time == Timestamp.zero + .microseconds(30) - model.begin)
    }

    @Test("Lost switches of one thread leave the absences of the others")
    func lostOfOneThread() throws {
        var trace = TraceBuilder()
        trace.off(2, from: 1, until: 21)
        trace.off(3, from: 1, until: 21)
        trace.add(.switchesLost(.init(switches: 7, tid: 2)), at: 11)
        let (model, _) = ObservationLog.read(trace.events)
        let blocked = [2, 3].map { tid in model.threads.first { $0.tid == tid }?.processorTimes?.blocked }
        #expect(blocked == [.zero, .microseconds(20)])
    }

    //   item     ├──────────────────────────────────────────┤ recorded by the thread
    //   thread      ╰ 1 ms ╯ ╰ out     × back     ╰ out      × back
    @Test("An absence whose end was lost does not count: the thread switches again, or records")
    func lostReturns() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let item = trace.callout(on: queue, at: 0, begin: 10, end: 100_000, thread: 2)
        trace.off(2, from: 2_000, until: 3_000, preempted: true)
        trace.off(2, from: 10_000, preempted: true)
        trace.off(2, from: 40_000, preempted: true)
        let next = trace.callout(on: queue, at: 0, begin: 110_000, end: 120_000, thread: 2)
        let (_, log) = ObservationLog.read(trace.events)
        #expect(log.item(item)?.processorTimes?.preempted == .milliseconds(1))
        #expect(log.item(next)?.processorTimes?.preempted == .zero)
    }

    //   thread   ── a ───────┤ switch_in ── b ──┤
    @Test("Before a first switch that gives a thread a processor, nothing is known of it")
    func firstSwitchIn() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let items = [(0.0, 10.0), (20, 25)].map {
            trace.callout(on: queue, at: 0, begin: $0.0, end: $0.1, thread: 2)
        }
        trace.add(.switchIn(.init(tid: 2, processor: 1)), at: 8)
        trace.off(2, from: 22, until: 24)
        let log = ObservationLog.read(trace.events).log
        #expect(items.map { log.item($0)?.processorTimes?.blocked } == [nil, .microseconds(2)])
    }

    @Test("Without context switches nothing is said about processors")
    func without() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let id = trace.callout(on: queue, at: 0, begin: 5, end: 6, thread: 2)
        let (model, log) = ObservationLog.read(trace.events)
        let item = try #require(log.item(id))
        #expect(item.processorTimes == nil && item.waitOffProcessor == nil && item.onProcessor == nil)
        #expect(model.threads.allSatisfy { $0.processorTimes == nil })
        #expect(model.processorTrack == nil)
    }

    @Test("Switches that do not pair are counted, and never make an absence longer than it was")
    func unpaired() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let id = trace.callout(on: queue, at: 0, begin: 2, end: 20, thread: 2)
        trace.add(.switchIn(.init(tid: 2)), at: 1)
        trace.off(2, from: 4)
        trace.off(2, from: 6, until: 9)
        trace.off(2, from: 18)
        let times = try #require(ObservationLog.read(trace.events).log.item(id)?.processorTimes)
        // From 4 until the next switch at 6, the thread may have run.
        #expect(times.blocked == .microseconds(3 + 2))
        #expect(times.switches == 3)
    }

    @Test("A stretch on a processor is told when it ends, with the processor where that was recorded")
    func slices() throws {
        var trace = TraceBuilder()
        trace.add(.switchIn(.init(tid: 2, processor: 4)), at: 1)
        trace.add(.switchOut(.init(tid: 2, preempted: 1, processor: 4)), at: 3)
        trace.add(.switchIn(.init(tid: 2)), at: 5)
        trace.add(.switchOut(.init(tid: 2, preempted: 0)), at: 6)
        trace.add(.switchIn(.init(tid: 2, processor: 1)), at: 7)
        trace.add(.switchesLost(.init(switches: 3)), at: 8)
        trace.add(.switchOut(.init(tid: 2, preempted: 0, processor: 1)), at: 9)
        trace.add(.switchIn(.init(tid: 2, processor: 1)), at: 10)
        trace.add(.signpostLog(.init(log: 1, subsystem: "", category: "")), at: 12)
        let slices = ObservationLog.read(trace.events).log.processorSlices
        try #require(slices.count == 3)
        #expect(slices.map(\.processor) == [3, nil, 0])
        #expect(slices.map { $0.end - $0.begin } == [.microseconds(2), .microseconds(1), .microseconds(2)])
        #expect(slices.map(\.ending) == [.preempted, .blocked, .unknown])
    }

    @Test("The origin of the switches and the kernel's totals are taken over, the last totals of a thread counting")
    func totals() throws {
        var trace = TraceBuilder()
        trace.add(.processorTrack(.init(origin: .schedstat, detail: "perf_event_open: EACCES")), at: 0)
        trace.add(.threadTimes(.init(tid: 2, onCpu: 5, runDelay: 6, slices: 7)), at: 1, thread: 2)
        trace.add(.threadTimes(.init(tid: 2, onCpu: 50, runDelay: 60, slices: 70)), at: 2, thread: 1)
        let model = ObservationLog.read(trace.events).model
        #expect(model.processorTrack == ProcessorTrack(origin: .schedstat, detail: "perf_event_open: EACCES"))
        let times = try #require(model.threads.first { $0.tid == 2 }?.kernelTimes)
        #expect((times.onProcessor, times.runDelay, times.slices) == (Nanoseconds(50), Nanoseconds(60), 70))
        // At its end, a thread reports all counters except the delay.
        trace.add(.threadTimes(.init(tid: 2, onCpu: 80, runDelay: .max, slices: 90)), at: 3, thread: 2)
        let last = try #require(ObservationLog.read(trace.events).model.threads.first { $0.tid == 2 }?.kernelTimes)
        #expect((last.onProcessor, last.runDelay, last.slices) == (Nanoseconds(80), nil, 90))
    }

    @Test("switches that were lost are counted, and nobody is taken to be away since before")
    func lost() {
        var trace = TraceBuilder()
        trace.add(.switchOut(.init(tid: 7, preempted: 0)), at: 10)
        trace.add(.switchesLost(.init(switches: 3)), at: 20)
        trace.add(.switchIn(.init(tid: 7)), at: 1000)
        let model = ObservationLog.read(trace.events).model
        #expect(model.lostSwitches == 3)
        #expect(model.threads.allSatisfy { ($0.processorTimes?.blocked ?? .zero) == .zero })
    }
}
