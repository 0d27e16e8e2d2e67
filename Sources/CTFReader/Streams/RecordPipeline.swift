import Dispatch
import Glibc
import Synchronization

/// Reads the batches of a pass ahead of the caller that decodes them. A stage that would block reads the next batch
/// instead. With more than two processors, which decoding and observing use, a separate thread reads.
///
/// ```
///   caller      ├─ batch 1 ──┤├─ batch 2 ──┤├─ batch 3 ──┤
///   observers     ├──────┤read 3├──────┤read 4├────────┤
/// ```
public final class RecordPipeline: @unchecked Sendable {
    /// Number of batches in the ring.
    private static let batchCount = 4
    /// Typical size of their records in the files: 16 bytes each.
    private static let bytesOnTheWay = batchCount * RecordBatch.capacity * 16

    private struct State {
        var free = RecordPipeline.batchCount
        /// Index of the next batch to fill.
        var next = 0
        /// Whether a thread is filling a batch. Only one thread may.
        var isFilling = false
        /// Whether the last batch, which is empty, was filled.
        var isOver = false
    }

    private let pass: EventPass
    private let hasReader: Bool
    private let batches: [RecordBatch]
    private let state = Mutex(State())
    // The semaphores start at zero, because destroying a semaphore below its initial value is an error.
    private let free = DispatchSemaphore(value: 0)
    private let full = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - pass: the pass to read.
    ///   - hasReader: whether a separate thread reads.
    init(_ pass: EventPass, hasReader: Bool = RecordPipeline.hasProcessorToSpare) {
        self.pass = pass
        self.hasReader = hasReader
        batches = (0..<Self.batchCount).map { _ in pass.makeBatch(capacity: RecordBatch.capacity) }
        pass.keepPages(bytes: Self.bytesOnTheWay)
    }

    /// Delivers all batches of the pass.
    func run(_ body: (RecordBatch) throws -> Void) throws -> ReadSummary {
        let reader = DispatchQueue(label: "org.queuescope.reader")
        if hasReader { reader.async { self.read() } }
        for batch in batches { batch.pipeline = self }
        var failure: (any Error)?
        var next = 0
        while true {
            waitForBatch()
            let batch = batches[next]
            if batch.count == 0 { break }
            do {
                if failure == nil { try body(batch) }
            } catch {
                failure = error
            }
            state.withLock { $0.free += 1 }
            free.signal()
            next = (next + 1) % Self.batchCount
        }
        free.signal()
        reader.sync {}
        for batch in batches { batch.pipeline = nil }
        if let failure { throw failure }
        return pass.finish()
    }

    /// Reads the next batch. A stage calls this instead of blocking.
    ///
    /// - Returns: false when another thread is reading, all batches are full, or the pass is at its end.
    public func readAhead() -> Bool {
        let next: Int? = state.withLock { state in
            guard !state.isFilling, state.free > 0, !state.isOver else { return nil }
            state.isFilling = true
            state.free -= 1
            return state.next
        }
        guard let next else { return false }
        pass.fill(batches[next])
        state.withLock { state in
            state.isFilling = false
            state.isOver = batches[next].count == 0
            state.next = (next + 1) % Self.batchCount
        }
        full.signal()
        return true
    }

    /// Waits until the next batch was read.
    private func waitForBatch() {
        while full.wait(timeout: .now()) == .timedOut {
            // Another thread is reading the batch or has just finished.
            if !readAhead() { return full.wait() }
        }
    }

    private func read() {
        while !state.withLock({ $0.isOver }) {
            if !readAhead() { free.wait() }
        }
    }

    /// Whether the machine has more processors than the two that the caller and the observers use.
    static var hasProcessorToSpare: Bool { sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 2 }
}
