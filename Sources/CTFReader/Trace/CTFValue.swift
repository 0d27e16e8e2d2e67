/// A decoded value of any type.
public indirect enum CTFValue: Hashable, Sendable {
    /// A number without a sign, and the base in which to show it.
    case unsigned(UInt64, base: Int)
    /// A number with a sign, and the base in which to show it.
    case signed(Int64, base: Int)
    /// A named number: its bits (sign-extended when signed) and the names of this value, none when it has no name.
    case enumeration(bits: UInt64, isSigned: Bool, labels: [String])
    /// A floating point number and whether it has 32 bits rather than 64.
    case float(Double, isSingle: Bool)
    /// A text.
    case string(String)
    /// Named values in the order in which they are stored.
    case structure([(name: String, value: CTFValue)])
    /// Values of one type.
    case array([CTFValue])
    /// The value of a variant and the name of the option that it has.
    case variant(name: String, CTFValue)

    public static func == (left: CTFValue, right: CTFValue) -> Bool {
        switch (left, right) {
        case (.unsigned(let a, let b), .unsigned(let c, let d)): a == c && b == d
        case (.signed(let a, let b), .signed(let c, let d)): a == c && b == d
        case (.enumeration(let a, let b, let c), .enumeration(let d, let e, let f)): a == d && b == e && c == f
        case (.float(let a, let b), .float(let c, let d)): a == c && b == d
        case (.string(let a), .string(let b)): a == b
        case (.structure(let a), .structure(let b)): a.elementsEqual(b) { $0.name == $1.name && $0.value == $1.value }
        case (.array(let a), .array(let b)): a == b
        case (.variant(let a, let b), .variant(let c, let d)): a == c && b == d
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .unsigned(let value, _): hasher.combine(value)
        case .signed(let value, _): hasher.combine(value)
        case .enumeration(let bits, _, _): hasher.combine(bits)
        case .float(let value, _): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .structure(let fields): for field in fields { hasher.combine(field.value) }
        case .array(let elements): hasher.combine(elements)
        case .variant(let name, let value): hasher.combine(name); hasher.combine(value)
        }
    }
}

extension CTFValue {
    /// The number of an integer or enumeration, negative ones as their two's complement; nil for other types.
    public var bits: UInt64? {
        switch self {
        case .unsigned(let value, _): value
        case .signed(let value, _): UInt64(bitPattern: value)
        case .enumeration(let bits, _, _): bits
        default: nil
        }
    }

    /// The text of a string or of an array of characters; nil for other types.
    public var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}
