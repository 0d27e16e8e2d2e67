/// Tracks counting semaphores: their values, their waiters, and which signal wakes which waiter.
///
/// ```
///   value       0        -1                     0
///   waiter      wait_begin ├──── blocked ────┤ wait_end
///   signaller                     signal ────╯ wakes the waiter
/// ```
///
/// As in libdispatch, a wait decrements the value and blocks if the result is negative. A signal to a negative value
/// wakes one waiter. The kernel selects the waiter; the model assumes the longest waiting one.
struct SemaphoreTracker: ~Copyable {
    /// A signal and its path mark, -1 for none.
    private struct Wake {
        let signal: Signal
        let path: Int32
    }
    private struct Wakes {
        /// Signals that woke a waiter whose end of the wait is not recorded yet, the earliest first.
        var pending: [Wake] = []
        /// The last signal, for a semaphore with an unknown value.
        var last: Wake?
    }

    /// Limit of the number of semaphores in the model, because programs can create a semaphore per request.
    private static let limit = 100_000
    /// Limit of `pending`. Few waiters are woken and have not run yet.
    private static let pendingLimit = 256

    private var ids = IdentifierTable()
    /// The later value of ``DispatchModel/semaphores``. Each access to the model, a class, costs more than the tracking
    /// itself.
    private(set) var entities: [Semaphore] = []
    /// Parallel to `entities`.
    private var wakes: [Wakes] = []

    mutating func create(_ event: DispatchEvent.SemaphoreCreate, at time: Int64, in state: inout ModelState) {
        let code = state.codes.code(event.code)
        let value = Int(clamping: event.value)
        func made(_ index: Int) -> Semaphore {
            Semaphore(
                index: SemaphoreIndex(index), id: event.semaphore, creationCode: code,
                createdAt: Timestamp(nanoseconds: time), firstValue: value, value: value)
        }
        if let known = ids[event.semaphore], !Self.isRemarkable(entities[known]) {
            entities[known] = made(known)
            for wake in wakes[known].pending { state.paths.release(wake.path) }
            if let last = wakes[known].last { state.paths.release(last.path) }
            wakes[known] = Wakes()
            return
        }
        add(event.semaphore, in: &state, made)
    }

    /// Whether to keep a released semaphore in the model: a thread waited for it without a signal.
    private static func isRemarkable(_ semaphore: Semaphore) -> Bool {
        semaphore.value < 0 && semaphore.firstValue != nil || semaphore.timeouts > 0 && semaphore.signals == 0
    }

    @discardableResult
    private mutating func add(_ id: UInt64, in state: inout ModelState, _ made: (Int) -> Semaphore) -> Int? {
        guard wakes.count < Self.limit else {
            state.model.omittedSemaphores += 1
            ids.remove(id)
            return nil
        }
        let position = wakes.count
        ids.insert(id, position)
        wakes.append(Wakes())
        entities.append(made(position))
        return position
    }

    private mutating func semaphore(_ id: UInt64, at time: Int64, in state: inout ModelState) -> Int? {
        if let known = ids[id] { return known }
        return add(id, in: &state) { position in
            Semaphore(
                index: SemaphoreIndex(position), id: id, creationCode: .unknown,
                createdAt: Timestamp(nanoseconds: time), firstValue: nil, value: 0)
        }
    }

    mutating func beginWait(_ event: DispatchEvent.SemaphoreWaitBegin, at moment: Moment, in state: inout ModelState) {
        var isBlocked = true
        if let semaphore = semaphore(event.semaphore, at: moment.time, in: &state) {
            entities[semaphore].value -= 1
            let known = entities[semaphore]
            isBlocked = known.firstValue == nil || known.value < 0
            if known.mayBeLock {
                state.requested(.semaphore(known.index), code: state.codes.code(event.code), at: moment)
            }
        }
        state.blocked(at: moment)
        state.waits.begin(
            .semaphore(event.semaphore), code: state.codes.code(event.code), isBlocked: isBlocked,
            waiter: state.innermostNumber(on: moment.thread), at: moment)
    }

    mutating func endWait(_ event: DispatchEvent.SemaphoreWaitEnd, at moment: Moment, in state: inout ModelState) {
        let timedOut = event.timedOut != 0
        guard let wait = state.waits.end(.semaphore(event.semaphore), thread: moment.thread) else { return }
        var wake: Wake?
        if let semaphore = ids[event.semaphore] {
            entities[semaphore].waits += 1
            if timedOut {
                entities[semaphore].timeouts += 1
                entities[semaphore].value += 1
            } else if wait.isBlocked {
                wake = takeWake(of: semaphore, since: wait.begin, in: &state)
            }
            if wait.isBlocked {
                entities[semaphore].blockedWaits += 1
                entities[semaphore].waited += Nanoseconds(moment.time - wait.begin)
            }
            let known = entities[semaphore]
            if !timedOut, known.mayBeLock {
                state.held.take(
                    HeldDomain(
                        domain: .semaphore(known.index), code: wait.code, since: moment.timestamp, item: nil
                    ), by: moment.thread)
            }
        }
        if wait.isBlocked {
            state.woke(at: moment, since: wait.begin, because: wake?.path ?? -1, kind: .semaphore, code: wait.code)
            if let wake { state.paths.release(wake.path) }
        }
        // Without a recorded creation the value is unknown, and so is whether the wait blocked.
        let isKnown = ids[event.semaphore].map { entities[$0].firstValue != nil } ?? false
        state.emit(
            wait, thread: moment.thread, end: moment.time, timedOut: timedOut, isFinished: true, signal: wake?.signal,
            lacksSignal: isKnown && wait.isBlocked && !timedOut && wake == nil)
    }

    /// Removes and returns the signal that ended a wait. The caller must release its mark.
    private mutating func takeWake(of semaphore: Int, since begin: Int64, in state: inout ModelState) -> Wake? {
        if entities[semaphore].firstValue == nil {
            guard let last = wakes[semaphore].last, last.signal.time.nanoseconds >= begin else { return nil }
            state.paths.retain(last.path)
            return last
        }
        return wakes[semaphore].pending.isEmpty ? nil : wakes[semaphore].pending.removeFirst()
    }

    mutating func signal(_ event: DispatchEvent.SemaphoreSignal, at moment: Moment, in state: inout ModelState) {
        let index = semaphore(event.semaphore, at: moment.time, in: &state)
        let code = state.codes.code(event.code)
        let isAwaited = index.map { entities[$0].value < 0 } ?? false
        let isKept = isAwaited || index.map { entities[$0].firstValue == nil } ?? false
        if isKept || state.followed.contains(.signals) {
            let signal = state.signal(
                .semaphore(event.semaphore), code: code, isAwaited: isAwaited, at: moment,
                isItemOver: false)
            if let index, isKept {
                remember(signal, of: index, thread: moment.thread, in: &state)
            }
            state.emit(.signal(signal))
        }
        if let index {
            entities[index].value += 1
            entities[index].signals += 1
            entities[index].lastSignaller = moment.thread
            entities[index].lastSignalCode = code
            releaseLock(index, thread: moment.thread, in: &state)
        }
    }

    private mutating func remember(_ signal: Signal, of index: Int, thread: ThreadIndex, in state: inout ModelState) {
        let isKnown = entities[index].firstValue != nil
        guard !isKnown || wakes[index].pending.count < Self.pendingLimit else {
            return state.blocked(at: Moment(time: signal.time.nanoseconds, thread: thread))
        }
        let wake = Wake(signal: signal, path: state.mark(at: Moment(time: signal.time.nanoseconds, thread: thread)))
        if isKnown {
            wakes[index].pending.append(wake)
        } else {
            if let old = wakes[index].last { state.paths.release(old.path) }
            wakes[index].last = wake
        }
    }

    private mutating func releaseLock(_ index: Int, thread: ThreadIndex, in state: inout ModelState) {
        guard entities[index].mayBeLock else { return }
        let domain = HeldDomain.Domain.semaphore(SemaphoreIndex(index))
        if !state.held.release(domain, by: thread) {
            entities[index].isSignalledByOthers = true
            state.held.forget(domain)
        }
    }
}
