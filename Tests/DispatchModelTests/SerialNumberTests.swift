import DispatchModel
import TestSupport
import Testing
import TraceBuilder

/// A program that creates 10,000 queues a second reaches the serial number 2^32 after five days.
@Suite("Serial numbers with more than 32 bits") struct SerialNumberTests {
    private let directory = TemporaryDirectory()

    private func read(
        _ trace: TraceBuilder, isCompact: Bool
    ) throws -> (model: DispatchModel, log: ObservationLog) {
        let path = directory.appending("trace")
        try TraceDirectory.write(trace.events, to: path, isCompact: isCompact) { "s\($0)" }
        let log = ObservationLog()
        var builder = ModelBuilder(observer: log)
        _ = try DispatchTrace(path: path).forEachEvent { event, time, tid in
            builder.handle(event, at: time, tid: tid)
        }
        builder.finish()
        return (builder.model, log)
    }

    @Test("identify queues whose numbers have equal lower halves", arguments: [true, false])
    func equalLowerHalves(isCompact: Bool) throws {
        var trace = TraceBuilder()
        trace.nextQueue = 1
        let main = trace.mainQueue()
        let root = trace.globalQueue()
        let state = trace.serialQueue("app.state", target: root)
        trace.nextQueue = 1 << 32 | main
        let first = trace.serialQueue("app.first", target: root)
        trace.nextQueue = 0xffff << 32 | state
        let second = trace.serialQueue("app.second", target: first, inactive: true)
        trace.add(
            .objectActivate(.init(object: second, kind: .queue, code: 0, stack: 0)), at: 1, thread: TraceBuilder.main)
        trace.add(.queueSetTarget(.init(queue: second, target: state, code: 0)), at: 2, thread: TraceBuilder.main)
        for (turn, queue) in [main, state, first, second].enumerated() {
            let begin = 10 + Double(turn) * 40
            trace.async(on: queue, at: begin, begin: begin + 1, end: begin + 5, thread: 2)
            trace.callout(on: queue, at: begin + 10, begin: begin + 11, end: begin + 13, thread: 2)
            trace.uncontendedSync(on: queue, begin: begin + 20, end: begin + 22, thread: 1)
        }
        trace.async(on: state, at: 200, begin: 201, end: 215, thread: 2)
        trace.lateSync(on: second, slept: 205, begin: 216, end: 218, thread: 3, holder: 2, level: state)
        trace.suspend(first, at: 300, until: 310)
        trace.retargetAfterActivation(second, kind: .queue, from: state, to: first, at: 400, code: "App/Main.swift:9")

        let (model, log) = try read(trace, isCompact: isCompact)
        let labels = ["com.apple.main-thread", "com.apple.root.default-qos", "app.state", "app.first", "app.second"]
        #expect(model.queues.map(\.label) == labels)
        #expect(model.queues.map(\.serialNumber) == [main, root, state, first, second])
        let items = Dictionary(grouping: log.items, by: { model[$0.queue].label }).mapValues(\.count)
        #expect(items == ["com.apple.main-thread": 3, "app.state": 4, "app.first": 3, "app.second": 4])
        let blocked = log.items.compactMap(\.blockedOn)
        #expect(blocked.map { model[$0].label } == ["app.state"])
        let changed = log.changes.map { change in
            if case .queue(let queue) = change.object { model[queue].label } else { "" }
        }
        #expect(changed == ["app.second", "app.second", "app.first", "app.first"])
        let misuse = try #require(log.misuses.first)
        guard case .queue(let object) = misuse.object,
            case .retargetAfterActivation(let from?, let to?) = misuse.kind
        else {
            Issue.record("\(misuse)")
            return
        }
        #expect([object, from, to].map { model[$0].label } == ["app.second", "app.state", "app.first"])
    }

    @Test("are not those of placeholders, actors and event loops", arguments: [0xffff_ffff, 0xffff_fffe, 0xe000_0000])
    func placeholders(number: UInt64) throws {
        var trace = TraceBuilder()
        trace.nextQueue = number
        let queue = trace.serialQueue("app.state")
        trace.async(on: queue, at: 1, begin: 2, end: 3, thread: 2)
        trace.apply(on: 0, at: 10, end: 20, thread: 1, iterations: [(thread: 1, begin: 11, end: 12)])
        let loop = trace.loop("app.loop", thread: 4)
        trace.iterate(loop, begin: 30, end: 31, thread: 4)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(log.items.filter { model[$0.queue].label == "app.state" }.count == 1)
        #expect(Set(model.queues.map(\.serialNumber)).count == model.queues.count)
        #expect(log.iterations.map { model[$0.queue].label } == ["concurrentPerform"])
    }
}
