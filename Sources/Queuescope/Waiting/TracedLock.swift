import CTraceRecorder

/// A mutual-exclusion lock that records its holder and its waiters.
///
/// The lock is not recursive: a thread that locks it twice waits for itself. Thread safety: every method may be called
/// on any thread. The thread that locked it must unlock it.
public final class TracedLock: Sendable {
    /// The order in which waiting threads get the lock.
    public enum Fairness: Sendable {
        /// The order of the requests. At the unlock the lock is handed off to the first waiter, so no other thread can
        /// take it before that waiter has woken up.
        case fair
        /// A running thread can take the lock while a waiter still wakes up, as with `NSLock` or a pthread mutex.
        /// Suitable for small state. `Synchronization.Mutex` is different on Linux: under contention it is handed off
        /// to the next waiter, and with many threads it is slower than a serial queue.
        case unfair
    }

    /// The name of the lock in reports.
    public var label: String { identity.label }
    /// The order in which waiting threads get the lock.
    public let fairness: Fairness

    @usableFromInline let mechanism: LockMechanism
    @usableFromInline let identity: LockIdentity

    /// Creates a free lock.
    ///
    /// - Parameters:
    ///   - label: the name of the lock in reports, such as a reverse-DNS name.
    ///   - fairness: the order in which waiting threads get the lock.
    ///   - file: where the lock is created.
    ///   - line: where the lock is created.
    public init(
        label: String = "", fairness: Fairness = .unfair, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.fairness = fairness
        mechanism = fairness == .fair ? .fair(FairLock()) : .unfair(UnfairLock())
        identity = LockIdentity(
            label: label, isFair: fairness == .fair, creation: CallSite(file: file, line: line))
    }

    /// Takes the lock; waits while another thread holds it.
    ///
    /// - Parameters:
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    @inlinable
    public func lock(file: StaticString = #fileID, line: UInt = #line) {
        guard qs_is_recording() else {
            if !mechanism.lockIfFree() { mechanism.lock() }
            return
        }
        let site = CallSite(file: file, line: line)
        if !mechanism.lockIfFree() {
            identity.recordWait(site)
            mechanism.lock()
        }
        identity.recordAcquisition(site)
    }

    /// Takes the lock if it is free.
    ///
    /// - Parameters:
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    /// - Returns: true if the lock was taken.
    @inlinable
    public func lockIfAvailable(file: StaticString = #fileID, line: UInt = #line) -> Bool {
        let isTaken = mechanism.lockIfFree()
        if isTaken, qs_is_recording() { identity.recordAcquisition(CallSite(file: file, line: line)) }
        return isTaken
    }

    /// Releases the lock.
    @inlinable
    public func unlock() {
        if qs_is_recording() { identity.recordRelease() }
        mechanism.unlock()
    }

    /// Runs a closure with the lock held.
    ///
    /// - Parameters:
    ///   - body: the closure to run.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    /// - Returns: the result of the closure.
    /// - Throws: the error of the closure.
    @inlinable
    public func withLock<T: ~Copyable, E: Error>(
        _ body: () throws(E) -> T, file: StaticString = #fileID, line: UInt = #line
    ) throws(E) -> T {
        lock(file: file, line: line)
        defer { unlock() }
        return try body()
    }
}

/// The implementation of a `TracedLock`, selected by its fairness.
@usableFromInline
enum LockMechanism: Sendable {
    case fair(FairLock)
    case unfair(UnfairLock)

    /// Takes the lock if it is free. Returns true if the lock was taken.
    @usableFromInline
    func lockIfFree() -> Bool {
        switch self {
        case .fair(let lock): lock.lockIfFree()
        case .unfair(let lock): lock.lockIfFree()
        }
    }

    /// Takes the lock; waits while another thread holds it.
    @usableFromInline
    func lock() {
        switch self {
        case .fair(let lock): lock.lock()
        case .unfair(let lock): lock.lock()
        }
    }

    /// Releases the lock. Call only on the thread that holds it.
    @usableFromInline
    func unlock() {
        switch self {
        case .fair(let lock): lock.unlock()
        case .unfair(let lock): lock.unlock()
        }
    }
}
