import DispatchAnalysis
import DispatchModel

/// The threads of a process.
struct ThreadsTable: TraceTable {
    struct Row {
        let statistics: ThreadStatistics
        let thread: Thread
    }

    static let meaning = "A row per thread."
    static let key = ["process", "thread_index"]

    static let columns = TableColumns<Row> { columns in
        columns.add("thread", "Its name; worker for a worker thread of libdispatch.") { $0.thread.name }
        columns.add("tid", "The thread id of the kernel.") { Int($0.thread.tid) }
        columns.add("items", "Items that it ran, and iterations of concurrentPerform; not the rounds of event loops.") {
            $0.statistics.items
        }
        columns.add("busy_ns", "Time in which it ran items.") { $0.statistics.busy }
        columns.add("blocked_ns", "Time in which it waited in a sync, or for a lock, semaphore, group or work item.") {
            $0.statistics.blocked
        }
        columns.add("switches", "Number of context switches; needs switch events.") { $0.statistics.switches }
        columns.add("preemptions", "Number of context switches while it was runnable.") {
            $0.statistics.preemptions
        }
        columns.add("on_cpu_ns", "Time on a processor.") { $0.statistics.onProcessor }
        columns.add("run_delay_ns", "Time in which it was runnable but had no processor.") { $0.statistics.runDelay }
        columns.addProcess()
        columns.add("thread_index", "Its number in the tables.") { $0.thread.index }
        columns.add("kernel_name", "Its name in the kernel.") { $0.thread.kernelName }
        columns.add("root_index", "For a worker: the root queue that it serves.") { $0.thread.root }
        columns.add("started_ns", "When it recorded its first event.") { $0.thread.startedAt }
        columns.add("ended_ns", "When it ended.") { $0.thread.endedAt }
    }

    func finish(_ analysis: Analysis, _ add: (Row) -> Void) {
        for statistics in analysis.threads {
            add(Row(statistics: statistics, thread: analysis.model[statistics.thread]))
        }
    }
}
