import Scenarios

/// What to evaluate.
struct EvaluatorOptions {
    /// How often everything is recorded.
    var runs = 1
    /// How many variants of each scenario.
    var variants = 20
    /// The seed of the first variant.
    var firstSeed: UInt64 = 1
    /// The scenarios.
    var scenarios: [any Scenario.Type] = ScenarioCatalogue.all

    /// What is wrong with the arguments.
    struct Failure: Error {
        let sentence: String
    }

    static let usage = """
        Usage: Tools/evaluate [--runs N] [--variants N] [--first-seed N] [--only NAME]…

        Records every scenario and its repaired twin afresh, analyses them, and prints precision and recall of every detector,
        every miss and every finding that the scenario does not declare.

          --runs N          how often to record everything (default 1)
          --variants N      how many variants of each scenario (default 20)
          --first-seed N    the seed of the first variant (default 1)
          --only NAME       only this scenario, or those of this detector; may be repeated

        Exit codes: 0 every problem found and nothing else reported, 1 not so, 64 wrong usage, 70 something cannot be recorded.

        """

    /// Reads the arguments.
    init(_ arguments: [String]) throws(Failure) {
        var rest = arguments[...]
        var only: [any Scenario.Type] = []
        while let option = rest.popFirst() {
            guard ["--runs", "--variants", "--first-seed", "--only"].contains(option) else {
                throw Failure(sentence: "unknown option \(option)")
            }
            guard let value = rest.popFirst() else { throw Failure(sentence: "\(option) needs a value") }
            if option == "--only" {
                let named = ScenarioCatalogue.all.filter { $0.id == value || $0.detector == value }
                guard !named.isEmpty else { throw Failure(sentence: "there is no scenario or detector \(value)") }
                only += named
                continue
            }
            guard let number = Int(value), number > 0 else {
                throw Failure(sentence: "\(option) needs a positive number, not \(value)")
            }
            switch option {
            case "--runs": runs = number
            case "--variants": variants = number
            default: firstSeed = UInt64(number)
            }
        }
        if !only.isEmpty { scenarios = only }
    }
}
