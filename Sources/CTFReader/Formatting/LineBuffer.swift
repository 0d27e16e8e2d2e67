import Glibc

/// The text of lines that are not written yet.
struct LineBuffer {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Appends a number with at least `digits` digits.
    mutating func append(_ number: UInt64, base: UInt64 = 10, digits: Int = 1) {
        let start = bytes.count
        var rest = number
        repeat {
            let digit = UInt8(truncatingIfNeeded: rest % base)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
            rest /= base
        } while rest > 0
        while bytes.count - start < digits { bytes.append(UInt8(ascii: "0")) }
        bytes[start...].reverse()
    }

    mutating func append(_ number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(number.magnitude)
    }

    /// Appends a floating point number as printf does for `%g`.
    mutating func append(_ number: Double) {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            let count = withVaList([number]) { vsnprintf(buffer.baseAddress!, buffer.count, "%g", $0) }
            for index in 0..<Int(max(count, 0)) { bytes.append(UInt8(bitPattern: buffer[index])) }
        }
    }

    /// Appends a text in quotation marks, escaped as babeltrace2 does; bytes that are no UTF-8 stay as they are.
    mutating func appendQuoted(_ text: some Sequence<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "?"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x07: append("\\a")
            case 0x08: append("\\b")
            case 0x1B: append("\\e")
            case 0x0C: append("\\f")
            case 0x0A: append("\\n")
            case 0x0D: append("\\r")
            case 0x09: append("\\t")
            case 0x0B: append("\\v")
            case 0x00..<0x20, 0x7F:
                append("\\x")
                for digit in [byte >> 4, byte & 15] {
                    bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
                }
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
