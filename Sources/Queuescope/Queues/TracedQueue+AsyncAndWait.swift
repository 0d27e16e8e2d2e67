import CTraceRecorder
import Dispatch

extension TracedQueue {
    /// Submits a closure without a result and waits for it. Unlike with `sync`, the closure may run on the thread that
    /// drains the queue.
    ///
    /// - Parameters:
    ///   - flags: flags such as `.barrier`.
    ///   - work: the closure to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
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

    /// Submits a closure and waits for it. Unlike with `sync`, the closure may run on the thread that drains the queue.
    ///
    /// - Parameters:
    ///   - flags: flags such as `.barrier`.
    ///   - work: the closure to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    /// - Returns: the result of the closure.
    /// - Throws: the error of the closure.
    public func asyncAndWait<T: ~Copyable, E: Error>(
        flags: DispatchWorkItemFlags = [], execute work: () throws(E) -> T, file: StaticString = #fileID,
        line: UInt = #line
    ) throws(E) -> T {
        var outcome: Result<T, E>?
        func run() { do throws(E) { outcome = .success(try work()) } catch { outcome = .failure(error) } }
        asyncAndWait(flags: flags, execute: run, file: file, line: line)
        return try outcome.take()!.get()
    }

    /// Submits a work item and waits for it. Unlike with `sync`, the item may run on the thread that drains the queue.
    ///
    /// - Parameters:
    ///   - workItem: the work item to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
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
