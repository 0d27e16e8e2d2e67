import DispatchModel

/// Compares the queues of one name in several processes.
public struct QueueComparison: Sendable {
    /// The name without its numbers: `news.connection.*`.
    public let label: String
    /// The figures of each process with such queues, in the order of the processes.
    public let members: [QueueFigures]
    /// The figures in which a process differs from the others.
    public let outliers: [FleetOutlier]

    /// The sum of all waits in all processes.
    public var lost: Nanoseconds { members.reduce(.zero) { $0 + $1.lost } }

    /// Returns the outliers of a process.
    public func outliers(of process: Int) -> [FleetOutlier] { outliers.filter { $0.process == process } }

    /// Compares the queues of each name that at least two processes have. Queues without a name are left out.
    static func all(of processes: [Analysis]) -> [QueueComparison] {
        guard processes.count > 1 else { return [] }
        var members: [String: [QueueFigures]] = [:]
        for (process, analysis) in processes.enumerated() {
            let named = Dictionary(grouping: analysis.queues) { LabelPattern.of(analysis.model[$0.queue].name) }
            for (label, queues) in named where !label.isEmpty {
                members[label, default: []].append(QueueFigures(process: process, queues, in: analysis))
            }
        }
        return members.filter { $0.value.count > 1 }.map { label, members in
            QueueComparison(label: label, members: members, outliers: FleetOutlier.all(of: members))
        }.sorted { left, right in
            if left.outliers.isEmpty != right.outliers.isEmpty { return right.outliers.isEmpty }
            if left.lost != right.lost { return left.lost > right.lost }
            return left.label < right.label
        }
    }
}
