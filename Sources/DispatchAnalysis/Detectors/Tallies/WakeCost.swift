import DispatchModel

/// What it costs to wake a worker, measured in the trace: the lower quartile of the waits of asyncs that nothing held
/// up and that so waited for nothing but their thread.
struct WakeCost {
    /// Where the trace shows too few: the mean of the 61,265 hand-offs in a recording of the demo service on a virtual
    /// machine of two processors was 10.7 µs.
    static let usual = Nanoseconds.microseconds(10)
    static let minimumSamples = 16
    /// Samples after which the cost is taken anew: it hardly changes then, and costs a walk through the buckets.
    private static let step = 1024

    private var waits = LatencyRecorder()
    private var nextUpdate = minimumSamples
    private var known: Nanoseconds?

    /// Takes in an item of `async`.
    @inline(__always)
    mutating func observe(_ item: ItemRow) {
        guard item.enqueuedOn != item.thread, item.waitParts.threadStart == .zero,
            item.waitParts.scheduler + item.waitParts.pool == item.wait
        else { return }
        waits.record(item.wait)
        guard waits.count >= nextUpdate else { return }
        nextUpdate = waits.count < Self.step ? waits.count * 2 : waits.count + Self.step
        known = waits.value(atPercentile: 25)
    }

    /// The cost as it is known so far.
    var cost: Nanoseconds { known ?? Self.usual }

    /// The cost over all that was taken in.
    var final: Nanoseconds { waits.count >= Self.minimumSamples ? waits.value(atPercentile: 25) : Self.usual }
}
