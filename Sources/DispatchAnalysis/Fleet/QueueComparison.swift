import DispatchModel

/// The queues of one name in several processes, side by side.
public struct QueueComparison: Sendable {
    /// The name, with its numbers left out: `news.connection.*`.
    public let label: String
    /// One per process that has such queues, in the order of the processes.
    public let members: [QueueFigures]
    /// Where a process differs from the others.
    public let outliers: [FleetOutlier]

    /// The sum of all waits in all processes.
    public var lost: Nanoseconds { members.reduce(.zero) { $0 + $1.lost } }

    /// The process's outliers.
    public func outliers(of process: Int) -> [FleetOutlier] { outliers.filter { $0.process == process } }

    /// Compares the queues of every name that two processes or more have; queues without a name are left out.
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
