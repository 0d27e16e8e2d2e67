import CTFReader

/// The rates at which the recorder sampled items, to stay within a budget of processor time.
///
/// The recorder samples items of async and asyncAfter, and syncs on a free queue. It records everything else.
public struct ItemSampling: Sendable, Equatable {
    /// A rate, from a time on.
    public struct Rate: Sendable, Equatable {
        /// The time of the change.
        public let begin: Timestamp
        /// One of this number of items was recorded: a power of two.
        public let stride: Int

        fileprivate let shift: UInt8
    }

    /// The rates in order of time. The first one is also the rate of earlier items, which a thread submitted while the
    /// recording started. Empty when the trace has all items.
    public private(set) var rates: [Rate] = []
    /// The budget, in millionths of the processor time of the process; nil for a fixed rate.
    public private(set) var budget: Int?
    /// The recorder's measured cost in millionths of the processor time of the process: of the whole session, or, if
    /// its end is missing, before the last change of the rate. Nil when it was not measured.
    public private(set) var cost: Int?

    /// Whether items are missing from the trace.
    public private(set) var isSampled = false
    /// The smallest and the largest number of items of which one was recorded.
    public var strides: ClosedRange<Int> {
        let strides = rates.map(\.stride)
        return (strides.min() ?? 1)...(strides.max() ?? 1)
    }

    /// The largest number of items of which a recorder records one. A larger one in a trace is damage.
    private static let mostStride = 1 << 12

    /// Creates the state of a trace with all items.
    init() {}

    /// Applies a record of the rate.
    mutating func change(_ event: DispatchEvent.SamplingRate, at time: Int64) {
        let stride = min(max(1, Int(event.oneOf)), Self.mostStride)
        if rates.last?.stride != stride {
            let shift = UInt8(Int.bitWidth - 1 - stride.leadingZeroBitCount)
            rates.append(Rate(begin: Timestamp(nanoseconds: time), stride: 1 << Int(shift), shift: shift))
        }
        if stride > 1 { isSampled = true }
        if event.budget > 0 { budget = Int(event.budget) }
        if event.cost > 0 { cost = Int(event.cost) }
    }

    /// The binary logarithm of the number of items that an item of this time represents.
    func shift(at time: Int64) -> UInt8 {
        // Most items have the last rate.
        guard let last = rates.last, last.begin.nanoseconds > time else { return rates.last?.shift ?? 0 }
        let next = rates.partitioningIndex { $0.begin.nanoseconds > time }
        return rates[max(0, next - 1)].shift
    }
}
