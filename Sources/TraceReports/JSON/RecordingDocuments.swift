import DispatchModel

/// The report's `processor_track` member.
struct ProcessorTrackDocument: Encodable {
    let origin: String
    let detail: String
    let lost: Int

    init(_ track: ProcessorTrack, lost: Int) {
        origin = track.origin.description
        detail = track.detail
        self.lost = lost
    }
}

/// One element of the report's `workers`.
struct WorkersDocument: Encodable {
    let root: String
    let made: Int
    let most: Int

    init(_ workers: RootWorkers, in model: DispatchModel) {
        root = model[workers.root].label
        made = workers.made
        most = workers.most
    }
}

/// One element of the report's `messages`.
struct MessageDocument: Encodable {
    let text: String
    let count: Int
    var time: Int64
    let tid: UInt32

    enum CodingKeys: String, CodingKey {
        case text, count, tid
        case time = "time_ns"
    }

    init(_ message: LibraryMessage, in model: DispatchModel) {
        text = message.text
        count = message.count
        time = message.time.nanoseconds
        tid = model[message.thread].tid
    }
}

/// One element of the report's `open_waits`.
struct OpenWaitDocument: Encodable {
    let tid: UInt32
    let object: String
    let name: String
    let holder: UInt32?
    var begin: Int64
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
        begin = wait.begin.nanoseconds
        code = CodeDocument(wait.code, in: model, symbols: symbols)
    }
}
