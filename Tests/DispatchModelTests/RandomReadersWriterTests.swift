import DispatchModel
import Testing
import TraceBuilder

/// Random readers and writers on a concurrent queue, checked against a slow model.
///
/// ```
///   enqueue   R1 R2 W R3        R: reader, W: writer (barrier)
///   R1, R2    ├────┤            run together
///   W               ├──┤        runs alone
///   R3                  ├──┤    waits for the running items until W begins, then for W
/// ```
@Suite struct RandomReadersWriterTests {
    struct Run {
        var id: UInt64
        var isWriter: Bool
        var enqueued, begin, end: Int
    }

    @Test("The barrier part of every wait is that of a slow model", arguments: 1...40)
    func slowModelAgrees(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var trace = TraceBuilder()
        let queue = trace.concurrentQueue("cache")
        var runs: [Run] = []
        var enqueued = 0
        var allDone = 0
        var writerDone = 0
        var lastBegin = 0
        for number in 0..<40 {
            enqueued += Int.random(in: 1..<8, using: &random)
            let isWriter = Int.random(in: 0..<4, using: &random) == 0
            // A writer begins after all items before it, and a reader after the writers before it. No item overtakes
            // another.
            let free = max(enqueued, isWriter ? allDone : writerDone, lastBegin)
            let begin = free + Int.random(in: 1..<4, using: &random)
            let end = begin + Int.random(in: 1..<12, using: &random)
            lastBegin = begin
            allDone = max(allDone, end)
            if isWriter { writerDone = end }
            let id = trace.async(
                on: queue, at: Double(enqueued), begin: Double(begin), end: Double(end),
                thread: UInt32(10 + number), barrier: isWriter)
            trace.add(.threadStart(.init(tid: UInt32(10 + number), name: "")), at: 0)
            runs.append(Run(id: id, isWriter: isWriter, enqueued: enqueued, begin: begin, end: end))
        }
        let (model, log) = ObservationLog.read(trace.events)
        for (position, run) in runs.enumerated() {
            let parts = try #require(log.item(run.id)).waitParts
            #expect(parts.barrier == Self.barrier(of: run, at: position, in: runs), "seed \(seed), item \(position)")
            #expect(parts.barrier + parts.scheduler == .microseconds(Int64(run.begin - run.enqueued)))
        }
        #expect(model.invariants.exclusion.violations == 0)
        #expect(model.invariants.exclusion.checked == runs.count)
    }

    private static func barrier(of run: Run, at position: Int, in runs: [Run]) -> Nanoseconds {
        var count: Int64 = 0
        let writersAhead = runs[..<position].filter(\.isWriter)
        for instant in run.enqueued..<run.begin {
            let running = runs.filter { $0.begin <= instant && instant < $0.end }
            let isWriterRunning = running.contains(where: \.isWriter)
            let waitsForWriter = writersAhead.contains { $0.enqueued <= instant && instant < $0.begin }
            if isWriterRunning || (!running.isEmpty && (run.isWriter || waitsForWriter)) { count += 1 }
        }
        return .microseconds(count)
    }
}
