import AnalysisText
import DispatchAnalysis
import DispatchModel

/// The waits that were open when the trace ended, with the code that would end each of them.
struct StillWaitingTable: TraceTable {
    struct Row {
        let wait: OpenWait
        let object: (kind: String, name: String)
        let isHeadline: Bool
        var waiter = ""
        var task: UInt64?
        var count = 1
        var queue: QueueIndex?
        var lock: LockIndex?
        var awaited: UInt64?
    }

    static let meaning =
        "A row per wait of a thread, a task or the items of a queue that was open when the trace ended: "
        + "the cycles first, then the longest first."
    static let key: [String] = []

    static let columns = TableColumns<Row> { columns in
        columns.addProcess()
        columns.add("waiter", "The waiter: thread, task or items.") { $0.waiter }
        columns.add("thread_index", "The thread that waits, that the task left, or that submitted the first item.") {
            $0.wait.thread
        }
        columns.add("task_id", "The task that waits.") { $0.task.map { Int(clamping: $0) } }
        columns.add("queue_index", "The queue of the items, or the queue or actor that the waiter waits for.") {
            $0.queue
        }
        columns.add("count", "Number of items; 1 for a thread and for a task.") { $0.count }
        columns.add(
            "object",
            "The awaited object: queue, lock, mutex, read-write lock, group, semaphore, work item, continuation, "
                + "task, task group, actor, suspended queue, held queue, free thread, system call or unknown."
        ) { $0.object.kind }
        columns.add("object_name", "Its label, its number, its address in hexadecimal, or the system call.") {
            $0.object.name
        }
        columns.add("descriptor", "The kind of the descriptor of the system call.") {
            $0.wait.descriptor.known?.description
        }
        columns.add("lock_index", "The lock.") { $0.lock }
        columns.add("awaited_task_id", "The awaited task.") { $0.awaited.map { Int(clamping: $0) } }
        columns.add("code_index", "The code that waits, or the code of the first item.") { $0.wait.code }
        columns.add("begin_ns", "The begin of the wait.") { $0.wait.begin }
        columns.add("wait_ns", "The time from the begin of the wait to the end of the trace.") { $0.wait.duration }
        columns.add("ended_by", "What would end the wait: owner, awaited, pending_item or last_signal.") {
            $0.wait.releaser?.kind.rawValue
        }
        columns.add("by_thread_index", "The thread of the owner, of the awaited item or of the last signal.") {
            $0.wait.releaser?.thread
        }
        columns.add("by_task_id", "The task that holds the object or is awaited.") {
            $0.wait.releaser?.task.map { Int(clamping: $0) }
        }
        columns.add("by_queue_index", "The queue of the pending item.") { $0.wait.releaser?.queue }
        columns.add("by_call", "The system call in which that thread is blocked.") {
            $0.wait.releaser.flatMap { $0.call.isEmpty ? nil : $0.call }
        }
        columns.add("by_descriptor", "The kind of the descriptor of that call.") {
            $0.wait.releaser?.descriptor.known?.description
        }
        columns.add("by_code_index", "The code of that thread, task or item.") { $0.wait.releaser?.code }
        columns.add("cycle", "The number of the cycle of waits that the wait belongs to, from 1.") { $0.wait.cycle }
        columns.add("may_be_idle", "True when a program without work waits in this way.") { $0.wait.mayBeIdle }
        columns.add("in_verdict", "True when the verdict mentions this wait.") { $0.isHeadline }
    }

    func finish(_ analysis: Analysis, _ add: (Row) -> Void) {
        let model = analysis.model
        let headline = analysis.stillWaiting.headline?.waiter
        for wait in analysis.stillWaiting.waits {
            var row = Row(
                wait: wait, object: WaitObjectName.parts(of: wait.cause, in: model),
                isHeadline: wait.waiter == headline)
            switch wait.waiter {
            case .thread: row.waiter = "thread"
            case .task(let number): (row.waiter, row.task) = ("task", number)
            case .items(let queue, let count): (row.waiter, row.queue, row.count) = ("items", queue, count)
            }
            switch wait.cause {
            case .object(.queue(let queue)), .actor(let queue): row.queue = queue
            case .object(.lock(let lock)): row.lock = lock
            case .task(let number): row.awaited = number
            default: break
            }
            add(row)
        }
    }
}
