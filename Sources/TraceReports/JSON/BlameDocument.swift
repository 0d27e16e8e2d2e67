import DispatchAnalysis
import DispatchModel
import Symbolication

/// A pair of places in the code: the code that waited, and the code that it waited for.
struct BlameDocument: Encodable {
    /// The most pairs in a report. Programs have some hundreds of pairs; the shortest are omitted.
    static let limit = 1_000

    let waiter: CodeDocument
    /// The code that ran in that time, held the lock, or sent the signal that ended the wait.
    let blamed: CodeDocument
    let cause: WaitObject
    /// The id of the queue that was held, the first one of several. Absent when the cause is not a queue.
    var queue: Int?
    let time: Nanoseconds
    /// Number of waits. For a queue, the number of holds that blocked at least one item.
    let count: Int

    enum CodingKeys: String, CodingKey {
        case waiter, blamed, cause, queue, count
        case time = "time_ns"
    }

    init(_ cell: BlameMatrix.Cell, in model: DispatchModel, symbols: SymbolTable) {
        waiter = CodeDocument(cell.waiter, in: model, symbols: symbols)
        blamed = CodeDocument(cell.blamed, in: model, symbols: symbols)
        cause = cell.cause
        queue = cell.queue?.position
        time = cell.time
        count = cell.count
    }
}
