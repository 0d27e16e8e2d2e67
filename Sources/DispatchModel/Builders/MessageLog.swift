/// Collects the messages that libdispatch logs, one entry per text.
struct MessageLog {
    /// Limit of the number of texts. Texts can contain addresses, so each can be different.
    private static let limit = 1_000

    private var positions: [String: Int] = [:]

    mutating func add(_ event: DispatchEvent.DispatchLog, at time: Int64, thread: Int, in model: DispatchModel) {
        if let known = positions[event.message] {
            model.messages[known].count += 1
            model.messages[known].lastTime = Timestamp(nanoseconds: time)
        } else if positions.count < Self.limit {
            positions[event.message] = model.messages.count
            let time = Timestamp(nanoseconds: time)
            model.messages.append(
                LibraryMessage(
                    text: event.message, count: 1, time: time, lastTime: time, thread: ThreadIndex(thread)))
        } else {
            model.omittedMessages += 1
        }
    }
}
