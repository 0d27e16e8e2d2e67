/// Draws the parameters of one variant of a scenario from a seed, and remembers them so that a person can read them.
public struct Variation: Sendable {
    /// The same seed draws the same parameters.
    public let seed: UInt64
    /// What was drawn, in the order of drawing.
    public private(set) var parameters: [(name: String, value: String)] = []
    private var random: SplitMix64

    /// Creates the variation of a seed.
    public init(seed: UInt64) {
        self.seed = seed
        random = SplitMix64(state: seed)
    }

    /// Draws a number of things.
    public mutating func count(_ name: String, _ range: ClosedRange<Int>) -> Int {
        let value = Int.random(in: range, using: &random)
        parameters.append((name, "\(value)"))
        return value
    }

    /// Draws one of several numbers of things.
    public mutating func count(_ name: String, among values: [Int]) -> Int {
        let value = values.randomElement(using: &random) ?? 0
        parameters.append((name, "\(value)"))
        return value
    }

    /// Draws a duration, in steps of a microsecond.
    public mutating func duration(_ name: String, _ range: ClosedRange<Duration>) -> Duration {
        let lower = range.lowerBound.microseconds
        let value = Duration.microseconds(Int64.random(in: lower...range.upperBound.microseconds, using: &random))
        parameters.append((name, "\(value.microseconds) µs"))
        return value
    }

    /// Draws the prefix of a label, and adds the topic to it.
    public mutating func label(_ topic: String) -> String {
        let company = ["org.example", "com.acme", "net.northwind", "io.contoso", "app.fabrikam"].randomElement(
            using: &random)!
        let product = ["reader", "shop", "player", "mail", "gateway", "ledger"].randomElement(using: &random)!
        let value = "\(company).\(product).\(topic)"
        parameters.append(("label", value))
        return value
    }
}

/// Vigna's generator, https://prng.di.unimi.it/splitmix64.c: small, and the same on every machine.
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension Duration {
    /// Whole microseconds.
    var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}
