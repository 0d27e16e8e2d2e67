/// What event records of different streams are ordered by.
enum EventOrder {
    /// The exact time.
    case exactTime
    /// The time as babeltrace2 computes it, in which different clock values may be the same nanosecond.
    case displayedTime
}

/// The clocks of the streams that are read together, and the keys that put their records in order.
struct PassClocks {
    /// What the keys of streams are.
    private enum Key {
        /// Clock values: all streams have the same clock, so they need no conversion.
        case cycles
        /// Nanoseconds from the origin that the clocks share.
        case nanoseconds
        /// Nanoseconds as babeltrace2 computes them.
        case displayed
    }

    let clocks: [ClockClass]
    private let kind: Key
    /// One for each clock.
    private let converters: UnsafeMutablePointer<ClockConverter>
    private let displays: UnsafeMutablePointer<ClockClass.Display>

    /// Collects the clocks of streams.
    ///
    /// - Parameters:
    ///   - streams: the streams, at their first records.
    ///   - agreement: for some clocks, those that are used in their place.
    ///   - order: what records are ordered by.
    /// - Returns: the clocks, and for each stream the number of its clock.
    static func collect(
        _ streams: [DataStream], agreement: [ClockClass: ClockClass], order: EventOrder
    ) -> (clocks: PassClocks, indices: [Int]) {
        var clocks: [ClockClass] = []
        var numbers: [ClockClass: Int] = [:]
        let indices = streams.map { stream in
            let own = stream.plan?.clock ?? stream.trace.clock
            let clock = agreement[own] ?? own
            if let number = numbers[clock] { return number }
            numbers[clock] = clocks.count
            clocks.append(clock)
            return clocks.count - 1
        }
        return (PassClocks(clocks.isEmpty ? [ClockClass()] : clocks, order), indices)
    }

    private init(_ clocks: [ClockClass], _ order: EventOrder) {
        self.clocks = clocks
        kind =
            switch order {
            case .exactTime: clocks.count == 1 ? .cycles : .nanoseconds
            case .displayedTime: .displayed
            }
        converters = .allocate(capacity: clocks.count)
        displays = .allocate(capacity: clocks.count)
        for (index, clock) in clocks.enumerated() {
            (converters + index).initialize(to: ClockConverter(clock))
            (displays + index).initialize(to: ClockClass.Display(clock))
        }
    }

    func deallocate() {
        converters.deinitialize(count: clocks.count)
        converters.deallocate()
        displays.deallocate()
    }

    /// The time of a clock value in nanoseconds from the clock's origin, rounded down.
    @inline(__always)
    func nanoseconds(_ cycles: UInt64, clock: Int) -> Int64 {
        converters[clock].nanoseconds(cycles)
    }

    /// Whether a clock value is its own key.
    var countsCycles: Bool { kind == .cycles }

    /// Whether records are ordered by the time that babeltrace2 shows.
    var showsTime: Bool { kind == .displayed }

    /// The time of a clock value, as records are ordered by it.
    @inline(__always)
    func time(_ cycles: UInt64, clock: Int) -> Int64 {
        showsTime ? displays[clock].nanosecondsFromOrigin(cycles) : converters[clock].nanoseconds(cycles)
    }

    /// The number that puts a record in order.
    @inline(__always)
    func key(_ cycles: UInt64, clock: Int) -> UInt64 {
        switch kind {
        case .cycles: return cycles
        case .nanoseconds: return Self.ordered(converters[clock].nanoseconds(cycles))
        case .displayed: return Self.ordered(displays[clock].nanosecondsFromOrigin(cycles))
        }
    }

    /// A number without sign whose order is that of the times.
    @inline(__always)
    private static func ordered(_ nanoseconds: Int64) -> UInt64 {
        UInt64(bitPattern: nanoseconds) ^ (1 << 63)
    }
}
