/// Follows waits for groups, semaphores and work items. A thread waits for one thing at a time.
struct BlockedWaitTracker {
    private struct Wait {
        let object: BlockedWait.Object
        let code: CodeIndex
        let begin: Int64
    }

    /// Per thread.
    private var waits: [Wait?] = []

    mutating func begin(
        _ object: BlockedWait.Object, code: UInt32, at time: Int64, thread: Int, in state: inout ModelState
    ) {
        while waits.count <= thread { waits.append(nil) }
        waits[thread] = Wait(object: object, code: state.codes.code(code), begin: time)
    }

    mutating func end(
        _ object: BlockedWait.Object, timedOut: Bool, at time: Int64, thread: Int, in state: inout ModelState
    ) {
        // Another object than it waits for: the begin of this wait was lost.
        guard thread < waits.count, let wait = waits[thread], wait.object == object else { return }
        waits[thread] = nil
        emit(wait, thread: thread, end: time, timedOut: timedOut, isFinished: true, in: &state)
    }

    private func emit(
        _ wait: Wait, thread: Int, end: Int64, timedOut: Bool, isFinished: Bool, in state: inout ModelState
    ) {
        state.emit(
            .blockedWait(
                BlockedWait(
                    object: wait.object, thread: ThreadIndex(thread), code: wait.code,
                    begin: Timestamp(nanoseconds: wait.begin), end: Timestamp(nanoseconds: end), timedOut: timedOut,
                    isFinished: isFinished)))
    }

    /// The trace is over: threads that wait still do.
    mutating func finishAll(at time: Int64, in state: inout ModelState) {
        for thread in waits.indices {
            guard let wait = waits[thread] else { continue }
            emit(wait, thread: thread, end: time, timedOut: false, isFinished: false, in: &state)
        }
        waits.removeAll()
    }
}
