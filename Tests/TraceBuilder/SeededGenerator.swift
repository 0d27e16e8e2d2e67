/// A repeatable source of random numbers.
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// - Parameter seed: the same seed gives the same numbers.
    public init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    public mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
