/// One variant of a scenario, ready to run.
public struct ScenarioRun: Sendable {
    /// What runs.
    public let scenario: any Scenario
    /// With which parameters.
    public let variation: Variation
    /// Whether the twin without the problem runs.
    public let repaired: Bool

    /// Draws the parameters of a variant.
    ///
    /// - Parameters:
    ///   - type: the scenario.
    ///   - seed: chooses the variant.
    ///   - repaired: whether to run the twin without the problem.
    public init(_ type: any Scenario.Type, seed: UInt64, repaired: Bool) {
        // Two scenarios with one seed need not draw alike.
        let salt = type.id.utf8.reduce(UInt64(seed)) { ($0 &* 1_099_511_628_211) ^ UInt64($1) }
        var variation = Variation(seed: salt)
        scenario = type.init(&variation)
        self.seed = seed
        self.variation = variation
        self.repaired = repaired
    }

    /// Chooses the variant.
    public let seed: UInt64

    /// How the process must end.
    public var ending: Ending { repaired ? .success : type(of: scenario).ending }

    /// The arguments that run the same variant again, then its parameters.
    public var description: String { arguments.joined(separator: " ") + (parameters.isEmpty ? "" : ": \(parameters)") }

    /// What was drawn: `name=value`, in the order of drawing.
    public var parameters: String { variation.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: ", ") }

    /// The arguments of `queuescope scenario` for this variant.
    public var arguments: [String] {
        [type(of: scenario).id, "--seed", "\(seed)"] + (repaired ? ["--repaired"] : [])
    }
}
