import CTraceRecorder

/// A mutual-exclusion lock that records who holds it and who waits.
///
/// Not recursive: a thread that locks it twice waits for itself. Thread safety: every method may be called on any
/// thread; the thread that locked it unlocks it.
public final class TracedLock: Sendable {
    /// Who gets the lock when several threads want it.
    public enum Fairness: Sendable {
        /// The thread that asked first, always. When the holder unlocks, the lock goes straight to the first waiter, so
        /// nobody can have it before that thread has woken up.
        case fair
        /// A running thread can take it while a waiter still wakes up, as with `NSLock` or a pthread mutex. Right for
        /// small state. `Synchronization.Mutex` is no such lock on Linux: under contention it hands over to the next
        /// waiter, and with many threads it is slower than a serial queue.
        case unfair
    }

    /// The lock's name in the report.
    public let label: String
    /// Who gets the lock when several threads want it.
    public let fairness: Fairness

    private let mechanism: any LockMechanism
    private let id = qs_new_object()
    private let creation: CallSite

    /// Creates a lock that nobody holds.
    ///
    /// - Parameters:
    ///   - label: the lock's name in the report; a reverse-DNS name like those of queues reads well.
    ///   - fairness: who gets the lock when several threads want it.
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
    ///   - file: where the call is made.
    ///   - line: where the call is made.
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

    /// Takes the lock if nobody holds it.
    ///
    /// - Parameters:
    ///   - file: where the call is made.
    ///   - line: where the call is made.
    /// - Returns: whether the lock was taken.
    public func lockIfAvailable(file: StaticString = #fileID, line: UInt = #line) -> Bool {
        let isTaken = mechanism.lockIfFree()
        if isTaken, qs_is_recording() { qs_record_lock_acquire(id, CallSite(file: file, line: line).code) }
        return isTaken
    }

    /// Gives the lock back.
    public func unlock() {
        // Before the lock is free: afterwards another thread's acquisition could come first in the trace.
        if qs_is_recording() { qs_record_lock_release(id) }
        mechanism.unlock()
    }

    /// Runs a closure with the lock held.
    ///
    /// - Parameters:
    ///   - body: what to run.
    ///   - file: where the call is made.
    ///   - line: where the call is made.
    /// - Returns: what the closure returns.
    /// - Throws: what the closure throws.
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

/// What makes a lock exclude: the part of `TracedLock` that its fairness decides.
protocol LockMechanism: AnyObject, Sendable {
    /// Takes the lock if nobody holds it, and returns whether it did.
    func lockIfFree() -> Bool
    /// Takes the lock; waits while another thread holds it.
    func lock()
    /// Gives the lock back. Only by the thread that holds it.
    func unlock()
}
