/// One variant of a scenario, ready to run.
public struct ScenarioRun: Sendable {
    /// The scenario with its parameters.
    public let scenario: any Scenario
    /// The parameters.
    public let variation: Variation
    /// Does the repaired version run?
    public let repaired: Bool
    /// The number of queues of the program in addition to the queues of the scenario.
    public let otherQueues: Int

    /// Draws the parameters of a variant.
    ///
    /// - Parameters:
    ///   - type: the scenario.
    ///   - seed: selects the variant.
    ///   - repaired: whether to run the repaired version.
    ///   - domain: the style of labels and numbers.
    ///   - otherQueues: the number of further queues of the program.
    public init(
        _ type: any Scenario.Type, seed: UInt64, repaired: Bool, domain: Domain = .software, otherQueues: Int = 0
    ) {
        // The salt makes two scenarios with the same seed draw different parameters.
        let salt = type.id.utf8.reduce(UInt64(seed)) { ($0 &* 1_099_511_628_211) ^ UInt64($1) }
        var variation = Variation(seed: salt, domain: domain)
        scenario = type.init(&variation)
        self.seed = seed
        self.variation = variation
        self.repaired = repaired
        self.otherQueues = otherQueues
    }

    /// Selects the variant.
    public let seed: UInt64

    /// How the process must end.
    public var ending: Ending { repaired ? .success : type(of: scenario).ending }

    /// The arguments that run the same variant again, and its parameters.
    public var description: String { arguments.joined(separator: " ") + (parameters.isEmpty ? "" : ": \(parameters)") }

    /// The drawn parameters: `name=value`, in the order of drawing.
    public var parameters: String { variation.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: ", ") }

    /// The arguments of `queuescope scenario` for this variant.
    public var arguments: [String] {
        [type(of: scenario).id, "--seed", "\(seed)"] + (repaired ? ["--repaired"] : [])
            + (variation.domain == .software ? [] : ["--domain", variation.domain.rawValue])
            + (otherQueues == 0 ? [] : ["--other-queues", "\(otherQueues)"])
    }

    /// Creates the other queues, and does the work.
    ///
    /// Called on the main thread, once in a process.
    public func run() {
        OtherQueues.make(otherQueues)
        scenario.run(repaired: repaired)
    }
}
