/// Writes OTLP/JSON: the JSON mapping of Protocol Buffers, with identifiers as hexadecimal digits and enumerations as
/// integers.
struct OTLPText {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Number of bytes that have not been taken yet.
    var count: Int { bytes.count }

    /// Returns the bytes since the last call, and removes them.
    mutating func take() -> [UInt8] {
        defer {
            bytes.removeAll(keepingCapacity: true)
            needsComma = false
        }
        return bytes
    }

    /// Appends text that another instance wrote as a whole value.
    mutating func append(_ other: OTLPText) {
        separate()
        bytes += other.bytes
        needsComma = true
    }

    /// Writes an object: the member of an object with a name, or an element of an array without one.
    mutating func object(_ name: StaticString? = nil, _ content: (inout OTLPText) -> Void) {
        open(name, "{")
        content(&self)
        close("}")
    }

    mutating func array(_ name: StaticString, _ content: (inout OTLPText) -> Void) {
        open(name, "[")
        content(&self)
        close("]")
    }

    mutating func string(_ name: StaticString, _ value: String) {
        key(name)
        quote(value)
    }

    /// Writes a number of at most 32 bits, or the number of an enumeration.
    mutating func integer(_ name: StaticString, _ value: Int) {
        key(name)
        put("\(value)")
    }

    /// Writes a number of 64 bits, which the mapping requires to be a string of digits.
    mutating func longInteger(_ name: StaticString, _ value: Int64) {
        key(name)
        put("\"\(value)\"")
    }

    /// Writes an element of an array of 64-bit numbers.
    mutating func longInteger(_ value: Int64) {
        separate()
        put("\"\(value)\"")
    }

    /// Writes a finite number.
    mutating func double(_ name: StaticString, _ value: Double) {
        key(name)
        put("\(value)")
    }

    /// Writes an element of an array of finite numbers.
    mutating func double(_ value: Double) {
        separate()
        put("\(value)")
    }

    mutating func boolean(_ name: StaticString, _ value: Bool) {
        key(name)
        put(value ? "true" : "false")
    }

    mutating func identifier(_ name: StaticString, _ value: OTLPTraceID) {
        key(name)
        put("\"\(value)\"")
    }

    mutating func identifier(_ name: StaticString, _ value: OTLPSpanID) {
        key(name)
        put("\"\(value)\"")
    }

    /// Writes the member `attributes`, unless there are none.
    mutating func attributes(_ attributes: [OTLPAttribute]) {
        guard !attributes.isEmpty else { return }
        array("attributes") { text in
            for attribute in attributes { text.object { attribute.write(to: &$0) } }
        }
    }

    private mutating func open(_ name: StaticString?, _ bracket: Unicode.Scalar) {
        if let name { key(name) } else { separate() }
        bytes.append(UInt8(ascii: bracket))
        needsComma = false
    }

    private mutating func close(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func key(_ name: StaticString) {
        separate()
        bytes.append(Self.quotationMark)
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(Self.quotationMark)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private static let quotationMark = UInt8(ascii: "\"")
    private static let digits = Array("0123456789abcdef".utf8)

    private mutating func quote(_ value: String) {
        bytes.append(Self.quotationMark)
        for byte in value.utf8 {
            switch byte {
            case Self.quotationMark, UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                put("\\u00")
                bytes.append(Self.digits[Int(byte >> 4)])
                bytes.append(Self.digits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(Self.quotationMark)
    }
}

/// An attribute of a span, an event, a data point or a resource.
struct OTLPAttribute: Hashable {
    enum Value: Hashable {
        case text(String)
        case integer(Int64)
        case flag(Bool)
    }

    let key: String
    let value: Value

    static func text(_ key: String, _ value: String) -> OTLPAttribute { OTLPAttribute(key: key, value: .text(value)) }
    static func integer(_ key: String, _ value: Int64) -> OTLPAttribute {
        OTLPAttribute(key: key, value: .integer(value))
    }
    static func flag(_ key: String, _ value: Bool) -> OTLPAttribute { OTLPAttribute(key: key, value: .flag(value)) }

    func write(to text: inout OTLPText) {
        text.string("key", key)
        text.object("value") { text in
            switch value {
            case .text(let value): text.string("stringValue", value)
            case .integer(let value): text.longInteger("intValue", value)
            case .flag(let value): text.boolean("boolValue", value)
            }
        }
    }
}
