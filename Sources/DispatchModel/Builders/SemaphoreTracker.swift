/// Follows counting semaphores: their value, who waits, and which signal wakes whom.
///
/// ```
///   value       0        -1                     0
///   waiter      wait_begin ├──── blocked ────┤ wait_end
///   signaller                     signal ────╯ wakes the waiter
/// ```
///
/// As in libdispatch, a wait that finds no value left goes below zero, and a signal to a value below zero wakes one
/// waiter. Which one is the kernel's choice; the longest waiting one is taken to be.
struct SemaphoreTracker {
    private struct Wakes {
        /// Signals that wake waiters whose waits have not ended yet, the earliest first.
        var pending: [Signal] = []
        /// The last signal of a semaphore whose value is not known.
        var last: Signal?
    }

    /// Programs make semaphores for single requests; more than these at once are not followed.
    private static let limit = 100_000
    /// Waiters that were woken and have not run yet are few.
    private static let pendingLimit = 256

    private var ids = IdentifierTable()
    /// Parallel to ``DispatchModel/semaphores``.
    private var wakes: [Wakes] = []

    mutating func create(_ event: DispatchEvent.SemaphoreCreate, at time: Int64, in state: inout ModelState) {
        let code = state.codes.code(event.code)
        let value = Int(clamping: event.value)
        func made(_ index: Int) -> Semaphore {
            Semaphore(
                index: SemaphoreIndex(index), id: event.semaphore, creationCode: code,
                createdAt: Timestamp(nanoseconds: time), firstValue: value, value: value)
        }
        if let known = ids[event.semaphore], !Self.isRemarkable(state.model.semaphores[known]) {
            state.model.semaphores[known] = made(known)
            wakes[known] = Wakes()
            return
        }
        add(event.semaphore, in: &state, made)
    }

    /// A semaphore that is gone is kept when somebody waited for it in vain.
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
        state.model.semaphores.append(made(position))
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

    mutating func beginWait(
        _ event: DispatchEvent.SemaphoreWaitBegin, at time: Int64, thread: Int, items: borrowing ItemTracker,
        in state: inout ModelState
    ) {
        var isBlocked = true
        if let semaphore = semaphore(event.semaphore, at: time, in: &state) {
            state.model.semaphores[semaphore].value -= 1
            let known = state.model.semaphores[semaphore]
            isBlocked = known.firstValue == nil || known.value < 0
            if known.mayBeLock {
                items.requestDomain(
                    .semaphore(known.index), code: state.codes.code(event.code), at: time, thread: thread, in: &state)
            }
        }
        state.waits.begin(
            .semaphore(event.semaphore), code: state.codes.code(event.code), isBlocked: isBlocked,
            waiter: items.innermostNumber(on: thread, in: state), at: time, thread: thread)
    }

    mutating func endWait(
        _ event: DispatchEvent.SemaphoreWaitEnd, at time: Int64, thread: Int, in state: inout ModelState
    ) {
        let timedOut = event.timedOut != 0
        guard let wait = state.waits.end(.semaphore(event.semaphore), thread: thread) else { return }
        var signal: Signal?
        if let semaphore = ids[event.semaphore] {
            state.model.semaphores[semaphore].waits += 1
            if timedOut {
                state.model.semaphores[semaphore].timeouts += 1
                state.model.semaphores[semaphore].value += 1
            } else if wait.isBlocked {
                signal = takeWake(of: semaphore, since: wait.begin, in: state.model)
            }
            if wait.isBlocked {
                state.model.semaphores[semaphore].blockedWaits += 1
                state.model.semaphores[semaphore].waited += Nanoseconds(time - wait.begin)
            }
            let known = state.model.semaphores[semaphore]
            if !timedOut, known.mayBeLock {
                state.held.take(
                    HeldDomain(
                        domain: .semaphore(known.index), code: wait.code, since: Timestamp(nanoseconds: time), item: nil
                    ), by: thread)
            }
        }
        state.emit(wait, thread: thread, end: time, timedOut: timedOut, isFinished: true, signal: signal)
    }

    private mutating func takeWake(of semaphore: Int, since begin: Int64, in model: DispatchModel) -> Signal? {
        if model.semaphores[semaphore].firstValue == nil {
            return wakes[semaphore].last.flatMap { $0.time.nanoseconds >= begin ? $0 : nil }
        }
        return wakes[semaphore].pending.isEmpty ? nil : wakes[semaphore].pending.removeFirst()
    }

    mutating func signal(
        _ event: DispatchEvent.SemaphoreSignal, at time: Int64, thread: Int, items: borrowing ItemTracker,
        in state: inout ModelState
    ) {
        let index = semaphore(event.semaphore, at: time, in: &state)
        let code = state.codes.code(event.code)
        let isAwaited = index.map { state.model.semaphores[$0].value < 0 } ?? false
        let signal = items.signal(
            .semaphore(event.semaphore), code: code, isAwaited: isAwaited, at: time, thread: thread,
            isItemOver: false, in: state)
        if let index {
            state.model.semaphores[index].value += 1
            state.model.semaphores[index].signals += 1
            state.model.semaphores[index].lastSignaller = ThreadIndex(thread)
            state.model.semaphores[index].lastSignalCode = code
            wakes[index].last = signal
            if isAwaited, wakes[index].pending.count < Self.pendingLimit { wakes[index].pending.append(signal) }
            giveBack(index, thread: thread, in: &state)
        }
        state.emit(.signal(signal))
    }

    private func giveBack(_ index: Int, thread: Int, in state: inout ModelState) {
        guard state.model.semaphores[index].mayBeLock else { return }
        let domain = HeldDomain.Domain.semaphore(SemaphoreIndex(index))
        if !state.held.giveBack(domain, by: thread) {
            state.model.semaphores[index].isSignalledByOthers = true
            state.held.forget(domain)
        }
    }
}
