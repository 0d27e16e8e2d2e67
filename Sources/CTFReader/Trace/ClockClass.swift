/// A clock class.
public struct ClockClass: Hashable, Sendable {
    /// The name that field types refer to.
    public var name: String
    /// The UUID of the clock; nil when the trace does not state it.
    public var uuid: String?
    /// A description of the clock.
    public var description: String
    /// Cycles per second.
    public var frequency: UInt64
    /// The possible error of the clock in cycles.
    public var precision: UInt64
    /// Seconds from the origin to the zero of the clock.
    public var offsetSeconds: Int64
    /// Cycles to add to ``offsetSeconds``.
    public var offsetCycles: Int64
    /// Whether the origin is absolute: the Unix epoch, or an origin that other traces share.
    public var isAbsolute: Bool

    /// Creates a clock class. The defaults match the CTF specification.
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

    /// Converts a clock value to a time, rounded down.
    ///
    /// - Parameter cycles: a clock value.
    /// - Returns: nanoseconds from the origin of the clock, clamped to 64 bits.
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
    /// Converts clock values to the times that babeltrace2 shows. It computes in floating point.
    struct Display {
        private let frequency: UInt64
        /// Nanoseconds from the origin to the zero of the clock.
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

        /// Nanoseconds from the origin of the clock.
        @inline(__always)
        func nanosecondsFromOrigin(_ cycles: UInt64) -> Int64 {
            offset &+ Int64(truncatingIfNeeded: Self.nanoseconds(cycles, frequency))
        }
    }
}
