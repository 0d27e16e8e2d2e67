/// One variant of a scenario, ready to run.
public struct ScenarioRun: Sendable {
    /// What runs.
    public let scenario: any Scenario
    /// With which parameters.
    public let variation: Variation
    /// Whether the twin without the problem runs.
    public let repaired: Bool
    /// How many queues the program has beside those of the scenario.
    public let otherQueues: Int

    /// Draws the parameters of a variant.
    ///
    /// - Parameters:
    ///   - type: the scenario.
    ///   - seed: chooses the variant.
    ///   - repaired: whether to run the twin without the problem.
    ///   - domain: what labels and numbers are like.
    ///   - otherQueues: how many queues the program has beside those of the scenario.
    public init(
        _ type: any Scenario.Type, seed: UInt64, repaired: Bool, domain: Domain = .software, otherQueues: Int = 0
    ) {
        // Two scenarios with one seed need not draw alike.
        let salt = type.id.utf8.reduce(UInt64(seed)) { ($0 &* 1_099_511_628_211) ^ UInt64($1) }
        var variation = Variation(seed: salt, domain: domain)
        scenario = type.init(&variation)
        self.seed = seed
        self.variation = variation
        self.repaired = repaired
        self.otherQueues = otherQueues
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
            + (variation.domain == .software ? [] : ["--domain", variation.domain.rawValue])
            + (otherQueues == 0 ? [] : ["--other-queues", "\(otherQueues)"])
    }

    /// Makes the other queues, and does the work.
    ///
    /// Called on the main thread, once in a process.
    public func run() {
        OtherQueues.make(otherQueues)
        scenario.run(repaired: repaired)
    }
}
