/// A decoded value of any type.
public indirect enum CTFValue: Sendable {
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
