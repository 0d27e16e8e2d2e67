import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText
import Symbolication

/// The result of a check for the log of a build: the verdict, then a paragraph for each new finding and a line for each
/// other finding.
public struct CheckText {
    private static let indent = 8

    private let check: FindingCheck
    private let symbols: SymbolTable
    private let style: TextStyle

    /// - Parameters:
    ///   - check: the result of the check.
    ///   - symbols: names of code addresses.
    ///   - style: width and colours; the amount of detail has no effect.
    public init(_ check: FindingCheck, symbols: SymbolTable? = nil, style: TextStyle = TextStyle()) {
        self.check = check
        self.symbols = symbols ?? SymbolTable(images: check.analysis.model.images)
        self.style = style
    }

    /// Renders the text, with a line feed at its end.
    public func render() -> String {
        var page = TextPage(style, links: style.links?.links(in: [check.analysis.model], [symbols]))
        if let crash = check.crash { page.addParagraph("FAILED: \(Self.sentence(crash))", .error, indent: 0) }
        let passes = check.crash == nil && !check.hasFailed
        page.addParagraph(verdict, check.entries.contains { $0.fails } ? .error : passes ? .good : .plain, indent: 0)
        let window = check.analysis.trace.window
        if let window { page.addParagraph("Read: \(HeaderSection.words(window)).", .faint, indent: 0) }
        let new = check.entries.filter { !$0.isKnown && !$0.isUnmatched }
        for entry in new.filter(\.fails) + new.filter({ !$0.fails }) { draw(entry, on: &page) }
        let known = check.entries.filter(\.isKnown)
        let unmatched = check.entries.filter(\.isUnmatched)
        if !known.isEmpty || !unmatched.isEmpty || !check.gone.isEmpty { page.addGap() }
        for entry in known {
            add("known", "\(entry.finding.detector): \(Self.words(entry.identity))", .faint, to: &page)
        }
        for entry in unmatched {
            add("?", "\(entry.finding.detector): \(Self.words(entry.identity))", .warning, to: &page)
        }
        if !unmatched.isEmpty {
            page.addParagraph(
                "Cannot match the findings with ?: " + Self.namelessReason("the trace or the baseline"), .faint,
                indent: Self.indent)
        }
        for identity in check.gone {
            add("gone", "\(DisplayText.escaped(identity.detector)): \(Self.words(identity))", .good, to: &page)
        }
        if !check.gone.isEmpty, window == nil {
            page.addParagraph(
                "To remove the gone findings, write a new baseline with --write-baseline.", .faint, indent: Self.indent
            )
        }
        for sentence in MissingEventsText.sentences(on: check.analysis.trace) {
            page.addParagraph(sentence, label: TextLine("note", .warning), indent: 6)
        }
        return page.string()
    }

    private var verdict: String {
        let worse = check.entries.count { $0.risenFrom != nil }
        let unmatched = check.entries.count { $0.isUnmatched }
        let new = check.entries.count { !$0.isKnown } - worse - unmatched
        let known = check.entries.count - new - worse - unmatched
        var parts: [String] = []
        if check.hasBaseline {
            parts = ["\(new) new"] + (worse > 0 ? ["\(worse) worse"] : [])
            parts += ["\(known) known", "\(check.gone.count) gone"]
            if unmatched > 0 { parts.append("\(unmatched) cannot be matched") }
        } else if new > 0 {
            parts = [CompactNumber.counted(new, "finding")]
        }
        let failing = check.entries.count { $0.fails }
        let rule = "fails on \(check.policy.description)"
        let counts = parts.isEmpty ? "" : parts.joined(separator: ", ") + "; "
        if failing > 0 {
            let noun = worse > 0 ? "new or worse finding" : check.hasBaseline ? "new finding" : "finding"
            return "FAILED: \(CompactNumber.counted(failing, noun)) "
                + "\(failing == 1 ? "fails" : "fail") the check (\(counts)\(rule))."
        }
        let outcome = check.entries.isEmpty ? "no finding" : "no finding fails the check"
        return "\(check.crash == nil ? "passed" : "findings"): \(outcome) (\(counts)\(rule))."
    }

    /// For example `the program crashed: it ended by signal 11 (Segmentation fault).`
    static func sentence(_ crash: ProgramEnding) -> String {
        "the program crashed: it ended \(HeaderSection.words(crash))."
    }

    private func draw(_ entry: FindingCheck.Entry, on page: inout TextPage) {
        let finding = entry.finding
        page.addGap()
        var line = TextLine(
            " " + DisplayText.padded(name(of: entry), to: Self.indent - 1), .strong)
        line.append(finding.severity.rawValue, finding.severity.color)
        line.append(" " + finding.detector, .title)
        if let severity = entry.risenFrom { line.append(" · was \(severity.rawValue)", .warning) }
        if finding.cost > .zero { line.append(" · cost \(finding.cost)", .faint) }
        if !entry.fails { line.append(" · does not fail the check", .faint) }
        page.add(line)
        page.addParagraph(DisplayText.escaped(finding.summary), indent: Self.indent)
        if let code = finding.code.first {
            page.addParagraph(
                "at " + CodeName.of(code, in: check.analysis.model, symbols: symbols), .place, indent: Self.indent)
        }
        let advice = VerdictSection.firstSentence(DisplayText.escaped(finding.advice.text))
        page.addParagraph(advice, .good, indent: Self.indent)
    }

    private func name(of entry: FindingCheck.Entry) -> String {
        guard check.hasBaseline else { return entry.finding.id }
        return entry.risenFrom == nil ? "new" : "worse"
    }

    /// The reason why code of a finding has no names, and the remedy.
    ///
    /// - Parameter side: the trace without names.
    static func namelessReason(_ side: String) -> String {
        "\(side) has no names for this code. Name the folder of the recorded program with --symbols."
    }

    private static func words(_ identity: FindingIdentity) -> String {
        let place = identity.code.first.map { " in " + $0 } ?? ""
        return DisplayText.escaped(identity.objects.prefix(3).joined(separator: ", ") + place)
    }

    private func add(_ name: String, _ text: String, _ color: TextColor, to page: inout TextPage) {
        page.addParagraph(text, color, label: TextLine(" " + name, .strong), indent: Self.indent)
    }
}
