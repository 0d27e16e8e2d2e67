import Dispatch
import Foundation
import Synchronization

enum LockCases {
    /// Two threads lock two mutexes in opposite order.
    static func mutexCycle() {
        let (first, second) = (NSLock(), NSLock())
        let started = Barrier(2)
        Thread { lock(first, then: second, started) }.start()
        Thread { lock(second, then: first, started) }.start()
        StuckPrograms.sleepForEver()
    }

    @inline(never)
    private static func lock(_ first: NSLock, then second: NSLock, _ started: Barrier) {
        first.lock()
        started.meet()
        second.lock()
        first.unlock()
    }

    /// A thread locks a mutex that it holds.
    static func recursiveMutex() {
        let lock = NSLock()
        lock.lock()
        StuckPrograms.ready()
        lock.lock()
    }

    /// A thread waits for a `Synchronization.Mutex` that another one keeps for ever.
    static func heldMutex() {
        let store = Store()
        let started = Barrier(2)
        Thread {
            store.value.withLock { _ in
                started.meet()
                StuckPrograms.sleepForEver()
            }
        }.start()
        started.meet()
        store.add()
    }

    private final class Store: Sendable {
        let value = Mutex(0)

        @inline(never)
        func add() { value.withLock { $0 += 1 } }
    }

    /// A reader waits for a writer that sleeps.
    static func readWriteLock() {
        let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
        pthread_rwlock_init(lock, nil)
        let started = Barrier(2)
        nonisolated(unsafe) let shared = lock
        Thread {
            pthread_rwlock_wrlock(shared)
            started.meet()
            StuckPrograms.sleepForEver()
        }.start()
        started.meet()
        pthread_rwlock_rdlock(lock)
    }

    /// The main thread waits for the end of a thread that sleeps.
    static func join() {
        var thread = pthread_t()
        pthread_create(&thread, nil, { _ in StuckPrograms.sleepForEver() }, nil)
        StuckPrograms.ready()
        pthread_join(thread, nil)
    }

    static func semaphore() {
        let response = DispatchSemaphore(value: 0)
        StuckPrograms.ready()
        fetch(response)
    }

    @inline(never)
    private static func fetch(_ response: DispatchSemaphore) { response.wait() }
}
