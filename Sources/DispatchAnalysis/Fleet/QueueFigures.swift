import DispatchModel

/// The figures of the queues of one name in one process.
///
/// Percentiles of different queues cannot be added. If there are several queues, these are the median of their medians
/// and the maximum of their 99th percentiles, as in the rows of similar queues of a report.
public struct QueueFigures: Sendable {
    /// The position of the process in ``FleetAnalysis/processes``.
    public let process: Int
    /// Number of queues with the name.
    public let queues: Int
    /// Number of items that they ran.
    public let items: Int
    /// Items per second of the recording of the process.
    public let rate: Double
    /// The mean utilisation of the queues: busy time divided by the length of the recording.
    public let utilisation: Double
    /// The sum of all waits.
    public let lost: Nanoseconds
    /// From submission to begin.
    public let waitP50: Nanoseconds
    public let waitP99: Nanoseconds
    /// From begin to end.
    public let serviceP50: Nanoseconds
    public let serviceP99: Nanoseconds
    /// Syncs that had to wait and got the queue by a hand-off from another thread.
    public let handoffs: Int
    /// Number of findings of the process about one of the queues.
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
