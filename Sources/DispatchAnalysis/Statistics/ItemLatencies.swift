import DispatchModel

/// The waits and services of items, and their percentiles.
///
/// The first ones are kept as pairs, side by side in memory: in a program of a thousand queues every item meets another
/// queue, and each place in memory that it touches costs as much as everything else that is done for it.
struct ItemLatencies {
    /// After so many pairs each side is recorded by itself; see ``LatencyRecorder``.
    private static let pairLimit = 16_384

    private struct Pair {
        let wait: UInt32
        let service: UInt32
    }

    private var pairs: [Pair] = []
    private var waits = LatencyRecorder()
    private var services = LatencyRecorder()

    /// Adds an item's latencies; negative ones count as zero.
    @inline(__always)
    mutating func record(wait: Nanoseconds, service: Nanoseconds) {
        let (shortWait, shortService) = (max(0, wait.count), max(0, service.count))
        guard shortWait | shortService <= Int64(UInt32.max), waits.count == 0, pairs.count < Self.pairLimit else {
            return recordApart(wait, service)
        }
        pairs.append(
            Pair(wait: UInt32(truncatingIfNeeded: shortWait), service: UInt32(truncatingIfNeeded: shortService)))
    }

    private mutating func recordApart(_ wait: Nanoseconds, _ service: Nanoseconds) {
        separate()
        waits.record(wait)
        services.record(service)
    }

    private mutating func separate() {
        for pair in pairs {
            waits.record(Nanoseconds(Int64(pair.wait)))
            services.record(Nanoseconds(Int64(pair.service)))
        }
        pairs = []
    }

    /// The percentiles of the waits so far; zero when nothing was recorded.
    var wait: LatencyPercentiles { separated.waits.percentiles }

    /// The percentiles of the services so far; zero when nothing was recorded.
    var service: LatencyPercentiles { separated.services.percentiles }

    private var separated: Self {
        var copy = self
        copy.separate()
        return copy
    }
}
