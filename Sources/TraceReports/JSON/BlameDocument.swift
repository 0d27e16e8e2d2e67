import DispatchAnalysis
import DispatchModel

/// Code that waited, and the code that it waited for.
struct BlameDocument: Encodable {
    /// Shorter pairs are left out: a program has some hundreds.
    static let limit = 1_000

    let waiter: CodeDocument
    /// What ran meanwhile, held the lock, or signalled in the end.
    let blamed: CodeDocument
    let cause: BlameMatrix.Cause
    /// The first of the queues that were held.
    var queue: Int?
    let time: Nanoseconds
    /// Waits; for a queue, holdings that made somebody wait.
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
