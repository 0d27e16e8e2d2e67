/// Writes fields bit by bit in the layout of CTF 1.8.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    /// Position in bits from the start of the packet.
    private(set) var position = 0

    /// Pads to a multiple of an alignment in bits.
    mutating func align(_ alignment: Int) {
        while position % alignment != 0 { append(bit: false, isBigEndian: false) }
    }

    /// Appends an integer. Its first bit is the lowest one in little-endian order and the highest one in big-endian
    /// order.
    mutating func append(_ value: UInt64, size: Int, isBigEndian: Bool) {
        for index in 0..<size {
            let place = isBigEndian ? size - 1 - index : index
            append(bit: (value >> UInt64(place)) & 1 == 1, isBigEndian: isBigEndian)
        }
    }

    /// Appends whole bytes.
    mutating func append(_ bytes: [UInt8]) {
        align(8)
        self.bytes += bytes
        position += 8 * bytes.count
    }

    private mutating func append(bit: Bool, isBigEndian: Bool) {
        if position % 8 == 0 { bytes.append(0) }
        let place = isBigEndian ? 7 - position % 8 : position % 8
        if bit { bytes[bytes.count - 1] |= 1 << UInt8(place) }
        position += 1
    }
}
