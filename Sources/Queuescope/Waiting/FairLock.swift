import Glibc
import Synchronization

/// A lock that is handed off to its waiters in the order of their requests. It is never free while a thread waits.
///
///     thread A   ██ unlock → B                      A asks again ·········██
///     thread B     ········ wakes ██ unlock → C
///     thread C       ························ wakes ██ unlock → A
///
///     █ holds   · waits: no thread can take the lock while its next owner wakes up
@usableFromInline
final class FairLock: Sendable {
    private enum State {
        static let free: UInt32 = 0
        static let held: UInt32 = 1
        /// Held, and the holder must check for waiters when it unlocks.
        static let contended: UInt32 = 2
    }

    private let state = Atomic<UInt32>(State.free)
    private let waiters = Mutex<WaiterQueue>(WaiterQueue())

    func lockIfFree() -> Bool {
        // Acquiring pairs with the releasing store in unlock.
        state.compareExchange(expected: State.free, desired: State.held, ordering: .acquiring).exchanged
    }

    func lock() {
        // On this stack frame, which exists until the wait has ended.
        var waiter = Waiter()
        withUnsafeMutablePointer(to: &waiter) { waiter in
            let semaphore = waiter.semaphorePointer
            let waits = waiters.withLock { queue in
                // Under the lock of the waiters, so that the holder either reads `contended` or has freed the lock
                // before.
                if state.exchange(State.contended, ordering: .acquiring) == State.free { return false }
                sem_init(semaphore, 0, 0)
                queue.append(waiter)
                return true
            }
            guard waits else { return }
            // Retry after EINTR, which a signal handler causes.
            while sem_wait(semaphore) != 0 {}
            sem_destroy(semaphore)
        }
    }

    func unlock() {
        if state.compareExchange(expected: State.held, desired: State.free, ordering: .releasing).exchanged { return }
        let next = waiters.withLock { queue in
            let next = queue.popFirst()
            if next == nil { state.store(State.free, ordering: .releasing) }
            return next
        }
        // The lock stays held and now belongs to this waiter. The semaphore orders the memory accesses under the lock.
        // The waiter may end its wait during this call, which POSIX permits.
        if let next { sem_post(next.semaphorePointer) }
    }
}

/// A thread that waits for a fair lock.
private struct Waiter {
    var semaphore = sem_t()
    var next: UnsafeMutablePointer<Waiter>?
}

extension UnsafeMutablePointer<Waiter> {
    fileprivate var semaphorePointer: UnsafeMutablePointer<sem_t> { pointer(to: \.semaphore)! }
}

/// First in, first out. Each waiter is on the stack of its thread until it is removed.
private struct WaiterQueue: @unchecked Sendable {
    private var first: UnsafeMutablePointer<Waiter>?
    private var last: UnsafeMutablePointer<Waiter>?

    mutating func append(_ waiter: UnsafeMutablePointer<Waiter>) {
        if let last { last.pointee.next = waiter } else { first = waiter }
        last = waiter
    }

    mutating func popFirst() -> UnsafeMutablePointer<Waiter>? {
        guard let waiter = first else { return nil }
        first = waiter.pointee.next
        if first == nil { last = nil }
        return waiter
    }
}
