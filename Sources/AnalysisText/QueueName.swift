import DispatchModel
import ReportText

/// Names of queues.
package enum QueueName {
    /// The escaped label. A queue without a label is named by other facts about it.
    package static func of(_ queue: QueueIndex, in model: DispatchModel) -> String {
        DisplayText.escaped(model.name(of: queue))
    }

    /// The escaped label pattern that similar queues share, or the name of a queue without a pattern.
    package static func pattern(of queue: QueueIndex, in model: DispatchModel) -> String {
        DisplayText.escaped(model.pattern(of: queue))
    }

    /// Lists several queues in one line. Similar queues are one pattern with their number.
    ///
    /// - Parameters:
    ///   - queues: the queues, in the order to list them.
    ///   - model: the model that has the queues.
    ///   - limit: the most names; the others are counted.
    /// - Returns: escaped names.
    package static func list(_ queues: [QueueIndex], in model: DispatchModel, limit: Int) -> [String] {
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
