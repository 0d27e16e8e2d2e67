import DispatchAnalysis
import DispatchModel
import ReportText

/// Explains why a detector reports nothing, or nothing more: the nearest case, and the thresholds that stopped it.
public struct WhyReport {
    private let answer: DetectorInquiry.Answer
    private let detector: any Detector.Type
    private let analysis: Analysis
    private let style: TextStyle

    /// - Parameters:
    ///   - answer: the result of the inquiry.
    ///   - detector: the detector that the inquiry is about.
    ///   - analysis: the analysis of the same trace with all detectors.
    ///   - style: width and colours.
    public init(
        _ answer: DetectorInquiry.Answer, about detector: any Detector.Type, in analysis: Analysis,
        style: TextStyle = TextStyle()
    ) {
        self.answer = answer
        self.detector = detector
        self.analysis = analysis
        self.style = style
    }

    /// Renders the whole answer, with a line feed at its end.
    public func render() -> String {
        var page = TextPage(style, links: style.links?.links(in: [analysis.model]))
        HeaderSection(analysis: analysis).draw(on: &page)
        page.addSection("WHY \(detector.id)", note: outcome)
        page.addParagraph("This detector looks for: \(detector.title).", .faint, indent: 0)
        for line in verdict { page.addParagraph(line, indent: 0) }
        let isSilent = detector.needsAllItems && analysis.sample != nil
        if answer.nearest != nil, !answer.steps.isEmpty, !isSilent { drawThresholds(on: &page) }
        QualitySection(analysis: analysis, detail: .brief).draw(on: &page)
        return page.string()
    }

    private var reported: [Finding] { analysis.findings.filter { $0.detector == detector.id } }

    /// The finding of another detector that includes a finding of this detector as a symptom.
    private var cause: Finding? {
        analysis.findings.first { $0.symptoms.contains { $0.detector == detector.id } }
    }

    private var outcome: String {
        let ids = reported.map(\.id).joined(separator: ", ")
        return ids.isEmpty ? cause.map { "is part of \($0.id)" } ?? "reports nothing" : "reports \(ids)"
    }

    private var verdict: [String] {
        if detector.needsAllItems, analysis.sample != nil {
            return [
                "The detector needs every item, so it is silent: the recorder sampled items and tasks of this trace."
            ]
        }
        guard let nearest = answer.nearest else {
            return [
                answer.followed == 0
                    ? "The trace has no event of the kinds that this detector reads."
                    : "The trace has no such case, even with every threshold off. The detector read "
                        + "\(CompactNumber.counted(answer.followed, "observation")).",
                "queuescope explain \(detector.id) describes its definition and its limits.",
            ]
        }
        let stops = answer.steps.filter { !$0.isMet }
        let names = stops.map(\.name).joined(separator: ", ")
        if !reported.isEmpty { return ["The clearest case: \(nearest.summary)"] }
        if let cause { return ["\(cause.id) (\(cause.detector)) explains it: \(nearest.summary)"] }
        return [
            "The nearest case: \(nearest.summary)",
            stops.isEmpty
                ? "Every threshold is reached, but never all of them by the same occurrence."
                : "\(stops.count == 1 ? "One threshold stops" : "\(stops.count) thresholds stop") it: \(names).",
        ]
    }

    private func drawThresholds(on page: inout TextPage) {
        page.addGap()
        let columns = TextColumns<DetectorInquiry.Step> { columns in
            columns.add("set to", width: 8) { $0.limit }
            columns.add("case passes at", width: 14) { $0.passes ?? "no value" }
            columns.add("", width: 8) { TextTable.Cell($0.isMet ? "met" : "stops it", $0.isMet ? .plain : .strong) }
        }
        page.addTable("threshold", columns, of: answer.steps) { $0.name }
        let changes = answer.steps.compactMap { step in
            step.isMet ? nil : step.passes.map { "--threshold \(detector.id).\(step.name)=\($0)" }
        }
        guard reported.isEmpty, cause == nil, !changes.isEmpty else { return }
        page.addGap()
        page.addParagraph("To report it, use: \(changes.joined(separator: " "))", indent: 0)
    }
}
