import DispatchModel
import Testing
import TraceBuilder

/// libdispatch changes the target of an active queue after the items that were submitted before the change.
@Suite("A change of an active queue's target") struct RetargetTests {
    private func setTarget(
        of queue: TraceBuilder.QueueID, to target: TraceBuilder.QueueID, at time: Double, in trace: inout TraceBuilder
    ) {
        trace.add(.queueSetTarget(.init(queue: queue, target: target, code: 0)), at: time, thread: 1)
    }

    //   c    a ├────────┤ 30
    //        b     ▲ 12 ┄┄┄├───┤ 45
    //   c → p        ▲ 20      ╵ takes effect
    //   d              ▲ 25 ┄┄┄┄┄┄┄┄├─┤ 72, behind p's item
    //   p    ├────────────────────┤ 60
    @Test("It takes effect when the items have ended that were submitted before", arguments: [false, true])
    func behindItems(isNonLeaf: Bool) throws {
        var trace = TraceBuilder()
        let (p, c) = (trace.serialQueue("p"), trace.serialQueue("c"))
        trace.async(on: p, at: 0, begin: 1, end: 60, thread: 2)
        let a = trace.async(on: c, at: 0, begin: 2, end: 30, thread: 3)
        let b = trace.async(on: c, at: 12, begin: 32, end: 45, thread: 3)
        if isNonLeaf {
            trace.add(
                .nonLeafRetarget(
                    .init(
                        object: UInt64(c), kind: .queue, from: 0, to: p, code: 0, stack: 0, activationCode: 0,
                        activationStack: 0)), at: 20, thread: 1)
        } else {
            setTarget(of: c, to: p, at: 20, in: &trace)
        }
        let d = trace.async(on: c, at: 25, begin: 70, end: 72, thread: 3)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(model.unknownIntervals.isEmpty && model.invariants.exclusion.violations == 0)
        #expect(log.items.allSatisfy { $0.isFinished })
        let exclusions = try [a, b, d].map { id in
            try #require(log.item(id)?.domain).map { model[$0].label }
        }
        #expect(exclusions == ["c", "c", "p"])
        let parts = try #require(log.item(d)).waitParts
        #expect(parts.ownBacklog == .microseconds(18))
        #expect(parts.hierarchy == .microseconds(15))
        #expect(parts.scheduler == .microseconds(12))
        #expect(model.queues.first { $0.label == "c" }?.target.map { model[$0].label } == "p")
    }

    //   p    ├─────────────────┤ 50
    //   q    a ▲ 2, runs when p is free          q leaves p at 5, behind a
    //   b        ▲ 6 ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├─┤ 71, no longer behind p's second item
    //   p                          ├────────┤ 75
    @Test("Away from a queue that holds it up, too")
    func awayFromHolder() throws {
        var trace = TraceBuilder()
        let root = trace.globalQueue()
        let p = trace.serialQueue("p", target: root)
        let q = trace.serialQueue("q", target: p)
        trace.async(on: p, at: 0, begin: 1, end: 50, thread: 2)
        let a = trace.async(on: q, at: 2, begin: 51, end: 52, thread: 2)
        setTarget(of: q, to: root, at: 5, in: &trace)
        let b = trace.async(on: q, at: 6, begin: 70, end: 71, thread: 3)
        trace.async(on: p, at: 7, begin: 54, end: 75, thread: 2)
        let (model, log) = ObservationLog.read(trace.events)
        let parts = try [a, b].map { try #require(log.item($0)).waitParts }
        #expect(parts.map(\.hierarchy) == [.microseconds(48), .microseconds(44)])
        #expect(parts[1].ownBacklog == .microseconds(1))
        // The thread was new.
        #expect(parts[1].scheduler + parts[1].threadStart == .microseconds(19))
        #expect(model.invariants.exclusion.violations == 0)
    }

    @Test("It takes effect at once on an idle queue, on an inactive one, and where only a delayed item waits")
    func atOnce() throws {
        var trace = TraceBuilder()
        let p = trace.serialQueue("p")
        trace.async(on: p, at: 0, begin: 1, end: 60, thread: 2)
        let idle = trace.serialQueue("idle")
        let inactive = trace.serialQueue("inactive", inactive: true)
        let delayed = trace.serialQueue("delayed")
        trace.asyncAfter(on: delayed, at: 2, delay: 10, begin: 70, end: 71, thread: 3)
        let early = trace.async(on: inactive, at: 3, begin: 72, end: 73, thread: 3)
        for queue in [idle, inactive, delayed] { setTarget(of: queue, to: p, at: 5, in: &trace) }
        let item = trace.async(on: idle, at: 6, begin: 61, end: 62, thread: 2)
        trace.add(.objectActivate(.init(object: UInt64(inactive), kind: .queue, code: 0, stack: 0)), at: 8, thread: 1)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(try #require(log.item(item)).waitParts.hierarchy == .microseconds(54))
        #expect(try #require(log.item(early)).waitParts.hierarchy == .microseconds(54))
        #expect(log.items.allSatisfy { item in item.domain.map { model[$0].label } == "p" })
    }

    @Test("That of a suspended queue waits until it is resumed")
    func suspended() throws {
        var trace = TraceBuilder()
        let (p, c) = (trace.serialQueue("p"), trace.serialQueue("c"))
        trace.async(on: p, at: 0, begin: 1, end: 60, thread: 2)
        trace.suspend(c, at: 2, until: 20)
        setTarget(of: c, to: p, at: 5, in: &trace)
        let item = trace.async(on: c, at: 6, begin: 61, end: 62, thread: 2)
        let parts = try #require(ObservationLog.read(trace.events).log.item(item)).waitParts
        #expect(parts.suspended == .microseconds(14) && parts.hierarchy == .microseconds(40))
    }

    //   c            a ├─── its end is lost
    //   c → p          ▲ 10
    //   b               ▲ 12 ┄┄├─┤ 22: the change took effect before b
    @Test("An item that was submitted after it shows that it has taken effect", arguments: [false, true])
    func shownByItem(isUncontendedSync: Bool) throws {
        var trace = TraceBuilder()
        let (p, c) = (trace.serialQueue("p"), trace.serialQueue("c"))
        trace.async(on: c, at: 0, begin: 2, thread: 3)
        setTarget(of: c, to: p, at: 10, in: &trace)
        if isUncontendedSync {
            trace.uncontendedSync(on: c, begin: 20, end: 22, thread: 4, code: "A.swift:1")
        } else {
            trace.async(on: c, at: 12, begin: 20, end: 22, thread: 4)
        }
        let (model, log) = ObservationLog.read(trace.events)
        let item = try #require(log.items.first { $0.isFinished })
        #expect(item.domain.map { model[$0].label } == "p")
    }

    @Test("Several take their turns, and one that has not come when the trace ends has no effect")
    func several() throws {
        var trace = TraceBuilder()
        let (p, q, c) = (trace.serialQueue("p"), trace.serialQueue("q"), trace.serialQueue("c"))
        let r = trace.serialQueue("r")
        let a = trace.async(on: c, at: 0, begin: 2, end: 20, thread: 3)
        setTarget(of: c, to: p, at: 3, in: &trace)
        let b = trace.async(on: c, at: 4, begin: 21, end: 30, thread: 3)
        setTarget(of: c, to: q, at: 5, in: &trace)
        let d = trace.async(on: c, at: 6, begin: 31, thread: 3)
        setTarget(of: c, to: r, at: 7, in: &trace)
        trace.add(.queueDispose(.init(queue: c)), at: 8, thread: 1)
        trace.end(at: 100)
        let (model, log) = ObservationLog.read(trace.events)
        let domains = try [a, b, d].map { id in
            try #require(log.item(id)?.domain).map { model[$0].label }
        }
        #expect(domains == ["c", "p", "q"])
        #expect(model.queues.first { $0.label == "c" }?.target.map { model[$0].label } == "q")
        #expect(model.queues.first { $0.label == "c" }?.retargets == 3)
    }
}
