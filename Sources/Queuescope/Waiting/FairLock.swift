import Glibc
import Synchronization

/// A lock that is handed off to its waiters in the order of their requests. It is never free while a thread waits.
///
///     thread A   ██ unlock → B                      A asks again ·········██
///     thread B     ········ wakes ██ unlock → C
///     thread C       ························ wakes ██ unlock → A
///
///     █ holds   · waits: no thread can take the lock while its next owner wakes up
final class FairLock: LockMechanism, Sendable {
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
        let waiter: Waiter? = waiters.withLock { queue in
            // Under the lock of the waiters, so that the holder either reads `contended` or has freed the lock before.
            if state.exchange(State.contended, ordering: .acquiring) == State.free { return nil }
            let waiter = Waiter()
            queue.append(waiter)
            return waiter
        }
        waiter?.wait()
    }

    func unlock() {
        if state.compareExchange(expected: State.held, desired: State.free, ordering: .releasing).exchanged { return }
        let next = waiters.withLock { queue in
            let next = queue.popFirst()
            if next == nil { state.store(State.free, ordering: .releasing) }
            return next
        }
        // The lock stays held and now belongs to this waiter. The semaphore orders the memory accesses under the lock.
        next?.wake()
    }
}

/// A thread that waits for a fair lock.
private final class Waiter: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    var next: Waiter?

    init() {
        semaphore.initialize(to: sem_t())
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func wait() {
        // Retry after EINTR, which a signal handler causes.
        while sem_wait(semaphore) != 0 {}
    }

    func wake() { sem_post(semaphore) }
}

/// First in, first out.
private struct WaiterQueue {
    private var first: Waiter?
    private var last: Waiter?

    mutating func append(_ waiter: Waiter) {
        if let last { last.next = waiter } else { first = waiter }
        last = waiter
    }

    mutating func popFirst() -> Waiter? {
        guard let waiter = first else { return nil }
        first = waiter.next
        waiter.next = nil
        if first == nil { last = nil }
        return waiter
    }
}
