import CTFReader

extension CTFValue {
    /// The value as text. Supports the types that the recorder writes: numbers, enumerations and strings.
    public var recordedText: String {
        switch self {
        case .unsigned(let value, _): "\(value)"
        case .signed(let value, _): "\(value)"
        case .enumeration(let bits, _, _): "\(bits)"
        case .string(let value): value
        default: "?"
        }
    }
}
