/// The position of an integer field in the payload, for fields that one load can read.
@usableFromInline
struct FieldSlot: Sendable {
    /// Mask of the value after the shift; 0 when one load cannot read the field.
    @usableFromInline var mask: UInt64
    /// The sign bit after the shift; 0 for an unsigned integer.
    @usableFromInline var signBit: UInt64
    /// Offset in bytes from the start of the payload.
    @usableFromInline var byteOffset: Int32
    /// Shift of the loaded word to the right, in bits.
    @usableFromInline var shift: UInt8

    /// The slot of a field that needs ``RecordDecoder``.
    static let indirect = FieldSlot(mask: 0, signBit: 0, byteOffset: 0, shift: 0)

    init(mask: UInt64, signBit: UInt64, byteOffset: Int32, shift: UInt8) {
        self.mask = mask
        self.signBit = signBit
        self.byteOffset = byteOffset
        self.shift = shift
    }

    /// Creates the slot of an integer field. Returns nil when the field needs more than one load or has the other byte
    /// order.
    ///
    /// - Parameters:
    ///   - node: the field.
    ///   - offset: the offset of the field in bits from a byte boundary.
    init?(_ node: FieldNode, at offset: Int) {
        guard node.isInteger, !node.isVariableLength, !node.isReversed,
            !node.isBigEndian || node.size == 8 && offset & 7 == 0,
            (offset & 7) + node.size <= 64,
            let byteOffset = Int32(exactly: offset >> 3)
        else { return nil }
        mask = BitField.mask(node.size)
        signBit = node.isSigned ? 1 << UInt64(node.size - 1) : 0
        self.byteOffset = byteOffset
        shift = UInt8(offset & 7)
    }

    /// Loads the integer.
    ///
    /// - Parameter start: the start of the payload. The eight bytes at the slot must be readable.
    /// - Returns: the value, sign-extended when it is signed.
    @inlinable @inline(__always)
    func load(from start: UnsafeRawPointer) -> UInt64 {
        let word = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: Int(byteOffset), as: UInt64.self))
        return (((word &>> UInt64(shift)) & mask) ^ signBit) &- signBit
    }
}
