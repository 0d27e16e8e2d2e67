/// Tracks the waiters and the holders of locks.
///
/// ```
///   thread A   lock_acquire ───────── lock_release
///   thread B        lock_wait ·····················lock_acquire ── lock_release
/// ```
///
/// For a pthread mutex or a `Synchronization.Mutex`, which have no `lock_create`, only contention is recorded. The
/// mutex counts as held from its first `lock_wait`, by the thread that the event names. A release that was not recorded
/// had no waiters. The same applies to a read-write lock of pthread, of which only writers are holders.
struct LockTracker: ~Copyable {
    private struct Holding {
        var thread = ThreadIndex.none
        var requestedAt: Int64 = 0
        var grantedAt: Int64 = 0
        var code: CodeIndex = .unknown
        /// The item that the thread ran when it requested the lock; -1 for none.
        var item: Int64 = -1
        var waited = false
        /// The thread that held the lock at the request; none when unknown.
        var blockedBy = ThreadIndex.none
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
        var holder = ThreadIndex.none
        /// The thread that holds the lock, from this event or from earlier events; none when unknown.
        var heldBy = ThreadIndex.none
        /// Off-CPU times of the thread and of the holder at the request.
        var times = ProcessorTimes()
        var holderTimes = ProcessorTimes()
    }

    private var ids = IdentifierTable()
    /// Parallel to ``DispatchModel/locks``.
    private var holdings: [Holding] = []
    /// By position of the thread: the lock that it waits for.
    private var requests: [Request] = []
    /// By position of the lock: the thread that holds it at the end of the trace.
    private var finalHolders: [ThreadIndex] = []

    mutating func create(_ event: DispatchEvent.LockCreate, at time: Int64, in state: inout ModelState) {
        let code = state.codes.code(event.code)
        // The address was reused by another lock. A lock without a creation gets it late.
        if let known = ids[event.lock], !state.model.locks[known].isMutex {
            let lock = state.model.locks[known]
            let isRepeated = lock.label == event.label && lock.isFair == (event.fair != 0) && lock.creationCode == code
            if isRepeated { return }
            if !holdings[known].thread.isNone { release(known, at: time, in: &state) }
            ids.remove(event.lock)
        }
        if event.label.isEmpty, event.code == 0 { return replace(event, in: &state) }
        let index = lock(event.lock, in: &state)
        state.model.locks[index] = Lock(
            index: LockIndex(index), id: event.lock, label: event.label, isFair: event.fair != 0, creationCode: code,
            isMutex: false)
    }

    /// The hooks define a contended read-write lock, and record that a contended lock is initialised again: it is
    /// another lock at the same address.
    private mutating func replace(_ event: DispatchEvent.LockCreate, in state: inout ModelState) {
        if let known = ids[event.lock] {
            if event.kind == .readWrite, state.model.locks[known].kind == .readWrite { return }
            if !holdings[known].thread.isNone { release(known, at: holdings[known].grantedAt, in: &state) }
            ids.remove(event.lock)
        }
        guard event.kind == .readWrite else { return }
        let index = lock(event.lock, in: &state)
        state.model.locks[index].kind = .readWrite
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
    private func isInnerMutex(_ lock: UInt64, of thread: ThreadIndex, in state: borrowing ModelState) -> Bool {
        guard requests.reaches(thread), requests[thread].lock >= 0,
            !state.model.locks[Int(requests[thread].lock)].isMutex
        else { return false }
        return ids[lock].map { state.model.locks[$0].isMutex } ?? true
    }

    mutating func wait(_ event: DispatchEvent.LockWait, at moment: Moment, in state: inout ModelState) {
        requests.reach(moment.thread.position, Request())
        guard !isInnerMutex(event.lock, of: moment.thread, in: state) else { return }
        let index = lock(event.lock, in: &state)
        let code = state.codes.lockRequester(event.code)
        state.requested(.lock(LockIndex(index)), code: code, at: moment)
        state.blocked(at: moment)
        let holder = event.holderTid == 0 ? .none : state.threads.thread(tid: event.holderTid, at: moment.time)
        let heldBy = holder.isNone ? holdings[index].thread : holder
        requests[moment.thread] = Request(
            lock: Int32(index), since: moment.time, code: code,
            item: state.innermostNumber(on: moment.thread),
            holder: holder, heldBy: heldBy, times: times(of: moment.thread, at: moment.time, in: &state),
            holderTimes: times(of: heldBy, at: moment.time, in: &state))
        guard !holder.isNone, holder != moment.thread, state.model.locks[index].isMutex,
            holdings[index].thread != holder
        else {
            return
        }
        // The holder took the mutex without contention, so the time was not recorded.
        if !holdings[index].thread.isNone { release(index, at: holdings[index].grantedAt, in: &state) }
        holdings[index] = Holding(
            thread: holder, requestedAt: moment.time, grantedAt: moment.time, path: holdings[index].path)
    }

    mutating func acquire(_ event: DispatchEvent.LockAcquire, at moment: Moment, in state: inout ModelState) {
        guard !isInnerMutex(event.lock, of: moment.thread, in: state) else { return }
        let index = lock(event.lock, in: &state)
        let code = state.codes.lockRequester(event.code)
        let isAwaited = requests.reaches(moment.thread) && requests[moment.thread].lock == index
        if !isAwaited {
            state.requested(.lock(LockIndex(index)), code: code, at: moment)
        }
        // The lock is still held, so its release was lost. The release of a mutex without waiters is not recorded.
        if !holdings[index].thread.isNone {
            let wasWaitedFor = isAwaited && requests[moment.thread].holder == holdings[index].thread
            let isOver = state.model.locks[index].isMutex && !wasWaitedFor
            release(index, at: isOver ? holdings[index].grantedAt : moment.time, in: &state)
        }
        holdings[index] = Holding(
            thread: moment.thread, requestedAt: moment.time, grantedAt: moment.time, code: code,
            item: isAwaited ? requests[moment.thread].item : state.innermostNumber(on: moment.thread),
            path: holdings[index].path)
        // Mutexes are not added, because their release is recorded only if a thread waits.
        if !state.model.locks[index].isMutex {
            state.held.take(
                HeldDomain(domain: .lock(LockIndex(index)), code: code, since: moment.timestamp, item: nil),
                by: moment.thread)
        }
        guard isAwaited else { return }
        holdings[index].requestedAt = requests[moment.thread].since
        holdings[index].waited = true
        holdings[index].blockedBy = requests[moment.thread].holder
        holdings[index].withoutProcessor = withoutProcessor(
            moment.thread, since: requests[moment.thread], at: moment.time, in: &state)
        requests[moment.thread].lock = -1
        state.woke(
            at: moment, since: requests[moment.thread].since, because: holdings[index].path, kind: .lock,
            code: requests[moment.thread].code)
    }

    mutating func release(_ event: DispatchEvent.LockRelease, at moment: Moment, in state: inout ModelState) {
        guard let index = ids[event.lock], !holdings[index].thread.isNone else { return }
        state.paths.replace(&holdings[index].path, with: state.mark(at: moment))
        let isOver = state.model.locks[index].isMutex && holdings[index].thread != moment.thread
        release(index, at: isOver ? holdings[index].grantedAt : moment.time, in: &state)
    }

    private mutating func release(_ index: Int, at time: Int64, in state: inout ModelState) {
        let holding = holdings[index]
        holdings[index].thread = .none
        state.held.release(.lock(LockIndex(index)), by: holding.thread)
        var acquisition = Acquisition(
            domain: .lock(LockIndex(index)), thread: holding.thread,
            requestedAt: Timestamp(nanoseconds: holding.requestedAt),
            grantedAt: Timestamp(nanoseconds: holding.grantedAt), releasedAt: Timestamp(nanoseconds: time),
            blocksThread: holding.waited, code: holding.code,
            item: holding.item < 0 ? nil : ItemNumber(holding.item), queue: nil)
        acquisition.blockedBy = holding.blockedBy.known
        acquisition.withoutProcessor = min(holding.withoutProcessor, acquisition.grantedAt - acquisition.requestedAt)
        state.emit(.acquisition(acquisition))
    }

    /// The times that a thread has spent off-CPU until a moment; zero for none.
    private func times(of thread: ThreadIndex, at time: Int64, in state: inout ModelState) -> ProcessorTimes {
        guard !thread.isNone, state.processors.isRecorded else { return ProcessorTimes() }
        return state.processors.times(at: Moment(time: time, thread: thread))
    }

    /// How long the thread or the holder was preempted since a request.
    private func withoutProcessor(
        _ thread: ThreadIndex, since request: Request, at time: Int64, in state: inout ModelState
    ) -> Nanoseconds {
        let own = times(of: thread, at: time, in: &state) - request.times
        let holder = times(of: request.heldBy, at: time, in: &state) - request.holderTimes
        return own.preempted + (request.heldBy == thread ? .zero : holder.preempted)
    }

    private func holder(of lock: Int) -> ThreadIndex? {
        finalHolders[lock].known
    }

    /// Whether a thread waits for a lock.
    func isWaiting(_ thread: ThreadIndex) -> Bool { requests.reaches(thread) && requests[thread].lock >= 0 }

    /// The positions of the threads that wait for a lock.
    var waitingThreads: [ThreadIndex] {
        requests.indices.filter { requests[$0].lock >= 0 }.map { ThreadIndex($0) }
    }

    /// The end of the trace: reports held locks as released now, except mutexes without known waiters, and reports the
    /// open waits.
    mutating func finishAll(at time: Int64, in state: inout ModelState) {
        finalHolders = holdings.map(\.thread)
        for index in holdings.indices where !holdings[index].thread.isNone {
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
                holder: request.holder.known ?? holder(of: Int(request.lock)))
            wait.waiter = request.item < 0 ? nil : ItemNumber(request.item)
            state.emit(wait)
        }
        requests.removeAll()
    }
}
