import Dispatch
import Glibc
import Synchronization

/// Reads a pass in batches ahead of the caller that decodes them. Whoever would wait for something else reads the next
/// one; where there are more processors than the two that decoding and observing keep busy, a thread of its own does.
///
/// ```
///   caller      ├─ batch 1 ──┤├─ batch 2 ──┤├─ batch 3 ──┤
///   observers     ├──────┤read 3├──────┤read 4├────────┤
/// ```
public final class RecordPipeline: @unchecked Sendable {
    /// How many batches are on their way at most.
    private static let batchCount = 4
    /// What their records take in the files, mostly: 16 bytes each.
    private static let bytesOnTheWay = batchCount * RecordBatch.capacity * 16

    private struct State {
        var free = RecordPipeline.batchCount
        /// The batch that is filled next.
        var next = 0
        /// One thread at a time.
        var isFilling = false
        /// The last batch, which is empty, has been filled.
        var isOver = false
    }

    private let pass: EventPass
    private let hasReader: Bool
    private let batches: [RecordBatch]
    private let state = Mutex(State())
    // A semaphore must not have less than its first value when it goes.
    private let free = DispatchSemaphore(value: 0)
    private let full = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - pass: what is read.
    ///   - hasReader: whether a thread of its own reads.
    init(_ pass: EventPass, hasReader: Bool = RecordPipeline.hasProcessorToSpare) {
        self.pass = pass
        self.hasReader = hasReader
        batches = (0..<Self.batchCount).map { _ in pass.makeBatch(capacity: RecordBatch.capacity) }
        pass.keepPages(bytes: Self.bytesOnTheWay)
    }

    /// Delivers every batch of the pass.
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

    /// Reads the next batch, in place of waiting for something else.
    ///
    /// - Returns: whether it did: not where another thread is at it, or enough has been read, or all.
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

    /// The next batch has been read when it returns.
    private func waitForBatch() {
        while full.wait(timeout: .now()) == .timedOut {
            // Another thread is at it, or has just been.
            if !readAhead() { return full.wait() }
        }
    }

    private func read() {
        while !state.withLock({ $0.isOver }) {
            if !readAhead() { free.wait() }
        }
    }

    /// Whether the machine has more than the two that the caller and the observers keep busy.
    static var hasProcessorToSpare: Bool { sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 2 }
}
