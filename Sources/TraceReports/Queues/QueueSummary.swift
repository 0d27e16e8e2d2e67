import DispatchAnalysis
import DispatchModel

/// The figures of a row: the figures of one queue, or the combined figures of several queues.
///
/// Percentiles of different queues cannot be added. A row of several queues shows the median of the medians, the worst
/// 99th percentile, the worst maximum, and the mean utilisation.
struct QueueSummary {
    /// Number of busy queues (see ``BusyQueues``) in the row.
    let busy: Int
    let items: Int
    /// The mean over the queues, 0 to 1.
    let utilisation: Double
    /// The sum of all waits.
    let lost: Nanoseconds
    let parts: WaitParts
    let wait: LatencyPercentiles
    let service: LatencyPercentiles
    let handoffs: Int
    /// Nil when context switches were not recorded.
    let processorTimes: ProcessorTimes?

    /// - Parameters:
    ///   - statistics: the statistics of all queues.
    ///   - rows: the indices in `statistics` of the queues of the row. The row can be all queues of a service.
    init(_ statistics: [QueueStatistics], at rows: some Sequence<Int>) {
        var (items, handoffs, count) = (0, 0, 0)
        var (utilisation, lost, parts) = (0.0, Nanoseconds.zero, WaitParts())
        var (wait, service) = (CombinedPercentiles(), CombinedPercentiles())
        var times: ProcessorTimes?
        statistics.withUnsafeBufferPointer { statistics in
            for row in rows {
                precondition(statistics.indices.contains(row))
                let queue = statistics.baseAddress! + row
                count += 1
                items += queue.pointee.items
                utilisation += queue.pointee.utilisation
                lost += queue.pointee.waitTotal
                parts += queue.pointee.waitParts
                handoffs += queue.pointee.handoffs
                if let more = queue.pointee.processorTimes { times = (times ?? .init()) + more }
                guard queue.pointee.items > 0 else { continue }
                wait.add(queue.pointee.wait)
                service.add(queue.pointee.service)
            }
        }
        (busy, self.items, self.handoffs) = (count, items, handoffs)
        self.utilisation = utilisation / Double(max(1, count))
        (self.lost, self.parts) = (lost, parts)
        (self.wait, self.service) = (wait.percentiles, service.percentiles)
        processorTimes = times
    }

    /// Combines the percentiles of several queues.
    private struct CombinedPercentiles {
        private var medians: [Nanoseconds] = []
        private var worst = LatencyPercentiles()

        mutating func add(_ latency: LatencyPercentiles) {
            medians.append(latency.p50)
            worst.p90 = max(worst.p90, latency.p90)
            worst.p99 = max(worst.p99, latency.p99)
            worst.p999 = max(worst.p999, latency.p999)
            worst.max = max(worst.max, latency.max)
        }

        var percentiles: LatencyPercentiles {
            var result = worst
            if !medians.isEmpty { result.p50 = medians.sorted()[medians.count / 2] }
            return result
        }
    }

    /// The largest part of the wait; nil when nothing waited.
    var dominantPart: PartOfTime<WaitPart>? {
        let largest = parts.named.max { $0.value < $1.value }
        return largest.flatMap { $0.value > .zero ? $0 : nil }
    }
}
