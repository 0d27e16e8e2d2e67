/// Collects what libdispatch says: each text once.
struct MessageLog {
    /// Texts may hold addresses, so that each is another one.
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
