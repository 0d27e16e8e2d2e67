/// Tells intervals of the same name apart.
public struct SignpostID: RawRepresentable, Hashable, Sendable {
    /// The number in the trace; 48 bits.
    public let rawValue: UInt64

    /// Creates an id.
    ///
    /// - Parameter rawValue: the number; the trace keeps its lower 48 bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// For intervals that never overlap another one of the same name.
    public static let exclusive = SignpostID(rawValue: 0)
}
