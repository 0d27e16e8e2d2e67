import DispatchModel

/// What the queues of one name did in one process.
///
/// Percentiles of different queues cannot be added up: of several, these are the median queue's median and the worst
/// queue's 99th percentile, as in a report's rows of queues alike.
public struct QueueFigures: Sendable {
    /// The process's position in ``FleetAnalysis/processes``.
    public let process: Int
    /// How many queues have the name.
    public let queues: Int
    /// Items that they ran.
    public let items: Int
    /// Items per second of the process's recording.
    public let rate: Double
    /// The mean over the queues of busy time over the recording's length.
    public let utilisation: Double
    /// The sum of all waits.
    public let lost: Nanoseconds
    /// From submission to begin.
    public let waitP50: Nanoseconds
    public let waitP99: Nanoseconds
    /// From begin to end.
    public let serviceP50: Nanoseconds
    public let serviceP99: Nanoseconds
    /// Syncs that had to wait and were handed the queue by another thread.
    public let handoffs: Int
    /// Findings of the process that concern one of the queues.
    public let findings: Int

    init(process: Int, _ statistics: [QueueStatistics], in analysis: Analysis) {
        self.process = process
        queues = statistics.count
        items = statistics.reduce(0) { $0 + $1.items }
        rate = Double(items) / max(Double(analysis.trace.duration.count) / 1e9, 1e-9)
        utilisation = statistics.reduce(0) { $0 + $1.utilisation } / Double(max(1, statistics.count))
        lost = statistics.reduce(.zero) { $0 + $1.waitTotal }
        handoffs = statistics.reduce(0) { $0 + $1.handoffs }
        let ran = statistics.filter { $0.items > 0 }
        func median(_ values: [Nanoseconds]) -> Nanoseconds {
            values.isEmpty ? .zero : values.sorted()[values.count / 2]
        }
        waitP50 = median(ran.map(\.wait.p50))
        waitP99 = ran.map(\.wait.p99).max() ?? .zero
        serviceP50 = median(ran.map(\.service.p50))
        serviceP99 = ran.map(\.service.p99).max() ?? .zero
        let members = Set(statistics.map(\.queue))
        findings = analysis.findings.count { !members.isDisjoint(with: $0.queues) }
    }
}
