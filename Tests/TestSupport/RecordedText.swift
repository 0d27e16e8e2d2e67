import CTFReader

extension CTFValue {
    /// A number's digits, or a text; what the recorder writes is nothing else.
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
