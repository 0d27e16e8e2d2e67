import Glibc

/// The text of lines that are not written yet.
struct LineBuffer: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 256) {
        start = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { start.deallocate() }

    /// Calls `body` with the text, which is there as long as the call lasts.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    var bytes: [UInt8] { withBytes(Array.init) }

    mutating func removeAll() { count = 0 }

    /// Makes room for so many bytes, and tells where they go. They count once ``count`` says so.
    @inline(__always)
    private mutating func room(for more: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity - count < more { grow(by: more) }
        return start + count
    }

    @inline(never)
    private mutating func grow(by more: Int) {
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: max(2 * capacity, count + more))
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
        capacity = max(2 * capacity, count + more)
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafePointer<UInt8>, count more: Int) {
        room(for: more).update(from: bytes, count: more)
        count += more
    }

    @inline(__always)
    mutating func append(_ text: StaticString) { append(text.utf8Start, count: text.utf8CodeUnitCount) }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            if let first = utf8.baseAddress { append(first, count: utf8.count) }
        }
    }

    @inline(__always)
    mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            if let first = bytes.baseAddress { append(first, count: bytes.count) }
        }
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        room(for: 1).pointee = byte
        count += 1
    }

    // MARK: Numbers

    /// `00` to `99`.
    private static let pairs: StaticString = """
        0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
        5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
        """

    /// Appends a number in decimal digits.
    @inline(__always)
    mutating func append(_ number: UInt64) {
        let pairs = Self.pairs.utf8Start
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var place = 20
            var rest = number
            while rest >= 100 {
                let pair = Int(truncatingIfNeeded: rest % 100)
                rest /= 100
                place -= 2
                digits[place] = pairs[2 * pair]
                digits[place + 1] = pairs[2 * pair + 1]
            }
            let last = Int(truncatingIfNeeded: rest)
            place -= 1
            digits[place] = pairs[2 * last + 1]
            if last >= 10 {
                place -= 1
                digits[place] = pairs[2 * last]
            }
            append(UnsafePointer(digits.baseAddress! + place), count: 20 - place)
        }
    }

    @inline(__always)
    mutating func append(_ number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(number.magnitude)
    }

    /// Appends nine digits: a number below 1,000,000,000.
    @inline(__always)
    mutating func append(nineDigits number: UInt32) {
        let pairs = Self.pairs.utf8Start
        let place = room(for: 9)
        var rest = number
        for pair in stride(from: 7, to: 0, by: -2) {
            let value = Int(rest % 100)
            rest /= 100
            place[pair] = pairs[2 * value]
            place[pair + 1] = pairs[2 * value + 1]
        }
        place[0] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest)
        count += 9
    }

    /// Appends a number as `0x` and its digits in base 16.
    @inline(__always)
    mutating func append(hexadecimal number: UInt64) {
        let digits = max((67 - number.leadingZeroBitCount) / 4, 1)
        let place = room(for: digits + 2)
        place[0] = UInt8(ascii: "0")
        place[1] = UInt8(ascii: "x")
        for digit in 0..<digits {
            let value = UInt8(truncatingIfNeeded: number >> UInt64(4 * (digits - 1 - digit))) & 15
            place[2 + digit] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
        }
        count += digits + 2
    }

    /// Appends a number with at least `digits` digits.
    mutating func append(_ number: UInt64, base: UInt64 = 10, digits: Int) {
        let first = count
        var rest = number
        repeat {
            let digit = UInt8(truncatingIfNeeded: rest % base)
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
            rest /= base
        } while rest > 0
        while count - first < digits { append(UInt8(ascii: "0")) }
        let written = UnsafeMutableBufferPointer(start: start + first, count: count - first)
        for place in 0..<written.count / 2 { written.swapAt(place, written.count - 1 - place) }
    }

    /// Appends a floating point number as printf does for `%g`.
    mutating func append(_ number: Double) {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            let count = withVaList([number]) { vsnprintf(buffer.baseAddress!, buffer.count, "%g", $0) }
            for index in 0..<Int(max(count, 0)) { append(UInt8(bitPattern: buffer[index])) }
        }
    }

    // MARK: Texts

    /// Appends a text in quotation marks, escaped as babeltrace2 does; bytes that are no UTF-8 stay as they are.
    mutating func appendQuoted(_ text: some Sequence<UInt8>) {
        append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "?"):
                append(UInt8(ascii: "\\"))
                append(byte)
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
                    append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
                }
            default: append(byte)
            }
        }
        append(UInt8(ascii: "\""))
    }
}
