/// Reads integers that start at any bit.
enum BitField {
    /// Reads an unsigned integer at a bit position.
    ///
    /// - Parameters:
    ///   - base: the address of bit 0. Nine bytes from the first byte of the integer must be readable.
    ///   - position: the first bit of the integer.
    ///   - size: 1 to 64.
    ///   - isBigEndian: whether bytes, and the bits of a byte, are in big-endian order.
    /// - Returns: the value.
    @inline(__always)
    static func unsigned(_ base: UnsafeRawPointer, _ position: Int, size: Int, isBigEndian: Bool) -> UInt64 {
        let byte = position >> 3
        let shift = UInt64(position & 7)
        let word = base.loadUnaligned(fromByteOffset: byte, as: UInt64.self)
        let end = Int(shift) + size
        if isBigEndian {
            var value = UInt64(bigEndian: word) << shift
            if end > 64 { value |= UInt64(base.load(fromByteOffset: byte + 8, as: UInt8.self)) >> (8 - shift) }
            return value >> UInt64(64 - size)
        }
        var value = UInt64(littleEndian: word) >> shift
        if end > 64 { value |= UInt64(base.load(fromByteOffset: byte + 8, as: UInt8.self)) << (64 - shift) }
        return value & mask(size)
    }

    /// A mask of the lowest `size` bits.
    @inline(__always)
    static func mask(_ size: Int) -> UInt64 { size >= 64 ? .max : (1 << UInt64(size)) - 1 }

    /// Sign-extends a signed integer of `size` bits to 64 bits.
    @inline(__always)
    static func signed(_ bits: UInt64, size: Int) -> UInt64 {
        let sign: UInt64 = 1 << UInt64(size - 1)
        return (bits ^ sign) &- sign
    }

    /// The smallest number from `start` on whose masked bits equal `low`. A mask of all bits gives `low`.
    @inline(__always)
    static func next(from start: UInt64, low: UInt64, mask: UInt64) -> UInt64 { start &+ ((low &- start) & mask) }

    /// The value whose `size` bits are in reverse order.
    static func reversed(_ bits: UInt64, size: Int) -> UInt64 {
        var (rest, result): (UInt64, UInt64) = (bits, 0)
        for _ in 0..<size {
            result = result << 1 | rest & 1
            rest >>= 1
        }
        return result
    }

    /// Whether a value is in `lower...upper`. Signed values are sign-extended to 64 bits.
    @inline(__always)
    static func isNumber(_ bits: UInt64, from lower: UInt64, to upper: UInt64, isSigned: Bool) -> Bool {
        isSigned
            ? Int64(bitPattern: bits) >= Int64(bitPattern: lower) && Int64(bitPattern: bits) <= Int64(bitPattern: upper)
            : bits >= lower && bits <= upper
    }

    /// Rounds a position up to a multiple of `alignment`, a power of two.
    @inline(__always)
    static func align(_ position: Int, _ alignment: Int) -> Int {
        (position &+ alignment &- 1) & ~(alignment &- 1)
    }
}
