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

    /// Creates the state of a trace with all items.
    init() {}

    /// Applies a record of the rate.
    mutating func change(_ event: DispatchEvent.SamplingRate, at time: Int64) {
        let stride = max(1, Int(event.oneOf))
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
        var position = rates.count - 1
        guard position >= 0 else { return 0 }
        while position > 0, rates[position].begin.nanoseconds > time { position -= 1 }
        return rates[position].shift
    }
}
