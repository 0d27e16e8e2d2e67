import DispatchModel

/// A wait that a thread had not finished when the trace ended.
struct OpenWaitDocument: Encodable {
    /// The id of the waiting thread.
    let tid: UInt32
    let object: WaitObjectName.Kind
    /// The label of the object, or its address.
    let name: String
    /// The id of the thread that holds the object. Absent when unknown.
    let holder: UInt32?
    var begin: Timestamp
    let code: CodeDocument

    enum CodingKeys: String, CodingKey {
        case tid, object, name, code
        case holder = "holder_tid"
        case begin = "begin_ns"
    }

    init(_ wait: BlockedWait, in model: DispatchModel, symbols: SymbolTable) {
        tid = model[wait.thread].tid
        (object, name) = WaitObjectName.parts(of: wait.object, in: model)
        holder = wait.holder.map { model[$0].tid }
        begin = wait.begin
        code = CodeDocument(wait.code, in: model, symbols: symbols)
    }
}
