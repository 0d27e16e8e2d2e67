import DispatchModel

/// The waits of threads for locks, groups, semaphores and work items, written while the trace is read.
struct BlockedWaitsTable: TraceTable {
    struct Row {
        let thread: ThreadIndex
        let object: String
        var identifier: UInt64?
        var queue: QueueIndex?
        var lock: LockIndex?
        let code: CodeIndex
        let begin: Timestamp
        let end: Timestamp
        let hasTimedOut: Bool
        let isFinished: Bool
        let other: ThreadIndex?
        let waiter: ItemNumber?
    }

    static let meaning =
        "A row per wait of a thread for a lock, group, semaphore or work item, in the order of their ends. A wait in a "
        + "sync is in items, except a sync that still waited for its queue at the end of the trace, which is here."
    static let key: [String] = []
    static let followed: ObservationKinds = [.blockedWaits, .acquisitions]

    static let columns = TableColumns<Row> { columns in
        columns.addProcess()
        columns.add("thread_index", "The thread that waited.") { $0.thread }
        columns.add("object", "The awaited object: lock, group, semaphore, work item or queue.") { $0.object }
        columns.add("object_id", "The recorder's id of a group, semaphore or work item, hexadecimal.") {
            $0.identifier.map { "0x" + String($0, radix: 16) }
        }
        columns.add("queue_index", "The queue.") { $0.queue }
        columns.add("lock_index", "The lock.") { $0.lock }
        columns.add("code_index", "The code that waited.") { $0.code }
        columns.add("begin_ns", "The begin of the wait.") { $0.begin }
        columns.add("end_ns", "The end of the wait, or of the trace.") { $0.end }
        columns.add("timed_out", "True when the wait timed out.") { $0.hasTimedOut }
        columns.add("finished", "False when the trace ended before the wait.") { $0.isFinished }
        columns.add("by_thread_index", "The thread that held the lock or queue, or that sent the signal.") { $0.other }
        columns.add("item", "The item that the thread ran at the begin of the wait.") { $0.waiter }
    }

    func observe(_ observation: Observation, _ add: (Row) -> Void) {
        switch observation {
        case .blockedWait(let wait): add(Self.row(wait))
        case .acquisition(let acquisition):
            guard case .lock(let lock) = acquisition.domain, acquisition.grantedAt > acquisition.requestedAt
            else { return }
            add(
                Row(
                    thread: acquisition.thread, object: "lock", lock: lock, code: acquisition.code,
                    begin: acquisition.requestedAt, end: acquisition.grantedAt, hasTimedOut: false, isFinished: true,
                    other: acquisition.blockedBy, waiter: acquisition.item))
        default: break
        }
    }

    private static func row(_ wait: BlockedWait) -> Row {
        let (identifier, queue, lock): (UInt64?, QueueIndex?, LockIndex?) =
            switch wait.object {
            case .group(let id), .semaphore(let id), .item(let id): (id, nil, nil)
            case .queue(let queue): (nil, queue, nil)
            case .lock(let lock): (nil, nil, lock)
            }
        return Row(
            thread: wait.thread, object: wait.object.kind.title, identifier: identifier, queue: queue, lock: lock,
            code: wait.code,
            begin: wait.begin, end: wait.end, hasTimedOut: wait.timedOut, isFinished: wait.isFinished,
            other: wait.signaller ?? wait.holder, waiter: wait.waiter)
    }
}
