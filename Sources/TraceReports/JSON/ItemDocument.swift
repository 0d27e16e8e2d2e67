import DispatchModel
import Symbolication

/// A work item.
struct ItemDocument: Encodable {
    let number: Int
    let kind: String
    let qos: String
    let queue: Int
    let code: CodeDocument
    /// The id of the thread that ran the item.
    let tid: UInt32
    let submittedBy: UInt32?
    /// The number of the item that submitted this one. Absent when the submitter was not an item.
    let parent: Int?
    let enqueued: Timestamp
    let began: Timestamp
    let ended: Timestamp
    /// False when the trace ended before the item.
    let isFinished: Bool
    let waitParts: WaitParts

    enum CodingKeys: String, CodingKey {
        case number, kind, qos, queue, code, tid, parent
        case submittedBy = "submitted_by_tid"
        case enqueued = "enqueued_ns"
        case began = "began_ns"
        case ended = "ended_ns"
        case isFinished = "finished"
        case waitParts = "wait_parts_ns"
    }

    init(_ item: Item, in model: DispatchModel, symbols: SymbolTable) {
        number = Int(item.number.rawValue)
        kind = "\(item.kind)"
        qos = item.qos.description
        queue = item.queue.position
        code = CodeDocument(item.code, in: model, symbols: symbols)
        tid = model[item.thread].tid
        submittedBy = item.enqueuedOn.map { model[$0].tid }
        parent = item.parent.map { Int($0.rawValue) }
        enqueued = item.enqueuedAt
        began = item.beganAt
        ended = item.endedAt
        isFinished = item.isFinished
        waitParts = item.waitParts
    }
}
