import DispatchModel
import Testing
import TraceBuilder

// Which signal wakes which waiter: semaphores, groups and work items.
@Suite("Signals")
struct SignalTests {
    // waiter 2      wait ├────────────┤
    // signaller 3        ├── item ──┤ signal inside
    @Test("A semaphore's wait names the item that signalled")
    func semaphoreSignaller() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.work")
        let semaphore = trace.object()
        trace.add(.semaphoreCreate(.init(semaphore: semaphore, value: 0, code: 0)), at: 1, thread: 2)
        trace.add(.semaphoreWaitBegin(.init(semaphore: semaphore, code: 0)), at: 5, thread: 2)
        let item = trace.async(on: queue, at: 2, begin: 6, end: 20, thread: 3)
        trace.add(.semaphoreSignal(.init(semaphore: semaphore, code: 0)), at: 15, thread: 3)
        trace.add(.semaphoreWaitEnd(.init(semaphore: semaphore, timedOut: 0)), at: 17, thread: 2)
        let (model, log) = ObservationLog.read(trace.events)
        let wait = try #require(log.waits.first)
        #expect(wait.signal?.item == log.item(item)?.number)
        #expect(wait.signal.map { model[$0.thread].tid } == 3)
        #expect(wait.signal?.time == Timestamp(nanoseconds: 15_000))
        #expect(log.signals.map(\.isAwaited) == [true])
        let entity = try #require(model.semaphores.first)
        #expect((entity.firstValue, entity.value) == (0, 0))
        #expect((entity.signals, entity.waits, entity.blockedWaits) == (1, 1, 1))
        #expect(entity.waited == .microseconds(12))
        #expect(!entity.isLock)
    }

    @Test("A wait that finds a value left was ended by nobody")
    func freeSemaphore() throws {
        var trace = TraceBuilder()
        let semaphore = trace.object()
        trace.add(.semaphoreCreate(.init(semaphore: semaphore, value: 0, code: 0)), at: 1, thread: 2)
        trace.add(.semaphoreSignal(.init(semaphore: semaphore, code: 0)), at: 2, thread: 3)
        trace.add(.semaphoreWaitBegin(.init(semaphore: semaphore, code: 0)), at: 5, thread: 2)
        trace.add(.semaphoreWaitEnd(.init(semaphore: semaphore, timedOut: 0)), at: 6, thread: 2)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(log.waits.map { $0.signal == nil } == [true])
        #expect(model.semaphores.map(\.blockedWaits) == [0])
    }

    @Test("Two waiters are woken by two signals, the one that waits longest first")
    func twoWaiters() {
        var trace = TraceBuilder()
        let semaphore = trace.object()
        trace.add(.semaphoreCreate(.init(semaphore: semaphore, value: 0, code: 0)), at: 1, thread: 2)
        for thread in [UInt32(2), 3] {
            trace.add(.semaphoreWaitBegin(.init(semaphore: semaphore, code: 0)), at: Double(thread), thread: thread)
        }
        trace.add(.semaphoreSignal(.init(semaphore: semaphore, code: 0)), at: 10, thread: 4)
        trace.add(.semaphoreSignal(.init(semaphore: semaphore, code: 0)), at: 11, thread: 5)
        trace.add(.semaphoreWaitEnd(.init(semaphore: semaphore, timedOut: 0)), at: 12, thread: 2)
        trace.add(.semaphoreWaitEnd(.init(semaphore: semaphore, timedOut: 0)), at: 13, thread: 3)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(log.waits.compactMap { $0.signaller.map { model[$0].tid } } == [4, 5])
    }

    @Test("A semaphore that every thread gives back itself is a lock, another is not", arguments: [2, 3] as [UInt32])
    func semaphoreAsLock(signaller: UInt32) {
        var trace = TraceBuilder()
        let semaphore = trace.object()
        trace.add(.semaphoreCreate(.init(semaphore: semaphore, value: 1, code: 0)), at: 1, thread: 2)
        trace.add(.semaphoreWaitBegin(.init(semaphore: semaphore, code: 0)), at: 5, thread: 2)
        trace.add(.semaphoreWaitEnd(.init(semaphore: semaphore, timedOut: 0)), at: 6, thread: 2)
        trace.add(.semaphoreSignal(.init(semaphore: semaphore, code: 0)), at: 7, thread: signaller)
        let (model, _) = ObservationLog.read(trace.events)
        #expect(model.semaphores.map(\.isLock) == [signaller == 2])
    }

    // item 1   ├──┤ leave
    // item 2      ├─────┤ leave: the group is empty
    // main     wait ────┤
    @Test("A group's wait names the item whose end emptied it, and the item its group")
    func groupSignaller() throws {
        var trace = TraceBuilder()
        let queue = trace.globalQueue()
        let group = trace.object()
        trace.add(.groupCreate(.init(group: group, code: trace.code("App/Main.swift:3"))), at: 0, thread: 1)
        var items: [UInt64] = []
        for (thread, end) in [(UInt32(2), 10.0), (3, 20)] {
            trace.add(.groupEnter(.init(group: group)), at: 1, thread: 1)
            items.append(trace.callout(on: queue, at: 1, begin: 3, end: end, thread: thread))
            trace.add(.groupLeave(.init(group: group)), at: end, thread: thread)
        }
        trace.add(.groupWaitBegin(.init(group: group, code: 0)), at: 2, thread: 1)
        trace.add(.groupWaitEnd(.init(group: group, timedOut: 0)), at: 22, thread: 1)
        let (model, log) = ObservationLog.read(trace.events)
        let wait = try #require(log.waits.first)
        #expect(wait.signal?.item == log.item(items[1])?.number)
        #expect(log.signals.count == 1)
        #expect(log.items.allSatisfy { $0.group == GroupIndex(0) })
        let entity = model[GroupIndex(0)]
        #expect((entity.enters, entity.leaves, entity.outstanding, entity.waits) == (2, 2, 0, 1))
        #expect(model[entity.creationCode].line == 3)
    }

    // worker 3   ├ a ┤ ├──── b, leave() ────┤
    @Test("A group that an item leaves itself was emptied by that item, not by the one before it on the thread")
    func explicitLeave() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.work")
        let group = trace.group()
        trace.add(.groupEnter(.init(group: group)), at: 1, thread: 2)
        trace.async(on: queue, at: 2, begin: 5, end: 8, thread: 3)
        let item = trace.async(on: queue, at: 3, begin: 10, end: 30, thread: 3)
        trace.add(.groupWaitBegin(.init(group: group, code: 0)), at: 4, thread: 2)
        trace.add(.groupLeave(.init(group: group)), at: 20, thread: 3)
        trace.add(.groupWaitEnd(.init(group: group, timedOut: 0)), at: 22, thread: 2)
        let (_, log) = ObservationLog.read(trace.events)
        let wait = try #require(log.waits.first)
        #expect(wait.signal?.item == log.item(item)?.number)
    }

    @Test("A group that is never left keeps what is outstanding, and its successor at the same address is another")
    func groupNeverLeft() {
        var trace = TraceBuilder()
        let group = trace.object()
        trace.add(.groupCreate(.init(group: group, code: 0)), at: 0, thread: 1)
        trace.add(.groupEnter(.init(group: group)), at: 1, thread: 1)
        trace.add(.groupCreate(.init(group: group, code: 0)), at: 2, thread: 1)
        trace.add(.groupEnter(.init(group: group)), at: 3, thread: 1)
        trace.add(.groupLeave(.init(group: group)), at: 4, thread: 1)
        trace.add(.groupCreate(.init(group: group, code: 0)), at: 5, thread: 1)
        let (model, _) = ObservationLog.read(trace.events)
        #expect(model.groups.map(\.outstanding) == [1, 0])
    }

    @Test("A wait for a work item names the thread that ran it")
    func itemSignaller() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.work")
        let item = trace.async(on: queue, at: 2, begin: 6, end: 20, thread: 3)
        trace.add(.itemWaitBegin(.init(item: item, code: 0)), at: 5, thread: 1)
        trace.add(.itemWaitEnd(.init(item: item, timedOut: 0)), at: 22, thread: 1)
        let (model, log) = ObservationLog.read(trace.events)
        let signal = try #require(log.waits.first?.signal)
        #expect(model[signal.thread].tid == 3)
        #expect(signal.item == log.item(item)?.number)
        #expect(signal.queue == log.item(item)?.queue)
    }
}
