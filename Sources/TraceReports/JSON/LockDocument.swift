import DispatchAnalysis
import DispatchModel

/// One element of the report's `locks`.
struct LockDocument: Encodable {
    let name: String
    let kind: String
    let acquisitions: Int
    let contended: Int
    let waitTotal: Int64
    /// These are left out for semaphores.
    var waitMax: Int64?
    var holdTotal: Int64?
    var holdMax: Int64?
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
        kind = lock.isMutex ? "mutex" : lock.isFair ? "fair_lock" : "lock"
        acquisitions = statistics.acquisitions
        contended = statistics.contended
        waitTotal = statistics.waitTotal.count
        waitMax = statistics.waitMax.count
        holdTotal = statistics.holdTotal.count
        holdMax = statistics.holdMax.count
        code = CodeDocument(lock.creationCode, in: model, symbols: symbols)
    }

    /// Of a semaphore that is used as a lock.
    init(_ semaphore: Semaphore, in model: DispatchModel, symbols: SymbolTable) {
        name = "semaphore 0x\(String(semaphore.id, radix: 16))"
        kind = "semaphore"
        acquisitions = semaphore.waits - semaphore.timeouts
        contended = semaphore.blockedWaits
        waitTotal = semaphore.waited.count
        code = CodeDocument(semaphore.creationCode, in: model, symbols: symbols)
    }

    /// All locks of a process that were taken, and the semaphores used as locks.
    static func all(of analysis: Analysis, symbols: SymbolTable) -> [LockDocument] {
        analysis.locks.map { LockDocument($0, in: analysis.model, symbols: symbols) }
            + analysis.model.semaphores.filter(\.isLock).map {
                LockDocument($0, in: analysis.model, symbols: symbols)
            }
    }
}
