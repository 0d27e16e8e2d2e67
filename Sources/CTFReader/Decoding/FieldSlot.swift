/// Where a top-level payload field of an event class lies, and how to get its number in the shortest way.
@usableFromInline
struct FieldSlot: Sendable {
    /// Selects the number's bits after the shift; 0 when the field cannot be read with one load.
    @usableFromInline var mask: UInt64
    /// The sign's bit after the shift; 0 for a number without a sign.
    @usableFromInline var signBit: UInt64
    /// Offset in bytes from the payload's first byte.
    @usableFromInline var byteOffset: Int32
    /// Bits to drop from the word that is loaded there.
    @usableFromInline var shift: UInt8

    /// The slot of a field that only ``RecordDecoder`` can read.
    static let indirect = FieldSlot(mask: 0, signBit: 0, byteOffset: 0, shift: 0)

    init(mask: UInt64, signBit: UInt64, byteOffset: Int32, shift: UInt8) {
        self.mask = mask
        self.signBit = signBit
        self.byteOffset = byteOffset
        self.shift = shift
    }

    /// The slot of an integer field, nil when it takes more than one load or the other byte order.
    ///
    /// - Parameters:
    ///   - node: the field.
    ///   - offset: its place in bits from a byte boundary.
    init?(_ node: FieldNode, at offset: Int) {
        guard node.isInteger, !node.isBigEndian || node.size == 8 && offset & 7 == 0, (offset & 7) + node.size <= 64,
            let byteOffset = Int32(exactly: offset >> 3)
        else { return nil }
        mask = BitField.mask(node.size)
        signBit = node.isSigned ? 1 << UInt64(node.size - 1) : 0
        self.byteOffset = byteOffset
        shift = UInt8(offset & 7)
    }

    /// Loads the number in the slot.
    ///
    /// - Parameter start: the first byte that offsets count from; the word at the slot must be readable as a whole.
    /// - Returns: the number, sign-extended when it has a sign.
    @inlinable @inline(__always)
    func load(from start: UnsafeRawPointer) -> UInt64 {
        let word = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: Int(byteOffset), as: UInt64.self))
        return (((word &>> UInt64(shift)) & mask) ^ signBit) &- signBit
    }
}
