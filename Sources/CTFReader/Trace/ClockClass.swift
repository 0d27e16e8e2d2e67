/// The clock that a trace's time stamps count.
public struct ClockClass: Hashable, Sendable {
    /// The name that field types refer to.
    public var name: String
    /// The clock's identity, nil when the trace does not state it.
    public var uuid: String?
    /// What the clock is, in words.
    public var description: String
    /// Cycles per second.
    public var frequency: UInt64
    /// How far the clock may be off, in cycles.
    public var precision: UInt64
    /// Seconds from the origin at which the clock's value was zero.
    public var offsetSeconds: Int64
    /// Cycles to add to ``offsetSeconds``.
    public var offsetCycles: Int64
    /// Whether the origin is the Unix epoch or another that clocks of other traces share.
    public var isAbsolute: Bool

    /// Creates a clock class; what is not given has the value that CTF prescribes.
    public init(
        name: String = "", uuid: String? = nil, description: String = "", frequency: UInt64 = 1_000_000_000,
        precision: UInt64 = 0, offsetSeconds: Int64 = 0, offsetCycles: Int64 = 0, isAbsolute: Bool = false
    ) {
        self.name = name
        self.uuid = uuid
        self.description = description
        self.frequency = frequency
        self.precision = precision
        self.offsetSeconds = offsetSeconds
        self.offsetCycles = offsetCycles
        self.isAbsolute = isAbsolute
    }

    /// The time of a clock value, exact and rounded down.
    ///
    /// - Parameter cycles: a value of the clock.
    /// - Returns: nanoseconds from the clock's origin; the nearest number that fits when the time is out of range.
    public func nanosecondsFromOrigin(_ cycles: UInt64) -> Int64 {
        let total = Int128(cycles) + Int128(offsetCycles)
        let scaled = total * 1_000_000_000
        let divisor = Int128(max(frequency, 1))
        var quotient = scaled / divisor
        if scaled % divisor < 0 { quotient -= 1 }
        return Int64(clamping: quotient + Int128(offsetSeconds) * 1_000_000_000)
    }
}

extension ClockClass {
    /// The time that babeltrace2 shows for a clock value: computed in floating point.
    struct Display {
        private let frequency: UInt64
        /// Nanoseconds from the origin at which the clock's value was zero.
        private let offset: Int64

        init(_ clock: ClockClass) {
            frequency = clock.frequency
            let cycles = Self.nanoseconds(UInt64(bitPattern: clock.offsetCycles), clock.frequency)
            offset = clock.offsetSeconds &* 1_000_000_000 &+ Int64(truncatingIfNeeded: cycles)
        }

        @inline(__always)
        private static func nanoseconds(_ cycles: UInt64, _ frequency: UInt64) -> UInt64 {
            guard frequency != 1_000_000_000 else { return cycles }
            let result = 1e9 * Double(cycles) / Double(frequency)
            return result >= 0x1p64 ? .max : UInt64(result)
        }

        /// Nanoseconds from the clock's origin.
        @inline(__always)
        func nanosecondsFromOrigin(_ cycles: UInt64) -> Int64 {
            offset &+ Int64(truncatingIfNeeded: Self.nanoseconds(cycles, frequency))
        }
    }
}
