import CTraceRecorder
import Dispatch

extension TracedQueue {
    /// Runs a closure several times, in parallel on the available threads, and waits for all runs.
    ///
    /// - Parameters:
    ///   - iterations: the number of runs.
    ///   - work: the closure to run, which gets the index of the iteration.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
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
        // The queue is the root queue of the caller, which Dispatch does not report.
        qs_record_apply_begin(apply, 0, site.code, UInt64(max(0, iterations)))
        DispatchQueue.concurrentPerform(iterations: iterations) { iteration in
            qs_record_apply_iteration_begin(apply, UInt64(iteration))
            work(iteration)
            qs_record_apply_iteration_end(apply)
        }
        // The reader of the trace determines the number of threads from the iterations.
        qs_record_apply_end(apply, 0)
    }
}
