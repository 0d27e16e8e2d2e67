import CTraceRecorder
import Dispatch

extension TracedQueue {
    /// Runs a closure many times on as many threads as are useful, and waits for all of them.
    ///
    /// - Parameters:
    ///   - iterations: how many times.
    ///   - work: what to run; it gets the index of the iteration.
    ///   - file: where the call is made.
    ///   - line: where the call is made.
    @inlinable
    public static func concurrentPerform(
        iterations: Int, execute work: @Sendable (Int) -> Void, file: StaticString = #fileID, line: UInt = #line
    ) {
        guard qs_records_wrapper() else {
            DispatchQueue.concurrentPerform(iterations: iterations, execute: work)
            return
        }
        recordConcurrentPerform(iterations: iterations, site: CallSite(file: file, line: line), work)
    }

    @usableFromInline
    @inline(never)
    static func recordConcurrentPerform(iterations: Int, site: CallSite, _ work: @Sendable (Int) -> Void) {
        let apply = qs_new_object()
        // The queue is the root that the caller runs on, which Dispatch does not name.
        qs_record_apply_begin(apply, 0, site.code, UInt64(max(0, iterations)))
        DispatchQueue.concurrentPerform(iterations: iterations) { iteration in
            qs_record_apply_iteration_begin(apply, UInt64(iteration))
            work(iteration)
            qs_record_apply_iteration_end(apply)
        }
        // The number of threads is left to the reader of the trace, who sees them in the iterations.
        qs_record_apply_end(apply, 0)
    }
}
