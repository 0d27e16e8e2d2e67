/// A value of the environment block.
public enum EnvironmentValue: Hashable, Sendable {
    /// A text.
    case string(String)
    /// A number.
    case integer(Int64)

    /// The text; nil for a number.
    public var stringValue: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The number; nil for a text.
    public var integerValue: Int64? {
        guard case .integer(let value) = self else { return nil }
        return value
    }
}
