import DispatchAnalysis
import DispatchModel

/// Why a detector is silent, or reports no more than it does: what came nearest, and which threshold stopped it.
public struct WhyReport {
    private let answer: DetectorInquiry.Answer
    private let detector: any Detector.Type
    private let analysis: Analysis
    private let style: TextStyle

    /// - Parameters:
    ///   - answer: what was found out.
    ///   - detector: the detector that was asked about.
    ///   - analysis: of the same trace, with all detectors.
    ///   - style: how it is laid out.
    public init(
        _ answer: DetectorInquiry.Answer, about detector: any Detector.Type, in analysis: Analysis,
        style: TextStyle = TextStyle()
    ) {
        self.answer = answer
        self.detector = detector
        self.analysis = analysis
        self.style = style
    }

    /// The whole answer, ended by a line feed.
    public func render() -> String {
        var page = TextPage(style)
        HeaderSection(analysis: analysis).draw(on: &page)
        page.addSection("WHY \(detector.id)", note: outcome)
        page.addParagraph("It looks for this: \(detector.title).", .faint, indent: 0)
        for line in verdict { page.addParagraph(line, indent: 0) }
        if answer.nearest != nil, !answer.steps.isEmpty { drawThresholds(on: &page) }
        QualitySection(analysis: analysis, detail: .brief).draw(on: &page)
        return page.string()
    }

    private var reported: [Finding] { analysis.findings.filter { $0.detector == detector.id } }

    /// A finding that took it in as its symptom.
    private var cause: Finding? {
        analysis.findings.first { $0.symptoms.contains { $0.detector == detector.id } }
    }

    private var outcome: String {
        let ids = reported.map(\.id).joined(separator: ", ")
        return ids.isEmpty ? cause.map { "is a part of \($0.id)" } ?? "reports nothing" : "reports \(ids)"
    }

    private var verdict: [String] {
        guard let nearest = answer.nearest else {
            return [
                answer.followed == 0
                    ? "The trace has no event of the kinds that this detector reads."
                    : "Nothing in the trace is like that, even with every threshold off: it read "
                        + "\(CompactNumber.counted(answer.followed, "observation")).",
                "queuescope explain \(detector.id) says how it decides, and what it cannot see.",
            ]
        }
        let stops = answer.steps.filter { !$0.isMet }
        let names = stops.map(\.name).joined(separator: ", ")
        if !reported.isEmpty { return ["The clearest case: \(nearest.summary)"] }
        if let cause { return ["\(cause.id) (\(cause.detector)) explains it: \(nearest.summary)"] }
        return [
            "The nearest case: \(nearest.summary)",
            stops.isEmpty
                ? "It meets each threshold alone, but not all of them in one place."
                : "\(stops.count == 1 ? "One threshold stops" : "\(stops.count) thresholds stop") it: \(names).",
        ]
    }

    private func drawThresholds(on page: inout TextPage) {
        page.addGap()
        var table = TextTable(
            firstTitle: "threshold",
            columns: [
                .init(title: "set to", width: 8), .init(title: "case passes at", width: 14),
                .init(title: "", width: 8),
            ])
        for step in answer.steps {
            table.rows.append(
                TextTable.Row(
                    first: .init(step.name),
                    cells: [
                        .init(step.limit), .init(step.passes ?? "no value"),
                        .init(step.isMet ? "met" : "stops it", step.isMet ? .plain : .strong),
                    ]))
        }
        table.draw(on: &page)
        let changes = answer.steps.compactMap { step in
            step.isMet ? nil : step.passes.map { "--threshold \(detector.id).\(step.name)=\($0)" }
        }
        guard reported.isEmpty, cause == nil, !changes.isEmpty else { return }
        page.addGap()
        page.addParagraph("To have it reported: \(changes.joined(separator: " "))", indent: 0)
    }
}
