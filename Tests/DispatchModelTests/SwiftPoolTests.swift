import DispatchModel
import Testing
import TraceBuilder

/// Waits for the threads of Swift's global executor, which runs at most as many jobs at once as there are processors.
/// Times in µs.
@Suite struct SwiftPoolTests {
    /// A process with three workers, of which jobs may use two: worker 9 is parked.
    private struct Process {
        var trace = TraceBuilder()
        let root: TraceBuilder.QueueID
        let executor: TraceBuilder.QueueID

        /// - Parameters:
        ///   - width: the width of the executor's queue.
        ///   - isChanged: whether the queue has that width only after its creation.
        ///   - processors: the number of processors; 0 when it was not recorded.
        init(width: UInt16 = 2, isChanged: Bool = false, processors: UInt16 = 0) {
            if processors > 0 {
                trace.add(
                    .processState(.init(pid: 77, name: "App", schemaMajor: 1, schemaMinor: 7, processors: processors)),
                    at: 0)
            }
            trace.taskTrack()
            root = trace.globalQueue()
            let label = "Swift global concurrent queue"
            executor = trace.queue(label, width: isChanged ? 4_094 : width, target: root, flags: 0, at: 0)
            if isChanged {
                trace.add(
                    .queueState(
                        .init(
                            queue: executor, label: label, width: width, qos: .default, target: root, flags: 0, code: 0,
                            stack: 0, tid: TraceBuilder.main)), at: 0)
            }
            for worker in [7, 8, 9] as [UInt32] { trace.worker(worker, of: root, made: 0, started: 1) }
            trace.park(9, of: root, at: 3)
        }

        /// A job of the executor.
        @discardableResult
        mutating func job(at ready: Double, begin: Double, end: Double, thread: UInt32) -> UInt64 {
            trace.callout(on: executor, at: ready, begin: begin, end: end, thread: thread, kind: .swiftJob)
        }

        /// The parts of the wait of an item.
        func parts(of item: UInt64) throws -> WaitParts {
            let log = ObservationLog.read(trace.events).log
            let item = try #require(log.items.first { $0.id == item })
            #expect(item.waitParts.total == item.wait)
            return item.waitParts
        }
    }

    //   worker 7   ├──── blocked ────────┤├ job ┤
    //   worker 8     ├──── blocked ─────────────────────┤
    //   worker 9   parked
    //   job             ▲ ready ··· pool ·┊
    //              10 12 20              60
    @Test("While the executor runs as many jobs as it may, its jobs wait for the pool", arguments: [true, false])
    func full(isChanged: Bool) throws {
        var process = Process(isChanged: isChanged)
        process.job(at: 5, begin: 10, end: 60, thread: 7)
        process.job(at: 5, begin: 12, end: 90, thread: 8)
        let waiting = process.job(at: 20, begin: 60, end: 61, thread: 7)
        let parts = try process.parts(of: waiting)
        #expect(parts.pool == .microseconds(40))
        #expect(parts.scheduler == .zero)
    }

    @Test("Without the changed width, the limit is the number of processors", arguments: [(2, 40), (3, 0)])
    func processors(count: UInt16, pool: Int64) throws {
        var process = Process(width: 4_094, processors: count)
        process.job(at: 5, begin: 10, end: 60, thread: 7)
        process.job(at: 5, begin: 12, end: 90, thread: 8)
        let waiting = process.job(at: 20, begin: 60, end: 61, thread: 7)
        #expect(try process.parts(of: waiting).pool == .microseconds(pool))
    }

    @Test("Below its limit, a job waits for a free worker")
    func below() throws {
        var process = Process(width: 3)
        process.job(at: 5, begin: 10, end: 60, thread: 7)
        process.job(at: 5, begin: 12, end: 90, thread: 8)
        let waiting = process.job(at: 20, begin: 60, end: 61, thread: 7)
        let parts = try process.parts(of: waiting)
        #expect(parts.pool == .zero)
        #expect(parts.scheduler == .microseconds(40))
    }

    @Test("Other items of the root queue do not wait for the executor")
    func otherItems() throws {
        var process = Process()
        process.job(at: 5, begin: 10, end: 60, thread: 7)
        process.job(at: 5, begin: 12, end: 90, thread: 8)
        let other = process.trace.callout(on: process.root, at: 20, begin: 60, end: 61, thread: 7)
        let parts = try process.parts(of: other)
        #expect(parts.pool == .zero)
        #expect(parts.scheduler == .microseconds(40))
    }

    //   worker 7   ├ actor ┤   ├──── blocked ────────┤├ actor ┤
    //   worker 8                 ├──── blocked ─────────────────┤
    //   task 2                         ▲ ready · pool ·┊
    @Test("A task on a free actor waits for the pool as well")
    func actor() throws {
        var process = Process()
        let actor = process.trace.actor("App.Store")
        process.job(at: 3, begin: 4, end: 7, thread: 7)
        process.trace.begin(1, on: actor, thread: 7, at: 5)
        process.trace.finish(1, thread: 7, at: 6)
        process.job(at: 5, begin: 10, end: 60, thread: 7)
        process.job(at: 5, begin: 12, end: 90, thread: 8)
        process.trace.resume(2, on: actor, thread: 1, at: 20)
        process.job(at: 20, begin: 60, end: 63, thread: 7)
        process.trace.begin(2, on: actor, thread: 7, at: 60)
        process.trace.finish(2, thread: 7, at: 62)
        let (model, log) = ObservationLog.read(process.trace.events)
        let jobs = log.items.filter { model[$0.queue].kind == .actor }
        #expect(jobs.map(\.waitParts.pool) == [.zero, .microseconds(40)])
        #expect(jobs.map(\.waitParts.scheduler) == [.zero, .zero])
    }
}
