import Scenarios

/// How much of the critical paths has a named cause: for each scenario the least share of its recordings, and the least
/// median of the problem and its repaired version.
///
/// Only recordings of the quiet machine count. On a busy machine the recorder looks at blocked threads too late.
struct PathTable {
    /// The share that the medians must reach.
    static let required = 0.9

    /// The shares of one scenario, from 0 to 1.
    struct Row {
        let scenario: any Scenario.Type
        let least, median: Double
        /// Whether the median reaches ``PathTable/required``.
        var isExplained: Bool { median >= PathTable.required }
    }

    private struct Shares {
        var problem: [Double] = []
        var repaired: [Double] = []
    }

    private var shares: [String: Shares] = [:]
    /// The smallest share, and the command line that runs the variant again; nil without a recording.
    private var smallest: (share: Double, command: String)?

    /// Adds the share of a recording.
    ///
    /// - Parameters:
    ///   - share: the share, from 0 to 1.
    ///   - run: the recorded variant.
    mutating func add(_ share: Double, of run: ScenarioRun) {
        let scenario = type(of: run.scenario).id
        if run.repaired {
            shares[scenario, default: Shares()].repaired.append(share)
        } else {
            shares[scenario, default: Shares()].problem.append(share)
        }
        guard share < smallest?.share ?? .infinity else { return }
        smallest = (share, "queuescope scenario \(run.arguments.joined(separator: " "))")
    }

    /// Adds the share of a verdict, if the verdict has one.
    mutating func add(_ verdict: Verdict) {
        if let share = verdict.explained { add(share, of: verdict.run) }
    }

    /// The recorded scenarios, in the order of the catalogue.
    var rows: [Row] {
        ScenarioCatalogue.all.compactMap { scenario in
            guard let shares = shares[scenario.id] else { return nil }
            let medians = [shares.problem, shares.repaired].compactMap(GainTable.median)
            guard let least = (shares.problem + shares.repaired).min(), let median = medians.min() else { return nil }
            return Row(scenario: scenario, least: least, median: median)
        }
    }

    /// Whether the median of every scenario reaches ``required``.
    var isExplained: Bool { rows.allSatisfy(\.isExplained) }

    /// The table in Markdown, for the page of the evaluation, and the smallest share.
    var text: String {
        guard let smallest else { return "" }
        var text = """
            | scenario | least share of the critical path with a cause | median | |
            | --- | ---: | ---: | --- |

            """
        for row in rows {
            text += "| `\(row.scenario.id)` | \(Self.percent(row.least)) | \(Self.percent(row.median)) | "
            text += "\(row.isExplained ? "explained" : "NOT EXPLAINED") |\n"
        }
        return text + "\nNamed causes explain at least \(Self.percent(smallest.share)) of each critical path "
            + "(\(smallest.command)).\n"
    }

    /// Truncated instead of rounded, so that 90 % means at least 90 %.
    static func percent(_ share: Double) -> String { "\(Int(share * 100 + 1e-9)) %" }
}
