import CTraceRecorder
import Dispatch

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
}
