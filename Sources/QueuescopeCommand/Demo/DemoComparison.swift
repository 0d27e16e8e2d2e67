import DispatchAnalysis
import DispatchModel

/// The demo before and after its fix, side by side.
struct DemoComparison {
    struct Side {
        let run: DemoRun?
        let analysis: Analysis
        let overlap: Double

        var handoffs: Int { analysis.queues.reduce(0) { $0 + $1.handoffs } }
        var waited: Nanoseconds { analysis.queues.reduce(.zero) { $0 + $1.waitTotal } }
        var wallTime: Nanoseconds {
            run.map { Nanoseconds(Int64($0.seconds * 1e9)) } ?? analysis.trace.duration
        }
    }

    let before: Side
    let after: Side

    private static let widths = (name: 30, value: 12)

    /// The table, ended by a line feed.
    var text: String {
        var text = Self.line("", "before", "after", "after/before")
        text += " " + String(repeating: "─", count: Self.widths.name + 3 * (Self.widths.value + 2)) + "\n"
        text += findings("findings") { _ in true }
        for detector in detectors { text += findings("  \(detector)") { $0.detector == detector } }
        text += Self.line(
            "handlers overlapping", Self.percent(before.overlap), Self.percent(after.overlap),
            Self.ratio(after.overlap, before.overlap))
        text += count("sync hand-offs", \.handoffs)
        if let before = before.run, let after = after.run {
            text += Self.line(
                "context switches", Self.grouped(before.switches), Self.grouped(after.switches),
                Self.ratio(Double(after.switches), Double(before.switches)))
        }
        text += duration("waited in queues", \.waited)
        text += duration("wall time", \.wallTime)
        return text
    }

    /// Every detector that found something, in the order of the report.
    private var detectors: [String] {
        var seen: [String] = []
        for finding in before.analysis.findings + after.analysis.findings where !seen.contains(finding.detector) {
            seen.append(finding.detector)
        }
        return seen
    }

    private func findings(_ name: String, _ isCounted: (Finding) -> Bool) -> String {
        let before = before.analysis.findings.count(where: isCounted)
        let after = after.analysis.findings.count(where: isCounted)
        return Self.line(name, "\(before)", after == 0 ? "none" : "\(after)", "")
    }

    private func count(_ name: String, _ value: (Side) -> Int) -> String {
        Self.line(
            name, Self.grouped(value(before)), Self.grouped(value(after)),
            Self.ratio(Double(value(after)), Double(value(before))))
    }

    private func duration(_ name: String, _ value: (Side) -> Nanoseconds) -> String {
        let (before, after) = (value(before), value(after))
        return Self.line(
            name, before.description, after.description, Self.ratio(Double(after.count), Double(before.count)))
    }

    private static func line(_ name: String, _ before: String, _ after: String, _ ratio: String) -> String {
        func right(_ text: String) -> String { String(repeating: " ", count: max(0, widths.value - text.count)) + text }
        let name = name + String(repeating: " ", count: max(0, widths.name - name.count))
        let values = [right(before), right(after)] + (ratio.isEmpty ? [] : [right(ratio)])
        return " " + ([name] + values).joined(separator: "  ") + "\n"
    }

    private static func grouped(_ count: Int) -> String {
        var groups: [String] = []
        var rest = count
        while rest >= 1_000 {
            let group = String(rest % 1_000)
            groups.insert(String(repeating: "0", count: 3 - group.count) + group, at: 0)
            rest /= 1_000
        }
        return ([String(rest)] + groups).joined(separator: ",")
    }

    private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded()))%" }

    /// `×0.42`; a dash where there is nothing to compare with.
    private static func ratio(_ after: Double, _ before: Double) -> String {
        guard before > 0 else { return "–" }
        let hundredths = Int((after / before * 100).rounded())
        let fraction = hundredths % 100
        return "×\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}
