import DispatchModel
import Testing
import TraceBuilder

@Suite struct EntityTests {
    @Test("A queue used before its definition becomes known when that comes")
    func lateDefinition() throws {
        var trace = TraceBuilder()
        let item = trace.item()
        trace.add(.itemEnqueue(.init(item: item, queue: 101, code: 0, kind: .async, qos: .default)), at: 1, thread: 1)
        let queue = trace.serialQueue("late", at: 2)
        trace.run(item, on: queue, begin: 3, end: 4, thread: 2)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(queue == 101)
        #expect(model.queues.count == 1)
        #expect(model.queues[0].kind == .serial)
        #expect(model.queues[0].label == "late")
        #expect(log.acquisitions.count == 1)
    }

    @Test("The exclusion queue is the serial queue nearest to the root")
    func exclusionQueue() {
        var trace = TraceBuilder()
        let global = trace.globalQueue()
        let bottom = trace.serialQueue("bottom", target: global)
        let middle = trace.concurrentQueue("middle", target: bottom)
        let top = trace.serialQueue("top", target: middle)
        trace.async(on: top, at: 0, begin: 1, end: 2, thread: 2)
        let (model, log) = ObservationLog.read(trace.events)
        let position = { serial in QueueIndex(model.queues.firstIndex { $0.serialNumber == serial }!) }
        #expect(model.exclusionQueue(of: position(top)) == position(bottom))
        #expect(model.exclusionQueue(of: position(global)) == nil)
        #expect(log.acquisitions.map(\.domain) == [.queue(position(bottom))])
        #expect(model[position(bottom)].children == [position(middle)])
    }

    @Test("A circle of targets is refused")
    func circle() {
        var trace = TraceBuilder()
        let first = trace.serialQueue("first")
        let second = trace.serialQueue("second", target: first)
        trace.add(.queueSetTarget(.init(queue: first, target: second, code: 0)), at: 1, thread: 1)
        trace.async(on: second, at: 2, begin: 3, end: 4, thread: 2)
        let (model, _) = ObservationLog.read(trace.events)
        #expect(model.queues[0].target == nil)
    }

    @Test("A lock that a thread waited for is held from the grant, and was requested at the wait")
    func locks() {
        var trace = TraceBuilder()
        let lock = trace.lock("state", fair: true)
        trace.hold(lock, thread: 2, granted: 1, released: 5)
        trace.hold(lock, thread: 3, requested: 2, granted: 6, released: 7)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(model.locks.map(\.label) == ["state"])
        #expect(log.acquisitions.map(\.blocksThread) == [false, true])
        #expect(log.acquisitions[0].requestedAt == log.acquisitions[0].grantedAt)
        #expect(log.acquisitions[1].requestedAt == Timestamp(nanoseconds: 2_000))
        #expect(log.acquisitions[1].releasedAt == Timestamp(nanoseconds: 7_000))
    }

    @Test("A source's handler has no wait, and knows its source")
    func sourceHandler() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let source = trace.source(.read, on: queue, activated: 1)
        let item = trace.fire(source, on: queue, begin: 5, end: 6, thread: 2)
        let (model, log) = ObservationLog.read(trace.events)
        let observed = try #require(log.item(item))
        #expect(observed.kind == .sourceHandler)
        #expect(observed.wait == .zero)
        #expect(observed.source.map { model[$0].type } == .read)
        #expect(model.sources[0].activatedAt == Timestamp(nanoseconds: 1_000))
        #expect(model.invariants.enqueues.violations == 0)
    }

    @Test("A notification is submitted when its group becomes empty")
    func notification() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let group = trace.object()
        let item = trace.item()
        trace.add(.groupEnter(.init(group: group)), at: 1, thread: 1)
        trace.add(.groupNotify(.init(group: group, item: item, queue: queue, code: 0)), at: 2, thread: 1)
        trace.add(.groupLeave(.init(group: group)), at: 7, thread: 3)
        trace.run(item, on: queue, begin: 9, end: 10, thread: 2)
        let log = ObservationLog.read(trace.events).log
        #expect(try #require(log.item(item)).wait == .microseconds(2))
        #expect(log.items[0].kind == .notify)
    }

    @Test("Signposts, iterations and waits are paired; open ones end with the trace")
    func pairs() {
        var trace = TraceBuilder()
        let queue = trace.globalQueue()
        trace.add(.signpostLog(.init(log: 1, subsystem: "app", category: "net")), at: 0)
        trace.add(.codeSymbol(.init(code: 9, address: 0, symbol: "load", file: "App/A.swift", line: 3)), at: 0)
        trace.add(.signpostBegin(.init(signpost: 4, log: 1, code: 9, message: "begin")), at: 1, thread: 2)
        trace.add(.signpostEnd(.init(signpost: 4, log: 1, code: 9, message: "")), at: 3, thread: 5)
        trace.add(.applyBegin(.init(apply: 1, queue: queue, code: 9, iterations: 2)), at: 1, thread: 2)
        trace.add(.applyIterationBegin(.init(apply: 1, iteration: 0)), at: 2, thread: 2)
        trace.add(.applyIterationBegin(.init(apply: 1, iteration: 1)), at: 2.5, thread: 3)
        trace.add(.applyIterationEnd(.init(apply: 1)), at: 4, thread: 2)
        trace.add(.semaphoreWaitBegin(.init(semaphore: 8, code: 9)), at: 5, thread: 2)
        trace.add(.semaphoreWaitEnd(.init(semaphore: 8, timedOut: 1)), at: 6, thread: 2)
        trace.add(.groupWaitBegin(.init(group: 3, code: 9)), at: 7, thread: 2)
        trace.add(.threadExit(.init(tid: 50)), at: 9)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(log.signposts.map(\.name) == ["load"])
        #expect(log.signposts.map(\.category) == ["net"])
        #expect(log.signposts.map { $0.end - $0.begin } == [.microseconds(2)])
        #expect(log.iterations.map(\.index) == [0, 1])
        #expect(log.iterations.last?.end == model.end)
        #expect(log.waits.map(\.timedOut) == [true, false])
        #expect(log.waits.map(\.isFinished) == [true, false])
    }

    @Test("A misuse tells the object, both codes, both stacks and when the object was activated")
    func misuse() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        let other = trace.serialQueue("other")
        let source = trace.source(.read, on: queue, activated: 2)
        trace.mutateAfterActivation(source, at: 5, code: "App/A.swift:9", activationCode: "App/A.swift:7")
        trace.retargetAfterActivation(source, from: queue, to: other, at: 6, code: "App/A.swift:11")
        let (model, log) = ObservationLog.read(trace.events)
        let mutation = try #require(log.misuses.first)
        #expect(mutation.kind == .mutationAfterActivation(.event))
        #expect(model[mutation.code].line == 9)
        #expect(model[mutation.activationCode].line == 7)
        #expect(mutation.activatedAt == Timestamp(nanoseconds: 2_000))
        #expect(model[mutation.stack] == [0x1000, 0x2000])
        #expect(log.misuses.last?.kind == .retargetAfterActivation(from: QueueIndex(0), to: QueueIndex(1)))
        #expect(model.sources[0].queue == QueueIndex(1))
    }
}
