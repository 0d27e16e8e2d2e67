import DispatchAnalysis
import DispatchModel

/// The numbers of a row of queues: of one queue as they are, of several put together.
///
/// Percentiles of different queues cannot be added up: a row of several shows the median queue's median and the worst
/// queue's 99th percentile and maximum, and the mean of their utilisations.
struct QueueSummary {
    let items: Int
    /// The mean over the queues.
    let utilisation: Double
    /// The sum of all waits.
    let lost: Nanoseconds
    let parts: WaitParts
    let wait: LatencyPercentiles
    let service: LatencyPercentiles
    let handoffs: Int
    let maxDepth: Int
    /// Nil without context switches.
    let processorTimes: ProcessorTimes?

    /// - Parameter queues: of one row, which may be all queues of a service: they are read several times, and not kept.
    init(_ queues: some Collection<QueueStatistics>) {
        items = queues.reduce(0) { $0 + $1.items }
        utilisation = queues.reduce(0) { $0 + $1.utilisation } / Double(max(1, queues.count))
        lost = queues.reduce(.zero) { $0 + $1.waitTotal }
        parts = queues.reduce(into: WaitParts()) { $0 += $1.waitParts }
        handoffs = queues.reduce(0) { $0 + $1.handoffs }
        maxDepth = queues.reduce(0) { max($0, $1.maxDepth) }
        let times = queues.lazy.compactMap(\.processorTimes)
        processorTimes = times.isEmpty ? nil : times.reduce(.init(), +)
        let ran = queues.lazy.filter { $0.items > 0 }
        wait = Self.together(ran.map { $0.wait })
        service = Self.together(ran.map { $0.service })
    }

    private static func together(_ latencies: some Sequence<LatencyPercentiles>) -> LatencyPercentiles {
        var medians: [Nanoseconds] = []
        var result = LatencyPercentiles()
        for latency in latencies {
            medians.append(latency.p50)
            result.p90 = max(result.p90, latency.p90)
            result.p99 = max(result.p99, latency.p99)
            result.p999 = max(result.p999, latency.p999)
            result.max = max(result.max, latency.max)
        }
        medians.sort()
        if !medians.isEmpty { result.p50 = medians[medians.count / 2] }
        return result
    }

    /// The largest part of the wait; nil when nothing was lost.
    var dominantPart: (name: String, value: Nanoseconds)? {
        let largest = parts.named.max { $0.value < $1.value }
        return largest.flatMap { $0.value > .zero ? $0 : nil }
    }
}
