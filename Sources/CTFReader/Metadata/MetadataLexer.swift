/// Splits the metadata text into tokens.
struct MetadataLexer {
    private let source: MetadataSource
    private var position = 0

    init(_ source: MetadataSource) {
        self.source = source
    }

    /// All tokens. The last one is the end of the text.
    static func tokens(of source: MetadataSource) throws(CTFError) -> [MetadataToken] {
        var lexer = MetadataLexer(source)
        var tokens: [MetadataToken] = []
        repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
        return tokens
    }

    private func byte(_ ahead: Int = 0) -> UInt8 {
        position + ahead < source.text.count ? source.text[position + ahead] : 0
    }

    private var isAtEnd: Bool { position >= source.text.count }

    private mutating func next() throws(CTFError) -> MetadataToken {
        try skipBlanks()
        let start = position
        guard !isAtEnd else { return MetadataToken(kind: .end, offset: start) }
        let kind: MetadataToken.Kind
        switch byte() {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
            while Self.isWordByte(byte()) { position += 1 }
            kind = .word(String(decoding: source.text[start..<position], as: UTF8.self))
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            kind = .number(try number())
        case UInt8(ascii: "\""):
            // As in C and in babeltrace2, a null character ends the text.
            let bytes = try quoted(by: UInt8(ascii: "\""))
            kind = .text(String(decoding: bytes[..<(bytes.firstIndex(of: 0) ?? bytes.count)], as: UTF8.self))
        case UInt8(ascii: "'"):
            let characters = try quoted(by: UInt8(ascii: "'"))
            guard characters.count == 1 else {
                throw source.error(.syntax, at: start, "Expected one character between the quotation marks")
            }
            kind = .number(UInt64(characters[0]))
        default:
            kind = .sign(try sign())
        }
        return MetadataToken(kind: kind, offset: start)
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private mutating func skipBlanks() throws(CTFError) {
        while !isAtEnd {
            switch (byte(), byte(1)) {
            case (UInt8(ascii: " "), _), (UInt8(ascii: "\t"), _), (UInt8(ascii: "\n"), _), (UInt8(ascii: "\r"), _):
                position += 1
            case (UInt8(ascii: "/"), UInt8(ascii: "/")):
                while !isAtEnd, byte() != UInt8(ascii: "\n") { position += 1 }
            case (UInt8(ascii: "/"), UInt8(ascii: "*")):
                let start = position
                position += 2
                while byte() != UInt8(ascii: "*") || byte(1) != UInt8(ascii: "/") {
                    guard !isAtEnd else { throw source.error(.syntax, at: start, "The comment has no end") }
                    position += 1
                }
                position += 2
            default: return
            }
        }
    }

    private mutating func sign() throws(CTFError) -> MetadataToken.Sign {
        // Only "..." and ":=" have more than one byte.
        let isMaybeLonger = byte() == UInt8(ascii: ".") || byte() == UInt8(ascii: ":")
        for length in isMaybeLonger ? [3, 2, 1] : [1] where position + length <= source.text.count {
            let text = String(decoding: source.text[position..<position + length], as: UTF8.self)
            if let sign = MetadataToken.Sign(rawValue: text) {
                position += length
                return sign
            }
        }
        throw source.error(.syntax, at: position, "Unexpected byte 0x\(String(byte(), radix: 16))")
    }

    private mutating func number() throws(CTFError) -> UInt64 {
        let start = position
        while Self.isWordByte(byte()) { position += 1 }
        var digits = String(decoding: source.text[start..<position], as: UTF8.self).lowercased()
        while digits.count > 1, digits.last == "u" || digits.last == "l" { digits.removeLast() }
        let value: UInt64? =
            if digits.hasPrefix("0x") {
                UInt64(digits.dropFirst(2), radix: 16)
            } else if digits.hasPrefix("0"), digits.count > 1 {
                UInt64(digits.dropFirst(), radix: 8)
            } else {
                UInt64(digits)
            }
        guard let value else {
            throw source.error(.syntax, at: start, "'\(digits)' is not an integer of at most 64 bits")
        }
        return value
    }

    private mutating func quoted(by mark: UInt8) throws(CTFError) -> [UInt8] {
        let start = position
        var text: [UInt8] = []
        position += 1
        while byte() != mark || isAtEnd {
            guard !isAtEnd, byte() != UInt8(ascii: "\n") else {
                throw source.error(.syntax, at: start, "The text in quotation marks has no end in this line")
            }
            if byte() == UInt8(ascii: "\\") {
                position += 1
                text.append(contentsOf: try escape())
            } else {
                text.append(byte())
                position += 1
            }
        }
        position += 1
        return text
    }

    private mutating func escape() throws(CTFError) -> [UInt8] {
        let start = position
        let letter = byte()
        position += 1
        switch letter {
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "a"): return [0x07]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "v"): return [0x0B]
        case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "?"): return [letter]
        // babeltrace2 reads three digits and keeps the low byte.
        case UInt8(ascii: "x"): return [digits(atMost: 3, radix: 16)]
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            position -= 1
            return [digits(atMost: 3, radix: 8)]
        default: throw source.error(.syntax, at: start, "Unknown escape sequence in a text")
        }
    }

    private mutating func digits(atMost limit: Int, radix: Int) -> UInt8 {
        var value = 0
        var count = 0
        while count < limit, let digit = Character(UnicodeScalar(byte())).hexDigitValue, digit < radix {
            value = value * radix + digit
            position += 1
            count += 1
        }
        return UInt8(truncatingIfNeeded: value)
    }
}
