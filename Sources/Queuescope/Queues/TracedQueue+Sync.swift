import CTraceRecorder
import Dispatch

// Calls that wait for their items.
extension TracedQueue {
    /// Runs a closure without a result on the queue and waits for it.
    ///
    /// - Parameters:
    ///   - work: the closure to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    @inlinable
    public func sync(execute work: () -> Void, file: StaticString = #fileID, line: UInt = #line) {
        guard qs_records_wrapper() else {
            underlying.sync(execute: work)
            return
        }
        recordSync(flags: [], site: CallSite(file: file, line: line), work)
    }

    /// Runs a closure on the queue and waits for it.
    ///
    /// - Parameters:
    ///   - flags: flags such as `.barrier`.
    ///   - work: the closure to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    /// - Returns: the result of the closure.
    @inlinable
    public func sync<T>(
        flags: DispatchWorkItemFlags = [], execute work: () -> T, file: StaticString = #fileID, line: UInt = #line
    ) -> T {
        guard qs_records_wrapper() else { return underlying.syncWithFlags(flags, work) }
        var result: T?
        recordSync(flags: flags, site: CallSite(file: file, line: line)) { result = work() }
        return result!
    }

    /// Runs a closure on the queue and waits for it. The closure may throw, or return a noncopyable value.
    ///
    /// - Parameters:
    ///   - flags: flags such as `.barrier`.
    ///   - work: the closure to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    /// - Returns: the result of the closure.
    /// - Throws: the error of the closure.
    @inlinable
    public func sync<T: ~Copyable, E: Error>(
        flags: DispatchWorkItemFlags = [], execute work: () throws(E) -> T, file: StaticString = #fileID,
        line: UInt = #line
    ) throws(E) -> T {
        var outcome: Result<T, E>?
        func run() { do throws(E) { outcome = .success(try work()) } catch { outcome = .failure(error) } }
        sync(flags: flags, execute: run, file: file, line: line)
        return try outcome.take()!.get()
    }

    /// Runs a work item on the queue and waits for it.
    ///
    /// - Parameters:
    ///   - workItem: the work item to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    @inlinable
    public func sync(execute workItem: TracedWorkItem, file: StaticString = #fileID, line: UInt = #line) {
        guard qs_records_wrapper() else {
            underlying.sync(execute: workItem.underlying)
            return
        }
        workItem.recordWait(on: self, kind: qs_item_kind_sync, site: CallSite(file: file, line: line)) {
            underlying.sync(execute: workItem.underlying)
        }
    }

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
    func recordSync(flags: DispatchWorkItemFlags, site: CallSite, _ work: () -> Void) {
        recordWait(kind: qs_item_kind_sync, flags: flags, site: site) { begin, end in
            underlying.syncWithFlags(flags) {
                begin()
                work()
                end()
            }
        }
    }

    /// Records the events of a call that waits for its item.
    ///
    /// `call` makes the call. It gets two closures, to run on the queue before and after the work of the item.
    func recordWait(
        kind: qs_item_kind, flags: DispatchWorkItemFlags, site: CallSite,
        _ call: (_ begin: () -> Void, _ end: () -> Void) -> Void
    ) {
        let item = qs_new_item()
        let hold = identity.hold.pointer
        // On the stack of the caller, which does not return before the item has run.
        var entry = qs_sync_entry()
        withUnsafeMutablePointer(to: &entry) { entry in
            qs_sync_enter(hold, item, site.code, kind.field, DispatchQoS.unspecified.field, entry)
            recordBarrier(item, flags: flags)
            call({ qs_sync_begin(hold, item, entry) }, { qs_item_end(hold, item) })
        }
        qs_record_sync_return(item)
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
