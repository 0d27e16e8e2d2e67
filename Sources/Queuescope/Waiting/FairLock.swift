import Glibc
import Synchronization

/// A lock that goes to its waiters in the order they came, by handing over: it is never free while somebody waits.
///
///     thread A   ██ unlock → B                      A asks again ·········██
///     thread B     ········ wakes ██ unlock → C
///     thread C       ························ wakes ██ unlock → A
///
///     █ holds   · waits: nobody can have the lock while its next owner wakes up
final class FairLock: LockMechanism, Sendable {
    private enum State {
        static let free: UInt32 = 0
        static let held: UInt32 = 1
        /// Held, and the holder must look for waiters when it unlocks.
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
            // Inside the waiters' lock, so that the holder either sees `contended` or has freed the lock before.
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
        // The lock stays held: it belongs to this waiter now. The semaphore orders what was done under the lock.
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
        // EINTR: a signal handler ran.
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
