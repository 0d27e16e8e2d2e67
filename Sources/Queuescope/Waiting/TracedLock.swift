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
    public let label: String
    /// The order in which waiting threads get the lock.
    public let fairness: Fairness

    private let mechanism: any LockMechanism
    private let id = qs_new_object()
    private let creation: CallSite

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
        self.label = label
        self.fairness = fairness
        mechanism = fairness == .fair ? FairLock() : UnfairLock()
        creation = CallSite(file: file, line: line)
        LiveObjects.add(self)
        if qs_is_recording() { recordState() }
    }

    deinit { LiveObjects.remove(self) }

    /// Takes the lock; waits while another thread holds it.
    ///
    /// - Parameters:
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func lock(file: StaticString = #fileID, line: UInt = #line) {
        guard qs_is_recording() else {
            if !mechanism.lockIfFree() { mechanism.lock() }
            return
        }
        let code = CallSite(file: file, line: line).code
        if !mechanism.lockIfFree() {
            qs_record_lock_wait(id, code, 0)
            mechanism.lock()
        }
        qs_record_lock_acquire(id, code)
    }

    /// Takes the lock if it is free.
    ///
    /// - Parameters:
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    /// - Returns: true if the lock was taken.
    public func lockIfAvailable(file: StaticString = #fileID, line: UInt = #line) -> Bool {
        let isTaken = mechanism.lockIfFree()
        if isTaken, qs_is_recording() { qs_record_lock_acquire(id, CallSite(file: file, line: line).code) }
        return isTaken
    }

    /// Releases the lock.
    public func unlock() {
        // Recorded before the lock is free. Otherwise the acquisition by another thread could be recorded first.
        if qs_is_recording() { qs_record_lock_release(id) }
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
    public func withLock<T: ~Copyable, E: Error>(
        _ body: () throws(E) -> T, file: StaticString = #fileID, line: UInt = #line
    ) throws(E) -> T {
        lock(file: file, line: line)
        defer { unlock() }
        return try body()
    }
}

extension TracedLock: LiveObject {
    func recordState() {
        label.withCChars {
            qs_record_lock_create(
                id, $0.baseAddress, $0.count, fairness == .fair ? 1 : 0, creation.code, qs_current_tid())
        }
    }
}

/// The lock implementation of a `TracedLock`, selected by its fairness.
protocol LockMechanism: AnyObject, Sendable {
    /// Takes the lock if it is free. Returns true if the lock was taken.
    func lockIfFree() -> Bool
    /// Takes the lock; waits while another thread holds it.
    func lock()
    /// Releases the lock. Call only on the thread that holds it.
    func unlock()
}
