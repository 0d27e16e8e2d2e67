import DispatchModel

/// What a thread still waited for when the trace ended.
struct OpenWaitDocument: Encodable {
    /// The thread that waits.
    let tid: UInt32
    let object: WaitObjectName.Kind
    /// The object's label, or its address.
    let name: String
    /// The thread that holds it, when that is known.
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
