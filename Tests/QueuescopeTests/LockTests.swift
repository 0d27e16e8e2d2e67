import Queuescope
import Testing

extension QueuescopeTests {
    @Suite struct LockTests {
        struct Case: CustomTestStringConvertible, Sendable {
            let fairness: TracedLock.Fairness
            let mode: Mode
            var testDescription: String { "\(fairness), \(mode.testDescription)" }
        }

        static let cases = [TracedLock.Fairness.fair, .unfair].flatMap { fairness in
            Mode.allCases.map { Case(fairness: fairness, mode: $0) }
        }

        @Test("a lock excludes", arguments: cases)
        func exclusion(_ test: Case) throws {
            try test.mode.run {
                let lock = TracedLock(label: "test.lock", fairness: test.fairness)
                nonisolated(unsafe) var count = 0
                TracedQueue.concurrentPerform(iterations: 4) { _ in
                    for _ in 0..<2_000 { lock.withLock { count += 1 } }
                }
                #expect(count == 8_000)
            }
        }

        @Test("a lock that is held is not available", arguments: cases)
        func availability(_ test: Case) throws {
            try test.mode.run {
                let lock = TracedLock(fairness: test.fairness)
                #expect(lock.lockIfAvailable())
                #expect(!lock.lockIfAvailable())
                lock.unlock()
                lock.lock()
                lock.unlock()
                #expect(lock.lockIfAvailable())
                lock.unlock()
            }
        }

        @Test("withLock returns the result, rethrows errors, and releases the lock", arguments: cases)
        func closure(_ test: Case) throws {
            enum Failure: Error { case expected }
            try test.mode.run {
                let lock = TracedLock(fairness: test.fairness)
                #expect(lock.withLock { 42 } == 42)
                #expect(throws: Failure.expected) { try lock.withLock { throw Failure.expected } }
                #expect(lock.lockIfAvailable())
                lock.unlock()
            }
        }

        @Test("a fair lock is acquired in the order in which the threads began to wait", arguments: Mode.allCases)
        func fairOrder(mode: Mode) throws {
            try mode.run {
                let lock = TracedLock(label: "test.fair", fairness: .fair)
                let seen = Box<[Int]>([])
                lock.lock()
                let threads = (0..<5).map { number in
                    let thread = SleepingThread { lock.withLock { seen.change { $0.append(number) } } }
                    thread.waitUntilAsleep()
                    return thread
                }
                // No thread can overtake the waiters, including this one.
                lock.unlock()
                lock.withLock { seen.change { $0.append(-1) } }
                threads.forEach { $0.join() }
                #expect(seen.value == [0, 1, 2, 3, 4, -1])
            }
        }

        @Test("acquisitions and releases are recorded, and waits only if a thread waited")
        func recorded() throws {
            let events = try RecordedEvents {
                let lock = TracedLock(label: "test.recorded.lock", fairness: .fair)
                lock.withLock {}
                lock.lock()
                let waiter = SleepingThread { lock.withLock {} }
                waiter.waitUntilAsleep()
                lock.unlock()
                waiter.join()
            }
            let lock = try #require(events.named("lock_create").first { $0["label"] == "test.recorded.lock" })
            #expect(lock["fair"] == "1")
            let story = events.named("lock_wait", "lock_acquire", "lock_release").filter { $0["lock"] == lock["lock"] }
            #expect(
                story.map(\.name) == [
                    "lock_acquire", "lock_release", "lock_acquire", "lock_wait", "lock_release", "lock_acquire",
                    "lock_release",
                ])
            #expect(try #require(events.site(story[3]["code"])).hasPrefix("QueuescopeTests/LockTests.swift:"))
        }

        @Test("a mutex excludes, and holds its value", arguments: Mode.allCases)
        func mutex(mode: Mode) throws {
            try mode.run {
                let count = TracedMutex(0, label: "test.mutex")
                TracedQueue.concurrentPerform(iterations: 4) { _ in
                    for _ in 0..<2_000 { count.withLock { $0 += 1 } }
                }
                #expect(count.withLock { $0 } == 8_000)
                #expect(count.withLockIfAvailable { $0 } == 8_000)
                #expect(count.withLock { _ in count.withLockIfAvailable { $0 } } == nil)
            }
        }

        @Test("a mutex passes errors on and is free after them", arguments: Mode.allCases)
        func throwing(mode: Mode) throws {
            enum Failure: Error { case expected }
            try mode.run {
                let mutex = TracedMutex(1)
                #expect(throws: Failure.expected) { try mutex.withLock { _ throws(Failure) in throw .expected } }
                #expect(mutex.withLockIfAvailable { $0 } == 1)
            }
        }

        @Test("a mutex is described at its first use in each session, with its waits")
        func recordedMutex() throws {
            let mutex = TracedMutex((), label: "test.recorded.mutex")
            for _ in 0..<2 {
                let events = try RecordedEvents {
                    mutex.withLock { _ in }
                    mutex.withLock { _ in
                        SleepingThread { mutex.withLock { _ in } }.waitUntilAsleep()
                    }
                    mutex.withLock { _ in }
                }
                let creation = try #require(
                    events.named("lock_create").first { $0["label"] == "test.recorded.mutex" })
                let story = events.named("lock_wait", "lock_acquire", "lock_release")
                    .filter { $0["lock"] == creation["lock"] }
                #expect(
                    story.prefix(5).map(\.name) == [
                        "lock_acquire", "lock_release", "lock_acquire", "lock_wait", "lock_release",
                    ])
                #expect(try #require(events.site(story[3]["code"])).hasPrefix("QueuescopeTests/LockTests.swift:"))
            }
        }
    }
}
