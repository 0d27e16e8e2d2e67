import DispatchAnalysis
import DispatchModel

/// The locks of a process.
struct LocksTable: TraceTable {
    struct Row {
        let lock: Lock
        let statistics: LockStatistics
    }

    static let meaning = "A row per lock and mutex in the trace."
    static let key = ["process", "lock_index"]

    static let columns = TableColumns<Row> { columns in
        columns.addProcess()
        columns.add("lock_index", "Its number in the tables.") { $0.lock.index }
        columns.add("lock", "Its label, or its kind and id.") { $0.lock.name }
        columns.add("mutex", "True for a lock of pthread or a Mutex, for which only contention is recorded.") {
            $0.lock.isMutex
        }
        columns.add("creation_code_index", "The code that created it.") { $0.lock.creationCode }
        columns.add("acquisitions", "Number of acquisitions.") { $0.statistics.acquisitions }
        columns.add("contended", "Number of acquisitions that waited.") { $0.statistics.contended }
        columns.add("wait_total_ns", "The sum of the waits.") { $0.statistics.waitTotal }
        columns.add("wait_max_ns", "The longest wait.") { $0.statistics.waitMax }
        columns.add("hold_total_ns", "Time for which it was held.") { $0.statistics.holdTotal }
        columns.add("hold_max_ns", "The longest time for which it was held.") { $0.statistics.holdMax }
    }

    func finish(_ analysis: Analysis, _ add: (Row) -> Void) {
        let statistics = Dictionary(analysis.locks.map { ($0.lock, $0) }) { first, _ in first }
        for lock in analysis.model.locks {
            add(Row(lock: lock, statistics: statistics[lock.index] ?? LockStatistics(lock: lock.index)))
        }
    }
}
