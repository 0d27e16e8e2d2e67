/// Draws the parameters of a scenario's variant from a seed, and stores them for display.
public struct Variation: Sendable {
    /// The same seed draws the same parameters.
    public let seed: UInt64
    /// The drawn parameters, in the order of drawing.
    public private(set) var parameters: [(name: String, value: String)] = []
    /// The style of labels and numbers.
    public let domain: Domain
    private var random: SplitMix64

    /// Creates the variation of a seed.
    public init(seed: UInt64, domain: Domain = .software) {
        self.seed = seed
        self.domain = domain
        random = SplitMix64(seed: seed)
    }

    /// Draws a number.
    public mutating func count(_ name: String, _ range: ClosedRange<Int>) -> Int {
        let value = Int.random(in: domain.range(range), using: &random)
        parameters.append((name, "\(value)"))
        return value
    }

    /// Draws one of several numbers.
    public mutating func count(_ name: String, among values: [Int]) -> Int {
        let value = values.randomElement(using: &random) ?? 0
        parameters.append((name, "\(value)"))
        return value
    }

    /// Draws a duration, in steps of a microsecond.
    public mutating func duration(_ name: String, _ range: ClosedRange<Duration>) -> Duration {
        let range = domain.range(Int(range.lowerBound.microseconds)...Int(range.upperBound.microseconds))
        let value = Duration.microseconds(Int64(Int.random(in: range, using: &random)))
        parameters.append((name, "\(value.microseconds) µs"))
        return value
    }

    /// Draws the prefix of a label and appends the topic.
    public mutating func label(_ topic: String) -> String {
        let value = domain.label(topic, using: &random)
        parameters.append(("label", value))
        return value
    }
}

extension Duration {
    /// Whole microseconds.
    var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}
