import DispatchModel

/// The cost of waking a worker, measured in the trace per root queue. The samples are the waits of asyncs for which a
/// parked worker was unparked while a processor was free, and which waited for nothing else. Without records of the
/// workers, the samples are the waits of all asyncs that nothing delayed.
///
/// ```
///   submitter   async ── worker_request
///   worker      parked ················ worker_unpark ── item_begin
///                     ├────────── one wake ───────────┤
/// ```
struct WakeCost {
    /// The cost of a wake, and its spread.
    struct Estimate {
        /// The 10th percentile of the wakes. On a busy machine, most wakes also include a wait for a processor.
        let usual: Nanoseconds
        let upperQuartile: Nanoseconds
        /// Number of measured wakes; 0 when the cost is assumed.
        let samples: Int

        /// The measure of a finding: `8.1 µs (a quarter took more than 14 µs)`.
        var measure: Measure {
            Measure(
                "cost of a wake",
                samples == 0 ? "\(usual), assumed" : "\(usual) (a quarter took more than \(upperQuartile))")
        }
    }

    /// Assumed cost if the trace has too few samples: the mean of the 61,265 hand-offs in a recording of the demo
    /// service on a virtual machine with two processors was 10.7 µs.
    static let usual = Nanoseconds.microseconds(10)
    static let minimumSamples = 16
    /// Samples between two updates of the cost. The cost then hardly changes, and an update walks all buckets.
    private static let step = 1024

    private var waits = LatencyRecorder()
    /// By position of the root queue.
    private var rootWaits: [LatencyRecorder] = []
    private var nextUpdate = minimumSamples
    private var hop = usual

    /// Adds a sample.
    mutating func add(_ sample: ObservationBatch.WakeSample) {
        waits.record(sample.wait)
        guard sample.root >= 0 else { return }
        rootWaits.reach(Int(sample.root), LatencyRecorder())
        rootWaits[Int(sample.root)].record(sample.wait)
    }

    /// Adds a wait without a root queue.
    @inline(__always)
    mutating func add(_ wait: Nanoseconds) { waits.record(wait) }

    /// Updates `costOfHop` if an update is due.
    @inline(__always)
    mutating func updateHop() { if waits.count >= nextUpdate { measureHop() } }

    @inline(never)
    private mutating func measureHop() {
        nextUpdate = waits.count < Self.step ? waits.count * 2 : waits.count + Self.step
        let quartiles = waits.values(atPercentiles: [25, 75])
        hop = min(quartiles[1], quartiles[0] + quartiles[0] + quartiles[0])
    }

    /// An upper estimate of a wake as of the last ``updateHop()``: the upper quartile, or three times the lower
    /// quartile if that is less.
    var costOfHop: Nanoseconds { hop }

    /// Returns the cost over all samples.
    ///
    /// - Parameter root: the root queue of the workers. If it is nil or has too few samples, the samples of all root
    ///   queues count.
    func estimate(of root: QueueIndex? = nil) -> Estimate {
        let own = root.flatMap { $0.position < rootWaits.count ? rootWaits[$0.position] : nil }
        guard let waits = [own, waits].compactMap({ $0 }).first(where: { $0.count >= Self.minimumSamples }) else {
            return Estimate(usual: Self.usual, upperQuartile: Self.usual, samples: 0)
        }
        let values = waits.values(atPercentiles: [10, 75])
        return Estimate(usual: values[0], upperQuartile: values[1], samples: waits.count)
    }
}

/// Facts that several detectors of one analysis share. The first detector that observes a batch computes them.
final class SharedFacts: @unchecked Sendable {
    // The detectors observe the batches one after the other, on one thread at a time.
    @exclusivity(unchecked) private var lastBatch = 0
    /// The cost of waking a worker, from items that ended.
    @exclusivity(unchecked) private(set) var wakes = WakeCost()
    /// The same cost from all items, including items still open at the end of the trace.
    @exclusivity(unchecked) private(set) var allWakes = WakeCost()

    @inline(__always)
    func observe(_ batch: borrowing ObservationBatch) {
        guard batch.number != lastBatch else { return }
        lastBatch = batch.number
        for position in 0..<batch.wakeCount {
            let sample = batch.wake(position)
            allWakes.add(sample)
            if sample.isFinished { wakes.add(sample) }
        }
    }
}
