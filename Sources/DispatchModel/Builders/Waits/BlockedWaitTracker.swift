/// Follows waits for groups, semaphores and work items. A thread waits for one thing at a time.
struct BlockedWaitTracker {
    struct Wait {
        let object: BlockedWait.Object
        let code: CodeIndex
        let begin: Int64
        /// The item that the thread ran, -1 for none.
        let waiter: Int64
        /// It could not go on at once, as far as that is known.
        let isBlocked: Bool
        /// What ended it, when that was seen already.
        var signal: Signal?
        /// The mark of what ended it on the path, -1 for none.
        var path: Int32 = -1
    }

    /// Per thread.
    private var waits: [Wait?] = []
    /// How many threads wait for each group and item.
    private var waiters: [BlockedWait.Object: Int] = [:]

    mutating func begin(
        _ object: BlockedWait.Object, code: CodeIndex, isBlocked: Bool = true, waiter: Int64, at time: Int64,
        thread: Int
    ) {
        waits.reach(thread, nil)
        // The end of its last wait was lost.
        if let lost = waits[thread] { removeWaiter(of: lost.object) }
        waits[thread] = Wait(object: object, code: code, begin: time, waiter: waiter, isBlocked: isBlocked)
        if !object.isSemaphore { waiters[object, default: 0] += 1 }
    }

    /// The wait that ends; nil when the thread waits for another object, as the begin of this wait was lost.
    mutating func end(_ object: BlockedWait.Object, thread: Int) -> Wait? {
        guard thread < waits.count, let wait = waits[thread], wait.object == object else { return nil }
        waits[thread] = nil
        removeWaiter(of: object)
        return wait
    }

    private mutating func removeWaiter(of object: BlockedWait.Object) {
        guard let count = waiters[object] else { return }
        waiters[object] = count > 1 ? count - 1 : nil
    }

    /// Whether the thread waits for a group, a semaphore or an item.
    func isWaiting(_ thread: Int) -> Bool { thread < waits.count && waits[thread] != nil }

    /// Whether a thread waits for this group or item.
    @inline(__always)
    func isAwaited(_ object: BlockedWait.Object) -> Bool { !waiters.isEmpty && waiters[object] != nil }

    /// Whether a thread waits for any group or item.
    @inline(__always)
    var hasWaiters: Bool { !waiters.isEmpty }

    /// Remembers what ends the waits for a group or an item. Complexity: O(threads), when somebody waits.
    ///
    /// Returns how many of them keep the mark.
    mutating func deliver(_ signal: Signal, because path: Int32) -> Int {
        guard isAwaited(signal.object) else { return 0 }
        var keepers = 0
        for thread in waits.indices where waits[thread]?.object == signal.object && waits[thread]?.signal == nil {
            waits[thread]?.signal = signal
            waits[thread]?.path = path
            keepers += 1
        }
        return keepers
    }

    /// The waits that have not ended, by thread.
    var open: [(thread: Int, wait: Wait)] {
        waits.indices.compactMap { thread in waits[thread].map { (thread, $0) } }
    }
}

extension BlockedWait.Object {
    fileprivate var isSemaphore: Bool { if case .semaphore = self { true } else { false } }
}

extension ItemTracker {
    /// A wait for a group or a work item ended.
    func endWait(
        _ object: BlockedWait.Object, timedOut: Bool, at time: Int64, thread: Int, in state: inout ModelState
    ) {
        guard let wait = state.waits.end(object, thread: thread) else { return }
        wakePath(of: thread, since: wait.begin, at: time, because: timedOut ? -1 : wait.path, in: &state)
        state.paths.release(wait.path)
        state.emit(
            wait, thread: thread, end: time, timedOut: timedOut, isFinished: true,
            signal: timedOut ? nil : wait.signal)
    }
}

extension ModelState {
    /// Lets the threads know that wait for a group or an item.
    mutating func deliver(_ signal: Signal, because path: Int32) {
        let keepers = waits.deliver(signal, because: path)
        for _ in 0..<keepers { paths.retain(path) }
    }

    mutating func emit(
        _ wait: BlockedWaitTracker.Wait, thread: Int, end: Int64, timedOut: Bool, isFinished: Bool, signal: Signal?
    ) {
        var observed = BlockedWait(
            object: wait.object, thread: ThreadIndex(thread), code: wait.code,
            begin: Timestamp(nanoseconds: wait.begin), end: Timestamp(nanoseconds: end), timedOut: timedOut,
            isFinished: isFinished)
        observed.signal = signal
        observed.waiter = wait.waiter < 0 ? nil : ItemNumber(wait.waiter)
        emit(observed)
    }

    /// A wait; one that has not ended when the trace does is part of the graph of waits.
    mutating func emit(_ wait: BlockedWait) {
        if !wait.isFinished { model.waitForGraph.waits.append(wait) }
        emit(.blockedWait(wait))
    }

    /// The trace is over: threads that wait still do.
    mutating func finishWaits(at time: Int64) {
        for (thread, wait) in waits.open {
            emit(wait, thread: thread, end: time, timedOut: false, isFinished: false, signal: nil)
        }
    }
}
