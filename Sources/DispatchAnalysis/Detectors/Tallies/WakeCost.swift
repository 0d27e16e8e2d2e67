import DispatchModel

/// What it costs to wake a worker, measured in the trace, for each root queue: the waits of asyncs for which a parked
/// worker was unparked while a processor was free, and which waited for nothing else. Without records of the workers:
/// the waits of asyncs that nothing held up.
///
/// ```
///   submitter   async ── worker_request
///   worker      parked ················ worker_unpark ── item_begin
///                     ├────────── one wake ───────────┤
/// ```
struct WakeCost {
    /// The cost of a wake, and how it varies.
    struct Estimate: CustomStringConvertible {
        /// What a tenth of the wakes do not exceed: on a busy machine most also wait for a processor.
        let usual: Nanoseconds
        let upperQuartile: Nanoseconds
        /// Wakes that were measured; 0 when the cost is assumed.
        let samples: Int

        /// `8.1 µs (a quarter took more than 14 µs)`.
        var description: String {
            samples == 0 ? "\(usual), assumed" : "\(usual) (a quarter took more than \(upperQuartile))"
        }
    }

    /// Where the trace shows too few: the mean of the 61,265 hand-offs in a recording of the demo service on a virtual
    /// machine of two processors was 10.7 µs.
    static let usual = Nanoseconds.microseconds(10)
    static let minimumSamples = 16
    /// Samples after which the cost is taken anew: it hardly changes then, and costs a walk through the buckets.
    private static let step = 1024

    private var waits = LatencyRecorder()
    /// By position of the root queue.
    private var rootWaits: [LatencyRecorder] = []
    private var nextUpdate = minimumSamples
    private var hop = usual

    /// Takes in a wait.
    mutating func add(_ sample: ObservationBatch.WakeSample) {
        waits.record(sample.wait)
        guard sample.root >= 0 else { return }
        rootWaits.reach(Int(sample.root), LatencyRecorder())
        rootWaits[Int(sample.root)].record(sample.wait)
    }

    /// Takes in a wait, whatever the root queue.
    @inline(__always)
    mutating func add(_ wait: Nanoseconds) { waits.record(wait) }

    /// Takes anew what a wake may well take, where that is due.
    @inline(__always)
    mutating func updateHop() { if waits.count >= nextUpdate { measureHop() } }

    @inline(never)
    private mutating func measureHop() {
        nextUpdate = waits.count < Self.step ? waits.count * 2 : waits.count + Self.step
        let quartiles = waits.values(atPercentiles: [25, 75])
        hop = min(quartiles[1], quartiles[0] + quartiles[0] + quartiles[0])
    }

    /// What a wake may well take, as it is known since ``updateHop()``: the upper quartile, or three times the lower
    /// one where that is less.
    var costOfHop: Nanoseconds { hop }

    /// The cost over all that was taken in.
    ///
    /// - Parameter root: the root queue whose workers are meant; where it shows too few wakes, or is nil, all are.
    func estimate(of root: QueueIndex? = nil) -> Estimate {
        let own = root.flatMap { $0.position < rootWaits.count ? rootWaits[$0.position] : nil }
        guard let waits = [own, waits].compactMap({ $0 }).first(where: { $0.count >= Self.minimumSamples }) else {
            return Estimate(usual: Self.usual, upperQuartile: Self.usual, samples: 0)
        }
        let values = waits.values(atPercentiles: [10, 75])
        return Estimate(usual: values[0], upperQuartile: values[1], samples: waits.count)
    }
}

/// What several detectors of one analysis need, worked out once: by the first of them that sees a batch.
final class SharedFacts: @unchecked Sendable {
    // Detectors see one batch after the other.
    @exclusivity(unchecked) private var lastBatch = 0
    /// What it costs to wake a worker, for items that ended.
    @exclusivity(unchecked) private(set) var wakes = WakeCost()
    /// The same for all items, those included that the trace's end cut off.
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
