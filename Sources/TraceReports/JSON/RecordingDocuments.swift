import DispatchModel

/// Where the context switches come from; absent when the trace does not say.
struct ProcessorTrackDocument: Encodable {
    let origin: ProcessorSource
    /// Why it is not a better source.
    let detail: String
    /// Switches that came too many at once to be recorded.
    let lost: Int

    init(_ track: ProcessorTrack, lost: Int) {
        origin = track.origin
        detail = track.detail
        self.lost = lost
    }
}

/// The worker threads of a root queue.
struct WorkersDocument: Encodable {
    /// The root queue's label.
    let root: String
    /// Workers that started while the program was recorded.
    let made: Int
    /// The most that were alive at once.
    let most: Int

    init(_ workers: RootWorkers, in model: DispatchModel) {
        root = model[workers.root].label
        made = workers.made
        most = workers.most
    }
}

/// What libdispatch itself said.
struct MessageDocument: Encodable {
    let text: String
    let count: Int
    /// The first time.
    var time: Timestamp
    let tid: UInt32

    enum CodingKeys: String, CodingKey {
        case text, count, tid
        case time = "time_ns"
    }

    init(_ message: LibraryMessage, in model: DispatchModel) {
        text = message.text
        count = message.count
        time = message.time
        tid = model[message.thread].tid
    }
}

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
