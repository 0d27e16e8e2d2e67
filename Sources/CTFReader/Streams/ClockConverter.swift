/// Converts clock values to nanoseconds. The result is exact, and values near each other need no division.
struct ClockConverter {
    /// Clock values up to this distance after the anchor take the fast path: their nanoseconds fit into 64 bits.
    private static let reach: UInt64 = 1 << 33

    private let clock: ClockClass
    /// 2^64 / frequency, rounded down; 0 when the frequency does not allow the fast path.
    private let reciprocal: UInt64
    private var anchor: UInt64 = 0
    private var anchorNanoseconds: Int64 = 0
    /// The fraction of a nanosecond at the anchor, in units of 1 / frequency.
    private var anchorRemainder: UInt64 = 0
    private var span: UInt64 = 0

    init(_ clock: ClockClass) {
        self.clock = clock
        // With 2^33 × 10^9 < 2^63 and a frequency below 2^62, the sum below fits into 64 bits.
        reciprocal =
            clock.frequency > 1 && clock.frequency < 1 << 62
            ? clock.frequency.dividingFullWidth((1, 0)).quotient : 0
    }

    /// Converts a clock value to nanoseconds from the origin of the clock, rounded down.
    @inline(__always)
    mutating func nanoseconds(_ cycles: UInt64) -> Int64 {
        let delta = cycles &- anchor
        guard delta < span else { return reanchor(cycles) }
        let scaled = delta &* 1_000_000_000 &+ anchorRemainder
        // The reciprocal is rounded down, so the quotient is exact or too small by one.
        var quotient = scaled.multipliedFullWidth(by: reciprocal).high
        if scaled &- quotient &* clock.frequency >= clock.frequency { quotient &+= 1 }
        return anchorNanoseconds &+ Int64(truncatingIfNeeded: quotient)
    }

    @inline(never)
    private mutating func reanchor(_ cycles: UInt64) -> Int64 {
        let result = clock.nanosecondsFromOrigin(cycles)
        span = 0
        if reciprocal != 0, result.magnitude < 1 << 61 {
            anchor = cycles
            anchorNanoseconds = result
            let total = (Int128(cycles) + Int128(clock.offsetCycles)) * 1_000_000_000
            let remainder = total % Int128(clock.frequency)
            anchorRemainder = UInt64(remainder < 0 ? remainder + Int128(clock.frequency) : remainder)
            span = Self.reach
        }
        return result
    }
}
