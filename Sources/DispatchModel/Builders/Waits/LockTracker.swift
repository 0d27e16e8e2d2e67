/// Tracks the waiters and the holders of locks.
///
/// ```
///   thread A   lock_acquire ───────── lock_release
///   thread B        lock_wait ·····················lock_acquire ── lock_release
/// ```
///
/// For a pthread mutex or a `Synchronization.Mutex`, which have no `lock_create`, only contention is recorded. The
/// mutex counts as held from its first `lock_wait`, by the thread that the event names. A release that was not recorded
/// had no waiters.
struct LockTracker: ~Copyable {
    private struct Holding {
        var thread: Int32 = -1
        var requestedAt: Int64 = 0
        var grantedAt: Int64 = 0
        var code: CodeIndex = .unknown
        /// The item that the thread ran when it requested the lock; -1 for none.
        var item: Int64 = -1
        var waited = false
        /// The thread that held the lock at the request; -1 when unknown.
        var blockedBy: Int32 = -1
        /// How long the previous holder or this thread was preempted during the wait.
        var withoutProcessor = Nanoseconds.zero
        /// The path mark of the last release; -1 for none.
        var path: Int32 = -1
    }
    private struct Request {
        var lock: Int32 = -1
        var since: Int64 = 0
        var code: CodeIndex = .unknown
        /// The item that the thread ran; -1 for none.
        var item: Int64 = -1
        var holder: Int32 = -1
        /// The thread that holds the lock, from this event or from earlier events; -1 when unknown.
        var heldBy: Int32 = -1
        /// Off-CPU times of the thread and of the holder at the request.
        var times = ProcessorTimes()
        var holderTimes = ProcessorTimes()
    }

    private var ids = IdentifierTable()
    /// Parallel to ``DispatchModel/locks``.
    private var holdings: [Holding] = []
    /// By position of the thread: the lock that it waits for.
    private var requests: [Request] = []
    /// By position of the lock: the thread that holds it at the end of the trace; -1 for none.
    private var finalHolders: [Int32] = []

    mutating func create(_ event: DispatchEvent.LockCreate, at time: Int64, in state: inout ModelState) {
        let code = state.codes.code(event.code)
        // The address was reused by another lock. A lock without a creation gets it late.
        if let known = ids[event.lock], !state.model.locks[known].isMutex {
            let lock = state.model.locks[known]
            let isRepeated = lock.label == event.label && lock.isFair == (event.fair != 0) && lock.creationCode == code
            if isRepeated { return }
            if holdings[known].thread >= 0 { release(known, at: time, in: &state) }
            ids.remove(event.lock)
        }
        let index = lock(event.lock, in: &state)
        state.model.locks[index] = Lock(
            index: LockIndex(index), id: event.lock, label: event.label, isFair: event.fair != 0, creationCode: code,
            isMutex: false)
    }

    private mutating func lock(_ id: UInt64, in state: inout ModelState) -> Int {
        if let known = ids[id] { return known }
        let position = holdings.count
        ids.insert(id, position)
        holdings.append(Holding())
        state.model.locks.append(
            Lock(
                index: LockIndex(position), id: id, label: "", isFair: false, creationCode: .unknown, isMutex: true))
        return position
    }

    /// Whether the thread waits for a `TracedLock` or a `TracedMutex`, and the lock is the mutex in it. The hooks
    /// record the same wait again for that mutex.
    private func isInnerMutex(_ lock: UInt64, of thread: Int, in state: borrowing ModelState) -> Bool {
        guard thread < requests.count, requests[thread].lock >= 0,
            !state.model.locks[Int(requests[thread].lock)].isMutex
        else { return false }
        return ids[lock].map { state.model.locks[$0].isMutex } ?? true
    }

    mutating func wait(
        _ event: DispatchEvent.LockWait, at time: Int64, thread: Int, items: borrowing ItemTracker,
        in state: inout ModelState
    ) {
        requests.reach(thread, Request())
        guard !isInnerMutex(event.lock, of: thread, in: state) else { return }
        let index = lock(event.lock, in: &state)
        let code = state.codes.lockRequester(event.code)
        items.requestDomain(.lock(LockIndex(index)), code: code, at: time, thread: thread, in: &state)
        items.stopPath(of: thread, at: time, in: &state)
        let holder = event.holderTid == 0 ? -1 : state.threads.thread(tid: event.holderTid, at: time)
        let heldBy = holder >= 0 ? Int32(holder) : holdings[index].thread
        requests[thread] = Request(
            lock: Int32(index), since: time, code: code, item: items.innermostNumber(on: thread, in: &state),
            holder: Int32(holder), heldBy: heldBy, times: times(of: Int32(thread), at: time, in: &state),
            holderTimes: times(of: heldBy, at: time, in: &state))
        guard holder >= 0, holder != thread, state.model.locks[index].isMutex, holdings[index].thread != holder else {
            return
        }
        // The holder took the mutex without contention, so the time was not recorded.
        if holdings[index].thread >= 0 { release(index, at: holdings[index].grantedAt, in: &state) }
        holdings[index] = Holding(
            thread: Int32(holder), requestedAt: time, grantedAt: time, path: holdings[index].path)
    }

    mutating func acquire(
        _ event: DispatchEvent.LockAcquire, at time: Int64, thread: Int, items: borrowing ItemTracker,
        in state: inout ModelState
    ) {
        guard !isInnerMutex(event.lock, of: thread, in: state) else { return }
        let index = lock(event.lock, in: &state)
        let code = state.codes.lockRequester(event.code)
        let isAwaited = thread < requests.count && requests[thread].lock == index
        if !isAwaited {
            items.requestDomain(.lock(LockIndex(index)), code: code, at: time, thread: thread, in: &state)
        }
        // The lock is still held, so its release was lost. The release of a mutex without waiters is not recorded.
        if holdings[index].thread >= 0 {
            let wasWaitedFor = isAwaited && requests[thread].holder == holdings[index].thread
            let isOver = state.model.locks[index].isMutex && !wasWaitedFor
            release(index, at: isOver ? holdings[index].grantedAt : time, in: &state)
        }
        holdings[index] = Holding(
            thread: Int32(thread), requestedAt: time, grantedAt: time, code: code,
            item: isAwaited ? requests[thread].item : items.innermostNumber(on: thread, in: &state),
            path: holdings[index].path)
        // Mutexes are not added, because their release is recorded only if a thread waits.
        if !state.model.locks[index].isMutex {
            state.held.take(
                HeldDomain(
                    domain: .lock(LockIndex(index)), code: code, since: Timestamp(nanoseconds: time), item: nil),
                by: thread)
        }
        guard isAwaited else { return }
        holdings[index].requestedAt = requests[thread].since
        holdings[index].waited = true
        holdings[index].blockedBy = requests[thread].holder
        holdings[index].withoutProcessor = withoutProcessor(thread, since: requests[thread], at: time, in: &state)
        requests[thread].lock = -1
        items.wakePath(
            of: thread, since: requests[thread].since, at: time, because: holdings[index].path, kind: .lock,
            code: requests[thread].code, in: &state)
    }

    mutating func release(
        _ event: DispatchEvent.LockRelease, at time: Int64, thread: Int, items: borrowing ItemTracker,
        in state: inout ModelState
    ) {
        guard let index = ids[event.lock], holdings[index].thread >= 0 else { return }
        state.paths.replace(&holdings[index].path, with: items.markPath(of: thread, at: time, in: &state))
        let isOver = state.model.locks[index].isMutex && holdings[index].thread != thread
        release(index, at: isOver ? holdings[index].grantedAt : time, in: &state)
    }

    private mutating func release(_ index: Int, at time: Int64, in state: inout ModelState) {
        let holding = holdings[index]
        holdings[index].thread = -1
        state.held.release(.lock(LockIndex(index)), by: Int(holding.thread))
        var acquisition = Acquisition(
            domain: .lock(LockIndex(index)), thread: ThreadIndex(Int(holding.thread)),
            requestedAt: Timestamp(nanoseconds: holding.requestedAt),
            grantedAt: Timestamp(nanoseconds: holding.grantedAt), releasedAt: Timestamp(nanoseconds: time),
            blocksThread: holding.waited, code: holding.code,
            item: holding.item < 0 ? nil : ItemNumber(holding.item), queue: nil)
        acquisition.blockedBy = holding.blockedBy < 0 ? nil : ThreadIndex(Int(holding.blockedBy))
        acquisition.withoutProcessor = min(holding.withoutProcessor, acquisition.grantedAt - acquisition.requestedAt)
        state.emit(.acquisition(acquisition))
    }

    /// The times that a thread has spent off-CPU until a moment; zero for the position -1, which means no thread.
    private func times(of thread: Int32, at time: Int64, in state: inout ModelState) -> ProcessorTimes {
        guard thread >= 0, state.processors.isRecorded else { return ProcessorTimes() }
        return state.processors.times(of: Int(thread), at: time)
    }

    /// How long the thread or the holder was preempted since a request.
    private func withoutProcessor(
        _ thread: Int, since request: Request, at time: Int64, in state: inout ModelState
    ) -> Nanoseconds {
        let own = times(of: Int32(thread), at: time, in: &state) - request.times
        let holder = times(of: request.heldBy, at: time, in: &state) - request.holderTimes
        return own.preempted + (request.heldBy == thread ? .zero : holder.preempted)
    }

    private func holder(of lock: Int) -> ThreadIndex? {
        finalHolders[lock] < 0 ? nil : ThreadIndex(Int(finalHolders[lock]))
    }

    /// Whether a thread waits for a lock.
    func isWaiting(_ thread: Int) -> Bool { thread < requests.count && requests[thread].lock >= 0 }

    /// The positions of the threads that wait for a lock.
    var waitingThreads: [Int] { requests.indices.filter { requests[$0].lock >= 0 } }

    /// The end of the trace: reports held locks as released now, except mutexes without known waiters, and reports the
    /// open waits.
    mutating func finishAll(at time: Int64, in state: inout ModelState) {
        finalHolders = holdings.map(\.thread)
        for index in holdings.indices where holdings[index].thread >= 0 {
            let isAwaited = requests.contains { $0.lock == index }
            let isOver = state.model.locks[index].isMutex && !isAwaited
            if isOver, holdings[index].grantedAt < state.model.begin.nanoseconds { continue }
            release(index, at: isOver ? holdings[index].grantedAt : time, in: &state)
        }
        for thread in requests.indices where requests[thread].lock >= 0 {
            let request = requests[thread]
            var wait = BlockedWait(
                object: .lock(LockIndex(Int(request.lock))), thread: ThreadIndex(thread), code: request.code,
                begin: Timestamp(nanoseconds: request.since), end: Timestamp(nanoseconds: time), timedOut: false,
                isFinished: false,
                holder: request.holder < 0 ? holder(of: Int(request.lock)) : ThreadIndex(Int(request.holder)))
            wait.waiter = request.item < 0 ? nil : ItemNumber(request.item)
            state.emit(wait)
        }
        requests.removeAll()
    }
}
