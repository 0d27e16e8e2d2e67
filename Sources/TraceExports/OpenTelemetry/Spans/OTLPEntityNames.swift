import DispatchModel

/// The names of spans, and the attributes of queues, code and threads, by position in the model.
struct OTLPEntityNames {
    private let model: DispatchModel

    init(_ model: DispatchModel) { self.model = model }

    /// The code of an item, or otherwise its queue. Names of spans have few different values, so numbers in labels are
    /// replaced.
    func work(of record: OTLPRecord) -> String {
        record.code == CodeIndex.unknown.rawValue ? queue(record.queue) : code(record.code)
    }

    func code(_ code: Int32) -> String { model[CodeIndex(Int(code))].description }

    func queue(_ queue: Int32) -> String {
        queue < 0 ? "an unknown queue" : LabelPattern.of(model.name(of: QueueIndex(Int(queue))))
    }

    func lock(_ lock: Int32) -> String {
        lock < 0 ? "an unknown lock" : LabelPattern.of(model[LockIndex(Int(lock))].name)
    }

    func attributes(ofQueue queue: Int32) -> [OTLPAttribute] {
        guard queue >= 0 else { return [] }
        let index = QueueIndex(Int(queue))
        return [
            .text("dispatch.queue.name", model.name(of: index)),
            .text("dispatch.queue.kind", model[index].kind.rawValue),
        ]
    }

    func attributes(ofCode code: Int32) -> [OTLPAttribute] {
        let code = model[CodeIndex(Int(code))]
        var attributes: [OTLPAttribute] = []
        if !code.symbol.isEmpty { attributes.append(.text("code.function.name", code.symbol)) }
        if !code.file.isEmpty { attributes.append(.text("code.file.path", code.path ?? code.file)) }
        if code.line > 0 { attributes.append(.integer("code.line.number", Int64(code.line))) }
        return attributes
    }

    func attributes(ofThread thread: Int32) -> [OTLPAttribute] {
        guard thread >= 0 else { return [] }
        let thread = model[ThreadIndex(Int(thread))]
        var attributes: [OTLPAttribute] = [.integer("thread.id", Int64(thread.tid))]
        if !thread.name.isEmpty { attributes.append(.text("thread.name", thread.name)) }
        return attributes
    }
}
