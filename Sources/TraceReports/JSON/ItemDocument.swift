import DispatchModel

/// One element of the report's `items`: the item whose story was asked for.
struct ItemDocument: Encodable {
    let number: Int64
    let kind: String
    let qos: String
    var queue: Int
    let code: CodeDocument
    let tid: UInt32
    let submittedBy: UInt32?
    let parent: Int64?
    var enqueued: Int64
    var began: Int64
    var ended: Int64
    let isFinished: Bool
    let waitParts: WaitPartsDocument

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
        number = item.number.rawValue
        kind = "\(item.kind)"
        qos = item.qos.description
        queue = item.queue.position
        code = CodeDocument(item.code, in: model, symbols: symbols)
        tid = model[item.thread].tid
        submittedBy = item.enqueuedOn.map { model[$0].tid }
        parent = item.parent?.rawValue
        enqueued = item.enqueuedAt.nanoseconds
        began = item.beganAt.nanoseconds
        ended = item.endedAt.nanoseconds
        isFinished = item.isFinished
        waitParts = WaitPartsDocument(parts: item.waitParts)
    }
}
