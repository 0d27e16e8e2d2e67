import DispatchAnalysis
import DispatchModel
import Symbolication

/// A lock that was taken, or a semaphore that is used as a lock.
struct LockDocument: Encodable {
    enum Kind: String, Encodable {
        case lock, mutex, semaphore
        case fairLock = "fair_lock"
        case readWriteLock = "read_write_lock"
    }

    let name: String
    let kind: Kind
    /// Number of acquisitions. For a mutex or a read-write lock, only the acquisitions that had to wait.
    let acquisitions: Int
    let contended: Int
    let waitTotal: Nanoseconds
    /// The longest wait. Absent for a semaphore.
    var waitMax: Nanoseconds?
    /// The total time for which the lock was held. Absent for a semaphore.
    var holdTotal: Nanoseconds?
    /// The longest time for which the lock was held. Absent for a semaphore.
    var holdMax: Nanoseconds?
    /// The code that created the lock.
    let code: CodeDocument

    enum CodingKeys: String, CodingKey {
        case name, kind, acquisitions, contended, code
        case waitTotal = "wait_total_ns"
        case waitMax = "wait_max_ns"
        case holdTotal = "hold_total_ns"
        case holdMax = "hold_max_ns"
    }

    init(_ statistics: LockStatistics, in model: DispatchModel, symbols: SymbolTable) {
        let lock = model[statistics.lock]
        name = lock.name
        kind = lock.kind == .readWrite ? .readWriteLock : lock.isMutex ? .mutex : lock.isFair ? .fairLock : .lock
        acquisitions = statistics.acquisitions
        contended = statistics.contended
        waitTotal = statistics.waitTotal
        waitMax = statistics.waitMax
        holdTotal = statistics.holdTotal
        holdMax = statistics.holdMax
        code = CodeDocument(lock.creationCode, in: model, symbols: symbols)
    }

    /// Creates the row of a semaphore that is used as a lock.
    init(_ semaphore: Semaphore, in model: DispatchModel, symbols: SymbolTable) {
        name = "semaphore 0x\(String(semaphore.id, radix: 16))"
        kind = .semaphore
        acquisitions = semaphore.waits - semaphore.timeouts
        contended = semaphore.blockedWaits
        waitTotal = semaphore.waited
        code = CodeDocument(semaphore.creationCode, in: model, symbols: symbols)
    }

    /// The locks of a process that were taken, and the semaphores that are used as locks.
    static func all(of analysis: Analysis, symbols: SymbolTable) -> [LockDocument] {
        analysis.locks.map { LockDocument($0, in: analysis.model, symbols: symbols) }
            + analysis.model.semaphores.filter(\.isLock).map {
                LockDocument($0, in: analysis.model, symbols: symbols)
            }
    }
}
