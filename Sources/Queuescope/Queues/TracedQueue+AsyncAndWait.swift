import CTraceRecorder
import Dispatch

extension TracedQueue {
    /// Submits a closure that returns nothing and waits for it; unlike with `sync` it may run on the thread that drains
    /// the queue.
    ///
    /// - Parameters:
    ///   - flags: for instance `.barrier`.
    ///   - work: what to run.
    ///   - file: where the call is made.
    ///   - line: where the call is made.
    public func asyncAndWait(
        flags: DispatchWorkItemFlags = [], execute work: () -> Void, file: StaticString = #fileID, line: UInt = #line
    ) {
        guard qs_records_wrapper() else {
            AsyncAndWait.call(underlying, flags: flags, work)
            return
        }
        recordWait(kind: qs_item_kind_async_and_wait, flags: flags, site: CallSite(file: file, line: line)) {
            begin, end in
            AsyncAndWait.call(underlying, flags: flags) {
                begin()
                work()
                end()
            }
        }
    }

    /// Submits a closure and waits for it; unlike with `sync` it may run on the thread that drains the queue.
    ///
    /// - Parameters:
    ///   - flags: for instance `.barrier`.
    ///   - work: what to run.
    ///   - file: where the call is made.
    ///   - line: where the call is made.
    /// - Returns: what the closure returns.
    /// - Throws: what the closure throws.
    public func asyncAndWait<T: ~Copyable, E: Error>(
        flags: DispatchWorkItemFlags = [], execute work: () throws(E) -> T, file: StaticString = #fileID,
        line: UInt = #line
    ) throws(E) -> T {
        var outcome: Result<T, E>?
        func run() { do throws(E) { outcome = .success(try work()) } catch { outcome = .failure(error) } }
        asyncAndWait(flags: flags, execute: run, file: file, line: line)
        return try outcome.take()!.get()
    }

    /// Submits a work item and waits for it; unlike with `sync` it may run on the thread that drains the queue.
    ///
    /// - Parameters:
    ///   - workItem: what to run.
    ///   - file: where the call is made.
    ///   - line: where the call is made.
    public func asyncAndWait(execute workItem: TracedWorkItem, file: StaticString = #fileID, line: UInt = #line) {
        guard qs_records_wrapper() else {
            AsyncAndWait.call(underlying, workItem.underlying)
            return
        }
        workItem.recordWait(on: self, kind: qs_item_kind_async_and_wait, site: CallSite(file: file, line: line)) {
            AsyncAndWait.call(underlying, workItem.underlying)
        }
    }
}
