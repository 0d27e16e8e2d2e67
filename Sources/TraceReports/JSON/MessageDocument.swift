import DispatchModel

/// A message that libdispatch itself logged.
struct MessageDocument: Encodable {
    let text: String
    let count: Int
    /// The time of the first occurrence.
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
