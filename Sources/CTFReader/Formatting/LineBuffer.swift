import Glibc

/// A growable buffer of bytes for lines of text.
struct LineBuffer: ~Copyable {
    /// Number of readable bytes that ``append(padded:count:)`` requires after its source, and of writable bytes that it
    /// requires after its destination.
    static let padding = 16

    private var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 256) {
        start = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { start.deallocate() }

    /// Calls `body` with the text. The pointer is valid only during the call.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    var bytes: [UInt8] { withBytes(Array.init) }

    mutating func removeAll() { count = 0 }

    /// Reserves `more` bytes and returns their address. The caller increases ``count`` after writing.
    @inline(__always)
    private mutating func room(for more: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity - count < more &+ Self.padding { grow(by: more) }
        return start + count
    }

    @inline(never)
    private mutating func grow(by more: Int) {
        capacity = max(2 * capacity, count + more + Self.padding)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafePointer<UInt8>, count more: Int) {
        room(for: more).update(from: bytes, count: more)
        count += more
    }

    /// Appends a text that is followed by ``padding`` readable bytes. It copies 16 bytes at a time, without a call to
    /// `memcpy`.
    @inline(__always)
    mutating func append(padded bytes: UnsafePointer<UInt8>, count more: Int) {
        let (source, place) = (UnsafeRawPointer(bytes), UnsafeMutableRawPointer(room(for: more)))
        var offset = 0
        while offset < more {
            place.storeBytes(
                of: source.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self), toByteOffset: offset,
                as: SIMD16<UInt8>.self)
            offset &+= 16
        }
        count &+= more
    }

    /// A copy of a text with the padding that ``append(padded:count:)`` requires.
    static func padded(_ bytes: [UInt8]) -> UnsafeMutablePointer<UInt8> {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count + padding)
        copy.initialize(repeating: 0, count: bytes.count + padding)
        copy.update(from: bytes, count: bytes.count)
        return copy
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

    /// Appends a copy of a part of this text.
    mutating func appendCopy(of part: Range<Int>) {
        precondition(part.upperBound <= count)
        let place = room(for: part.count)
        place.update(from: start + part.lowerBound, count: part.count)
        count += part.count
    }

    // MARK: Numbers

    /// `00` to `99`.
    private static let pairs: StaticString = """
        0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
        5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
        """

    private static let hexadecimalDigits: StaticString = "0123456789ABCDEF"

    /// Appends a number in decimal digits.
    @inline(__always)
    mutating func append(_ number: UInt64) {
        let place = room(for: 20)
        if number < 10 {
            place.pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number)
            count &+= 1
            return
        }
        let pairs = Self.pairs.utf8Start
        let digits = Self.digits(of: number)
        var end = place + digits
        var rest = number
        while rest >= 10 {
            let pair = pairs + 2 &* Int(truncatingIfNeeded: rest % 100)
            rest /= 100
            end -= 2
            end[0] = pair[0]
            end[1] = pair[1]
        }
        // A number with an odd count of digits has one digit left.
        if end > place { place.pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest) }
        count &+= digits
    }

    /// Number of decimal digits of a number above 9.
    @inline(__always)
    private static func digits(of number: UInt64) -> Int {
        if number < 100 { return 2 }
        if number < 1_000 { return 3 }
        var (digits, rest) = (4, number)
        while rest >= 10_000 {
            digits &+= 1
            rest /= 10
        }
        return digits
    }

    @inline(__always)
    mutating func append(_ number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(number.magnitude)
    }

    /// Appends a number below 1,000,000,000 as nine digits.
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

    /// Appends a number as `0x` and hexadecimal digits.
    @inline(__always)
    mutating func append(hexadecimal number: UInt64) {
        let digits = max((67 - number.leadingZeroBitCount) / 4, 1)
        let place = room(for: digits + 2)
        place[0] = UInt8(ascii: "0")
        place[1] = UInt8(ascii: "x")
        let names = Self.hexadecimalDigits.utf8Start
        var rest = number
        for digit in stride(from: digits &+ 1, to: 1, by: -1) {
            place[digit] = names[Int(truncatingIfNeeded: rest & 15)]
            rest &>>= 4
        }
        count &+= digits &+ 2
    }

    /// Appends a byte as two hexadecimal digits in lower case.
    mutating func append(hexadecimalByte byte: UInt8) {
        for digit in [byte >> 4, byte & 15] {
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
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

    /// Appends a floating-point number in the format `%g` of printf.
    mutating func append(_ number: Double) {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            let count = withVaList([number]) { vsnprintf(buffer.baseAddress!, buffer.count, "%g", $0) }
            for index in 0..<Int(max(count, 0)) { append(UInt8(bitPattern: buffer[index])) }
        }
    }

    // MARK: Texts

    /// Appends a text in quotation marks, escaped as by babeltrace2. Invalid UTF-8 is copied unchanged.
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
                append(hexadecimalByte: byte)
            default: append(byte)
            }
        }
        append(UInt8(ascii: "\""))
    }
}
