import DispatchModel
import Testing
import TraceBuilder

/// The interposer's ids are addresses, which other objects reuse after the first one is gone.
@Suite struct ReusedIdentifierTests {
    @Test("A source that is created where another was is another source, whatever its type")
    func sources() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        for (number, type) in [SourceType.timer, .other, .read].enumerated() {
            trace.add(
                .sourceCreate(
                    .init(source: 0x7000, type: type, handle: 0, queue: queue, code: 0, stack: 0, tid: 1)),
                at: Double(number * 10))
            trace.add(
                .objectActivate(.init(object: 0x7000, kind: .source, code: 0, stack: 0)), at: Double(number * 10 + 1),
                thread: 1)
        }
        let model = ObservationLog.read(trace.events).model
        #expect(model.sources.map(\.type) == [.timer, .other, .read])
        #expect(model.sources.map { $0.activatedAt?.nanoseconds } == [1_000, 11_000, 21_000])
    }

    @Test("A source whose definition comes late is one source")
    func lateDefinition() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        trace.add(.objectActivate(.init(object: 0x7000, kind: .source, code: 0, stack: 0)), at: 1, thread: 1)
        trace.add(
            .sourceCreate(.init(source: 0x7000, type: .other, handle: 0, queue: queue, code: 0, stack: 0, tid: 1)),
            at: 2)
        trace.add(.sourceCancel(.init(source: 0x7000, code: 0)), at: 3, thread: 1)
        let model = ObservationLog.read(trace.events).model
        #expect(model.sources.count == 1)
        #expect(model.sources.first?.cancelledAt?.nanoseconds == 3_000)
    }

    @Test("A living source that is defined again is one source")
    func repeatedSource() {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        for (time, flags) in [(0.0, UInt8(0)), (10, 2), (20, 2)] {
            trace.add(
                .sourceCreate(
                    .init(
                        source: 0x7000, type: .timer, handle: 0, queue: queue, code: 0, stack: 0, tid: 1,
                        flags: flags)),
                at: time)
        }
        let model = ObservationLog.read(trace.events).model
        #expect(model.sources.count == 1)
        #expect(model.sources.first?.isCreationKnown == true)
    }

    @Test("A lock that is defined again is one lock")
    func repeatedLock() {
        var trace = TraceBuilder()
        let definition = DispatchEvent.LockCreate(lock: 0x5000, label: "app.state", fair: 0, code: 0, tid: 1)
        trace.add(.lockCreate(definition), at: 0)
        trace.add(.lockAcquire(.init(lock: 0x5000, code: 0)), at: 1, thread: 1)
        trace.add(.lockCreate(definition), at: 2)
        trace.add(.lockRelease(.init(lock: 0x5000)), at: 3, thread: 1)
        #expect(ObservationLog.read(trace.events).model.locks.map(\.label) == ["app.state"])
    }

    @Test("A group that is created where another was is empty")
    func groups() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("q")
        trace.add(.groupCreate(.init(group: 0x9000, code: 0)), at: 0, thread: 1)
        trace.add(.groupEnter(.init(group: 0x9000)), at: 1, thread: 1)
        trace.add(.groupCreate(.init(group: 0x9000, code: 0)), at: 5, thread: 1)
        trace.add(.groupNotify(.init(group: 0x9000, item: 0x10, queue: queue, code: 0)), at: 6, thread: 1)
        trace.run(0x10, on: queue, begin: 9, end: 10, thread: 2)
        let item = try #require(ObservationLog.read(trace.events).log.item(0x10))
        #expect(item.enqueuedAt.nanoseconds == 6_000)
    }

    @Test("A lock that is created where another was is another lock; a late creation names the known lock")
    func locks() {
        var trace = TraceBuilder()
        trace.add(.lockAcquire(.init(lock: 0x5000, code: 0)), at: 0, thread: 1)
        trace.add(.lockRelease(.init(lock: 0x5000)), at: 1, thread: 1)
        for (number, label) in ["app.first", "app.second"].enumerated() {
            let time = Double(number) * 10 + 2
            trace.add(.lockCreate(.init(lock: 0x5000, label: label, fair: 0, code: 0, tid: 1)), at: time)
            trace.add(.lockAcquire(.init(lock: 0x5000, code: 0)), at: time + 1, thread: 1)
        }
        let (model, log) = ObservationLog.read(trace.events)
        #expect(model.locks.map(\.label) == ["app.first", "app.second"])
        let locks = log.acquisitions.map { $0.domain }
        #expect(locks == [.lock(LockIndex(0)), .lock(LockIndex(0)), .lock(LockIndex(1))])
    }
}
