import DispatchAnalysis
import ReportText

/// The output of `queuescope explain`: the documentation of a detector and the options that change its thresholds.
public struct ExplainText {
    private let detector: any Detector.Type
    private let style: TextStyle

    /// - Parameters:
    ///   - detector: the detector to explain.
    ///   - style: width and colours.
    public init(_ detector: any Detector.Type, style: TextStyle = TextStyle()) {
        self.detector = detector
        self.style = style
    }

    /// Renders the whole text, with a line feed at its end.
    public func render() -> String {
        var page = TextPage(style)
        // The first sentence of the documentation states what the detector finds.
        page.addParagraph(detector.id + (detector.isLint ? " (runs only with --lint)" : ""), .title, indent: 0)
        page.addGap()
        var paragraph = ""
        func endParagraph() {
            guard !paragraph.isEmpty else { return }
            let isListed = paragraph.hasPrefix("- ")
            page.addParagraph(
                isListed ? String(paragraph.dropFirst(2)) : paragraph, label: isListed ? "- " : "",
                indent: isListed ? 2 : 0)
            paragraph = ""
        }
        // Paragraphs are wrapped again for the width of the page. Drawings in code blocks keep their lines.
        var isDrawing = false
        for line in detector.documentation.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") { isDrawing.toggle() }
            if isDrawing || line.isEmpty || line.hasPrefix("#") || line.hasPrefix("```") {
                endParagraph()
                page.add(String(line))
            } else {
                if line.hasPrefix("- ") { endParagraph() }
                paragraph += (paragraph.isEmpty ? "" : " ") + line.drop { $0 == " " }
            }
        }
        endParagraph()
        addOptions(to: &page)
        return page.string()
    }

    private func addOptions(to page: inout TextPage) {
        guard !detector.thresholds.isEmpty else { return }
        page.addGap()
        page.add("## Changing the thresholds")
        page.addGap()
        page.addParagraph("Options of report, check, diff, export and timeline, with their defaults:", indent: 0)
        page.addGap()
        for threshold in detector.thresholds {
            let option = "  --threshold \(detector.id).\(threshold.name)=\(threshold.standardText)"
            let line = option + "    " + threshold.expectation
            if DisplayText.width(line) <= page.width {
                page.add(line)
            } else {
                page.add(option)
                page.addParagraph(threshold.expectation, indent: 6)
            }
        }
    }
}
