/// Appends numbers to a buffer, in the encodings of the timeline format.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    /// Writes a number with seven bits per byte, the least significant first. The top bit is set when another byte
    /// follows (LEB128).
    mutating func varint(_ value: Int64) {
        var rest = UInt64(bitPattern: max(0, value))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// The number of bytes of a varint.
    static func size(ofVarint value: Int64) -> Int {
        (UInt64.bitWidth - UInt64(max(1, value)).leadingZeroBitCount + 6) / 7
    }

    /// Writes a signed number as a varint: 0, -1, 1, -2 … become `base`, `base` + 1, `base` + 2, `base` + 3 …
    mutating func zigzag(_ value: Int64, above base: Int64 = 0) { varint(base + ((value << 1) ^ (value >> 63))) }

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    mutating func append(_ other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }

    /// Writes `width` bytes, the least significant first.
    mutating func fixed(_ value: Int64, width: Int) {
        for shift in 0..<width { bytes.append(UInt8(truncatingIfNeeded: value >> (shift * 8))) }
    }

    /// Writes four bytes, the least significant first.
    mutating func fixed32(_ value: Int) { fixed(Int64(value), width: 4) }

    /// Writes the length and the content.
    mutating func column(_ content: [UInt8]) {
        varint(Int64(content.count))
        bytes.append(contentsOf: content)
    }

    /// Writes a four-letter tag, the length and the content.
    mutating func section(_ tag: StaticString, _ content: [UInt8]) {
        precondition(tag.utf8CodeUnitCount == 4)
        tag.withUTF8Buffer { bytes.append(contentsOf: $0) }
        fixed32(content.count)
        bytes.append(contentsOf: content)
    }
}
