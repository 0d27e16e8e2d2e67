import DispatchModel

/// The items of a process, written while the trace is read.
struct ItemsTable: TraceTable {
    struct Row {
        let number: ItemNumber
        let queue: QueueIndex
        let code: CodeIndex
        let kind: ItemKind
        let qos: QoSClass
        let isBarrier: Bool
        let state: String
        let enqueuedOn: ThreadIndex?
        let parent: ItemNumber?
        let operation: ItemNumber
        let enqueuedAt: Timestamp
        let waitParts: WaitParts
        var thread: ThreadIndex?
        var beganAt: Timestamp?
        var endedAt: Timestamp
        var handedOverBy: ThreadIndex?
        var blockedOn: QueueIndex?
        var blockedBy: ThreadIndex?
        var onProcessor: Nanoseconds?
        var preempted: Nanoseconds?
        var offProcessor: Nanoseconds?
    }

    static let meaning =
        "A row per item, in the order of their ends. Items that never began are last. "
        + "Rounds of event loops are items; iterations of concurrentPerform are not."
    static let key = ["process", "item"]
    static let followed: ObservationKinds = [.items, .pendingItems]

    static let columns = TableColumns<Row> { columns in
        columns.addProcess()
        columns.add("item", "Its number, counted from 0 in the order of submission.") { $0.number }
        columns.add("queue_index", "The queue that it was submitted to.") { $0.queue }
        columns.add("code_index", "The code that it runs, or the call that submitted it.") { $0.code }
        columns.add("thread_index", "The thread that ran it.") { $0.thread }
        columns.add("kind", "How it was created: async, sync, after, and so on.") { $0.kind.description }
        columns.add("qos", "The requested quality of service.") { $0.qos.description }
        columns.add("barrier", "True when it was submitted as a barrier.") { $0.isBarrier }
        columns.add("state", "finished; running or waiting at the end of the trace; or cancelled.") { $0.state }
        columns.add("enqueued_ns", "When it was submitted; its begin if that was not recorded.") { $0.enqueuedAt }
        columns.add("began_ns", "When its code started to run; empty when it never ran.") { $0.beganAt }
        columns.add("ended_ns", "When its code returned, it was cancelled, or the trace ended.") { $0.endedAt }
        columns.addWaitParts(of: "Part of its wait") { $0.waitParts }
        columns.add("enqueued_thread_index", "The thread that submitted it.") { $0.enqueuedOn }
        columns.add("parent_item", "The item that submitted it.") { $0.parent }
        columns.add("operation_item", "The root of its chain of submissions; itself when no item submitted it.") {
            $0.operation
        }
        columns.add("handed_over_by_index", "For a sync that waited: the thread that held the queue last.") {
            $0.handedOverBy
        }
        columns.add("blocked_on_index", "For a sync: the queue that was held when it was submitted.") { $0.blockedOn }
        columns.add("blocked_by_index", "For a sync: the thread that held that queue.") { $0.blockedBy }
        columns.add("on_cpu_ns", "Time on a processor while it ran; needs switch events.") { $0.onProcessor }
        columns.add("preempted_ns", "Time in which its thread was runnable but preempted.") { $0.preempted }
        columns.add("off_cpu_ns", "Time in which its thread waited for something while it ran.") { $0.offProcessor }
    }

    func observe(_ item: Item, _ add: (Row) -> Void) {
        var row = Row(
            number: item.number, queue: item.queue, code: item.code, kind: item.kind, qos: item.qos,
            isBarrier: item.isBarrier, state: item.isFinished ? "finished" : "running", enqueuedOn: item.enqueuedOn,
            parent: item.parent, operation: item.operation, enqueuedAt: item.enqueuedAt, waitParts: item.waitParts,
            endedAt: item.endedAt)
        row.thread = item.thread
        row.beganAt = item.beganAt
        row.handedOverBy = item.handedOverBy
        row.blockedOn = item.blockedOn
        row.blockedBy = item.blockedBy
        row.onProcessor = item.onProcessor
        row.preempted = item.processorTimes?.preempted
        row.offProcessor = item.processorTimes?.blocked
        add(row)
    }

    func observe(_ observation: Observation, _ add: (Row) -> Void) {
        guard case .pending(let item) = observation else { return }
        add(
            Row(
                number: item.number, queue: item.queue, code: item.code, kind: item.kind, qos: item.qos,
                isBarrier: item.isBarrier, state: item.isCancelled ? "cancelled" : "waiting",
                enqueuedOn: item.enqueuedOn, parent: item.parent, operation: item.operation,
                enqueuedAt: item.enqueuedAt, waitParts: item.waitParts, endedAt: item.until))
    }
}
