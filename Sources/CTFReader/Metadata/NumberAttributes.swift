/// The attributes of `integer`, `floating_point` and `string`.
struct NumberAttributes {
    /// The largest alignment in bits: a page of 4 KiB.
    private static let alignmentLimit: Int128 = 32768

    private let attributes: [AttributeSyntax]
    private let source: MetadataSource
    private let isBigEndian: Bool

    init(_ attributes: [AttributeSyntax], _ source: MetadataSource, _ isBigEndian: Bool) {
        self.attributes = attributes
        self.source = source
        self.isBigEndian = isBigEndian
    }

    private subscript(name: String) -> AttributeSyntax? {
        attributes.last { $0.name == name }
    }

    private func invalid(_ attribute: AttributeSyntax, _ expected: String) -> CTFError {
        source.error(.invalidAttribute, at: attribute.offset, "'\(attribute.name)' must be \(expected)")
    }

    private func number(_ name: String, in range: ClosedRange<Int128>) throws(CTFError) -> Int? {
        guard let attribute = self[name] else { return nil }
        guard case .number(let number) = attribute.value, range.contains(number) else {
            throw invalid(attribute, "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return Int(number)
    }

    static func checkedAlignment(_ value: Int128, _ source: MetadataSource, at offset: Int) throws(CTFError) -> Int {
        guard value > 0, value <= alignmentLimit, value & (value - 1) == 0 else {
            throw source.error(
                .invalidAttribute, at: offset,
                "An alignment must be a power of two from 1 to \(alignmentLimit) bits, not \(value)")
        }
        return Int(value)
    }

    private func alignment() throws(CTFError) -> Int? {
        guard let attribute = self["align"] else { return nil }
        guard case .number(let number) = attribute.value else { throw invalid(attribute, "a number of bits") }
        return try Self.checkedAlignment(number, source, at: attribute.offset)
    }

    private func byteOrder() throws(CTFError) -> Bool {
        guard let attribute = self["byte_order"] else { return isBigEndian }
        return try Self.isBigEndian(attribute, native: isBigEndian, source)
    }

    /// Whether the value of a `byte_order` attribute is big-endian.
    static func isBigEndian(
        _ attribute: AttributeSyntax, native: Bool, _ source: MetadataSource
    ) throws(CTFError) -> Bool {
        switch attribute.value {
        case .words("le"): return false
        case .words("be"), .words("network"): return true
        case .words("native"): return native
        default:
            throw source.error(
                .invalidAttribute, at: attribute.offset, "'byte_order' must be 'le', 'be', 'network' or 'native'")
        }
    }

    private func isSigned() throws(CTFError) -> Bool {
        guard let attribute = self["signed"] else { return false }
        switch attribute.value {
        case .words("true"), .words("TRUE"), .number(1): return true
        case .words("false"), .words("FALSE"), .number(0): return false
        default: throw invalid(attribute, "'true' or 'false'")
        }
    }

    private func base() throws(CTFError) -> Int {
        guard let attribute = self["base"] else { return 10 }
        switch attribute.value {
        case .number(10), .words("decimal"), .words("dec"), .words("d"), .words("i"), .words("u"): return 10
        case .number(16), .words("hexadecimal"), .words("hex"), .words("x"), .words("X"), .words("p"): return 16
        case .number(8), .words("octal"), .words("oct"), .words("o"): return 8
        case .number(2), .words("binary"), .words("b"): return 2
        default: throw invalid(attribute, "2, 8, 10 or 16")
        }
    }

    func encoding(default normal: CTFStringEncoding) throws(CTFError) -> CTFStringEncoding {
        guard let attribute = self["encoding"] else { return normal }
        switch attribute.value {
        case .words("none"), .text("none"): return .none
        case .words("UTF8"), .text("UTF8"), .words("utf8"), .text("utf8"), .text("UTF-8"): return .utf8
        case .words("ASCII"), .text("ASCII"), .words("ascii"), .text("ascii"): return .ascii
        default: throw invalid(attribute, "'none', 'UTF8' or 'ASCII'")
        }
    }

    private func clock() throws(CTFError) -> String? {
        guard let attribute = self["map"] else { return nil }
        guard case .words(let words) = attribute.value, words.hasPrefix("clock."), words.hasSuffix(".value"),
            words.split(separator: ".").count == 3
        else { throw invalid(attribute, "of the form 'clock.NAME.value'") }
        return String(words.split(separator: ".")[1])
    }

    func integer(at offset: Int) throws(CTFError) -> CTFIntegerType {
        guard let size = try number("size", in: 1...64) else {
            throw source.error(.missingAttribute, at: offset, "The integer type has no 'size'")
        }
        return CTFIntegerType(
            size: size, alignment: try alignment() ?? (size % 8 == 0 ? 8 : 1), isSigned: try isSigned(),
            isBigEndian: try byteOrder(), base: try base(), encoding: try encoding(default: .none), clock: try clock())
    }

    func float(at offset: Int) throws(CTFError) -> CTFFloatType {
        guard let exponent = try number("exp_dig", in: 1...256), let mantissa = try number("mant_dig", in: 1...256)
        else {
            throw source.error(
                .missingAttribute, at: offset, "The floating point type needs both 'exp_dig' and 'mant_dig'")
        }
        guard (exponent, mantissa) == (8, 24) || (exponent, mantissa) == (11, 53) else {
            throw source.error(
                .invalidAttribute, at: offset,
                "The floating point type has \(exponent) + \(mantissa) bits; 8 + 24 and 11 + 53 are supported")
        }
        return CTFFloatType(
            exponentDigits: exponent, mantissaDigits: mantissa, alignment: try alignment() ?? 8,
            isBigEndian: try byteOrder())
    }
}
