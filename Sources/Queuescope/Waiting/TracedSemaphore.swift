import CTraceRecorder
import Dispatch

/// A `DispatchSemaphore` that records waits and signals with their threads.
///
/// Thread safety: every method may be called on any thread.
public final class TracedSemaphore: Sendable {
    /// The semaphore, for an API that needs a `DispatchSemaphore`.
    public let underlying: DispatchSemaphore

    @usableFromInline let id = qs_new_object()

    /// Creates a counting semaphore.
    ///
    /// - Parameters:
    ///   - value: the number of waits that do not block.
    ///   - file: where the semaphore is created.
    ///   - line: where the semaphore is created.
    public init(value: Int, file: StaticString = #fileID, line: UInt = #line) {
        underlying = DispatchSemaphore(value: value)
        if qs_records_wrapper() {
            qs_record_semaphore_create(id, Int64(value), CallSite(file: file, line: line).code)
        }
    }

    /// Increments the count, and wakes a waiting thread if there is one.
    ///
    /// - Parameters:
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    /// - Returns: non-zero if a thread was woken.
    @discardableResult
    @inlinable
    public func signal(file: StaticString = #fileID, line: UInt = #line) -> Int {
        if qs_records_wrapper() { recordSignal(CallSite(file: file, line: line)) }
        return underlying.signal()
    }

    /// Decrements the count. If it was zero, waits for a signal.
    ///
    /// - Parameters:
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    @inlinable
    public func wait(file: StaticString = #fileID, line: UInt = #line) {
        guard qs_records_wrapper() else {
            underlying.wait()
            return
        }
        recordWaitBegin(CallSite(file: file, line: line))
        underlying.wait()
        qs_record_semaphore_wait_end(id, 0)
    }

    /// Decrements the count. If it was zero, waits for a signal until a time.
    ///
    /// - Parameters:
    ///   - timeout: the time at which the wait ends without success.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    /// - Returns: `.timedOut` if the time passed first.
    @inlinable
    public func wait(
        timeout: DispatchTime, file: StaticString = #fileID, line: UInt = #line
    ) -> DispatchTimeoutResult {
        guard qs_records_wrapper() else { return underlying.wait(timeout: timeout) }
        recordWaitBegin(CallSite(file: file, line: line))
        let result = underlying.wait(timeout: timeout)
        qs_record_semaphore_wait_end(id, result == .timedOut ? 1 : 0)
        return result
    }

    /// Decrements the count. If it was zero, waits for a signal until a time of the wall clock.
    ///
    /// - Parameters:
    ///   - wallTimeout: the time at which the wait ends without success.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    /// - Returns: `.timedOut` if the time passed first.
    @inlinable
    public func wait(
        wallTimeout: DispatchWallTime, file: StaticString = #fileID, line: UInt = #line
    ) -> DispatchTimeoutResult {
        guard qs_records_wrapper() else { return underlying.wait(wallTimeout: wallTimeout) }
        recordWaitBegin(CallSite(file: file, line: line))
        let result = underlying.wait(wallTimeout: wallTimeout)
        qs_record_semaphore_wait_end(id, result == .timedOut ? 1 : 0)
        return result
    }

    @usableFromInline
    @inline(never)
    func recordWaitBegin(_ site: CallSite) { qs_record_semaphore_wait_begin(id, site.code) }

    @usableFromInline
    @inline(never)
    func recordSignal(_ site: CallSite) { qs_record_semaphore_signal(id, site.code) }
}
