import DispatchModel
import Testing
import TraceBuilder

/// pthread mutexes, for which only contention is recorded. Times in µs.
@Suite struct MutexTests {
    private static let mutex: UInt64 = 0x7f00_1000

    //   thread 2   (holds) ───────── lock_release
    //   thread 3        lock_wait ·················· lock_acquire ── lock_release
    @Test("The holder that a wait names holds the mutex until its release, and the waiter waits for it")
    func contended() throws {
        var trace = TraceBuilder()
        trace.add(.lockWait(.init(lock: Self.mutex, code: 0, holderTid: 2)), at: 10, thread: 3)
        trace.add(.lockRelease(.init(lock: Self.mutex)), at: 20, thread: 2)
        trace.add(.lockAcquire(.init(lock: Self.mutex, code: 0)), at: 23, thread: 3)
        trace.add(.lockRelease(.init(lock: Self.mutex)), at: 30, thread: 3)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(log.acquisitions.map { model[$0.thread].tid } == [2, 3])
        let waiter = try #require(log.acquisitions.last)
        #expect(log.acquisitions.first?.releasedAt.nanoseconds == 20_000)
        #expect(waiter.blocksThread && waiter.grantedAt - waiter.requestedAt == .microseconds(13))
        #expect(waiter.blockedBy.map { model[$0].tid } == 2)
        let lock = try #require(model.locks.first)
        #expect(lock.isMutex && lock.name == "mutex 0x7f001000")
    }

    @Test("A release for which nobody waited is not recorded, so how long the mutex was held is not known")
    func unrecordedRelease() {
        var trace = TraceBuilder()
        trace.add(.lockWait(.init(lock: Self.mutex, code: 0, holderTid: 2)), at: 10, thread: 3)
        trace.add(.lockRelease(.init(lock: Self.mutex)), at: 20, thread: 2)
        trace.add(.lockAcquire(.init(lock: Self.mutex, code: 0)), at: 23, thread: 3)
        trace.add(.lockWait(.init(lock: Self.mutex, code: 0, holderTid: 4)), at: 900, thread: 2)
        trace.add(.lockRelease(.init(lock: Self.mutex)), at: 905, thread: 4)
        trace.add(.lockAcquire(.init(lock: Self.mutex, code: 0)), at: 910, thread: 2)
        let (model, log) = ObservationLog.read(trace.events)
        let held = log.acquisitions.map { (model[$0.thread].tid, ($0.releasedAt - $0.grantedAt).count / 1_000) }
        #expect(held.map(\.0) == [2, 3, 4, 2])
        #expect(held.map(\.1) == [10, 0, 5, 0])
    }

    //   mutex     lock_wait ┄ lock_acquire ─ lock_release
    //   address                                             initialised again: lock_wait ┄ lock_acquire
    @Test("A mutex that is initialised at the address of a contended one is another mutex", arguments: [true, false])
    func reusedAddress(isInitialised: Bool) {
        var trace = TraceBuilder()
        for time in [10.0, 100] {
            trace.add(.lockWait(.init(lock: Self.mutex, code: 0, holderTid: 2)), at: time, thread: 3)
            trace.add(.lockRelease(.init(lock: Self.mutex)), at: time + 10, thread: 2)
            trace.add(.lockAcquire(.init(lock: Self.mutex, code: 0)), at: time + 13, thread: 3)
            trace.add(.lockRelease(.init(lock: Self.mutex)), at: time + 20, thread: 3)
        }
        if isInitialised {
            trace.add(.lockCreate(.init(lock: Self.mutex, label: "", fair: 0, code: 0, tid: 4)), at: 50)
        }
        let (model, log) = ObservationLog.read(trace.events)
        let count = isInitialised ? 2 : 1
        #expect(model.locks.count == count && model.locks.allSatisfy(\.isMutex))
        #expect(Set(log.acquisitions.map(\.domain)).count == count)
        #expect(log.acquisitions.count == 4)
    }

    //   thread 2   (writes) ──────── lock_release
    //   thread 3        lock_wait ················ lock_acquire, lock_release     reads
    //   thread 4           lock_wait ·················· lock_acquire ── lock_release     writes
    @Test("Readers and writers of a read-write lock wait for its writer, and a reader holds it for no time")
    func readWriteLock() throws {
        var trace = TraceBuilder()
        trace.add(.lockCreate(.init(lock: Self.mutex, label: "", fair: 0, code: 0, tid: 3, kind: .readWrite)), at: 9)
        trace.add(.lockWait(.init(lock: Self.mutex, code: 0, holderTid: 2)), at: 10, thread: 3)
        trace.add(.lockWait(.init(lock: Self.mutex, code: 0, holderTid: 2)), at: 12, thread: 4)
        trace.add(.lockRelease(.init(lock: Self.mutex)), at: 20, thread: 2)
        trace.add(.lockAcquire(.init(lock: Self.mutex, code: 0)), at: 23, thread: 3)
        trace.add(.lockRelease(.init(lock: Self.mutex)), at: 23, thread: 3)
        trace.add(.lockAcquire(.init(lock: Self.mutex, code: 0)), at: 25, thread: 4)
        trace.add(.lockRelease(.init(lock: Self.mutex)), at: 31, thread: 4)
        let (model, log) = ObservationLog.read(trace.events)
        let lock = try #require(model.locks.first)
        #expect(model.locks.count == 1 && lock.isMutex && lock.kind == .readWrite)
        #expect(lock.name == "read-write lock 0x7f001000")
        #expect(log.acquisitions.map { model[$0.thread].tid } == [2, 3, 4])
        #expect(log.acquisitions.map { ($0.grantedAt - $0.requestedAt).count / 1_000 } == [0, 13, 13])
        #expect(log.acquisitions.dropFirst().map { ($0.releasedAt - $0.grantedAt).count / 1_000 } == [0, 6])
        #expect(log.acquisitions.dropFirst().allSatisfy { $0.blockedBy.map { model[$0].tid } == 2 })
    }

    @Test("A read-write lock at the address of a mutex is another lock, and its repeated definition is not")
    func readWriteLockAfterMutex() {
        var trace = TraceBuilder()
        trace.add(.lockWait(.init(lock: Self.mutex, code: 0, holderTid: 2)), at: 10, thread: 3)
        trace.add(.lockAcquire(.init(lock: Self.mutex, code: 0)), at: 13, thread: 3)
        for time in [20.0, 30] {
            trace.add(
                .lockCreate(.init(lock: Self.mutex, label: "", fair: 0, code: 0, tid: 3, kind: .readWrite)), at: time)
            trace.add(.lockWait(.init(lock: Self.mutex, code: 0, holderTid: 2)), at: time + 1, thread: 3)
            trace.add(.lockAcquire(.init(lock: Self.mutex, code: 0)), at: time + 3, thread: 3)
        }
        #expect(ObservationLog.read(trace.events).0.locks.map(\.kind) == [.exclusive, .readWrite])
    }

    @Test("A lock of the program's own is held until its release, or until another thread has it")
    func ownLock() {
        var trace = TraceBuilder()
        let lock = trace.lock("app.lock", fair: false)
        trace.hold(lock, thread: 2, granted: 1, released: nil)
        trace.hold(lock, thread: 3, requested: 2, granted: 9, released: 12)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(log.acquisitions.map { ($0.releasedAt - $0.grantedAt).count } == [8_000, 3_000])
        #expect(model.locks.first?.name == "app.lock")
    }

    //   thread 2   ├─ holds app.lock ────────┤ lock_release of the mutex
    //   thread 3      lock_wait of app.lock, lock_wait of the mutex ···· lock_acquire of the mutex, of app.lock
    @Test("The mutex inside a traced lock, which the hooks record too, is no lock of its own")
    func mutexOfTracedLock() throws {
        var trace = TraceBuilder()
        let lock = trace.lock("app.lock", fair: false)
        trace.hold(lock, thread: 2, granted: 1, released: 20)
        trace.add(.lockRelease(.init(lock: Self.mutex)), at: 21, thread: 2)
        trace.add(.lockWait(.init(lock: lock, code: 0)), at: 10, thread: 3)
        trace.add(.lockWait(.init(lock: Self.mutex, code: 0, holderTid: 2)), at: 11, thread: 3)
        trace.add(.lockAcquire(.init(lock: Self.mutex, code: 0)), at: 23, thread: 3)
        trace.add(.lockAcquire(.init(lock: lock, code: 0)), at: 24, thread: 3)
        trace.add(.lockRelease(.init(lock: lock)), at: 30, thread: 3)
        let (model, log) = ObservationLog.read(trace.events)
        #expect(model.locks.map(\.name) == ["app.lock"])
        let waiter = try #require(log.acquisitions.last)
        #expect(waiter.blocksThread && waiter.grantedAt - waiter.requestedAt == .microseconds(14))
    }

    //   thread 2   (holds) ────────── lock_release
    //   thread 3   ├─ item ─ lock_wait ┄┄┄ lock_acquire ─ lock_wait ┄┄┄
    @Test("A wait for a lock, finished or not, tells the item that its thread ran")
    func waiterItem() throws {
        var trace = TraceBuilder()
        let queue = trace.serialQueue("app.state")
        let id = trace.callout(on: queue, at: 0, begin: 5, thread: 3)
        trace.add(.lockWait(.init(lock: Self.mutex, code: 0, holderTid: 2)), at: 10, thread: 3)
        trace.add(.lockRelease(.init(lock: Self.mutex)), at: 20, thread: 2)
        trace.add(.lockAcquire(.init(lock: Self.mutex, code: 0)), at: 23, thread: 3)
        trace.add(.lockWait(.init(lock: 0x7f00_2000, code: 0, holderTid: 2)), at: 30, thread: 3)
        let (_, log) = ObservationLog.read(trace.events)
        let item = try #require(log.item(id)).number
        // The item of the thread that held the mutexes without contention is unknown.
        let locks = log.acquisitions.filter { if case .lock = $0.domain { true } else { false } }
        #expect(locks.map(\.item) == [nil, item, nil])
        #expect(log.waits.map(\.waiter) == [item])
    }

    @Test("When the trace ends, who waits for what, and who has it, is told")
    func openWaits() throws {
        var trace = TraceBuilder()
        let first = trace.serialQueue("first")
        let second = trace.serialQueue("second")
        trace.callout(on: first, at: 0, begin: 1, thread: 2)
        trace.callout(on: second, at: 0, begin: 1, thread: 3)
        trace.lateSync(on: second, slept: 5, thread: 2, holder: 3)
        trace.lateSync(on: first, slept: 6, thread: 3, holder: 2)
        trace.add(.lockWait(.init(lock: Self.mutex, code: 0, holderTid: 2)), at: 8, thread: 4)
        trace.add(.itemWaitBegin(.init(item: 0x10, code: 0)), at: 9, thread: 5)
        trace.add(.itemWaitBegin(.init(item: 0x20, code: 0)), at: 10, thread: 6)
        trace.add(.itemWaitEnd(.init(item: 0x20, timedOut: 1)), at: 20, thread: 6)
        let (model, log) = ObservationLog.read(trace.events)
        let open = log.waits.filter { !$0.isFinished }
        let seen = Dictionary(uniqueKeysWithValues: open.map { (model[$0.thread].tid, $0) })
        #expect(Set(seen.keys) == [2, 3, 4, 5])
        #expect(seen[2]?.object == .queue(QueueIndex(1)) && seen[2]?.holder.map { model[$0].tid } == 3)
        #expect(seen[3]?.object == .queue(QueueIndex(0)) && seen[3]?.holder.map { model[$0].tid } == 2)
        #expect(seen[4]?.object == .lock(LockIndex(0)) && seen[4]?.holder.map { model[$0].tid } == 2)
        #expect(seen[5]?.object == .item(0x10))
        #expect(log.waits.first { $0.isFinished }?.timedOut == true)
    }

    private final class Helpers: FunctionKinds {
        func isCopied(_ address: UInt64, in image: Image) -> Bool { [0x15, 0x95].contains(address / 0x100) }
        func takesLock(_ address: UInt64, in image: Image) -> Bool { address / 0x100 == 0x11 }
        func isWitness(_ address: UInt64, in image: Image) -> Bool { address / 0x100 == 0x96 }
    }

    //   deposit (0x1200) ─╮                     code 901
    //   deposit (0x1200) ─┼─ withLock (0x1100)  code 902, through another caller
    //   audit   (0x1300) ─╯                     code 903
    //   deposit (0x1200) ── copied library function of Swift (0x1500) ── withLock ── another copy    code 905
    //   deposit (0x1200) ── function of Foundation (0x9500) ── withLock                              code 907
    //   deposit (0x1200) ── witness of Foundation (0x9600)                                           code 908
    //   function of Foundation (0x9500) ── witness of Foundation (0x9600)                            code 909
    @Test("Whoever calls functions that only take locks, or Swift's own, waits for them, whatever the way there")
    func callers() throws {
        var trace = TraceBuilder()
        trace.add(.image(.init(base: 0x1000, begin: 0x1000, end: 0x9000, buildId: "", path: "/app/App")), at: 0)
        let foundation = "/usr/lib/swift/linux/libFoundation.so"
        trace.add(.image(.init(base: 0x9000, begin: 0x9000, end: 0xA000, buildId: "", path: foundation)), at: 0)
        let ways: [(code: UInt32, frames: [UInt64])] = [
            (901, [0x1101, 0x1201]), (902, [0x1101, 0x1102, 0x1201, 0x1401]), (903, [0x1101, 0x1301]),
            (904, [0x1101, 0x1102]), (901, [0x1101, 0x1201]), (905, [0x1501, 0x1101, 0x1502, 0x1201]),
            (906, [0x1501, 0x1601]), (907, [0x1101, 0x9501, 0x1201]), (908, [0x9601, 0x1201]),
            (909, [0x9601, 0x9501]),
        ]
        for (turn, (code, frames)) in ways.enumerated() {
            trace.add(.codeStack(.init(code: code, stack: trace.stack(frames))), at: 0)
            trace.add(.codeSymbol(.init(code: code, address: frames[0], symbol: "", file: "", line: 0)), at: 0)
            let time = Double(turn + 1) * 100
            trace.add(.lockWait(.init(lock: 0x7000, code: code, holderTid: 1)), at: time, thread: 2)
            trace.add(.lockAcquire(.init(lock: 0x7000, code: code)), at: time + 10, thread: 2)
            trace.add(.lockRelease(.init(lock: 0x7000)), at: time + 20, thread: 2)
        }
        var addresses: [UInt64] = []
        func codes(_ functions: (any FunctionKinds)?) -> [CodeIndex] {
            let (model, log) = ObservationLog.read(trace.events, options: ModelOptions(functions: functions))
            let codes = log.acquisitions.filter(\.blocksThread).map(\.code)
            addresses = codes.map { model[$0].address }
            return codes
        }
        let callers = codes(Helpers())
        #expect(addresses == [0x1201, 0x1201, 0x1301, 0x1101, 0x1201, 0x1201, 0x1601, 0x9501, 0x1201, 0x9601])
        #expect(callers[5] == callers[0])
        #expect(callers[0] == callers[1] && callers[0] != callers[2])
        // Call 904 has no caller that does more than take locks. Call 901 begins at the same address and keeps its own
        // code.
        #expect(callers[4] == callers[0] && callers[3] != callers[0])
        _ = codes(nil)
        #expect(
            addresses == [0x1101, 0x1101, 0x1101, 0x1101, 0x1101, 0x1501, 0x1501, 0x1101, 0x9601, 0x9601])
    }

    @Test("An image that becomes known later tells who takes the lock from then on")
    func lateImage() throws {
        var trace = TraceBuilder()
        trace.add(.codeStack(.init(code: 901, stack: trace.stack([0x1101, 0x1201]))), at: 0)
        trace.add(.codeSymbol(.init(code: 901, address: 0x1101, symbol: "", file: "", line: 0)), at: 0)
        for time in [100.0, 200] {
            trace.add(.lockWait(.init(lock: 0x7000, code: 901, holderTid: 1)), at: time, thread: 2)
            trace.add(.lockAcquire(.init(lock: 0x7000, code: 901)), at: time + 10, thread: 2)
            trace.add(.lockRelease(.init(lock: 0x7000)), at: time + 20, thread: 2)
            trace.add(
                .image(.init(base: 0x1000, begin: 0x1000, end: 0x9000, buildId: "", path: "/app/App")), at: time + 30)
        }
        let (model, log) = ObservationLog.read(trace.events, options: ModelOptions(functions: Helpers()))
        let waits = log.acquisitions.filter(\.blocksThread)
        #expect(waits.map { model[$0.code].address } == [0x1101, 0x1201])
    }
}
