/// Reads whole numbers that begin at any bit.
enum BitField {
    /// Reads a number without a sign at a bit position.
    ///
    /// - Parameters:
    ///   - base: the first byte that positions count from; nine bytes from the number's first one must be readable.
    ///   - position: the number's first bit.
    ///   - size: 1 to 64.
    ///   - isBigEndian: whether bits are counted from the most significant one of each byte, and bytes likewise.
    /// - Returns: the number.
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

    /// The lowest bits of a word, as many as `size`.
    @inline(__always)
    static func mask(_ size: Int) -> UInt64 { size >= 64 ? .max : (1 << UInt64(size)) - 1 }

    /// The bits of a number of `size` bits with a sign, extended to the whole word.
    @inline(__always)
    static func signed(_ bits: UInt64, size: Int) -> UInt64 {
        let sign: UInt64 = 1 << UInt64(size - 1)
        return (bits ^ sign) &- sign
    }

    /// The first number from `start` on whose bits of the mask are those of `low`. With a mask of all bits that is `low`.
    @inline(__always)
    static func next(from start: UInt64, low: UInt64, mask: UInt64) -> UInt64 { start &+ ((low &- start) & mask) }

    /// Whether a number is from `lower` to `upper`; a signed one's bits fill the whole word.
    @inline(__always)
    static func isNumber(_ bits: UInt64, from lower: UInt64, to upper: UInt64, isSigned: Bool) -> Bool {
        isSigned
            ? Int64(bitPattern: bits) >= Int64(bitPattern: lower) && Int64(bitPattern: bits) <= Int64(bitPattern: upper)
            : bits >= lower && bits <= upper
    }

    /// The position at or after `position` that is a multiple of `alignment`, a power of two.
    @inline(__always)
    static func align(_ position: Int, _ alignment: Int) -> Int {
        (position &+ alignment &- 1) & ~(alignment &- 1)
    }
}
