/// A decoded value.
public indirect enum CTFValue: Sendable {
    /// An unsigned integer and its base for display.
    case unsigned(UInt64, base: Int)
    /// A signed integer and its base for display.
    case signed(Int64, base: Int)
    /// An enumeration or bit map: its bits (sign-extended when signed) and the labels of the value, empty when it has
    /// none.
    case enumeration(bits: UInt64, isSigned: Bool, labels: [String])
    /// A floating-point number and whether it has 32 bits instead of 64.
    case float(Double, isSingle: Bool)
    /// A text.
    case string(String)
    /// A structure: the fields in the order of their storage.
    case structure([(name: String, value: CTFValue)])
    /// An array.
    case array([CTFValue])
    /// A variant: the name and the value of the selected option.
    case variant(name: String, CTFValue)
    /// A Boolean.
    case boolean(Bool)
    /// An optional field that is not present.
    case absent
}

extension CTFValue {
    /// The bits of an integer, enumeration or Boolean in two's complement; nil for other types.
    public var bits: UInt64? {
        switch self {
        case .unsigned(let value, _): value
        case .signed(let value, _): UInt64(bitPattern: value)
        case .enumeration(let bits, _, _): bits
        case .boolean(let value): value ? 1 : 0
        default: nil
        }
    }

    /// The text of a string or an array of characters; nil for other types.
    public var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}
