/// Collects the messages that libdispatch logs, one entry per text.
struct MessageLog {
    /// Limit of the number of texts. Texts can contain addresses, so each can be different.
    private static let limit = 1_000

    private var positions: [String: Int] = [:]

    mutating func add(_ event: DispatchEvent.DispatchLog, at moment: Moment, in model: DispatchModel) {
        if let known = positions[event.message] {
            model.messages[known].count += 1
            model.messages[known].lastTime = moment.timestamp
        } else if positions.count < Self.limit {
            positions[event.message] = model.messages.count
            model.messages.append(
                LibraryMessage(
                    text: event.message, count: 1, time: moment.timestamp, lastTime: moment.timestamp,
                    thread: moment.thread))
        } else {
            model.omittedMessages += 1
        }
    }
}
