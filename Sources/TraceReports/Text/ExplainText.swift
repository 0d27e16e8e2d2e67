import DispatchAnalysis

/// A detector's documentation and how to change its thresholds, as `queuescope explain` prints them.
public struct ExplainText {
    private let detector: any Detector.Type
    private let style: TextStyle

    /// - Parameters:
    ///   - detector: the detector to explain.
    ///   - style: how it is laid out.
    public init(_ detector: any Detector.Type, style: TextStyle = TextStyle()) {
        self.detector = detector
        self.style = style
    }

    /// The whole text, ended by a line feed.
    public func render() -> String {
        var page = TextPage(style)
        // The documentation begins with what it finds, in a sentence.
        page.addParagraph(detector.id + (detector.isLint ? " (runs with --lint only)" : ""), .title, indent: 0)
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
        // The lines of the source are as long as those of the code around them; drawings stay as they are.
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
        page.addParagraph("Options of report, check, diff, export and timeline, here with the defaults:", indent: 0)
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
