import DispatchModel
import Foundation
import TestSupport
import Testing
import TraceBuilder

@testable import CTFReader

/// Calls of sync that are open when a window of a trace begins. Times in µs.
@Suite("A window and the syncs that are open when it begins") struct OpenCallWindowTests {
    private let directory = TemporaryDirectory()

    /// The end of a trace. Before it, only open operations are read.
    private func readEnd(
        of trace: TraceBuilder, from begin: Double, isCompact: Bool
    ) throws -> (model: DispatchModel, log: ObservationLog) {
        let path = directory.appending("trace")
        try TraceDirectory.write(trace.events, to: path, isCompact: isCompact) { "s\($0)" }
        let whole = try #require(TraceMerge.extent(of: [CTFTrace(path: path)]))
        var window = TraceWindow(begin: whole.lowerBound + Int64(begin * 1_000), end: whole.upperBound, of: whole)
        window.runUpBegin = window.begin
        window.submissionReach = 0
        let log = ObservationLog()
        var builder = ModelBuilder(observer: log, awaitsWindow: true)
        _ = try DispatchTrace(path: path).read(into: &builder, in: window)
        builder.finish(at: Timestamp(nanoseconds: window.end - whole.lowerBound))
        return (builder.model, log)
    }

    /// A thread that runs items until the end.
    private func goOn(on thread: UInt32, in trace: inout TraceBuilder, until end: Double = 2_000) {
        let queue = trace.serialQueue("app.clock")
        for time in stride(from: 1, to: end, by: 5) {
            trace.uncontendedSync(on: queue, begin: time, end: time + 1, thread: thread, code: "Clock.swift:1")
        }
    }

    //   thread 2   on A ├── sync B, or barrier sync of B ┄┄┄┄┄┄┄┄┄┄┄┄
    //   thread 3   on B ├──── sync A ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
    //   thread 4   ├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤├┤            ╵ window
    @Test("Two that wait for each other do so in a window long after", arguments: [true, false], [true, false])
    func deadlock(isCompact: Bool, isLate: Bool) throws {
        var trace = TraceBuilder()
        let (a, b) = (trace.serialQueue("A"), trace.serialQueue("B"))
        trace.callout(on: a, at: 1, begin: 2, thread: 2)
        trace.callout(on: b, at: 1, begin: 2, thread: 3)
        // Earlier calls of the same threads have ended.
        trace.sync(on: trace.serialQueue("C"), at: 3, begin: 4, end: 5, thread: 2, from: 9, code: "A.swift:0")
        if isLate {
            trace.lateSync(on: b, slept: 10, thread: 2, holder: 3)
        } else {
            trace.sync(on: b, at: 10, thread: 2, from: 3, barrier: true, code: "A.swift:1")
        }
        trace.sync(on: a, at: 11, thread: 3, from: 2, code: "B.swift:1")
        goOn(on: 4, in: &trace)
        let (model, log) = try readEnd(of: trace, from: 1_990, isCompact: isCompact)
        #expect(log.items.allSatisfy { $0.isFinished || $0.beganAt == Timestamp(nanoseconds: 2_000) })
        let waits = model.waitForGraph.waits.sorted { $0.begin < $1.begin }
        #expect(waits.map { model[$0.thread].tid } == [2, 3])
        #expect(waits.map { $0.holder.map { model[$0].tid } } == [3, 2])
        #expect(waits.map(\.begin.nanoseconds) == [10_000, 11_000])
        #expect(model.waitForGraph.running.map { model[$0.queue].label } == ["A", "B"])
        #expect(log.pending.map(\.isBarrier) == [!isLate, false])
        let items = model.waitForGraph.running.map(\.item)
        #expect(waits.map(\.waiter) == items)
    }

    //   thread 2   sync main ┄┄┄┄┄┄┄┄┄┄┄┄┄╵window ┄┄ return
    //   thread 1            ├── item ──┤
    @Test("One whose item has run already waits for nothing")
    func itemIsOver() throws {
        var trace = TraceBuilder()
        let main = trace.mainQueue()
        let id = trace.item()
        trace.add(.syncEnter(.init(item: id, queue: main, code: 0, kind: .sync, qos: .default)), at: 10, thread: 2)
        trace.run(id, on: main, begin: 15, end: 30, thread: 1)
        goOn(on: 4, in: &trace)
        trace.add(.syncReturn(.init(item: id)), at: 1_995, thread: 2)
        let (model, log) = try readEnd(of: trace, from: 1_990, isCompact: true)
        #expect(model.waitForGraph.waits.isEmpty && log.pending.isEmpty && log.waits.isEmpty)
        #expect(model.waitForGraph.backlogs.isEmpty)
    }
}
