import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// The findings in GitHub Flavored Markdown, for the summary of a continuous-integration job or a pull request.
///
/// Text of the traced program is escaped: a label can neither begin a link nor a heading, nor break out of a table.
public struct MarkdownReport {
    private let analysis: Analysis
    private let symbols: SymbolTable
    private let hasFailed: Bool?

    /// Most names of queues in a row of the table.
    private static let nameLimit = 3
    /// Most lines of evidence for each finding.
    private static let evidenceLimit = 5

    /// - Parameters:
    ///   - analysis: the analysis to report.
    ///   - symbols: names of code addresses.
    ///   - hasFailed: whether a check of the findings failed; nil without a check.
    public init(_ analysis: Analysis, symbols: SymbolTable, hasFailed: Bool? = nil) {
        self.analysis = analysis
        self.symbols = symbols
        self.hasFailed = hasFailed
    }

    /// Renders the report, with a line feed at its end.
    public func render() -> String {
        let check = hasFailed.map { $0 ? "check failed, " : "check passed, " } ?? ""
        var lines = ["### Queuescope: \(check)\(headline)", "", facts]
        if let missing = MissingEventsText.paragraph(analysis.trace.missing, findings: analysis.findings) {
            lines += ["", "**Incomplete trace:** \(Self.escaped(missing))."]
        }
        if !analysis.findings.isEmpty {
            lines += ["", "| | finding | cost | where |", "| --- | --- | --- | --- |"]
            lines += analysis.findings.map(row)
            for finding in analysis.findings { lines += [""] + details(finding) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var headline: String {
        let findings = analysis.findings
        if analysis.trace.events == 0, analysis.trace.window == nil {
            return "nothing to judge, the trace has no event"
        }
        let isCrash = analysis.trace.ending?.isCrash ?? false
        let crash = isCrash ? "the program crashed, " : ""
        if findings.isEmpty { return isCrash ? "the program crashed" : "no problem found" }
        let parts = Finding.Severity.allCases.reversed().compactMap { severity -> String? in
            let count = findings.count { $0.severity == severity }
            return count == 0
                ? nil : severity == .info ? "\(count) to note" : CompactNumber.counted(count, severity.rawValue)
        }
        return "\(crash)\(CompactNumber.counted(findings.count, "finding")) (\(parts.joined(separator: ", ")))"
    }

    private var facts: String {
        let trace = analysis.trace
        let programs = trace.processes.map(\.name).filter { !$0.isEmpty }.map(Self.code)
        var parts = programs.isEmpty ? [] : [programs.joined(separator: ", ")]
        parts.append("\(trace.duration)")
        parts.append(CompactNumber.counted(trace.events, "event"))
        if let ending = trace.ending { parts.append("ended \(HeaderSection.words(ending))") }
        return parts.joined(separator: " · ")
    }

    private func row(_ finding: Finding) -> String {
        let places =
            (QueueName.list(finding.queues, in: analysis.model, limit: Self.nameLimit)
            + finding.locks.prefix(Self.nameLimit).map { DisplayText.escaped(analysis.model[$0].name) }
            + finding.code.prefix(1).map { CodeName.of($0, in: analysis.model, symbols: symbols) })
            .map(Self.code).joined(separator: ", ")
        let cost = finding.cost > .zero ? "\(finding.cost)" : ""
        let name = "**\(finding.id) \(finding.detector)**"
        return "| \(finding.severity.rawValue) | \(name): \(Self.escaped(finding.summary)) | \(cost) | \(places) |"
    }

    private func details(_ finding: Finding) -> [String] {
        var lines = ["<details><summary>\(finding.id) \(finding.detector): advice and evidence</summary>", ""]
        lines.append(Self.escaped(finding.advice.text))
        if let caveat = finding.caveat { lines += ["", "Caveat: \(Self.escaped(caveat))"] }
        if !finding.measures.isEmpty {
            lines += ["", "| | |", "| --- | --- |"]
            lines += finding.measures.map { "| \(Self.escaped($0.name)) | \(Self.escaped($0.text)) |" }
        }
        if !finding.evidence.isEmpty { lines.append("") }
        for evidence in finding.evidence.prefix(Self.evidenceLimit) {
            let thread = ThreadName.of(evidence.thread, in: analysis.model)
            lines.append(
                "- \(CompactNumber.exactPlace(evidence.time)), \(Self.escaped(thread)), \(Self.code(evidence.event)): "
                    + Self.escaped(evidence.detail))
        }
        return lines + ["", "</details>"]
    }

    /// Text in which no character has a meaning for Markdown or HTML.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in DisplayText.escaped(text) {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            // GitHub looks for names of users in the rendered text, so an escape does not help.
            case "@": result += "@<!-- -->"
            case "\\", "`", "*", "_", "[", "]", "|", "#", "~": result += "\\\(character)"
            default: result.append(character)
            }
        }
        return result
    }

    /// Text as code. A grave accent cannot be escaped in code, and a vertical bar ends a table cell.
    private static func code(_ text: String) -> String {
        let shown = DisplayText.escaped(text).map { $0 == "`" ? "'" : $0 == "|" ? "¦" : $0 }
        return "`\(String(shown))`"
    }
}
