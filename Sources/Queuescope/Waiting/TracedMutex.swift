import CTraceRecorder
import Synchronization

/// A `Synchronization.Mutex` that records its holder and its waiters.
///
/// The methods have the names and parameters of `Mutex`. The lock and the value are stored inline. A mutex allocates
/// nothing and takes no other lock. A recording describes the mutex at its first use.
///
/// On Linux a contended `Mutex` is handed to the thread that waits, so with many threads it is slower than a serial
/// queue; see ``TracedLock``. While a session records, a thread that finds the mutex held tries to take it once more
/// than `Mutex` does.
///
/// Thread safety: every method may be called on any thread. A thread that locks the mutex twice ends the program, as
/// with `Mutex`.
public struct TracedMutex<Value: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>
    @usableFromInline let identity: LockIdentity

    /// The name of the mutex in reports.
    public var label: String { identity.label }

    /// Creates a free mutex.
    ///
    /// - Parameters:
    ///   - initialValue: the value that the mutex protects.
    ///   - label: the name of the mutex in reports, such as a reverse-DNS name.
    ///   - file: where the mutex is created.
    ///   - line: where the mutex is created.
    public init(
        _ initialValue: consuming sending Value, label: String = "", file: StaticString = #fileID, line: UInt = #line
    ) {
        mutex = Mutex(initialValue)
        identity = LockIdentity(label: label, isFair: false, creation: CallSite(file: file, line: line))
    }

    /// Runs a closure with the mutex held; waits while another thread holds it.
    ///
    /// - Parameters:
    ///   - body: the closure to run, with the protected value.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    /// - Returns: the result of the closure.
    /// - Throws: the error of the closure.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result, file: StaticString = #fileID,
        line: UInt = #line
    ) throws(Failure) -> sending Result {
        guard qs_is_recording() else { return try mutex.withLock(body) }
        let site = CallSite(file: file, line: line)
        if let result = try withLockIfAvailable(body, file: file, line: line) { return result }
        identity.recordWait(site)
        return try mutex.withLock { (value) throws(Failure) -> sending Result in
            identity.recordAcquisition(site)
            defer { identity.recordRelease() }
            return try body(&value)
        }
    }

    /// Runs a closure with the mutex held, if the mutex is free.
    ///
    /// - Parameters:
    ///   - body: the closure to run, with the protected value.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    /// - Returns: the result of the closure; nil if a thread holds the mutex.
    /// - Throws: the error of the closure.
    @inlinable
    public borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result, file: StaticString = #fileID,
        line: UInt = #line
    ) throws(Failure) -> sending Result? {
        guard qs_is_recording() else { return try mutex.withLockIfAvailable(body) }
        return try mutex.withLockIfAvailable { (value) throws(Failure) -> sending Result in
            identity.recordAcquisition(CallSite(file: file, line: line))
            defer { identity.recordRelease() }
            return try body(&value)
        }
    }
}
