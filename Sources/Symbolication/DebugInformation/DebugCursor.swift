/// Reads integers and texts of a debug section, one after the other.
///
/// A read outside of the bounds returns 0, moves to the end and clears ``isValid``, so that damaged input ends a loop
/// and never traps.
package struct DebugCursor {
    package let bytes: UnsafeRawBufferPointer
    package private(set) var position: Int
    package let end: Int
    package private(set) var isValid = true

    /// - Parameters:
    ///   - bytes: a section.
    ///   - position: the offset of the first read.
    ///   - end: the offset behind the last byte that may be read; nil for the end of the section.
    package init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0, end: Int? = nil) {
        self.bytes = bytes
        self.end = max(0, min(end ?? bytes.count, bytes.count))
        self.position = position
        if position < 0 || position > self.end { fail() }
    }

    package var isAtEnd: Bool { position >= end }
    package var remaining: Int { end - position }

    package mutating func fail() {
        isValid = false
        position = end
    }

    package mutating func read<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value {
        guard end - position >= MemoryLayout<Value>.size else {
            fail()
            return 0
        }
        defer { position += MemoryLayout<Value>.size }
        return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Value.self))
    }

    /// Reads an unsigned integer of 1, 2, 3, 4 or 8 bytes.
    package mutating func unsigned(size: Int) -> UInt64 {
        switch size {
        case 1: return UInt64(read(UInt8.self))
        case 2: return UInt64(read(UInt16.self))
        case 3:
            let low = UInt64(read(UInt16.self))
            return low | UInt64(read(UInt8.self)) << 16
        case 4: return UInt64(read(UInt32.self))
        case 8: return read(UInt64.self)
        default:
            fail()
            return 0
        }
    }

    /// Reads an unsigned LEB128 number. Bits above the 64th are ignored.
    package mutating func uleb() -> UInt64 {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while position < end {
            let byte = bytes[position]
            position += 1
            if shift < 64 { value |= UInt64(byte & 0x7F) << shift }
            if byte < 0x80 { return value }
            shift &+= 7
        }
        fail()
        return 0
    }

    /// Reads a signed LEB128 number. Bits above the 64th are ignored.
    package mutating func sleb() -> Int64 {
        var (value, shift): (Int64, Int64) = (0, 0)
        while position < end {
            let byte = bytes[position]
            position += 1
            if shift < 64 { value |= Int64(byte & 0x7F) << shift }
            shift &+= 7
            if byte < 0x80 { return byte & 0x40 != 0 && shift < 64 ? value | (-1 << shift) : value }
        }
        fail()
        return 0
    }

    package mutating func skip(_ count: UInt64) {
        if count <= UInt64(end - position) { position += Int(count) } else { fail() }
    }

    package mutating func skipLEB() {
        while position < end {
            position += 1
            if bytes[position - 1] < 0x80 { return }
        }
        fail()
    }

    package mutating func skipText() {
        while position < end {
            position += 1
            if bytes[position - 1] == 0 { return }
        }
        fail()
    }

    /// Reads the length of a unit, and whether the unit uses 64-bit offsets. Fails when the unit exceeds the section.
    package mutating func unitLength() -> (length: Int, offsetSize: Int) {
        var length = UInt64(read(UInt32.self))
        let isLong = length == 0xFFFF_FFFF
        if isLong { length = read(UInt64.self) }
        guard length <= UInt64(end - position) else {
            fail()
            return (0, 4)
        }
        return (Int(length), isLong ? 8 : 4)
    }
}
