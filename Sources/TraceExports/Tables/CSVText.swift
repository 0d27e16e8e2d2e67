/// Builds rows of comma-separated values (RFC 4180).
///
/// The bytes are in manually allocated memory. A table of millions of items consists of hundreds of millions of
/// numbers, and an array would check for uniqueness at every byte.
struct CSVText: ~Copyable {
    /// The number of the process of the rows.
    var process = 0
    /// Number of bytes that have not been taken yet.
    private(set) var count = 0
    private var memory: UnsafeMutableRawBufferPointer
    private var isAtBeginOfRow = true

    private static let longestInteger = 20

    init() { memory = .allocate(byteCount: 1 << 12, alignment: 1) }

    deinit { memory.deallocate() }

    /// Returns the bytes since the last call, and removes them.
    mutating func take() -> [UInt8] {
        defer { count = 0 }
        return Array(memory[..<count])
    }

    /// Ends a row.
    mutating func endRow() {
        reserve(2)
        put(UInt8(ascii: "\r"))
        put(UInt8(ascii: "\n"))
        isAtBeginOfRow = true
    }

    /// Ensures capacity for `bytes` more bytes.
    @inline(__always)
    private mutating func reserve(_ bytes: Int) { if memory.count - count < bytes { grow(by: bytes) } }

    @inline(never)
    private mutating func grow(by bytes: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(2 * memory.count, count + bytes), alignment: 1)
        larger.copyMemory(from: UnsafeRawBufferPointer(memory))
        memory.deallocate()
        memory = larger
    }

    /// Appends a byte. The capacity must have been reserved.
    @inline(__always)
    private mutating func put(_ byte: UInt8) {
        memory.baseAddress.unsafelyUnwrapped.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    private mutating func put(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            reserve(bytes.count)
            UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: UnsafeRawBufferPointer(bytes))
            count += bytes.count
        }
    }

    @inline(__always)
    private mutating func beginField() {
        reserve(1)
        if !isAtBeginOfRow { put(UInt8(ascii: ",")) }
        isAtBeginOfRow = false
    }

    mutating func appendEmpty() { beginField() }

    mutating func append(_ value: Int64) {
        beginField()
        reserve(Self.longestInteger)
        if value < 0 { put(UInt8(ascii: "-")) }
        var rest = value.magnitude
        let digits = Self.digits(of: rest)
        for position in stride(from: count + digits - 1, through: count, by: -1) {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            memory.baseAddress.unsafelyUnwrapped.storeBytes(
                of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit), toByteOffset: position, as: UInt8.self)
            rest = quotient
        }
        count += digits
    }

    private static func digits(of value: UInt64) -> Int {
        var digits = 1
        var rest = value
        while rest >= 10_000 {
            rest /= 10_000
            digits += 4
        }
        return digits + (rest >= 1_000 ? 3 : rest >= 100 ? 2 : rest >= 10 ? 1 : 0)
    }

    /// Appends text that needs no quotes.
    mutating func append(number: String) {
        beginField()
        put(number)
    }

    /// Appends text, in quotes if necessary. A spreadsheet treats text that begins with `=`, `+`, `-` or `@` as a
    /// formula. The traced program can control the text, so an apostrophe is put before it.
    mutating func append(_ text: String) {
        beginField()
        var text = text
        let needsQuotes = text.withUTF8 { $0.contains(where: Self.isSpecial) }
        let isFormula = text.utf8.first.map(Self.beginsFormula) ?? false
        guard needsQuotes || isFormula else { return put(text) }
        // Reserve for the worst case: every byte is a quote, which is doubled.
        reserve(2 * text.utf8.count + 3)
        if needsQuotes { put(Self.quote) }
        if isFormula { put(UInt8(ascii: "'")) }
        for byte in text.utf8 {
            if byte == Self.quote { put(Self.quote) }
            put(byte)
        }
        if needsQuotes { put(Self.quote) }
    }

    private static let quote = UInt8(ascii: "\"")

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == quote || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
    }

    private static func beginsFormula(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "\t"),
            UInt8(ascii: "\r"):
            true
        default: false
        }
    }
}
