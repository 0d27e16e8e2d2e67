/// Rows of comma-separated values (RFC 4180) as they are built.
struct CSVText {
    /// The number of the process whose rows these are.
    var process = 0
    /// What has not been written yet.
    private(set) var bytes: [UInt8] = []
    private var isAtBeginOfRow = true

    private static let longestInteger = 20

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Ends a row.
    mutating func endRow() {
        bytes.append(UInt8(ascii: "\r"))
        bytes.append(UInt8(ascii: "\n"))
        isAtBeginOfRow = true
    }

    private mutating func beginField() {
        if !isAtBeginOfRow { bytes.append(UInt8(ascii: ",")) }
        isAtBeginOfRow = false
    }

    mutating func appendEmpty() { beginField() }

    mutating func append(_ value: Int64) {
        beginField()
        var rest = value.magnitude
        if rest < 10, value >= 0 { return bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest)) }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.longestInteger) { digits in
            var position = Self.longestInteger
            repeat {
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                position -= 1
                digits[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
                rest = quotient
            } while rest > 0
            if value < 0 {
                position -= 1
                digits[position] = UInt8(ascii: "-")
            }
            bytes.append(contentsOf: UnsafeMutableBufferPointer(rebasing: digits[position...]))
        }
    }

    /// Appends text that needs no quotes.
    mutating func append(number: String) {
        beginField()
        bytes.append(contentsOf: number.utf8)
    }

    /// Appends text, in quotes where it has to be. A spreadsheet takes what begins with `=`, `+`, `-` or `@` for a formula:
    /// such text, which the traced program may have chosen, gets an apostrophe in front.
    mutating func append(_ text: String) {
        beginField()
        var text = text
        let needsQuotes = text.withUTF8 { $0.contains(where: Self.isSpecial) }
        let isFormula = text.utf8.first.map(Self.beginsFormula) ?? false
        guard needsQuotes || isFormula else { return bytes.append(contentsOf: text.utf8) }
        if needsQuotes { bytes.append(Self.quote) }
        if isFormula { bytes.append(UInt8(ascii: "'")) }
        for byte in text.utf8 {
            if byte == Self.quote { bytes.append(Self.quote) }
            bytes.append(byte)
        }
        if needsQuotes { bytes.append(Self.quote) }
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
