import DispatchModel

/// How a report calls a queue.
enum QueueName {
    /// The label, escaped; what is known instead when there is none.
    static func of(_ queue: QueueIndex, in model: DispatchModel) -> String {
        DisplayText.escaped(model.name(of: queue))
    }

    /// The pattern that look-alikes share, escaped; the name of a queue that has none.
    static func pattern(of queue: QueueIndex, in model: DispatchModel) -> String {
        DisplayText.escaped(model.pattern(of: queue))
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
                names.append("\(DisplayText.escaped(pattern)) (\(CompactNumber.grouped(alike.count)) queues)")
            } else {
                names += alike.map { of($0, in: model) }
            }
        }
        guard names.count > limit else { return names }
        return names.prefix(limit) + ["and \(CompactNumber.grouped(names.count - limit)) more"]
    }
}
