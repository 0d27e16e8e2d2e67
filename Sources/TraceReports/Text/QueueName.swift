import DispatchModel

/// How a report calls a queue.
enum QueueName {
    /// The label, escaped; what is known instead when there is none.
    static func of(_ queue: QueueIndex, in model: DispatchModel) -> String {
        let queue = model[queue]
        if !queue.name.isEmpty { return DisplayText.escaped(queue.name) }
        // The submission of these items was lost, and with it all that is known of their queue.
        if queue.serialNumber == 0 { return "unknown queue" }
        return queue.kind == .unknown ? "unknown queue \(queue.serialNumber)" : "unlabelled queue \(queue.serialNumber)"
    }

    /// Several queues in one line: look-alikes as one pattern with their number.
    ///
    /// - Parameters:
    ///   - queues: the queues, in the order to name them.
    ///   - model: where they are described.
    ///   - limit: the most names to write; the rest is counted.
    /// - Returns: names, escaped.
    static func list(_ queues: [QueueIndex], in model: DispatchModel, limit: Int) -> [String] {
        var order: [String] = []
        var members: [String: [QueueIndex]] = [:]
        for queue in queues {
            let pattern = LabelPattern.of(model[queue].name)
            if members[pattern] == nil { order.append(pattern) }
            members[pattern, default: []].append(queue)
        }
        var names: [String] = []
        for pattern in order {
            let alike = members[pattern] ?? []
            if alike.count >= 3 {
                names.append("\(DisplayText.escaped(pattern)) (\(alike.count) queues)")
            } else {
                names += alike.map { of($0, in: model) }
            }
        }
        guard names.count > limit else { return names }
        return names.prefix(limit) + ["and \(names.count - limit) more"]
    }
}
