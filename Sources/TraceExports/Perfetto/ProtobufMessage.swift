/// Encodes a message in the wire format of protocol buffers (https://protobuf.dev/programming-guides/encoding).
///
/// Nested messages are written into the same buffer. Fields that a caller omits are absent from the message.
struct ProtobufMessage {
    private(set) var bytes: [UInt8] = []

    private enum WireType: UInt64 {
        case varint = 0
        case fixed64 = 1
        case lengthDelimited = 2
    }

    /// Appends an integer of the types `uint32`, `uint64` or `enum`.
    mutating func append(_ field: UInt64, _ value: UInt64) {
        append(tag: field, .varint)
        append(varint: value)
    }

    /// Appends an integer of the types `int32` or `int64`.
    mutating func append(_ field: UInt64, signed value: Int64) { append(field, UInt64(bitPattern: value)) }

    /// Appends an integer of the type `fixed64`.
    mutating func append(_ field: UInt64, fixed value: UInt64) {
        append(tag: field, .fixed64)
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends a `string`.
    mutating func append(_ field: UInt64, _ text: String) {
        append(tag: field, .lengthDelimited)
        append(varint: UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends a nested message, whose fields `fill` appends.
    mutating func append(_ field: UInt64, message fill: (inout ProtobufMessage) -> Void) {
        append(tag: field, .lengthDelimited)
        // Nearly all messages are shorter than 128 bytes, so one byte is kept free for the length.
        let position = bytes.count
        bytes.append(0)
        fill(&self)
        var length = UInt64(bytes.count - position - 1)
        if length < 0x80 {
            bytes[position] = UInt8(length)
            return
        }
        var encoded: [UInt8] = []
        while length >= 0x80 {
            encoded.append(UInt8(truncatingIfNeeded: length) | 0x80)
            length >>= 7
        }
        encoded.append(UInt8(length))
        bytes.replaceSubrange(position...position, with: encoded)
    }

    /// Removes everything and keeps the memory.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    private mutating func append(tag field: UInt64, _ type: WireType) { append(varint: field << 3 | type.rawValue) }

    private mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
