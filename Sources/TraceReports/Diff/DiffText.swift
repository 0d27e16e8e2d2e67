import AnalysisText
import DispatchAnalysis
import DispatchModel
import ReportText

/// A comparison for a terminal: the verdict, the findings, totals, and the queues and code that differ.
public struct DiffText {
    private static let indent = 9
    private static let rowLimit = 8

    private let comparison: TraceComparison
    private let style: TextStyle

    /// - Parameters:
    ///   - comparison: the comparison to report.
    ///   - style: width, colours and detail; with all details, rows without a difference are listed as well.
    public init(_ comparison: TraceComparison, style: TextStyle = TextStyle()) {
        self.comparison = comparison
        self.style = style
    }

    private var showsAll: Bool { style.detail == .everything }

    /// Renders the text, with a line feed at its end.
    public func render() -> String {
        var page = TextPage(style)
        drawVerdict(on: &page)
        drawFindings(on: &page)
        drawTotals(on: &page)
        drawRows("QUEUES", "queue", comparison.runs.queues, on: &page)
        drawRows("CODE", "code", comparison.runs.code, on: &page)
        if !comparison.silentDetectors.isEmpty {
            let detectors = comparison.silentDetectors.sorted().joined(separator: ", ")
            page.addNote("The recorder sampled items of a run. Not compared: findings of \(detectors).")
        }
        if !comparison.unmatchedModules.isEmpty {
            let modules = DisplayText.escaped(comparison.unmatchedModules.joined(separator: ", "))
            page.addNote("Code of \(modules) is not compared: " + CheckText.namelessReason("one trace"))
        }
        drawLegend(on: &page)
        return page.string()
    }

    // MARK: Verdict

    private func drawVerdict(on page: inout TextPage) {
        page.addSection("VERDICT")
        let verdict = DiffVerdict(comparison)
        page.addParagraph(verdict.sentence, verdict.isWorse ? .error : .good, indent: 1)
        if !comparison.isSame {
            for sentence in verdict.highlights.prefix(4) + verdict.oneRunQueues {
                page.addParagraph(sentence, indent: 3)
            }
        }
        for sentence in verdict.untestedDifferences.prefix(4) { page.addParagraph(sentence, .faint, indent: 3) }
        for (name, side) in [("before", comparison.before), ("after", comparison.after)] {
            for sentence in MissingEventsText.sentences(on: side.analysis.trace) {
                page.addParagraph(sentence, label: TextLine(" " + name, .warning), indent: 8)
            }
        }
    }

    // MARK: Findings

    private func drawFindings(on page: inout TextPage) {
        let near =
            comparison.nearlyNew.map { ($0, comparison.after) } + comparison.nearlySame.map { ($0, comparison.before) }
        let hasOthers = !comparison.same.isEmpty || !comparison.unmatched.isEmpty || !near.isEmpty
        let hasRisen = !comparison.new.isEmpty || !comparison.worse.isEmpty
        guard !comparison.gone.isEmpty || hasRisen || hasOthers else { return }
        page.addSection("FINDINGS")
        for finding in comparison.new { draw(finding, "new", .error, of: comparison.after, on: &page) }
        for risen in comparison.worse {
            draw(risen.finding, "worse", .error, was: risen.severity, of: comparison.after, on: &page)
        }
        for finding in comparison.gone { draw(finding, "gone", .good, of: comparison.before, on: &page) }
        for finding in comparison.same { draw(finding, "both", .plain, of: comparison.after, on: &page) }
        for finding in comparison.unmatched { draw(finding, "?", .warning, of: comparison.after, on: &page) }
        for (finding, side) in near { draw(finding, "near", .faint, of: side, on: &page) }
        if !comparison.unmatched.isEmpty {
            page.addNote("Cannot match the findings with ?: " + CheckText.namelessReason("one trace"))
        }
        if !near.isEmpty {
            page.addNote("near: one run has the finding, the other misses it by less than half of each threshold.")
        }
    }

    private func draw(
        _ finding: Finding, _ name: String, _ color: TextColor, was severity: Finding.Severity? = nil,
        of side: TraceComparison.Side, on page: inout TextPage
    ) {
        var line = TextLine(" " + DisplayText.padded(name, to: 6), color)
        line.append(finding.severity.rawValue + " ", finding.severity.color)
        line.append(finding.detector, .title)
        if let severity { line.append(" · was \(severity.rawValue)", .warning) }
        let identity = FindingIdentity(finding, in: side.analysis.model)
        var text = DisplayText.escaped(identity.objects.prefix(2).joined(separator: ", "))
        if finding.cost > .zero { text += text.isEmpty ? "cost \(finding.cost)" : " · cost \(finding.cost)" }
        let room = page.width - line.width - 2
        line.append("  " + DisplayText.shortened(text, to: max(0, room)), .faint)
        page.add(line)
    }

    // MARK: The whole run

    private func drawTotals(on page: inout TextPage) {
        let isPart = comparison.after.analysis.trace.window != nil
        page.addSection(isPart ? "WINDOW" : "WHOLE RUN", note: isPart ? "all values are for this part" : "")
        var table = TextTable(
            firstTitle: "",
            columns: [.init(title: "before", width: 11), .init(title: "after", width: 11), .init(title: "", width: 7)])
        func add(_ name: String, _ before: String, _ after: String, _ ratio: Double?) {
            table.rows.append(
                .init(
                    first: .init(name),
                    cells: [.init(before), .init(after), .init(ratio.map(DiffCell.ratio) ?? "–", .strong)]))
        }
        func duration(_ name: String, _ value: (TraceComparison.Side) -> Nanoseconds) {
            let (before, after) = (value(comparison.before), value(comparison.after))
            add(name, "\(before)", "\(after)", DiffCell.ratio(Double(before.count), Double(after.count)))
        }
        func count(_ name: String, _ value: (TraceComparison.Side) -> Int?) {
            guard let before = value(comparison.before), let after = value(comparison.after) else { return }
            add(
                name, CompactNumber.grouped(before), CompactNumber.grouped(after),
                DiffCell.ratio(Double(before), Double(after)))
        }
        duration("recorded") { $0.analysis.trace.duration }
        count("items") { $0.items }
        duration("total wait in queues") { $0.waited }
        count("sync hand-offs") { $0.handoffs }
        count("context switches") { $0.switches }
        table.draw(on: &page)
    }

    // MARK: Queues and code

    private static let columns: [TextTable.Column] = [
        .init(title: "items/s", width: 14, dropRank: 2),
        .init(group: "wait", title: "p50", width: 13),
        .init(group: "wait", title: "p99", width: 11, dropRank: 3),
        .init(group: "run", title: "p50", width: 13, dropRank: 5),
        .init(group: "run", title: "p99", width: 11, dropRank: 1),
        .init(title: "handed/item", width: 12, dropRank: 4),
        .init(title: "switches/item", width: 13, dropRank: 0),
        .init(title: "overlap", width: 9, dropRank: -1),
    ]

    private func drawRows(_ title: String, _ first: String, _ rows: [Comparison.Row], on page: inout TextPage) {
        guard showsAll || !comparison.isSame else { return }
        let shown = showsAll ? rows : Array(rows.filter(\.isNotable).prefix(Self.rowLimit))
        guard !shown.isEmpty else { return }
        page.addSection(title, note: showsAll ? "" : "with differences, largest loss first")
        var table = TextTable(firstTitle: first, columns: Self.columns)
        for row in shown {
            table.rows.append(
                .init(
                    first: .init(row.name.isEmpty ? "unlabelled" : DisplayText.escaped(row.name)),
                    cells: DiffCell.cells(row)))
        }
        table.draw(on: &page)
        let rest = rows.count(where: \.isNotable) - shown.count
        if rest > 0 { page.addNote("… \(CompactNumber.grouped(rest)) more; --all shows them.") }
    }

    private func drawLegend(on page: inout TextPage) {
        page.addGap()
        guard showsAll || !comparison.isSame else {
            page.addNote("--all shows every queue and all code.")
            return
        }
        let extent =
            comparison.runsBefore > 1
            ? "outside the range of the \(comparison.runsBefore) runs before by at least 20 % and the ratio of its ends"
            : "with a typical value that doubles or halves (more runs before, given by --again, lower this limit)"
        page.addNote(
            "▼ better, ▲ worse, ◆ neither: larger than noise by a Mann–Whitney test over 32 to 64 blocks of each run "
                + "(Holm's correction, 1 %), \(extent). A cell without a mark may differ by chance.")
    }
}

extension Comparison.Row {
    /// True when a measure differs, or when only one of the runs has the row (with a cost above 1 ms).
    fileprivate var isNotable: Bool {
        !changes.isEmpty || ((before == nil) != (after == nil) && cost > .milliseconds(1))
    }
}
