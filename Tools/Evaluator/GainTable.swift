import DispatchModel
import Scenarios

/// The effect of the detectors' advice: for each scenario the median of its ``Gain`` over the variants with the
/// problem, and over their repaired versions.
///
/// Only recordings of the quiet machine count, because the field conditions change the values.
struct GainTable {
    /// The comparison of one scenario.
    struct Row {
        let scenario: any Scenario.Type
        /// In nanoseconds for a time.
        let problem, repaired: Double
        /// Whether the repaired version is better by at least ``Gain/least``.
        var isBetter: Bool { scenario.gain.isBetter(repaired, than: problem) }
    }

    private struct Values {
        var problem: [Double] = []
        var repaired: [Double] = []
    }

    private var values: [String: Values] = [:]

    /// Adds the value of a recording.
    ///
    /// - Parameters:
    ///   - value: the value, in nanoseconds for a time.
    ///   - scenario: the scenario.
    ///   - repaired: whether the repaired version ran.
    mutating func add(_ value: Double, of scenario: any Scenario.Type, repaired: Bool) {
        if repaired {
            values[scenario.id, default: Values()].repaired.append(value)
        } else {
            values[scenario.id, default: Values()].problem.append(value)
        }
    }

    /// Adds the value of a verdict, if the verdict has one.
    mutating func add(_ verdict: Verdict) {
        guard let value = verdict.gain else { return }
        add(value, of: type(of: verdict.run.scenario), repaired: verdict.run.repaired)
    }

    /// The scenarios of which both versions were recorded, in the order of the catalogue.
    var rows: [Row] {
        ScenarioCatalogue.all.compactMap { scenario in
            guard let values = values[scenario.id], let problem = Self.median(values.problem),
                let repaired = Self.median(values.repaired)
            else { return nil }
            return Row(scenario: scenario, problem: problem, repaired: repaired)
        }
    }

    /// Whether every repaired version is better.
    var isPerfect: Bool { rows.allSatisfy { $0.isBetter } }

    /// The table in Markdown, for the page of the evaluation.
    var text: String {
        var text = """
            | detector | scenario | measure | problem | repaired | |
            | --- | --- | --- | ---: | ---: | --- |

            """
        for row in rows {
            let gain = row.scenario.gain
            text += "| `\(row.scenario.detector)` | `\(row.scenario.id)` | \(gain.name) | "
            text += "\(Self.text(row.problem, gain)) | \(Self.text(row.repaired, gain)) | "
            text += "\(row.isBetter ? "better" : "NOT BETTER") |\n"
        }
        return text
    }

    private static func text(_ value: Double, _ gain: Gain) -> String {
        gain.isTime ? "\(Nanoseconds(Int64(value)))" : "\(Int(value.rounded()))"
    }

    /// The lower median; nil without values.
    static func median(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.sorted()[(values.count - 1) / 2]
    }
}
