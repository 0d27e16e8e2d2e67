import Foundation
import Scenarios

/// The options of the evaluator.
struct EvaluatorOptions {
    /// Number of times that everything is recorded.
    var runs = 1
    /// Number of variants of each scenario.
    var variants = 20
    /// The seed of the first variant.
    var firstSeed: UInt64 = 1
    /// Number of programs that are recorded at the same time.
    var jobs = 1
    /// The scenarios.
    var scenarios: [any Scenario.Type] = ScenarioCatalogue.all
    /// The conditions under which every variant is judged, in the order of their definition.
    var conditions: [FieldCondition] = [.quiet]
    /// Whether the public cases are judged instead of the scenarios.
    var publicCases = false
    /// The names of the public cases to judge; empty for all.
    private(set) var names: [String] = []
    /// The file for the results as JSON; nil for none.
    var json: URL?
    /// The directory for the traces of wrong verdicts; nil if they are not kept.
    var kept: URL?

    /// An error in the arguments.
    struct Failure: Error {
        let sentence: String
    }

    static let usage = """
        Usage: Tools/evaluate [--runs N] [--variants N] [--first-seed N] [--jobs N] [--only NAME]…
                              [--conditions] [--condition NAME]… [--json FILE] [--keep DIRECTORY]
               Tools/evaluate --public-cases [--only NAME]… [--keep DIRECTORY]

        Records every scenario and its fixed version, analyses the traces, and prints precision and recall of every
        detector, every missed problem and every finding that the scenario does not declare.

          --runs N          number of recordings of everything (default 1)
          --variants N      number of variants of each scenario (default 20)
          --first-seed N    the seed of the first variant (default 1)
          --jobs N          number of parallel recordings (default 1: parallel programs disturb each other's timing)
          --only NAME       only this scenario, or the scenarios of this detector; may be repeated
          --conditions      judge every variant under all field conditions, and print precision and recall of each
          --condition NAME  only under this condition; may be repeated
          --json FILE       also write the results as JSON
          --keep DIRECTORY  keep the traces of wrong verdicts
          --public-cases    judge the programs of Tests/TracedPrograms/PublicCases instead, which are modelled on public
                            bug reports; --only names one of them, and --keep keeps all traces

        Conditions:
        \(conditionList)

        Exit codes: 0 every problem was found and nothing else was reported, 1 otherwise, 64 wrong usage, 70 a recording
        failed.

        """

    private static let conditionList = FieldCondition.allCases.map {
        "  \($0.rawValue.padding(toLength: 16, withPad: " ", startingAt: 0))  \($0.summary)"
    }.joined(separator: "\n")

    private static let names: Set = [
        "--runs", "--variants", "--first-seed", "--jobs", "--only", "--condition", "--json", "--keep",
    ]

    /// Parses the arguments.
    init(_ arguments: [String]) throws(Failure) {
        var rest = arguments[...]
        var only: [any Scenario.Type] = []
        var named: Set<FieldCondition> = []
        while let option = rest.popFirst() {
            if option == "--public-cases" {
                publicCases = true
                continue
            }
            if option == "--conditions" {
                named = Set(FieldCondition.allCases)
                continue
            }
            guard Self.names.contains(option) else { throw Failure(sentence: "unknown option \(option)") }
            guard let value = rest.popFirst() else { throw Failure(sentence: "\(option) needs a value") }
            switch option {
            case "--condition":
                guard let condition = FieldCondition(rawValue: value) else {
                    let known = FieldCondition.allCases.map(\.rawValue).joined(separator: ", ")
                    throw Failure(sentence: "there is no condition \(value); there are \(known)")
                }
                named.insert(condition)
            case "--only" where arguments.contains("--public-cases"): names.append(value)
            case "--only":
                let matching = ScenarioCatalogue.all.filter { $0.id == value || $0.detector == value }
                guard !matching.isEmpty else { throw Failure(sentence: "there is no scenario or detector \(value)") }
                only += matching
            case "--json": json = URL(fileURLWithPath: value)
            case "--keep": kept = URL(fileURLWithPath: value, isDirectory: true)
            case "--runs": runs = try Self.number(value, option)
            case "--variants": variants = try Self.number(value, option)
            case "--jobs": jobs = try Self.number(value, option)
            default: firstSeed = UInt64(try Self.number(value, option))
            }
        }
        if !only.isEmpty { scenarios = only }
        if !named.isEmpty { conditions = FieldCondition.allCases.filter(named.contains) }
    }

    private static func number(_ value: String, _ option: String) throws(Failure) -> Int {
        guard let number = Int(value), number > 0 else {
            throw Failure(sentence: "\(option) needs a positive number, not \(value)")
        }
        return number
    }

    /// The variants to record in one run: for each scenario and seed, the problem and its fixed version.
    var plan: [[ScenarioRun]] {
        let seeds = firstSeed..<firstSeed + UInt64(variants)
        return scenarios.map { scenario in
            seeds.flatMap { seed in
                [false, true].map { ScenarioRun(scenario, seed: seed, repaired: $0) }
            }
        }
    }
}
