/// Follows locks: who waits, who holds.
///
/// ```
///   thread A   lock_acquire ───────── lock_release
///   thread B        lock_wait ·····················lock_acquire ── lock_release
/// ```
struct LockTracker {
    private struct Holding {
        var thread: Int32 = -1
        var requestedAt: Int64 = 0
        var grantedAt: Int64 = 0
        var code: CodeIndex = .unknown
        var waited = false
    }
    private struct Request {
        var lock: Int32 = -1
        var since: Int64 = 0
        var code: CodeIndex = .unknown
    }

    private var ids = IdentifierTable()
    /// Parallel to ``DispatchModel/locks``.
    private var holdings: [Holding] = []
    /// Per thread: the lock that it waits for.
    private var requests: [Request] = []

    mutating func create(_ event: DispatchEvent.LockCreate, in state: inout ModelState) {
        let code = state.codes.code(event.code)
        let index = lock(event.lock, in: &state)
        state.model.locks[index] = Lock(
            index: LockIndex(index), id: event.lock, label: event.label, isFair: event.fair != 0, creationCode: code)
    }

    private mutating func lock(_ id: UInt64, in state: inout ModelState) -> Int {
        if let known = ids[id] { return known }
        let position = holdings.count
        ids.insert(id, position)
        holdings.append(Holding())
        state.model.locks.append(
            Lock(index: LockIndex(position), id: id, label: "", isFair: false, creationCode: .unknown))
        return position
    }

    mutating func wait(_ event: DispatchEvent.LockWait, at time: Int64, thread: Int, in state: inout ModelState) {
        while requests.count <= thread { requests.append(Request()) }
        requests[thread] = Request(
            lock: Int32(lock(event.lock, in: &state)), since: time, code: state.codes.code(event.code))
    }

    mutating func acquire(_ event: DispatchEvent.LockAcquire, at time: Int64, thread: Int, in state: inout ModelState) {
        let index = lock(event.lock, in: &state)
        // Held still: its release was lost.
        if holdings[index].thread >= 0 { release(index, at: time, in: &state) }
        holdings[index].thread = Int32(thread)
        holdings[index].grantedAt = time
        holdings[index].requestedAt = time
        holdings[index].waited = false
        holdings[index].code = state.codes.code(event.code)
        guard thread < requests.count, requests[thread].lock == index else { return }
        holdings[index].requestedAt = requests[thread].since
        holdings[index].waited = true
        requests[thread].lock = -1
    }

    mutating func release(_ event: DispatchEvent.LockRelease, at time: Int64, in state: inout ModelState) {
        let index = lock(event.lock, in: &state)
        if holdings[index].thread >= 0 { release(index, at: time, in: &state) }
    }

    private mutating func release(_ index: Int, at time: Int64, in state: inout ModelState) {
        let holding = holdings[index]
        holdings[index].thread = -1
        state.emit(
            .acquisition(
                Acquisition(
                    domain: .lock(LockIndex(index)), thread: ThreadIndex(Int(holding.thread)),
                    requestedAt: Timestamp(nanoseconds: holding.requestedAt),
                    grantedAt: Timestamp(nanoseconds: holding.grantedAt), releasedAt: Timestamp(nanoseconds: time),
                    blocksThread: holding.waited, code: holding.code, item: nil, queue: nil)))
    }

    /// The trace is over: locks that are held count as released now.
    mutating func finishAll(at time: Int64, in state: inout ModelState) {
        for index in holdings.indices where holdings[index].thread >= 0 { release(index, at: time, in: &state) }
    }
}
