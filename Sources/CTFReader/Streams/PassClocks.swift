/// The time that orders event records of different streams.
enum EventOrder {
    /// The exact time.
    case exactTime
    /// The time as computed by babeltrace2. Different clock values can give the same nanosecond.
    case displayedTime
}

/// The clocks of the streams of a pass, and the keys that order their records.
struct PassClocks {
    /// The unit of the keys.
    private enum Key {
        /// Clock values. All streams have the same clock, so no conversion is necessary.
        case cycles
        /// Nanoseconds from the common origin of the clocks.
        case nanoseconds
        /// Nanoseconds as computed by babeltrace2.
        case displayed
    }

    let clocks: [ClockClass]
    private let kind: Key
    /// One converter for each clock.
    private let converters: UnsafeMutablePointer<ClockConverter>
    private let displays: UnsafeMutablePointer<ClockClass.Display>

    /// Collects the clocks of streams.
    ///
    /// - Parameters:
    ///   - streams: the streams, positioned at their first records.
    ///   - agreement: for a clock, the clock with the shared offset that replaces it.
    ///   - order: the time that orders the records.
    /// - Returns: the clocks, and the index of the clock for each stream.
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

    /// Converts a clock value to nanoseconds from the origin of the clock, rounded down.
    @inline(__always)
    func nanoseconds(_ cycles: UInt64, clock: Int) -> Int64 {
        converters[clock].nanoseconds(cycles)
    }

    /// Whether keys are clock values.
    var countsCycles: Bool { kind == .cycles }

    /// Whether records are ordered by the times that babeltrace2 shows.
    var showsTime: Bool { kind == .displayed }

    /// The time of a clock value in the order of the records.
    @inline(__always)
    func time(_ cycles: UInt64, clock: Int) -> Int64 {
        showsTime ? displays[clock].nanosecondsFromOrigin(cycles) : converters[clock].nanoseconds(cycles)
    }

    /// The sort key of a clock value.
    @inline(__always)
    func key(_ cycles: UInt64, clock: Int) -> UInt64 {
        switch kind {
        case .cycles: return cycles
        case .nanoseconds: return Self.ordered(converters[clock].nanoseconds(cycles))
        case .displayed: return Self.ordered(displays[clock].nanosecondsFromOrigin(cycles))
        }
    }

    /// Maps signed times to unsigned numbers with the same order.
    @inline(__always)
    private static func ordered(_ nanoseconds: Int64) -> UInt64 {
        UInt64(bitPattern: nanoseconds) ^ (1 << 63)
    }
}
