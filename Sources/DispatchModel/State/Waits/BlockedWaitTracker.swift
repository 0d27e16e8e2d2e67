/// Tracks waits for groups, semaphores and work items. A thread has at most one such wait at a time.
struct BlockedWaitTracker {
    struct Wait {
        let object: BlockedWait.Object
        let code: CodeIndex
        let begin: Int64
        /// The item that the thread ran; -1 for none.
        let waiter: Int64
        /// The wait blocked the thread. True also when that is not known.
        let isBlocked: Bool
        /// The signal that ended the wait, once it is recorded.
        var signal: Signal?
        /// The path mark of that signal; -1 for none.
        var path: Int32 = -1
    }

    /// By position of the thread.
    private var waits: [Wait?] = []
    /// Number of threads that wait for each group and item.
    private var waiters: [BlockedWait.Object: Int] = [:]

    mutating func begin(
        _ object: BlockedWait.Object, code: CodeIndex, isBlocked: Bool = true, waiter: Int64, at moment: Moment
    ) {
        waits.reach(moment.thread.position, nil)
        // The end of the thread's previous wait was lost.
        if let lost = waits[moment.thread] { removeWaiter(of: lost.object) }
        waits[moment.thread] = Wait(
            object: object, code: code, begin: moment.time, waiter: waiter, isBlocked: isBlocked)
        if object.kind != .semaphore { waiters[object, default: 0] += 1 }
    }

    /// Removes and returns the wait that ends. Returns nil if the thread waits for another object, because the begin of
    /// this wait was lost.
    mutating func end(_ object: BlockedWait.Object, thread: ThreadIndex) -> Wait? {
        guard waits.reaches(thread), let wait = waits[thread], wait.object == object else { return nil }
        waits[thread] = nil
        removeWaiter(of: object)
        return wait
    }

    private mutating func removeWaiter(of object: BlockedWait.Object) {
        guard let count = waiters[object] else { return }
        waiters[object] = count > 1 ? count - 1 : nil
    }

    /// Whether the thread waits for a group, a semaphore or an item.
    func isWaiting(_ thread: ThreadIndex) -> Bool { waits.reaches(thread) && waits[thread] != nil }

    /// Whether a thread waits for this group or item.
    @inline(__always)
    func isAwaited(_ object: BlockedWait.Object) -> Bool { !waiters.isEmpty && waiters[object] != nil }

    /// Whether a thread waits for any group or item.
    @inline(__always)
    var hasWaiters: Bool { !waiters.isEmpty }

    /// Stores the signal that ends the waits for a group or an item. Complexity: O(threads), if a thread waits.
    ///
    /// - Returns: the number of waits that store the path mark.
    mutating func deliver(_ signal: Signal, because path: Int32) -> Int {
        guard isAwaited(signal.object) else { return 0 }
        var references = 0
        for thread in waits.indices where waits[thread]?.object == signal.object && waits[thread]?.signal == nil {
            waits[thread]?.signal = signal
            waits[thread]?.path = path
            references += 1
        }
        return references
    }

    /// The waits that have not ended, in the order of the threads.
    var open: [(thread: ThreadIndex, wait: Wait)] {
        waits.indices.compactMap { thread in waits[thread].map { (ThreadIndex(thread), $0) } }
    }
}
