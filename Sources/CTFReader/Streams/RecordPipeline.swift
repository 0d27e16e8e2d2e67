import Dispatch

/// Reads a pass in batches: one thread finds the records and puts them in order while another one decodes those before.
///
/// ```
///   reader    ├─ batch 1 ─┤├─ batch 2 ─┤├─ batch 3 ─┤
///   caller                 ├─ batch 1 ──┤├─ batch 2 ─┤
/// ```
final class RecordPipeline: @unchecked Sendable {
    /// How many batches are on their way at most.
    private static let batchCount = 4
    /// What their records take in the files, mostly: 16 bytes each.
    private static let bytesOnTheWay = batchCount * RecordBatch.capacity * 16

    private let pass: EventPass
    private let batches: [RecordBatch]
    // A semaphore must not have less than its first value when it goes.
    private let free = DispatchSemaphore(value: 0)
    private let full = DispatchSemaphore(value: 0)

    init(_ pass: EventPass) {
        self.pass = pass
        batches = (0..<Self.batchCount).map { _ in pass.makeBatch(capacity: RecordBatch.capacity) }
        for _ in batches { free.signal() }
        pass.keepPages(bytes: Self.bytesOnTheWay)
    }

    /// Delivers every batch of the pass.
    func run(_ body: (RecordBatch) throws -> Void) throws -> ReadSummary {
        let reader = DispatchQueue(label: "org.queuescope.reader")
        reader.async { self.read() }
        var failure: (any Error)?
        var next = 0
        while true {
            full.wait()
            let batch = batches[next]
            if batch.count == 0 { break }
            do {
                if failure == nil { try body(batch) }
            } catch {
                failure = error
            }
            free.signal()
            next = (next + 1) % Self.batchCount
        }
        reader.sync {}
        if let failure { throw failure }
        return pass.finish()
    }

    /// An empty batch is the last one.
    private func read() {
        var next = 0
        while true {
            free.wait()
            let batch = batches[next]
            pass.fill(batch)
            full.signal()
            if batch.count == 0 { return }
            next = (next + 1) % Self.batchCount
        }
    }
}
